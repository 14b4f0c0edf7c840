#!/bin/sh
# Cline runs this at TaskStart. Without specward on PATH it lets everything through.
command -v specward >/dev/null 2>&1 || {
    echo 'specward is not installed: nothing is guarded or verified here. Install it as its README says.' >&2
    echo '{"cancel":false}'
    exit 0
}
specward hook session-start --agent cline
exit 0
