#!/bin/sh
# Cline runs this at PreToolUse. Without specward on PATH it lets everything through.
command -v specward >/dev/null 2>&1 || {
    echo 'specward is not installed: nothing is guarded. Install it as its README says.' >&2
    echo '{"cancel":false}'
    exit 0
}
specward hook pre-tool --agent cline
case $? in 2) exit 2 ;; *) exit 0 ;; esac
