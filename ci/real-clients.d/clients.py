"""The clients: how each is installed, pointed at the scripted model, and told to use a tool."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stage import FILES, HIDDEN, PYTHON, SPEC, Stage

MODEL = "http://127.0.0.1:8931"
PROMPT = "do it"
WEAKER = FILES[SPEC].replace("SHALL", "MAY")

Step = dict[str, Any]


@dataclass(frozen=True)
class Client:
    """A client at a version."""

    name: str
    title: str
    version: str
    program: str  # below the cache, there once it is installed
    install: Callable[[Path], None]
    settle: Callable[[Stage], None]  # settings outside the repository, or what `init` leaves to the user
    environment: Callable[[Stage], dict[str, str]]
    command: Callable[[Stage], list[str]]
    shell: Callable[[str], Step]
    edits: Callable[[Stage], list[Step]]  # each writes to the spec by a tool for files
    log: Callable[[Stage], str] = lambda stage: ""  # what a user can read besides the output
    shown: Callable[[Stage], list[str]] | None = None  # instead of `command`, where that leaves out what a user sees


def installed(client: Client, cache: Path) -> bool:
    return (cache / client.program).is_file()


def fetch(*argv: str) -> None:
    """Installs something; what the installer says is shown when it fails."""
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800)
    if done.returncode != 0:
        said = done.stdout.decode(errors="replace").strip()[-1000:]
        raise ValueError(f"`{' '.join(argv)}` ended with exit code {done.returncode}: {said}")


def npm(folder: str, *packages: str) -> Callable[[Path], None]:
    """Installs npm packages into a folder of the cache, without running their scripts."""

    def install(cache: Path) -> None:
        prefix = cache / folder
        prefix.mkdir(parents=True, exist_ok=True)
        fetch("npm", "install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--prefix", str(prefix), *packages)

    return install


# --- Claude Code ----------------------------------------------------------------------------------

CLAUDE = "claude-2.1.332"


def claude_command(stage: Stage) -> list[str]:
    options = "--output-format stream-json --verbose --model claude-sonnet-4-5 --permission-mode acceptEdits".split()
    return [str(stage.cache / CLAUDE_PROGRAM), "-p", PROMPT, *options, "--allowedTools", "Bash Edit Read Write"]


def claude_environment(stage: Stage) -> dict[str, str]:
    switches = "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC DISABLE_TELEMETRY DISABLE_AUTOUPDATER DISABLE_ERROR_REPORTING"
    return {
        "CLAUDE_CONFIG_DIR": str(stage.home / ".claude"),
        "CLAUDE_CODE_TMPDIR": str(stage.home / "tmp"),
        "ANTHROPIC_BASE_URL": MODEL,
        "ANTHROPIC_API_KEY": "dummy",
    } | dict.fromkeys(switches.split(), "1")


def claude_edits(stage: Stage) -> list[Step]:
    path = str(stage.repo / SPEC)
    return [
        {"tool": "Read", "args": {"file_path": path}},  # it edits no file that it has not read
        {"tool": "Edit", "args": {"file_path": path, "old_string": "SHALL", "new_string": "MAY"}},
        {"tool": "Write", "args": {"file_path": path, "content": WEAKER}},
    ]


CLAUDE_PROGRAM = f"{CLAUDE}/node_modules/@anthropic-ai/claude-code-linux-x64/claude"

# --- Codex ----------------------------------------------------------------------------------------

CODEX = "codex-0.171.0"
CODEX_PROGRAM = f"{CODEX}/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"


def codex_trust(stage: Stage) -> str:
    """What Codex writes down when its user has reviewed the hooks of the project: a digest of each."""
    path, text = stage.repo / ".codex" / "hooks.json", ""
    for event, groups in json.loads(path.read_text())["hooks"].items():
        words = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
        for group_number, group in enumerate(groups):
            for number, hook in enumerate(group["hooks"]):
                handler = {"async": False, "timeout": 600, "type": "command"} | hook
                seen = {"event_name": words, "hooks": [handler]} | {key: group[key] for key in group if key == "matcher"}
                digest = hashlib.sha256(json.dumps(seen, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
                text += f'\n[hooks.state."{path}:{words}:{group_number}:{number}"]\ntrusted_hash = "sha256:{digest}"\n'
    return text


def codex_settle(stage: Stage) -> None:
    # A model that this version knows: only then it offers its tool for edits.
    (stage.home / ".codex").mkdir()
    (stage.home / ".codex" / "config.toml").write_text(f"""model = "gpt-5.5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "fake"
base_url = "{MODEL}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"

[projects."{stage.repo}"]
trust_level = "trusted"
{codex_trust(stage)}""")
    shutil.copy(Path(__file__).parent / "app_server.py", stage.top)  # the sources may be hidden from the client


def codex_command(stage: Stage) -> list[str]:
    return [str(stage.cache / CODEX_PROGRAM), "exec", "--json", PROMPT]


def codex_shown(stage: Stage) -> list[str]:
    return [PYTHON, str(stage.top / "app_server.py"), str(stage.cache / CODEX_PROGRAM), str(stage.repo), PROMPT]


def codex_edits(stage: Stage) -> list[Step]:
    old, new = ("The system {} let users sign in with a password.".format(word) for word in ("SHALL", "MAY"))
    patch = f"*** Begin Patch\n*** Update File: {SPEC}\n@@\n-{old}\n+{new}\n*** End Patch\n"
    return [{"tool": "apply_patch", "input": patch}]


# --- Hermes ---------------------------------------------------------------------------------------

HERMES = "hermes-0.19.0"
HERMES_PROGRAM = f"{HERMES}/bin/hermes"


def hermes_install(cache: Path) -> None:
    # Not any Python: one under a home folder would be hidden from the client together with it.
    places = [shutil.which(name) for name in ("python3", "python3.12", "python3.11")] + ["/usr/bin/python3"]
    for place in filter(None, places):
        real = subprocess.run(
            [place, "-c", "import sys; print(sys.base_prefix)"], capture_output=True, text=True, check=False
        ).stdout.strip()
        if real and not any(Path(os.path.realpath(real)).is_relative_to(folder) for folder in HIDDEN):
            fetch(place, "-m", "venv", "--clear", str(cache / HERMES))
            fetch(str(cache / HERMES / "bin" / "python"), "-m", "pip", "install", "-q", "hermes-agent[acp,mcp]==0.19.0")
            return
    raise ValueError("no Python outside the home folders to install Hermes with")


def hermes_settle(stage: Stage) -> None:
    home = stage.home / ".hermes"
    plugin = home / "plugins" / "specward"
    plugin.parent.mkdir(parents=True)
    shutil.copytree(stage.project / "hooks" / "hermes", plugin, ignore=shutil.ignore_patterns("__pycache__"))
    (home / "config.yaml").write_text(f"""model:
  default: fake-model
  provider: custom
  base_url: {MODEL}/v1
  api_key: dummy-key
  context_length: 200000
agent: {{verify_on_stop: false}}
lsp: {{enabled: false}}
security: {{allow_lazy_installs: false, tirith_enabled: false}}
plugins: {{enabled: [specward]}}
""")


def hermes_environment(stage: Stage) -> dict[str, str]:
    return {"HERMES_HOME": str(stage.home / ".hermes")}


def hermes_acp_command(stage: Stage) -> list[str]:
    shutil.copy(stage.tools / "acp_client.py", stage.top)  # where it comes from may be hidden from the client
    client = [PYTHON, str(stage.top / "acp_client.py"), "--cwd", str(stage.repo), "--prompt", PROMPT, "--"]
    # Started elsewhere, as editors do: the folder comes with the session.
    return ["env", "-C", str(stage.home), *client, str(stage.cache / HERMES_PROGRAM), "acp"]


def hermes_shell(command: str) -> Step:
    return {"tool": "terminal", "args": {"command": command}}


def hermes_edits(stage: Stage) -> list[Step]:
    path = str(stage.repo / SPEC)
    return [
        {"tool": "patch", "args": {"mode": "replace", "path": path, "old_string": "SHALL", "new_string": "MAY"}},
        {"tool": "write_file", "args": {"path": path, "content": WEAKER}},
    ]


def hermes_log(stage: Stage) -> str:
    logs = sorted((stage.home / ".hermes" / "logs").glob("*.log"))
    return "".join(path.read_text(errors="replace") for path in logs)


CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude",
            "Claude Code",
            "2.1.332",
            CLAUDE_PROGRAM,
            npm(CLAUDE, "@anthropic-ai/claude-code@2.1.332", "@anthropic-ai/claude-code-linux-x64@2.1.332"),
            lambda stage: None,
            claude_environment,
            claude_command,
            lambda command: {"tool": "Bash", "args": {"command": command, "description": "a step"}},
            claude_edits,
        ),
        Client(
            "codex",
            "Codex",
            "0.171.0",
            CODEX_PROGRAM,
            npm(CODEX, "@openai/codex@0.171.0"),
            codex_settle,
            lambda stage: {"CODEX_HOME": str(stage.home / ".codex"), "FAKE_KEY": "dummy"},
            codex_command,
            lambda command: {"tool": "exec_command", "args": {"cmd": command}},
            codex_edits,
            shown=codex_shown,
        ),
        Client(
            "hermes",
            "Hermes",
            "0.19.0",
            HERMES_PROGRAM,
            hermes_install,
            hermes_settle,
            hermes_environment,
            lambda stage: [str(stage.cache / HERMES_PROGRAM), "chat", "-q", PROMPT, "-Q", "--yolo"],
            hermes_shell,
            hermes_edits,
            hermes_log,
        ),
        Client(
            "hermes-acp",
            "Hermes as an agent of an editor",
            "0.19.0",
            HERMES_PROGRAM,
            hermes_install,
            hermes_settle,
            hermes_environment,
            hermes_acp_command,
            hermes_shell,
            hermes_edits,
            hermes_log,
        ),
    )
}
