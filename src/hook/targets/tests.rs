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
    assert_eq!(edit[0].text, Some(Text::Replaced("b".into(), "c".into())));
    let write = touched("Write", json!({ "file_path": "a", "content": "b" }));
    assert_eq!(write[0].text, Some(Text::Whole("b".into())));
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
