# specward:start
# Judges what git is about to do. Written by `specward init --git-hooks`; what stands outside of these marks is yours.
specward=
for candidate in specward "${HOME:-}/.cargo/bin/specward" "${HOME:-}/.local/bin/specward"; do
  if command -v "$candidate" >/dev/null 2>&1; then
    specward=$candidate
    break
  fi
done
if [ -z "$specward" ]; then
  echo 'specward is not installed, so nothing was judged: cargo install --locked specward' >&2
  exit 1
fi
# What git says of each reference is read here, and left to what stands below.
specward_lines=$(cat)
if [ -n "$specward_lines" ]; then
  "$specward" hook NAME "$@" <<SPECWARD || exit $?
$specward_lines
SPECWARD
  exec <<SPECWARD
$specward_lines
SPECWARD
else
  "$specward" hook NAME "$@" </dev/null || exit $?
  exec </dev/null
fi
# specward:end
