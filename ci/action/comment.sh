#!/usr/bin/env bash
# Step of action.yml: puts the report into a comment of the pull request, the one of the last run if there is one.
#
# A comment is found again by its key: the input for it, or else workflow, job and folder. One that this very run wrote is
# that of another use of the action, and stays.
#
# The verdict is told by the step before. What goes wrong here is told and fails nothing.
set -euo pipefail

text=${RUNNER_TEMP:?}/specward-comment.md
answer=$RUNNER_TEMP/specward-answer.json

skip() {
  echo "::notice::specward: no comment was written: $1"
  exit 0
}
trap 'skip "what was answered is not understood"' ERR

[ -n "${TOKEN:-}" ] || skip 'there is no token'
command -v jq >/dev/null || skip 'there is no jq here'
command -v curl >/dev/null || skip 'there is no curl here'
number=$(jq -r '.pull_request.number // empty' "${GITHUB_EVENT_PATH:?}")
[[ $number =~ ^[0-9]+$ ]] || skip 'the event is about no pull request'

key=$(printf '%s\n' "${COMMENT_KEY:-${GITHUB_WORKFLOW:-}/${GITHUB_JOB:-}/${FOLDER:-.}}" | cksum | tr ' ' -)
marker="<!-- specward $key -->"
run="${GITHUB_RUN_ID:-0}/${GITHUB_RUN_ATTEMPT:-1}"
head=$(jq -r '.pull_request.head.sha // empty' "$GITHUB_EVENT_PATH")
place=${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_REPOSITORY/actions/runs/${GITHUB_RUN_ID:-}
if [ ! -s "$text" ]; then
  # Without one the comment of the last run would stand for this one.
  printf '<!-- specward -->\n## specward: UNVERIFIABLE\n\nThere is no report: the run could not start.\n' >"$text"
fi
{
  printf '%s\n<!-- run %s -->\n' "$marker" "$run"
  tail -n +2 "$text"
  printf '\nFor commit %s, by [this run](%s).\n' "$head" "$place"
} >"$RUNNER_TEMP/specward-body.md"
# The next use of the action in this job has its own.
rm -f "$text"

# call METHOD PATH [FILE]: the status; the answer is in the file for it. The token is in no argument that others can see.
call() {
  printf 'header = "Authorization: Bearer %s"\n' "$TOKEN" |
    curl --config - --silent --show-error --max-time 60 --request "$1" --output "$answer" --write-out '%{http_code}' \
      --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
      ${3:+--header 'Content-Type: application/json' --data-binary "@$3"} \
      "${GITHUB_API_URL:-https://api.github.com}/$2" || true
}

demand() {
  case $1 in
    2??) ;;
    401 | 403 | 404)
      skip "the token may not do that ($1); it needs \`pull-requests: write\`, which a pull request of a fork does not get"
      ;;
    *) skip "the answer to $2 was ${1:-none}" ;;
  esac
}

# Whose comments are ours: the token's user. An app's token has none, and then it is a bot.
login=
if [ "$(call GET user)" = 200 ]; then login=$(jq -r '.login? // empty' "$answer"); fi

comments=repos/$GITHUB_REPOSITORY/issues/$number/comments
id=
page=1
while [ -z "$id" ] && [ "$page" -le 100 ]; do
  demand "$(call GET "$comments?per_page=100&page=$page")" 'a list of comments'
  id=$(jq -r --arg marker "$marker" --arg run "<!-- run $run -->" --arg login "$login" '
    [.[] | select((.body // "") | gsub("\r"; "") | startswith($marker + "\n") and (startswith($marker + "\n" + $run) | not))
         | select(if $login == "" then .user.type == "Bot" else .user.login == $login end)]
    | .[0].id // empty' "$answer")
  [ "$(jq length "$answer")" -eq 100 ] || break
  page=$((page + 1))
done

jq -n --rawfile body "$RUNNER_TEMP/specward-body.md" '{ body: $body }' >"$RUNNER_TEMP/specward-body.json"
if [ -n "$id" ]; then
  demand "$(call PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" "$RUNNER_TEMP/specward-body.json")" 'an update'
  echo "specward: comment $id is up to date"
else
  demand "$(call POST "$comments" "$RUNNER_TEMP/specward-body.json")" 'a new comment'
  echo 'specward: a comment was written'
fi
