use proptest::prelude::*;
use serde_json::json;

use super::*;

fn touched(tool: &str, input: Value) -> Vec<Target> {
    let payload = Payload { tool: Some(tool.to_owned()), input, ..Payload::default() };
    of(&payload, From { cwd: Path::new("/r"), top: None }).targets
}

fn write(path: &str) -> Target {
    Target::new(path.into(), Action::Write)
}

#[test]
fn files_by_the_names_of_arguments() {
    for key in
        ["path", "file_path", "filePath", "notebook_path", "absolute_path", "target_file", "TargetFile", "file", "uri"]
    {
        assert_eq!(touched("Write", json!({ key: "a" })), [write("/r/a")], "{key}");
        assert_eq!(touched("Read", json!({ key: "a" })), [], "{key}");
    }
    assert_eq!(touched("write", json!({ "path": "file:///a", "title": "b", "content": 3 })), [write("/a")]);
    assert_eq!(touched("write", json!({ "paths": ["a", 1, "b"] })), [write("/r/a"), write("/r/b")]);
    assert_eq!(touched("edit", json!({ "edits": [{ "path": "a" }, { "path": "b\nc" }] })), [write("/r/a")]);
    assert_eq!(touched("mcp__x__read_file", json!({ "path": "a" })), []);
    assert_eq!(touched("MCP:create_file", json!({ "path": "a" })), [write("/r/a")]);
    assert_eq!(touched("Delete", json!({ "path": "a" })), [Target::new("/r/a".into(), Action::Tree)]);
}

#[test]
fn moved_and_copied() {
    let input = json!({ "source": "a", "destination": "b" });
    assert_eq!(touched("move_file", input.clone()), [Target::new("/r/a".into(), Action::Move("/r/b".into()))]);
    assert_eq!(touched("copy_file", input), [write("/r/b")]);
    let several = touched("rename", json!({ "paths": ["a", "b"], "to": "c" }));
    let tree = |path: &str| Target::new(path.into(), Action::Tree);
    assert_eq!(several, [tree("/r/a"), tree("/r/b"), write("/r/c")]);
}

#[test]
fn what_the_file_will_hold() {
    let edit = touched("Edit", json!({ "file_path": "a", "old_string": "b", "new_string": "c" }));
    assert_eq!(edit[0].text.as_deref(), Some(&Text::Replaced("b".into(), "c".into())));
    let write = touched("Write", json!({ "file_path": "a", "content": "b" }));
    assert_eq!(write[0].text.as_deref(), Some(&Text::Whole("b".into())));
}

#[test]
fn patches() {
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b c \r\n*** Move to: d\n@@\n*** Delete File: /e\n*** End Patch";
    let expected = [
        write("/r/a"),
        Target::new("/r/b c".into(), Action::Move("/r/d".into())),
        Target::new("/e".into(), Action::Tree),
    ];
    for input in [json!({ "command": patch }), json!({ "input": patch }), json!({ "patch": patch }), json!(patch)] {
        assert_eq!(touched("apply_patch", input), expected);
    }
    let heredoc = format!("apply_patch <<'E'\n{patch}\nE\n");
    assert_eq!(touched("Bash", json!({ "command": heredoc })), expected);
    assert_eq!(touched("shell", json!({ "command": ["apply_patch", patch] })), expected);
    let diff = "diff --git a/x b/y\nrename from x\nrename to y\n--- a/z\t2026\n+++ /dev/null\n";
    let found: Vec<_> = patch::diff_targets(diff, 1, Path::new("/r")).into_iter().map(|target| target.path).collect();
    assert_eq!(found, ["/r/x", "/r/y", "/r/x", "/r/y", "/r/z"].map(PathBuf::from));
}

proptest! {
    #[test]
    fn any_patch_is_read(text in "([*+-]{3} (Add|Update|Delete) File: |\\*\\*\\* Move to: |--- |\\+\\+\\+ |[ab]/|/dev/null|\n|é| ){0,30}") {
        patch::targets(&text, Path::new("/r"));
        for strip in 0..3 {
            patch::diff_targets(&text, strip, Path::new("/r"));
        }
    }
}

/// A path in the arguments of a tool that writes something else is no file that is written to.
#[test]
fn tools_that_write_no_file() {
    for tool in [
        "save_memory",
        "mcp__github__create_issue",
        "mcp__github__create_pull_request_review_comment",
        "mcp__linear__update_issue",
        "mcp__notion__create",
        "mcp_github_create_issue",
        "github_create_issue",
        "TodoWrite",
        "write_todos",
        "create_new_task",
        "mcp__filesystem__read_file",
        "mcp__serena__write_memory",
    ] {
        assert_eq!(touched(tool, json!({ "path": "a", "file": "b" })), [], "{tool}");
    }
    for tool in [
        "mcp__filesystem__write_file",
        "mcp__fs__edit",
        "mcp__x__create_file",
        "mcp__x__str_replace",
        "mcp__serena__replace_symbol_body",
        "mcp_filesystem_write_file",
        "functions.create_file",
        "create",
        "editFiles",
        "fs_write",
        "write_to_file",
        "replace_in_file",
        "create_task_file",
    ] {
        assert_eq!(touched(tool, json!({ "path": "a" })), [write("/r/a")], "{tool}");
    }
}

#[test]
fn patches_by_other_names() {
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch";
    for tool in ["apply_patch", "functions.apply_patch", "mcp__x__apply_patch"] {
        assert_eq!(touched(tool, json!({ "command": ["apply_patch", patch] })), [write("/r/a")], "{tool}");
    }
    assert_eq!(touched("apply_diff", json!({ "path": "a", "diff": "<<<<<<< SEARCH" })), [write("/r/a")]);
    assert_eq!(touched("apply_diff", json!({ "diff": "--- a/x\n+++ b/x\n" })), [write("/r/x")]);
}

#[test]
fn tools_of_servers_that_an_event_names() {
    let input = json!({ "mcp_server_name": "filesystem", "mcp_tool_name": "write_file", "mcp_tool_arguments": { "path": "a" } });
    let payload = Payload { event: Some("pre_mcp_tool_use".to_owned()), input, ..Payload::default() };
    assert_eq!(of(&payload, From { cwd: Path::new("/r"), top: None }).targets, [write("/r/a")]);
}

/// What a call says twice is looked at once, and a text is not held once for each path.
#[test]
fn paths_are_noted_once_and_not_without_end() {
    let many: Vec<String> = (0..20_000).map(|number| format!("p{}", number % 10)).collect();
    assert_eq!(touched("write", json!({ "paths": many, "content": "x".repeat(100_000) })).len(), 10);
    let distinct: Vec<String> = (0..60_000).map(|number| format!("p{number}")).collect();
    let payload = Payload { tool: Some("write".to_owned()), input: json!({ "paths": distinct }), ..Payload::default() };
    assert!(of(&payload, From { cwd: Path::new("/r"), top: None }).is_too_much);
}
