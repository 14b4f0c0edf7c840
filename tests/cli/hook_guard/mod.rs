//! `specward hook pre-tool`: what may not be written, in the words of whoever asks.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{AUTH, DELTA, Outcome, SPEC, Sandbox};

mod explained;
mod shell;

/// Asks for an agent with a whole document.
fn ask(sandbox: &Sandbox, agent: &str, document: &Value) -> Outcome {
    sandbox.feed(&["hook", "pre-tool", "--agent", agent], document.to_string())
}

/// Asks as OpenCode's plugin does, which hears a reason on standard error.
fn call(sandbox: &Sandbox, tool: &str, input: &Value) -> Outcome {
    let document = json!({ "session_id": "s", "cwd": sandbox.root, "tool_name": tool, "tool_input": input });
    ask(sandbox, "opencode", &document)
}

fn write(sandbox: &Sandbox, path: impl AsRef<std::path::Path>) -> Outcome {
    call(sandbox, "write", &json!({ "filePath": path.as_ref(), "content": "x" }))
}

#[track_caller]
fn is_denied(outcome: &Outcome) {
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{}", outcome.stderr);
    assert!(!outcome.stderr.is_empty());
}

#[track_caller]
fn is_let_through(outcome: &Outcome) {
    assert_eq!((outcome.code, outcome.stdout.as_str(), outcome.stderr.as_str()), (Some(0), "", ""));
}

const REASON: &str = "openspec/specs/auth/spec.md is frozen and was not written: a spec says what was agreed.\nChange the implementation instead. If it is wrong, tell the human, who changes it.\nAn edit of it that was made already is undone by `git restore`.";

/// A denial, byte for byte, for each agent.
#[test]
fn each_agent_hears_it_in_its_own_words() {
    let sandbox = Sandbox::repository();
    let document =
        json!({ "cwd": sandbox.root, "tool_name": "Edit", "tool_input": { "file_path": sandbox.path(AUTH) } });
    let nested = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": REASON } });
    let heard = [
        ("claude", nested.clone()),
        ("codex", nested.clone()),
        ("qwen", nested.clone()),
        ("gemini", json!({ "decision": "deny", "reason": REASON })),
        ("copilot", json!({ "permissionDecision": "deny", "permissionDecisionReason": REASON })),
        ("cursor", json!({ "permission": "deny", "user_message": REASON, "agent_message": REASON })),
        ("hermes", json!({ "decision": "block", "reason": REASON })),
        ("cline", json!({ "cancel": true, "errorMessage": REASON })),
    ];
    for (agent, expected) in heard {
        let outcome = ask(&sandbox, agent, &document);
        let expected = (Some(0), format!("{expected}\n"), String::new());
        assert_eq!((outcome.code, outcome.stdout, outcome.stderr), expected, "{agent}");
    }
    for agent in ["opencode", "kiro", "windsurf"] {
        let outcome = ask(&sandbox, agent, &document);
        assert_eq!((outcome.code, outcome.stdout, outcome.stderr), (Some(2), String::new(), format!("{REASON}\n")));
    }
    let portable = json!({
        "decision": "deny", "reason": REASON, "permission": "deny", "permissionDecision": "deny",
        "permissionDecisionReason": REASON, "user_message": REASON, "agent_message": REASON,
        "hookSpecificOutput": nested["hookSpecificOutput"],
    });
    let outcome = sandbox.feed(&["hook", "pre-tool"], document.to_string());
    assert_eq!(
        (outcome.code, outcome.stdout, outcome.stderr),
        (Some(2), format!("{portable}\n"), format!("{REASON}\n"))
    );
    ask(&sandbox, "zed", &document).exits(1).complains("known agents are auto, claude");
}

/// The whole spec set, and nothing beside it.
#[test]
fn what_is_frozen() {
    let sandbox = Sandbox::repository();
    sandbox.write("openspec/specward.yaml", "protect: [tests, 'Make*']\n");
    for path in [
        AUTH,
        "openspec/specs/new/spec.md",
        "openspec/config.yaml",
        "openspec/specward.yaml",
        "openspec/changes/a/proposal.md",
        "openspec/changes/archive/2026-01-01-a/tasks.md",
        "openspec/verify/auth.yaml",
        "openspec/schemas/x/schema.yaml",
        "tests/deep/a.rs",
        "Makefile",
        "src/../openspec/specs/auth/spec.md",
        "./openspec//specs/auth/spec.md",
    ] {
        is_denied(&write(&sandbox, path));
        is_denied(&write(&sandbox, sandbox.path(path)));
    }
    for path in
        ["src/a.rs", "openspec/README.md", "docs/openspec/specs.md", "sub/Makefile", "openspec2/specs/a", "tests.rs"]
    {
        is_let_through(&write(&sandbox, path));
    }
    is_let_through(&call(&sandbox, "read", &json!({ "filePath": sandbox.path(AUTH) })));
    is_let_through(&call(&sandbox, "str_replace_editor", &json!({ "command": "view", "path": sandbox.path(AUTH) })));
    is_denied(&call(&sandbox, "str_replace_editor", &json!({ "command": "create", "path": sandbox.path(AUTH) })));
    is_denied(&call(&sandbox, "mcp__fs__move_file", &json!({ "source": "src/a", "destination": sandbox.path(AUTH) })));
    is_denied(&call(&sandbox, "mcp__fs__move_file", &json!({ "source": AUTH, "destination": "src/a" })));
    is_let_through(&call(&sandbox, "mcp__fs__copy_file", &json!({ "source": AUTH, "destination": "src/a" })));
    is_denied(&call(&sandbox, "mcp__fs__delete_files", &json!({ "items": [{ "path": "openspec" }] })));
    is_denied(&call(
        &sandbox,
        "apply_patch",
        &json!({ "input": format!("*** Begin Patch\n*** Add File: {AUTH}\n+x\n*** End Patch") }),
    ));
}

/// `frozen: off` is what a project says, and nothing less.
#[test]
fn off_is_off() {
    let sandbox = Sandbox::repository();
    for (config, is_frozen) in
        [("frozen: off\n", false), ("strict: true\n", true), ("frozen: strict\n", true), ("frozn: off\n", true)]
    {
        sandbox.write("openspec/specward.yaml", config);
        let outcome = write(&sandbox, AUTH);
        if is_frozen { is_denied(&outcome) } else { is_let_through(&outcome) }
    }
}

#[test]
fn links_lead_to_what_is_frozen() {
    let sandbox = Sandbox::repository();
    sandbox.link("src/link.md", "../openspec/specs/auth/spec.md");
    sandbox.link("src/folder", "../openspec");
    sandbox.link("elsewhere", "openspec/specs");
    for path in ["src/link.md", "src/folder/specs/auth/spec.md", "elsewhere/auth/spec.md", "elsewhere/new/spec.md"] {
        is_denied(&write(&sandbox, path));
    }
    // `src/folder/..` is the top, not `src`.
    is_denied(&write(&sandbox, "src/folder/../openspec/specs/auth/spec.md"));
    is_let_through(&write(&sandbox, "src/folder/../src/a.rs"));
    // Specs that are kept elsewhere, by either name.
    fs::rename(sandbox.path("openspec/specs"), sandbox.path("docs")).expect("a folder");
    sandbox.link("openspec/specs", "../docs");
    for path in [AUTH, "docs/auth/spec.md", "elsewhere/auth/spec.md"] {
        is_denied(&write(&sandbox, path));
    }
    is_denied(&call(&sandbox, "bash", &json!({ "command": "rm openspec/specs" })));
}

/// The folder an agent says that it works in decides, also in a linked work tree.
#[test]
fn the_work_tree_of_the_call_counts() {
    let mut sandbox = Sandbox::repository();
    sandbox.git(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
    let linked = sandbox.top.join("linked");
    sandbox.set("CLAUDE_PROJECT_DIR", sandbox.root.clone());
    let ask_in = |cwd: &std::path::Path, path: &str| {
        let input = json!({ "filePath": path, "content": "" });
        ask(&sandbox, "opencode", &json!({ "cwd": cwd, "tool_name": "write", "tool_input": input }))
    };
    is_denied(&ask_in(&linked, AUTH));
    is_let_through(&ask_in(&linked, "src/a.rs"));
    is_denied(&ask_in(&linked.join("openspec/specs"), "auth/spec.md"));
    // Work on the code of one and on a spec of the other.
    let other = sandbox.path(AUTH);
    is_denied(&ask_in(&linked, other.to_str().expect("text")));
    // What the linked one is compared with lies with the main one.
    let memory = sandbox.path(".git/specward/sessions/s.json");
    ask_in(&linked, memory.to_str().expect("text")).exits(2).complains("what a session is compared with");
}

#[test]
fn nested_projects_are_data_and_sibling_projects_are_not() {
    let sandbox = Sandbox::bare_folder();
    sandbox.init(&[]);
    for project in ["a", "b"] {
        sandbox.write(format!("{project}/{AUTH}"), SPEC);
    }
    sandbox.write(format!("a/tests/fixture/{AUTH}"), SPEC);
    for path in ["a", "b"] {
        is_denied(&write(&sandbox, format!("{path}/{AUTH}")));
    }
    is_let_through(&write(&sandbox, format!("a/tests/fixture/{AUTH}")));
}

#[test]
fn outside_of_a_project_nothing_is_said() {
    let sandbox = Sandbox::bare_folder();
    let outside = [
        json!({ "cwd": sandbox.root, "tool_name": "write", "tool_input": { "filePath": AUTH } }).to_string(),
        "no JSON".to_owned(),
        String::new(),
    ];
    for has_repository in [false, true] {
        if has_repository {
            sandbox.init(&[]);
        }
        for input in &outside {
            is_let_through(&sandbox.feed(&["hook", "pre-tool", "--agent", "claude"], input));
        }
    }
}

/// What cannot be understood is let through, and said aloud.
#[test]
fn broken_input_is_told() {
    let sandbox = Sandbox::repository();
    for input in ["", "no JSON", "{\"cwd\":", "[]"] {
        let outcome = sandbox.feed(&["hook", "pre-tool", "--agent", "claude"], input);
        outcome.exits(0).complains("standard input was not understood");
        assert_eq!(outcome.stdout, "");
    }
    // Fields of another type are none.
    is_let_through(&ask(&sandbox, "claude", &json!({ "cwd": 7, "tool_name": [], "tool_input": "x" })));
    let at_hand = json!({ "cwd": 7, "tool_name": "write", "tool_input": { "path": AUTH } });
    is_denied(&ask(&sandbox, "opencode", &at_hand));
}

/// Nobody writes a document in good faith that is too big or too deep to be read.
#[test]
fn a_document_that_cannot_be_read_is_denied() {
    let sandbox = Sandbox::repository();
    let deep = format!("{}1{}", "{\"a\":".repeat(200), "}".repeat(200));
    let inside = json!({ "tool_name": "edit", "tool_input": deep, "cwd": sandbox.root }).to_string();
    let big =
        json!({ "tool_name": "write", "tool_input": { "path": AUTH, "content": "x".repeat(9 << 20) } }).to_string();
    for input in [&deep, &inside, &big] {
        let outcome = sandbox.feed(&["hook", "pre-tool", "--agent", "opencode"], input);
        is_denied(&outcome);
        outcome.complains("cannot be looked at, for it is");
    }
    sandbox.write("openspec/specward.yaml", "frozen: off\n");
    sandbox.feed(&["hook", "pre-tool", "--agent", "opencode"], &deep).exits(0);
    let elsewhere = Sandbox::bare_folder();
    is_let_through(&elsewhere.feed(&["hook", "pre-tool", "--agent", "opencode"], &big));
}

/// The same file of hooks read by two clients is answered once.
#[test]
fn a_call_is_answered_once() {
    let mut sandbox = Sandbox::repository();
    let input = json!({ "file_path": AUTH });
    let document = json!({ "cwd": sandbox.root, "tool_name": "Edit", "tool_input": input });
    let cursor = json!({ "cwd": sandbox.root, "tool_name": "Write", "tool_input": input, "cursor_version": "2.6" });
    assert!(ask(&sandbox, "claude", &document).exits(0).stdout.contains("deny"));
    assert!(ask(&sandbox, "claude", &cursor).exits(2).stdout.contains("deny"));
    sandbox.write(".cursor/hooks.json", "{\"command\": \"specward hook pre-tool --agent cursor\"}");
    is_let_through(&ask(&sandbox, "claude", &cursor));
    assert!(ask(&sandbox, "cursor", &cursor).exits(0).stdout.contains("deny"));
    sandbox.write(".github/hooks/specward.json", "{\"bash\": \"specward hook pre-tool --agent copilot\"}");
    assert!(ask(&sandbox, "claude", &document).exits(0).stdout.contains("deny"), "Claude Code itself");
    sandbox.set("COPILOT_CLI", "1");
    is_let_through(&ask(&sandbox, "claude", &document));
    assert!(ask(&sandbox, "copilot", &document).exits(0).stdout.contains("deny"));
}

/// Hooks that run specward stay; everything else in their files is free.
#[test]
fn hooks_are_not_disarmed() {
    let sandbox = Sandbox::repository();
    let settings = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"specward hook stop\"}]}]}, \"model\": \"a\"}\n";
    let path = ".claude/settings.json";
    sandbox.write(path, settings);
    let replaced =
        |old: &str, new: &str| call(&sandbox, "edit", &json!({ "filePath": path, "oldString": old, "newString": new }));
    is_let_through(&replaced("\"a\"", "\"b\""));
    is_denied(&replaced("specward hook stop", "true"));
    is_denied(&replaced("\"model\"", "\"disableAllHooks\": true, \"model\""));
    is_denied(&write(&sandbox, path));
    for command in ["rm -r .claude", "rm .claude/settings.json", "echo {} > .claude/settings.json", "mv .claude x"] {
        call(&sandbox, "bash", &json!({ "command": command })).exits(2).complains("it runs specward");
    }
    let off = json!({ "filePath": ".claude/settings.local.json", "content": "{\"disableAllHooks\": true}" });
    is_denied(&call(&sandbox, "write", &off));
    is_let_through(&write(&sandbox, ".codex/hooks.json"));
    sandbox.write(".git/hooks/pre-commit", "#!/bin/sh\nspecward verify\n");
    is_denied(&write(&sandbox, ".git/hooks/pre-commit"));
}

/// A reason names no path that moves a cursor.
#[test]
fn names_are_shown_as_text() {
    let sandbox = Sandbox::repository();
    let outcome = write(&sandbox, "openspec/specs/a\u{1b}[31m/spec.md");
    outcome.exits(2).complains("openspec/specs/a\\u{1b}[31m/spec.md is frozen");
}

/// A client may keep standard input open behind its document.
#[test]
fn an_open_input_is_not_waited_for() {
    let sandbox = Sandbox::repository();
    let input = json!({ "cwd": sandbox.root, "tool_name": "Edit", "tool_input": { "file_path": AUTH } }).to_string();
    let mut command = sandbox.command(crate::support::SPECWARD);
    command.args(["hook", "pre-tool", "--agent", "opencode"]).stdin(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("it reads");
    let ended = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().expect("it can be asked")
    });
    if ended.is_none() {
        child.kill().expect("it can be stopped");
    }
    assert_eq!(ended.and_then(|status| status.code()), Some(2));
    drop(pipe);
}
