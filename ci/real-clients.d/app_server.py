"""Takes one turn with `codex app-server`, the part of Codex that its screens talk to: app_server.py CODEX FOLDER PROMPT

Prints what comes back, a JSON document a line, up to the end of the turn. `codex exec` prints nothing of what a hook
says to the user; this does, as a screen would get it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

codex, folder, prompt = sys.argv[1:]
server = subprocess.Popen([codex, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
assert server.stdin is not None and server.stdout is not None


def send(**message: Any) -> None:
    print(json.dumps(message), file=server.stdin, flush=True)


def received() -> Iterator[dict[str, Any]]:
    for line in server.stdout or ():
        print(line, end="", flush=True)
        yield json.loads(line)


def answer(number: int) -> dict[str, Any]:
    return next(message["result"] for message in received() if message.get("id") == number)


send(id=1, method="initialize", params={"clientInfo": {"name": "real-clients", "version": "0"}})
answer(1)
send(method="initialized")
send(id=2, method="thread/start", params={"cwd": folder, "approvalPolicy": "never", "sandbox": "danger-full-access"})
thread = answer(2)["thread"]["id"]
send(id=3, method="turn/start", params={"threadId": thread, "input": [{"type": "text", "text": prompt}]})
is_ended = any(message.get("method") == "turn/completed" for message in received())
server.stdin.close()
server.wait(timeout=10)
sys.exit(0 if is_ended else 1)
