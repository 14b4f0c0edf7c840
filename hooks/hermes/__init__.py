"""specward in Hermes' loop.

Copy this folder to `~/.hermes/plugins/specward` and name `specward` under `plugins.enabled` in `~/.hermes/config.yaml`.
A plugin, because Hermes' shell hooks do not fire under `hermes serve`, and its own hook for the end of a turn does not
fire when files were changed through the terminal.

The program `specward` decides everything; here its commands are called at the right moments:

- `hook session-start` when a session first touches an OpenSpec project, before any tool runs there;
- `hook pre-tool` before a tool that may write;
- `hook stop` when the model gives its final answer. A refusal goes back to the model, as often as Hermes lets a hook
  do that (`agent.max_verify_nudges`, 3). What can no longer go back is added to the answer, for the user to read.

Nothing here raises into Hermes. A program that is missing lets tools through, and the user is told once a session.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

logger = logging.getLogger(__name__)

PROGRAM = "specward"
WRITERS = frozenset({"write_file", "patch", "terminal", "execute_code"})
MCP_TOOL = "mcp__"
OWN_MCP_TOOL = "mcp__specward__"
QUICK_SECONDS = 15.0
STOP_SECONDS = 300.0

MISSING = (
    "specward: nothing was verified in this session, because the program is not installed here. "
    "Put `specward` on PATH (`cargo install specward`)."
)
ENDED_ANYWAY = "specward: the turn ended although the verification does not pass.\n"
CANNOT_CHECK = (
    "specward could not verify this turn: {problem}. Run `specward verify --changed --frozen-spec` and report what it "
    "says. If it cannot run either, tell the user that nothing was verified."
)
NOT_CHECKED = "specward: nothing was verified in this turn: {problem}."


@dataclass(frozen=True)
class Answer:
    """What the program said: why it refuses, what the user is to be told, or why there is no answer."""

    reason: str | None = None
    notice: str | None = None
    problem: str | None = None


@dataclass
class Session:
    """What is known of a session of Hermes."""

    folder: str
    is_new: bool = False
    roots: list[str] = field(default_factory=list)
    checked: bool = False  # nothing ran since the last answer of `hook stop`
    refusal: str | None = None  # not yet given to the model
    notices: list[str] = field(default_factory=list)  # not yet given to the user
    told: set[str] = field(default_factory=set)
    had_problem: bool = False


def run(event: str, document: dict[str, Any], seconds: float) -> Answer | None:
    """Calls `specward hook EVENT`. None when there is no such program; never raises."""
    try:
        return call(event, document, seconds)
    except Exception as error:  # whatever it is, it is not consent
        logger.debug("specward: the call failed", exc_info=True)
        return Answer(
            problem=f"`specward hook {event}` could not be called ({error!r})"
        )


def call(event: str, document: dict[str, Any], seconds: float) -> Answer | None:
    """As `run`, which catches what this raises."""
    program = shutil.which(PROGRAM)
    if program is None:
        return None
    argv = [program, "hook", event, "--agent", "hermes"]
    process = subprocess.Popen(
        argv,
        cwd=document["cwd"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that a late one is ended with all that it started
    )
    with process:
        try:
            out, err = process.communicate(
                json.dumps(document, default=str).encode(), timeout=seconds
            )
        except subprocess.TimeoutExpired:
            end_group(process)
            return Answer(
                problem=f"`specward hook {event}` took longer than {seconds:g} s"
            )
    return read(
        event,
        process.returncode,
        out.decode(errors="replace"),
        err.decode(errors="replace"),
    )


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a program and what it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):  # gone already, or Windows
        process.kill()


def read(event: str, code: int, out: str, err: str) -> Answer:
    """Reads an answer: a JSON object on standard output or nothing, exit code 0, or 2 for a refusal."""
    document: Any = {}
    if out.strip():
        try:
            document = json.loads(out)
        except ValueError:
            document = None
    if code not in (0, 2) or not isinstance(document, dict):
        said = (err.strip() or out.strip()).splitlines()
        said_first = f": {said[0][:200]}" if said else ""
        return Answer(
            problem=f"`specward hook {event}` ended with exit code {code}{said_first}"
        )
    notice = text(document.get("systemMessage"))
    if document.get("decision") == "block" or code == 2:
        reason = (
            text(document.get("reason"))
            or text(err)
            or "specward refuses this and gives no reason."
        )
        return Answer(reason=reason, notice=notice)
    return Answer(notice=notice or text(err))


def text(value: Any) -> str | None:
    """A value if it is text that says something."""
    return value.strip() if isinstance(value, str) and value.strip() else None


def root_of(folder: str) -> str | None:
    """The OpenSpec project a folder or file is in, if any."""
    try:
        path = Path(folder).expanduser().resolve()
        return next(
            (
                str(place)
                for place in (path, *path.parents)
                if (place / "openspec").is_dir()
            ),
            None,
        )
    except (OSError, RuntimeError, ValueError):
        return None


def working_folder(task: str) -> str:
    """Where a session works, as Hermes itself would find it.

    Only modules that Hermes has loaded are asked, and by names that may change: what fails falls back to the folder of
    the process.
    """
    for module, find in (
        ("tools.terminal_tool", lambda it: it.resolve_task_overrides(task).get("cwd")),
        ("agent.runtime_cwd", lambda it: str(it.resolve_agent_cwd())),
    ):
        try:
            found = text(find(sys.modules[module]))
            if found is not None and os.path.isdir(found):
                return found
        except Exception:
            logger.debug("specward: %s has no folder", module, exc_info=True)
    try:
        return os.getcwd()
    except OSError:
        return os.sep


def hold_turn(root: str) -> bool:
    """Makes Hermes ask its `pre_verify` hooks when the answer that is being handled has no tool call.

    Hermes asks them only if its own file tools changed something in this turn. It keeps the paths in an attribute of
    the agent, which no hook is given; the agent is a local variable of the function that called the hooks. Where that
    is no longer so, the refusal is added to the final answer instead.
    """
    frame = sys._getframe(1)
    while frame is not None:
        paths = getattr(frame.f_locals.get("agent"), "_turn_file_mutation_paths", None)
        if isinstance(paths, set):
            # A text file, for which Hermes does not also ask for tests to be run.
            paths.add(os.path.join(root, "openspec", "changed-by-other-tools.md"))
            return True
        frame = frame.f_back
    return False


class Plugin:
    """The hooks, and the sessions they saw."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._lock = threading.RLock()  # tools may run at the same time

    # --- What Hermes calls ---

    def on_session_start(self, session_id: str = "", **_: Any) -> None:
        """A session that did not exist before."""
        self._session(session_id).is_new = True

    def pre_llm_call(self, session_id: str = "", task_id: str = "", **_: Any) -> None:
        """A turn begins."""
        session = self._session(session_id, task_id)
        session.checked, session.refusal = False, None
        self._see(session_id, session, session.folder)

    def pre_tool_call(
        self,
        tool_name: str = "",
        args: Any = None,
        session_id: str = "",
        task_id: str = "",
        **_: Any,
    ) -> dict[str, str] | None:
        """A tool is about to run."""
        session = self._session(session_id, task_id)
        session.checked, session.refusal = False, None
        if tool_name not in WRITERS and (
            not tool_name.startswith(MCP_TOOL) or tool_name.startswith(OWN_MCP_TOOL)
        ):
            return None
        args = args if isinstance(args, dict) else {}
        for name in ("workdir", "path"):
            place = text(args.get(name))
            if place is not None:
                self._see(session_id, session, os.path.join(session.folder, place))
        for root in session.roots:
            more = {"tool_name": tool_name, "tool_input": args}
            answer = run(
                "pre-tool",
                self._document(session_id, session, root, "pre_tool_call", more),
                QUICK_SECONDS,
            )
            if answer is None:
                self._tell(session, MISSING)
            elif answer.reason is not None:
                return {"action": "block", "message": answer.reason}
            elif answer.problem is not None:
                # The check at the end of the turn decides, so a tool is not held up by our own fault.
                logger.warning("specward: %s", answer.problem)
        return None

    def post_api_request(
        self,
        session_id: str = "",
        finish_reason: Any = None,
        assistant_tool_call_count: Any = 0,
        **_: Any,
    ) -> None:
        """The model has answered. Without a tool call that is the end of the turn."""
        if assistant_tool_call_count or finish_reason == "length":
            return
        session = self._session(session_id)
        self._check(session_id, session)
        if session.refusal is not None and not hold_turn(session.roots[0]):
            logger.warning(
                "specward: this Hermes cannot be held after changes by the terminal"
            )

    def pre_verify(self, session_id: str = "", **_: Any) -> dict[str, str] | None:
        """Hermes asks whether the turn may end."""
        session = self._session(session_id)
        self._check(session_id, session)
        refusal, session.refusal = session.refusal, None
        if refusal is None:
            return None
        session.checked = (
            False  # the next answer is judged again, even if no tool runs before it
        )
        return {"action": "continue", "message": refusal}

    def transform_llm_output(
        self, response_text: str = "", session_id: str = "", **_: Any
    ) -> str | None:
        """The turn has ended: the user reads what could not go to the model."""
        session = self._session(session_id)
        self._check(session_id, session)
        if session.refusal is not None:
            self._tell(session, ENDED_ANYWAY + session.refusal, again=True)
            session.refusal = None
        notices, session.notices = session.notices, []
        return "\n\n".join([response_text, *notices]) if notices else None

    def on_session_finalize(self, session_id: str = "", **_: Any) -> None:
        """A session is over."""
        self._sessions.pop(session_id or "", None)

    # --- What they share ---

    def _session(self, name: str, task: str = "") -> Session:
        with self._lock:
            session = self._sessions.get(name or "")
            if session is None:
                session = self._sessions[name or ""] = Session(
                    folder=working_folder(task)
                )
            elif task and not session.roots:
                session.folder = working_folder(
                    task
                )  # the session's start did not know the task
            return session

    def _see(self, name: str, session: Session, place: str) -> None:
        """Lets the program record a project before anything is done in it."""
        root = root_of(place)
        with self._lock:
            if root is None or root in session.roots:
                return
            session.roots.append(root)
        more = {"source": "startup" if session.is_new else "resume"}
        answer = run(
            "session-start",
            self._document(name, session, root, "on_session_start", more),
            QUICK_SECONDS,
        )
        if answer is None:
            self._tell(session, MISSING)
        elif answer.problem is not None:
            logger.warning("specward: %s", answer.problem)

    def _check(self, name: str, session: Session) -> None:
        """Judges the turn, once for each state of the files that the agent may have made."""
        if session.checked:
            return
        session.checked = True
        for root in session.roots:
            answer = run(
                "stop",
                self._document(name, session, root, "pre_verify", {}),
                STOP_SECONDS,
            )
            if answer is None:
                self._tell(session, MISSING)
                continue
            if answer.notice is not None:
                self._tell(session, answer.notice, again=True)
            if answer.problem is not None:
                logger.warning("specward: %s", answer.problem)
                if session.had_problem:
                    self._tell(
                        session, NOT_CHECKED.format(problem=answer.problem), again=True
                    )
                else:
                    session.refusal = CANNOT_CHECK.format(problem=answer.problem)
                session.had_problem = True
            if answer.reason is not None:
                session.refusal = answer.reason
                return

    def _document(
        self, name: str, session: Session, root: str, event: str, more: dict[str, Any]
    ) -> dict[str, Any]:
        inside = root_of(session.folder) == root
        folder = session.folder if inside else root
        return {"session_id": name, "cwd": folder, "hook_event_name": event, **more}

    def _tell(self, session: Session, notice: str, again: bool = False) -> None:
        if notice in session.told and not again:
            return
        session.told.add(notice)
        session.notices.append(notice)
        logger.warning("%s", notice)


def guarded(hook: Callable[..., Any]) -> Callable[..., Any]:
    """A hook that never raises. The last one of a turn tells the user that it failed."""

    def called(**kwargs: Any) -> Any:
        try:
            return hook(**kwargs)
        except Exception as error:
            logger.exception("specward: the hook %s failed", hook.__name__)
            if hook.__name__ != "transform_llm_output":
                return None
            return f"{kwargs.get('response_text')}\n\n" + NOT_CHECKED.format(
                problem=f"the plugin failed ({error!r})"
            )

    called.__name__ = hook.__name__
    return called


def register(ctx: Any) -> None:
    """Called by Hermes when it loads the plugin."""
    plugin = Plugin()
    for hook in (
        plugin.on_session_start,
        plugin.pre_llm_call,
        plugin.pre_tool_call,
        plugin.post_api_request,
        plugin.pre_verify,
        plugin.transform_llm_output,
        plugin.on_session_finalize,
    ):
        ctx.register_hook(hook.__name__, guarded(hook))
