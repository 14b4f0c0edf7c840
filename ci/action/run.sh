#!/usr/bin/env bash
# Step of action.yml: turns the inputs into arguments of `specward ci`, which does everything else.
set -euo pipefail

arguments=()
if [ -n "$BASE" ]; then arguments+=("--base=$BASE"); fi
case $FROZEN_SPEC in
  '') ;;
  off) arguments+=(--no-frozen-spec) ;;
  *) arguments+=("--frozen-spec=$FROZEN_SPEC") ;;
esac
# Anything but true and false is refused by the program, which has it in the outputs then.
case $CHECKS in
  true) ;;
  false) arguments+=(--no-checks) ;;
  *)
    echo '::error::specward: the input checks is neither true nor false'
    arguments+=("--no-checks=$CHECKS")
    ;;
esac
if [ -n "$SARIF_FILE" ]; then arguments+=("--format=sarif=$SARIF_FILE"); fi
if [ -n "$OVERRIDE_LABEL" ]; then arguments+=("--override-label=$OVERRIDE_LABEL"); fi
case $HANDOFF in
  '' | false) ;;
  true) arguments+=("--handoff=$RUNNER_TEMP/specward-handoff.md") ;;
  *) arguments+=("--handoff=$HANDOFF") ;;
esac
if [ "$COMMENT" = true ]; then arguments+=("--comment=$RUNNER_TEMP/specward-comment.md"); fi

# Split at blanks and line ends; nothing is expanded.
read -r -d '' -a further <<<"$FORMATS" || true
for format in ${further[@]+"${further[@]}"}; do
  arguments+=("--format=$format")
done
read -r -d '' -a further <<<"$ARGS" || true

status=0
"$SPECWARD" ci ${arguments[@]+"${arguments[@]}"} ${further[@]+"${further[@]}"} || status=$?
# Help, for one, ends well and judges nothing.
if ! grep -q '^verdict<<' "$GITHUB_OUTPUT"; then
  echo '::error::specward: there is no verdict; look at the input args'
  printf 'verdict=UNVERIFIABLE\nexit-code=2\n' >>"$GITHUB_OUTPUT"
  exit 2
fi
exit "$status"
