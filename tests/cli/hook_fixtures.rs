//! What each client writes for each event, as files, and what is read from it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use specward::hook::payload::Payload;
use specward::hook::targets::{self, Action, From};

/// A file below the folder of fixtures, without `.json`.
struct Row {
    file: &'static str,
    event: Option<&'static str>,
    cwd: Option<&'static str>,
    tool: Option<&'static str>,
    /// What the call writes to.
    target: Option<&'static str>,
    /// All other fields.
    rest: Payload,
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/hooks");

/// The session of all of them.
const SESSION: &str = "6f9c3a52-5f0e-4f53-9a63-0d5f1c0a7b11";

const SPEC: &str = "/repo/openspec/specs/auth/spec.md";

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn row(
    file: &'static str,
    event: Option<&'static str>,
    cwd: Option<&'static str>,
    tool: Option<&'static str>,
    target: Option<&'static str>,
    rest: Payload,
) -> Row {
    Row { file, event, cwd, tool, target, rest }
}

#[rustfmt::skip]
fn rows() -> Vec<Row> {
    let none = Payload::default;
    vec![
        row("claude/pre-tool-bash", Some("PreToolUse"), Some("/repo"), Some("Bash"), Some(SPEC), none()),
        row("claude/pre-tool-edit", Some("PreToolUse"), Some("/repo"), Some("Edit"), Some(SPEC), none()),
        row("claude/pre-tool-mcp", Some("PreToolUse"), Some("/repo"), Some("mcp__filesystem__write_file"), Some(SPEC), none()),
        row("claude/pre-tool-multiedit", Some("PreToolUse"), Some("/repo"), Some("MultiEdit"), Some(SPEC), none()),
        row("claude/pre-tool-notebook", Some("PreToolUse"), Some("/repo"), Some("NotebookEdit"), Some("/repo/openspec/specs/auth/a.ipynb"), none()),
        row("claude/pre-tool-write", Some("PreToolUse"), Some("/repo"), Some("Write"), Some(SPEC), none()),
        row("claude/session-start", Some("SessionStart"), Some("/repo"), None, None, Payload { source: some("startup"), ..none() }),
        row("claude/stop", Some("Stop"), Some("/repo"), None, None, Payload { is_stop_active: true, ..none() }),
        row("claude/subagent-stop", Some("SubagentStop"), Some("/repo"), None, None, none()),
        row("cline/pre-tool-command", Some("PreToolUse"), Some("/repo"), Some("execute_command"), Some(SPEC), none()),
        row("cline/pre-tool-replace", Some("PreToolUse"), Some("/repo"), Some("replace_in_file"), Some(SPEC), none()),
        row("cline/pre-tool-write", Some("PreToolUse"), Some("/repo"), Some("write_to_file"), Some(SPEC), none()),
        row("cline/task-complete", Some("TaskComplete"), Some("/repo"), None, None, none()),
        row("cline/task-start", Some("TaskStart"), Some("/repo"), None, None, none()),
        row("codex/pre-tool-bash", Some("PreToolUse"), Some("/repo/sub"), Some("Bash"), Some(SPEC), none()),
        row("codex/pre-tool-patch", Some("PreToolUse"), Some("/repo/sub"), Some("apply_patch"), Some(SPEC), none()),
        row("codex/session-start", Some("SessionStart"), Some("/repo/sub"), None, None, Payload { source: some("resume"), ..none() }),
        row("codex/stop", Some("Stop"), Some("/repo/sub"), None, None, none()),
        row("codex/subagent-stop", Some("SubagentStop"), Some("/repo/sub"), None, None, Payload { is_stop_active: true, ..none() }),
        row("copilot/agent-stop", None, Some("/repo"), None, None, Payload { is_stop_active: true, ..none() }),
        row("copilot/pre-tool-claude-settings", Some("PreToolUse"), Some("/repo"), Some("Edit"), Some(SPEC), none()),
        row("copilot/pre-tool-edit", None, Some("/repo"), Some("edit"), Some(SPEC), none()),
        row("copilot/pre-tool-patch", None, Some("/repo"), Some("apply_patch"), Some(SPEC), none()),
        row("copilot/pre-tool-string", None, Some("/repo"), Some("create"), Some(SPEC), none()),
        row("copilot/session-start", None, Some("/repo"), None, None, Payload { source: some("startup"), ..none() }),
        row("copilot/vscode-pre-tool", Some("PreToolUse"), Some("/repo"), Some("editFiles"), Some(SPEC), Payload { is_vscode: true, ..none() }),
        row("copilot/vscode-stop", Some("Stop"), Some("/repo"), None, None, Payload { is_vscode: true, ..none() }),
        row("cursor/before-shell", Some("beforeShellExecution"), Some("/repo"), Some("Shell"), Some(SPEC), Payload { is_cursor: true, ..none() }),
        row("cursor/pre-tool-delete", Some("preToolUse"), Some("/repo"), Some("Delete"), Some(SPEC), Payload { is_cursor: true, ..none() }),
        row("cursor/pre-tool-shell", Some("preToolUse"), Some("/repo"), Some("Shell"), Some(SPEC), Payload { is_cursor: true, ..none() }),
        row("cursor/pre-tool-write", Some("preToolUse"), Some("/repo"), Some("Write"), Some(SPEC), Payload { is_cursor: true, ..none() }),
        row("cursor/session-start", Some("sessionStart"), Some("/repo"), None, None, Payload { is_cursor: true, ..none() }),
        row("cursor/stop", Some("stop"), Some("/repo"), None, None, Payload { loop_count: Some(2), status: some("completed"), is_cursor: true, ..none() }),
        row("cursor/subagent-stop", Some("subagentStop"), Some("/repo"), None, None, Payload { loop_count: Some(0), status: some("aborted"), is_cursor: true, ..none() }),
        row("gemini/after-agent", Some("AfterAgent"), Some("/repo"), None, None, Payload { is_stop_active: true, ..none() }),
        row("gemini/before-tool-replace", Some("BeforeTool"), Some("/repo"), Some("replace"), Some(SPEC), none()),
        row("gemini/before-tool-shell", Some("BeforeTool"), Some("/repo"), Some("run_shell_command"), Some(SPEC), none()),
        row("gemini/before-tool-write", Some("BeforeTool"), Some("/repo"), Some("write_file"), Some(SPEC), none()),
        row("gemini/session-start", Some("SessionStart"), Some("/repo"), None, None, Payload { source: some("startup"), ..none() }),
        row("hermes/pre-tool-code", Some("pre_tool_call"), Some("/repo"), Some("execute_code"), Some(SPEC), none()),
        row("hermes/pre-tool-patch", Some("pre_tool_call"), Some("/repo"), Some("patch"), Some(SPEC), none()),
        row("hermes/pre-tool-terminal", Some("pre_tool_call"), Some("/repo"), Some("terminal"), Some(SPEC), none()),
        row("hermes/pre-tool-write", Some("pre_tool_call"), Some("/repo"), Some("write_file"), Some(SPEC), none()),
        row("hermes/pre-verify", Some("pre_verify"), Some("/repo"), None, None, none()),
        row("hermes/session-start", Some("on_session_start"), Some("/repo"), None, None, none()),
        row("kiro/pre-tool-shell", Some("PreToolUse"), Some("/repo"), Some("execute_bash"), Some(SPEC), none()),
        row("kiro/pre-tool-write", Some("PreToolUse"), Some("/repo"), Some("fs_write"), Some(SPEC), none()),
        row("kiro/session-start", Some("SessionStart"), Some("/repo"), None, None, none()),
        row("kiro/stop", Some("Stop"), Some("/repo"), None, None, none()),
        row("opencode/pre-tool-bash", Some("pre-tool"), Some("/repo"), Some("bash"), Some(SPEC), none()),
        row("opencode/pre-tool-edit", Some("pre-tool"), Some("/repo"), Some("edit"), Some(SPEC), none()),
        row("opencode/pre-tool-patch", Some("pre-tool"), Some("/repo"), Some("apply_patch"), Some(SPEC), none()),
        row("opencode/pre-tool-write", Some("pre-tool"), Some("/repo"), Some("write"), Some(SPEC), none()),
        row("opencode/session-start", Some("session-start"), Some("/repo"), None, None, Payload { source: some("startup"), ..none() }),
        row("opencode/stop", Some("stop"), Some("/repo"), None, None, none()),
        row("qwen/pre-tool-edit", Some("PreToolUse"), Some("/repo"), Some("edit"), Some(SPEC), none()),
        row("qwen/pre-tool-shell", Some("PreToolUse"), Some("/repo"), Some("run_shell_command"), Some("/repo/openspec/specs/auth"), none()),
        row("qwen/pre-tool-write", Some("PreToolUse"), Some("/repo"), Some("write_file"), Some(SPEC), none()),
        row("qwen/session-start", Some("SessionStart"), Some("/repo"), None, None, Payload { source: some("clear"), ..none() }),
        row("qwen/stop", Some("Stop"), Some("/repo"), None, None, Payload { is_stop_active: true, ..none() }),
        row("windsurf/post-cascade-response", Some("post_cascade_response"), None, None, None, none()),
        row("windsurf/pre-run-command", Some("pre_run_command"), Some("/repo"), None, Some(SPEC), none()),
        row("windsurf/pre-write-code", Some("pre_write_code"), None, None, Some(SPEC), none()),
    ]
}

/// Every fixture has a row and every row a fixture.
#[test]
fn each_client_and_event_is_there() {
    let mut found = BTreeSet::new();
    for client in fs::read_dir(FOLDER).expect("a folder") {
        let client = client.expect("an entry").path();
        for file in fs::read_dir(&client).expect("a folder") {
            let path = file.expect("an entry").path().with_extension("");
            let name =
                path.strip_prefix(FOLDER).expect("below").components().map(|part| part.as_os_str().to_string_lossy());
            found.insert(name.collect::<Vec<_>>().join("/"));
        }
    }
    let known: BTreeSet<String> = rows().into_iter().map(|row| row.file.to_owned()).collect();
    assert_eq!(found, known);
    for agent in specward::agents::Agent::ALL {
        let of_it = known.iter().filter(|name| name.starts_with(&format!("{agent}/"))).count();
        assert!(of_it >= 3, "{agent}: {of_it}");
    }
}

/// What a fixture has under one of some names.
fn written(file: &str, names: &[&str]) -> serde_json::Value {
    let text = fs::read(Path::new(FOLDER).join(format!("{file}.json"))).expect("a fixture");
    let document: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    names.iter().find_map(|name| document.get(name)).cloned().unwrap_or_default()
}

/// Every field of every fixture.
#[test]
fn each_field_is_read() {
    for row in rows() {
        let payload = read(row.file);
        let expected = Payload {
            session: some(SESSION),
            event: row.event.map(str::to_owned),
            cwd: row.cwd.map(PathBuf::from),
            tool: row.tool.map(str::to_owned),
            input: payload.input.clone(),
            // Where a client writes them they are in every document of it.
            transcript: written(row.file, &["transcript_path", "transcriptPath"]).as_str().map(PathBuf::from),
            folders: written(row.file, &["workspace_roots", "workspaceRoots"])
                .as_array()
                .map(|folders| folders.iter().filter_map(|folder| folder.as_str().map(PathBuf::from)).collect())
                .unwrap_or_default(),
            ..row.rest
        };
        assert_eq!(payload, expected, "{}", row.file);
        let has_input = row.target.is_some() || row.file.starts_with("windsurf/");
        assert_eq!(!payload.input.is_null(), has_input, "{}: {}", row.file, payload.input);
    }
}

/// What every call writes to, and nothing else.
#[test]
fn each_target_is_told() {
    for row in rows() {
        let payload = read(row.file);
        let cwd = payload.cwd.clone().unwrap_or_else(|| PathBuf::from("/repo"));
        let touched = targets::of(&payload, From { cwd: &cwd, top: Some(Path::new("/repo")) });
        let mut paths: Vec<PathBuf> = Vec::new();
        for target in touched.targets {
            if let Action::Move(to) = target.action {
                paths.push(plain(&to));
            }
            paths.push(plain(&target.path));
        }
        paths.retain(|path| path.starts_with("/repo/openspec"));
        paths.dedup();
        let expected: Vec<PathBuf> = row.target.map(PathBuf::from).into_iter().collect();
        assert_eq!(paths, expected, "{}", row.file);
        assert_eq!(touched.commands, [""; 0]);
    }
}

fn read(file: &str) -> Payload {
    let path = format!("{FOLDER}/{file}.json");
    Payload::parse(&fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// `/repo/sub/../a` as `/repo/a`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path {
        if part == ".." {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}
