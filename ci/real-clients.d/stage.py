"""A scratch repository with specward's hooks in it, and a client that takes a turn there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clients import Client

# What ../shared/tools/offline.sh covers.
HIDDEN = (Path("/root"), Path("/home"))
# The one Python that is there behind the cover.
PYTHON = "/usr/bin/python3"
PATIENCE = 150  # seconds a turn; the longest takes about 20
SPEC = "openspec/specs/auth/spec.md"

FILES = {
    SPEC: """# Auth

## Purpose
Lets people in who can prove who they are, and keeps everybody else out.

## Requirements

### Requirement: Sign in
The system SHALL let users sign in with a password.

#### Scenario: Right password
- **WHEN** the password is right
- **THEN** the user is in
""",
    "openspec/changes/add-sign-out/proposal.md": """## Why

People share machines, and nobody can leave a session behind today.

## What Changes

- Users can sign out.
""",
    "openspec/changes/add-sign-out/tasks.md": "## 1. Sign out\n\n- [ ] 1.1 End the session\n",
    "openspec/changes/add-sign-out/specs/auth/spec.md": """## ADDED Requirements

### Requirement: Sign out
The system SHALL let users sign out.

#### Scenario: Signed out
- **WHEN** a user signs out
- **THEN** the session ends
""",
    "src/sign_in.txt": "sign in\n",
}

# Stands before the program on PATH, and writes down what it is asked and what it answers.
RECORDER = """#!{python} -IS
import json, os, subprocess, sys, time
if sys.argv[1:2] != ["hook"]:
    os.execv({program!r}, [{program!r}, *sys.argv[1:]])
said = sys.stdin.buffer.read()
done = subprocess.run([{program!r}, *sys.argv[1:]], input=said, capture_output=True)
name = os.path.join({folder!r}, "%d-%d.json" % (time.time_ns(), os.getpid()))
record = dict(event=sys.argv[2], argv=sys.argv[1:], said=said.decode("utf-8", "replace"), code=done.returncode,
              out=done.stdout.decode("utf-8", "replace"), err=done.stderr.decode("utf-8", "replace"))
with open(name + ".new", "w") as file:
    json.dump(record, file)
os.rename(name + ".new", name)
sys.stdout.buffer.write(done.stdout)
sys.stderr.buffer.write(done.stderr)
sys.stdout.flush()
sys.exit(done.returncode)
"""


@dataclass(frozen=True)
class Call:
    """A call of `specward hook`: what it was told, and what it answered."""

    event: str
    said: str
    out: str
    err: str
    code: int

    @property
    def refusal(self) -> str | None:
        """The reason, if the answer refuses something in any client's words."""
        try:
            document = json.loads(self.out) if self.out.strip() else {}
        except ValueError:
            return None
        nested = document.get("hookSpecificOutput") or {}
        if document.get("decision") in ("block", "deny"):
            return str(document.get("reason"))
        for part in (nested, document):
            if part.get("permissionDecision") == "deny":
                return str(part.get("permissionDecisionReason"))
        return self.err if self.code == 2 else None

    @property
    def notice(self) -> str | None:
        """What an answer that refuses nothing says to the user."""
        if self.refusal is not None:
            return None
        try:
            said = json.loads(self.out).get("systemMessage") if self.out.strip() else None
        except (ValueError, AttributeError):
            said = None
        return said or self.err.strip() or None


@dataclass
class Turn:
    """What happened in a turn."""

    code: int | None  # None: it did not end by itself
    output: str
    requests: list[str]  # what came last in each request that offers tools
    calls: list[Call] = field(default_factory=list)

    def of(self, event: str) -> list[Call]:
        """The calls of an event."""
        return [call for call in self.calls if call.event == event]

    def refusals(self, event: str) -> list[str]:
        """The reasons given for an event."""
        return [call.refusal for call in self.of(event) if call.refusal is not None]

    def requests_with(self, reason: str) -> list[int]:
        """The numbers of the requests, from 1, whose last words hold a reason."""
        words = core(reason)
        return [number for number, last in enumerate(self.requests, 1) if words in last]


def core(text: str) -> str:
    """The longest part of a text that every client passes on as it is: no quotes, backslashes, ends of lines."""
    return max(re.findall(r"[A-Za-z0-9 .,:/_()-]+", text), key=len, default="(no words)").strip()


class Stage:
    """A repository, a home, and the program, all for one scenario."""

    def __init__(self, client: Client, scenario: str, binary: Path, tools: Path, cache: Path, project: Path) -> None:
        self.client, self.tools, self.cache, self.project = client, tools, cache, project
        self.top = Path(tempfile.mkdtemp(prefix=f"real-clients-{client.name}-{scenario}-")).resolve()
        if any(self.top.is_relative_to(folder) for folder in HIDDEN):
            raise ValueError(f"{self.top} is hidden from the clients, as all home folders are; set TMPDIR")
        self.repo, self.home, self.calls = self.top / "repo", self.top / "home", self.top / "calls"
        for folder in (self.repo, self.home / "tmp", self.calls, self.top / "bin", self.top / "program"):
            folder.mkdir(parents=True)
        program = self.top / "program" / "specward"
        shutil.copy(binary, program)
        recorder = self.top / "bin" / "specward"
        recorder.write_text(RECORDER.format(python=PYTHON, program=str(program), folder=str(self.calls)))
        recorder.chmod(0o755)

        for path, content in FILES.items():
            (self.repo / path).parent.mkdir(parents=True, exist_ok=True)
            (self.repo / path).write_text(content)
        self.git("init", "-q", "-b", "main")
        for key, value in (("user.name", "Real Clients"), ("user.email", "real-clients@example.com")):
            self.git("config", key, value)
        self.commit("a spec and an open change")
        self.run("specward", "init", f"--agents={client.name.removesuffix('-acp')}")
        client.settle(self)
        self.commit("specward")
        self.git("switch", "-qc", "work")

    def environment(self) -> dict[str, str]:
        """What programs see here: nothing of the caller's."""
        return {
            "PATH": f"{self.top / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "TERM": "dumb",
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def run(self, *argv: str) -> str:
        """Runs a program in the repository; a failure is an error of this script."""
        env = self.environment()
        program = shutil.which(argv[0], path=env["PATH"]) or argv[0]
        done = subprocess.run(
            [program, *argv[1:]], cwd=self.repo, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
        )
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip()[-500:]
            raise ValueError(f"`{' '.join(argv)}` ended with exit code {done.returncode}: {said}")
        return done.stdout.decode(errors="replace")

    def git(self, *argv: str) -> str:
        return self.run("git", *argv)

    def commit(self, subject: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)

    def spec(self) -> str:
        """The main spec, as it is now."""
        path = self.repo / SPEC
        return path.read_text() if path.is_file() else ""

    def is_restored(self) -> bool:
        """Whether the main spec is as it was, in the work tree and in the last commit."""
        return self.spec() == FILES[SPEC] and self.git("show", f"HEAD:{SPEC}") == FILES[SPEC]

    def turn(self, steps: list[dict[str, Any]], is_shown: bool = False) -> Turn:
        """Lets the client take a turn whose steps are given; the last one is repeated.

        `is_shown`: the output has to hold what a user sees of hooks.
        """
        command = self.client.shown if is_shown and self.client.shown else self.client.command
        script, log = self.top / "steps.json", self.top / "requests.jsonl"
        script.write_text(json.dumps(steps))
        env = self.environment() | self.client.environment(self)
        words = [f"{name}={value}" for name, value in env.items()]
        argv = ["bash", str(self.tools / "offline.sh"), str(script), str(log), "--", "env", "-i", *words]
        # The time-out is inside, so that the model server ends too.
        argv += ["timeout", "-k", "5", str(PATIENCE), *command(self)]
        started = time.monotonic()
        with open(self.top / "output.txt", "w+b") as output:
            done = subprocess.run(
                argv, cwd=self.repo, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=PATIENCE + 60
            )
        text = (self.top / "output.txt").read_text(errors="replace")
        is_late = done.returncode in (124, 137) and time.monotonic() - started > PATIENCE
        requests = [record["last"] for record in map(json.loads, log.read_text().splitlines()) if record.get("tools")]
        records = [json.loads(path.read_text()) for path in sorted(self.calls.glob("*.json"))]
        calls = [Call(it["event"], it["said"], it["out"], it["err"], it["code"]) for it in records]
        return Turn(None if is_late else done.returncode, text + self.client.log(self), requests, calls)

    def save_documents(self, folder: Path) -> None:
        """Keeps one document of each event, with the paths of this scenario taken out."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(self.calls.glob("*.json")):
            said = json.loads(path.read_text())["said"]
            try:
                document = json.loads(said)
            except ValueError:
                document = {}
            event = str(document.get("hook_event_name") or json.loads(path.read_text())["event"])
            tool = f"-{document['tool_name']}" if document.get("tool_name") else ""
            said = said.replace(str(self.repo), "/repo").replace(str(self.home), "/home/user")
            (folder / f"{self.client.name}-{event}{tool}.json").write_text(said.rstrip("\n") + "\n")
