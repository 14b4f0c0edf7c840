# Sourced by the comparisons with the reference: finds Node, fetches the reference once, sets `node` and `installed`.
# The package goes into target/oracle. OPENSPEC_PACKAGE names a folder that holds it already.
package=@fission-ai/openspec
version=1.13.2
place=$here/../target/oracle
installed=${OPENSPEC_PACKAGE:-$place/node_modules/$package}

for node in "${NODE:-}" node nodejs; do
  [ -n "$node" ] && command -v "$node" >/dev/null && break
  node=
done
if [ -z "$node" ] || ! "$node" -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'; then
  echo "$(basename "$0"): needs Node 20 or newer (set NODE to its path)" >&2
  exit 2
fi

if [ ! -f "$installed/package.json" ] || ! grep -q "\"version\": \"$version\"" "$installed/package.json"; then
  mkdir -p "$place"
  # A package.json of its own keeps npm from looking for a project further up.
  [ -f "$place/package.json" ] || echo '{ "private": true }' >"$place/package.json"
  npm install --prefix "$place" --ignore-scripts --no-save --no-audit --no-fund --loglevel=error "$package@$version" >&2
  installed=$place/node_modules/$package
fi
