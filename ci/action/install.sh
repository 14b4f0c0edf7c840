#!/usr/bin/env bash
# Step of action.yml: gets the binary that VERSION names, and sets the output `specward` to its path.
set -euo pipefail

to=${RUNNER_TEMP:?}/specward-bin
# What another use of the action in this job left.
rm -f "$RUNNER_TEMP/specward-comment.md"

fail() {
  echo "::error::specward: $1"
  exit 2
}

from_source() {
  command -v cargo >/dev/null || fail "$1, and there is no cargo to build it with"
  # Building runs programs, and the job has secrets then that are not for whoever wrote what is checked out.
  case ${GITHUB_EVENT_NAME:-} in
    pull_request_target | workflow_run | issue_comment)
      fail "$1, and nothing is built for the event $GITHUB_EVENT_NAME: name a release that there is, or path"
      ;;
  esac
  # Where cargo and rustup look for settings: what is checked out shall not choose the toolchain.
  (cd "$GITHUB_ACTION_PATH" && cargo install --locked --force --path . --root "$to") ||
    fail "$1, and cargo could not build it"
  specward=$to/bin/specward
}

release() {
  local status=0
  sh "$GITHUB_ACTION_PATH/ci/install.sh" --version "$1" --to "$to" \
    ${SPECWARD_RELEASES:+--base-url "$SPECWARD_RELEASES"} || status=$?
  # 69: there is no such file. A file with another checksum is another matter, and ends the run.
  case $status in
    0) specward=$to/specward ;;
    69)
      grep -qx "version = \"$1\"" "$GITHUB_ACTION_PATH/Cargo.toml" || fail "there is no release $1 for this machine"
      echo "::notice::specward: there is no release $1 for this machine, so this action's source is built"
      from_source "there is no release $1 for this machine"
      ;;
    *) fail "release $1 could not be installed" ;;
  esac
}

case ${VERSION:-} in
  '') fail 'the input version is empty: name a release, source or path' ;;
  path) specward=$(command -v specward) || fail 'version is path, and no specward is on PATH' ;;
  source) from_source 'version is source' ;;
  *) release "${VERSION#v}" ;;
esac
if [ ! -e "$specward" ] && [ -e "$specward.exe" ]; then specward=$specward.exe; fi
"$specward" --version
echo "specward=$specward" >>"$GITHUB_OUTPUT"
