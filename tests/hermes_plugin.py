"""The Hermes plugin, with a made-up Hermes and a made-up `specward`: python3 tests/hermes_plugin.py"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import stat
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
PLUGIN = Path(__file__).resolve().parent.parent / "hooks" / "hermes"

# Answers from a file for each event, one line a call, the last one repeated; writes down what it was asked.
FAKE = """#!{python} -IS
import json, os, sys, time
folder = {folder!r}
event = sys.argv[2]
with open(os.path.join(folder, "calls"), "a") as calls:
    calls.write(json.dumps([sys.argv[1:], json.load(sys.stdin), os.getcwd()]) + "\\n")
try:
    with open(os.path.join(folder, event)) as file:
        answers = [json.loads(line) for line in file]
except FileNotFoundError:
    sys.exit(0)
with open(os.path.join(folder, event), "w") as file:
    for answer in answers[1:] or answers:
        file.write(json.dumps(answer) + "\\n")
time.sleep(answers[0].get("sleep", 0))
sys.stdout.write(answers[0].get("out", ""))
sys.stderr.write(answers[0].get("err", ""))
sys.exit(answers[0].get("code", 0))
"""


def block(reason: str) -> dict[str, Any]:
    return {"out": json.dumps({"decision": "block", "reason": reason})}


class Context:
    """What Hermes hands to `register`."""

    def __init__(self) -> None:
        self.hooks: dict[str, Any] = {}

    def register_hook(self, name: str, hook: Any) -> None:
        self.hooks[name] = hook


class Agent:
    """The part of Hermes' agent that the plugin looks at."""

    def __init__(self) -> None:
        self._turn_file_mutation_paths: set[str] = set()


class Case(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        top = Path(scratch.name).resolve()
        self.project, self.bin, self.answers = top / "project", top / "bin", top / "answers"
        for folder in (self.project / "openspec", self.bin, self.answers):
            folder.mkdir(parents=True)
        program = self.bin / "specward"
        program.write_text(FAKE.format(python=sys.executable, folder=str(self.answers)))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

        environment = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(environment)))
        os.environ["PATH"] = str(self.bin)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.project)

        spec = importlib.util.spec_from_file_location("specward_plugin", PLUGIN / "__init__.py")
        assert spec is not None and spec.loader is not None
        self.module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = self.module  # dataclasses look it up
        spec.loader.exec_module(self.module)
        logging.getLogger(spec.name).setLevel(logging.CRITICAL + 1)
        context = Context()
        self.module.register(context)
        self.hooks = context.hooks

    def answer(self, event: str, *answers: dict[str, Any]) -> None:
        (self.answers / event).write_text("".join(json.dumps(answer) + "\n" for answer in answers))

    def calls(self, event: str | None = None) -> list[Any]:
        path = self.answers / "calls"
        calls = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [call for call in calls if event is None or call[0][1] == event]

    def begin(self, session: str = "s1") -> None:
        self.hooks["on_session_start"](session_id=session, model="m", platform="cli")
        self.hooks["pre_llm_call"](session_id=session, task_id="t", user_message="do it", conversation_history=[])

    def tool(self, name: str, session: str = "s1", **args: Any) -> Any:
        return self.hooks["pre_tool_call"](tool_name=name, args=args, session_id=session, task_id="t")

    def final(self, agent: Any = None, text: str = "All done.", session: str = "s1") -> tuple[str | None, str]:
        """A final answer, as Hermes handles one: what goes to the model, or what the user reads."""
        self.hooks["post_api_request"](session_id=session, finish_reason="stop", assistant_tool_call_count=0)
        if agent is not None and agent._turn_file_mutation_paths:
            go_on = self.hooks["pre_verify"](session_id=session, attempt=0, final_response=text, changed_paths=[])
            if go_on is not None:
                self.assertEqual(go_on["action"], "continue")
                return go_on["message"], ""
        return None, self.hooks["transform_llm_output"](response_text=text, session_id=session) or text


class Hooks(Case):
    def test_the_manifest_names_the_hooks(self) -> None:
        lines = (PLUGIN / "plugin.yaml").read_text().splitlines()
        self.assertEqual([line[4:] for line in lines if line.startswith("  - ")], list(self.hooks))

    def test_a_session_is_recorded_once_before_its_first_tool(self) -> None:
        self.begin()
        self.begin()
        [[argv, document, folder]] = self.calls()
        self.assertEqual(argv, ["hook", "session-start", "--agent", "hermes"])
        self.assertEqual(document["session_id"], "s1")
        self.assertEqual(document["cwd"], str(self.project))
        self.assertEqual(document["source"], "startup")
        self.assertEqual(folder, str(self.project))

    def test_a_session_that_goes_on_is_resumed(self) -> None:
        self.hooks["pre_llm_call"](session_id="old", task_id="t")
        self.assertEqual(self.calls()[0][1]["source"], "resume")

    def test_nothing_is_called_outside_of_openspec_projects(self) -> None:
        os.chdir("/")
        self.begin()
        self.assertIsNone(self.tool("terminal", command="ls"))
        self.assertEqual(self.final(), (None, "All done."))
        self.assertEqual(self.calls(), [])

    def test_a_project_is_recorded_when_a_tool_first_names_it(self) -> None:
        os.chdir("/")
        self.begin()
        self.tool("write_file", path=str(self.project / "openspec" / "new" / "a.md"), content="x")
        self.tool("terminal", command="ls", workdir=str(self.project))
        self.assertEqual([call[0][1] for call in self.calls()], ["session-start", "pre-tool", "pre-tool"])
        self.assertEqual({call[1]["cwd"] for call in self.calls()}, {str(self.project)})


class Tools(Case):
    def test_a_refused_tool_does_not_run(self) -> None:
        self.begin()
        self.answer("pre-tool", block("frozen"))
        for name in ("write_file", "patch", "terminal", "execute_code", "mcp__files__write"):
            self.assertEqual(self.tool(name, path="a"), {"action": "block", "message": "frozen"})
        document = self.calls("pre-tool")[0][1]
        self.assertEqual((document["tool_name"], document["tool_input"]), ("write_file", {"path": "a"}))
        self.assertEqual(document["hook_event_name"], "pre_tool_call")

    def test_exit_code_2_refuses_with_what_is_on_standard_error(self) -> None:
        self.begin()
        self.answer("pre-tool", {"code": 2, "err": "frozen\n"})
        self.assertEqual(self.tool("patch"), {"action": "block", "message": "frozen"})

    def test_tools_that_write_nothing_are_not_asked_about(self) -> None:
        self.begin()
        self.answer("pre-tool", block("frozen"))
        for name in ("read_file", "search_files", "mcp__specward__verify"):
            self.assertIsNone(self.tool(name, path="a"))
        self.assertEqual(self.calls("pre-tool"), [])

    def test_a_broken_answer_lets_the_tool_through(self) -> None:
        self.begin()
        for answer in ({"code": 101, "err": "panic"}, {"out": "no JSON"}, {"out": "[]"}):
            self.answer("pre-tool", answer)
            self.assertIsNone(self.tool("patch"))
        self.assertEqual(len(self.calls("pre-tool")), 3)


class Stop(Case):
    def test_changes_by_the_terminal_hold_the_turn(self) -> None:
        agent = Agent()  # where Hermes has it: in a function that calls the hooks
        self.begin()
        self.tool("terminal", command="sed …")
        self.answer("stop", block("put it back"), {})
        self.assertEqual(self.final(agent), ("put it back", ""))
        self.assertEqual(self.final(agent), (None, "All done."))
        self.assertEqual(len(self.calls("stop")), 2)

    def test_a_green_turn_says_nothing_and_leaves_hermes_alone(self) -> None:
        agent = Agent()
        self.begin()
        self.tool("terminal", command="ls")
        self.assertEqual(self.final(agent), (None, "All done."))
        self.assertEqual(agent._turn_file_mutation_paths, set())
        self.assertEqual(len(self.calls("stop")), 1)

    def test_each_answer_is_judged_again_although_no_tool_ran(self) -> None:
        agent = Agent()
        self.begin()
        self.answer("stop", block("1"), block("2"), block("3"), {"out": '{"systemMessage": "let go"}'})
        self.assertEqual([self.final(agent)[0] for _ in range(3)], ["1", "2", "3"])
        self.assertEqual(self.final(agent), (None, "All done.\n\nlet go"))

    def test_where_hermes_cannot_be_held_the_user_reads_the_reason(self) -> None:
        self.begin()
        self.answer("stop", block("put it back"))
        went_on, said = self.final()
        self.assertIsNone(went_on)
        self.assertIn("does not pass", said)
        self.assertTrue(said.startswith("All done.\n\n") and said.endswith("put it back"), said)
        self.assertEqual(len(self.calls("stop")), 1)

    def test_an_answer_with_tool_calls_is_not_the_end(self) -> None:
        self.begin()
        self.hooks["post_api_request"](session_id="s1", finish_reason="tool_calls", assistant_tool_call_count=1)
        self.hooks["post_api_request"](session_id="s1", finish_reason="length", assistant_tool_call_count=0)
        self.assertEqual(self.calls("stop"), [])

    def test_a_turn_whose_budget_ran_out_is_judged_too(self) -> None:
        self.begin()
        self.answer("stop", block("put it back"))
        said = self.hooks["transform_llm_output"](response_text="Summary.", session_id="s1")
        self.assertIn("put it back", said)

    def test_an_old_refusal_is_not_given_after_a_tool_ran(self) -> None:
        self.begin()
        self.answer("stop", block("old"), {})
        self.hooks["post_api_request"](session_id="s1", finish_reason="stop", assistant_tool_call_count=0)
        self.tool("terminal", command="git checkout …")
        self.assertEqual(self.final(), (None, "All done."))

    def test_sessions_do_not_mix(self) -> None:
        self.begin("s1")
        self.begin("s2")
        self.answer("stop", block("put it back"), {})
        self.hooks["post_api_request"](session_id="s1", finish_reason="stop", assistant_tool_call_count=0)
        self.assertEqual(self.final(session="s2"), (None, "All done."))
        self.assertEqual(self.hooks["pre_verify"](session_id="s1")["message"], "put it back")


class Faults(Case):
    def test_a_broken_program_refuses_once_then_lets_go_and_says_so(self) -> None:
        agent = Agent()
        self.begin()
        self.answer("stop", {"code": 101, "err": "thread panicked\nmore"})
        went_on, _ = self.final(agent)
        self.assertIn("exit code 101: thread panicked.", went_on or "")
        went_on, said = self.final(agent)
        self.assertIsNone(went_on)
        self.assertIn("nothing was verified in this turn", said)

    def test_a_late_program_is_ended_with_what_it_started(self) -> None:
        self.module.STOP_SECONDS = 1.0
        self.begin()
        self.answer("stop", {"sleep": 60})
        begin = time.monotonic()
        _, said = self.final()
        self.assertLess(time.monotonic() - begin, 20)
        self.assertIn("took longer than 1 s", said)

    def test_without_the_program_tools_run_and_the_user_is_told_once(self) -> None:
        (self.bin / "specward").unlink()
        self.begin()
        self.assertIsNone(self.tool("write_file", path="openspec/specs/a/spec.md", content="x"))
        went_on, said = self.final(Agent())
        self.assertIsNone(went_on)
        self.assertIn("nothing was verified", said)
        self.assertIn("cargo install specward", said)
        self.begin()
        self.assertEqual(self.final(), (None, "All done."))

    def test_a_program_that_cannot_be_started_is_no_consent(self) -> None:
        (self.bin / "specward").write_text("#!/no/such/interpreter\n")
        self.begin()
        _, said = self.final()
        self.assertIn("could not be called", said)

    def test_nothing_is_raised(self) -> None:
        self.begin()
        for name, hook in self.hooks.items():
            hook(session_id=None, tool_name=7, args=7, task_id=7, response_text="All done.")
            hook()

    def test_a_fault_of_the_plugin_is_told(self) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise RuntimeError("broken")

        self.begin()
        self.module.Plugin._check = fail
        went_on, said = self.final(Agent())
        self.assertIsNone(went_on)
        self.assertIn("nothing was verified in this turn: the plugin failed", said)


if __name__ == "__main__":
    unittest.main()
