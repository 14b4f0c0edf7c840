//! Files that are not written to, and with them no other.

use std::fs;

use super::{CLAUDE, END, START, contents, refuses, repository, text};

const ALL: &[&str] = &["init", "--agents=all"];

#[test]
fn marks_that_are_no_pair() {
    for (content, line) in [
        (format!("a\n{START}\nb\n"), 2),
        (format!("a\n{END}\n"), 2),
        (format!("{END}\n{START}\n"), 1),
        (format!("{START}\n{END}\n\n{START}\n{END}\n"), 4),
        (format!("{START}\n{START}\n{END}\n{END}\n"), 2),
    ] {
        for path in ["CLAUDE.md", "AGENTS.md", ".kiro/steering/specward.md", ".windsurf/rules/specward.md"] {
            let sandbox = repository();
            sandbox.write(path, &content);
            for args in [ALL, &["init", "--agents=all", "--check"], &["init", "--uninstall"]] {
                refuses(&sandbox, args, &format!("{path}:{line}"), "nothing was written");
            }
        }
    }
}

#[test]
fn an_example_of_a_block_is_none() {
    let sandbox = repository();
    let example = format!("# Mine\n\n```md\n{START}\nold\n{END}\n```\n");
    sandbox.write("CLAUDE.md", &example);
    sandbox.run(&["init"]).exits(0).says("update CLAUDE.md");
    assert!(text(&sandbox, "CLAUDE.md").starts_with(&format!("{example}\n{START}\n")));
    sandbox.run(&["init"]).exits(0).says("nothing to write");
    sandbox.run(&["init", "--uninstall"]).exits(0);
    assert_eq!(text(&sandbox, "CLAUDE.md"), example);
}

#[test]
fn a_text_that_would_swallow_the_block() {
    let sandbox = repository();
    sandbox.write("CLAUDE.md", "a\n\n```sh\nb\n");
    refuses(&sandbox, &["init"], "CLAUDE.md:3", "never ends");
    sandbox.write("CLAUDE.md", "a\n<!-- b\n");
    refuses(&sandbox, &["init"], "CLAUDE.md:2", "close the comment");
}

#[test]
fn settings_that_are_none() {
    for (content, place, words) in [
        ("", "", "is empty"),
        ("// nothing\n", "", "holds no settings"),
        ("{\n  \"a\": ,\n}", ":2", "is not JSON"),
        ("[]", ":1", "should be an object"),
        ("{\n  \"hooks\": 7\n}", ":2", "`hooks` should be"),
        ("{\"hooks\": {},\n\"hooks\": {}}", ":2", "`hooks` is there twice"),
    ] {
        for path in [CLAUDE, ".codex/hooks.json", ".gemini/settings.json", ".windsurf/hooks.json"] {
            let sandbox = repository();
            sandbox.write(path, content);
            refuses(&sandbox, ALL, &format!("{path}{place}"), words);
            // What is not ours is not complained about when ours is taken out.
            sandbox.run(&["init", "--uninstall"]).exits(0);
        }
    }
}

#[test]
fn settings_of_another_version() {
    for (path, content, words) in [
        (".cursor/hooks.json", "{\"hooks\": {}}", "`version` is missing"),
        (".github/hooks/specward.json", "{\"version\": 2}", "`version` is not 1"),
        (".kiro/hooks/specward.json", "{\"version\": \"v2\", \"hooks\": []}", "`version` is not \"v1\""),
    ] {
        let sandbox = repository();
        sandbox.write(path, content);
        refuses(&sandbox, ALL, &format!("{path}:1"), words);
    }
}

#[test]
fn broken_settings_with_ours_in_them_are_told_when_ours_is_taken_out() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=claude"]).exits(0);
    sandbox.write(CLAUDE, format!("{}}}", text(&sandbox, CLAUDE)));
    refuses(
        &sandbox,
        &["init", "--uninstall"],
        &format!("{CLAUDE}:{}", text(&sandbox, CLAUDE).lines().count()),
        "JSON",
    );
}

#[test]
fn files_of_others_where_ours_belong() {
    let paths = [".claude/commands/specward.md", ".opencode/plugins/specward.ts", ".cline/hooks/PreToolUse"];
    for path in paths.into_iter().chain([".hermes/plugins/specward/plugin.yaml"]) {
        let sandbox = repository();
        sandbox.write(path, "mine\n");
        refuses(&sandbox, ALL, path, "is not ours");
        let before = contents(&sandbox);
        sandbox.run(&["init", "--uninstall"]).exits(0).never_says(path);
        assert_eq!(contents(&sandbox), before);
    }
}

#[test]
fn what_is_no_text() {
    let sandbox = repository();
    sandbox.write("CLAUDE.md", b"a\nb\xff\n");
    refuses(&sandbox, ALL, "CLAUDE.md:2", "is not UTF-8");
    fs::remove_file(sandbox.path("CLAUDE.md")).expect("a file");
    fs::create_dir(sandbox.path("CLAUDE.md")).expect("a folder");
    refuses(&sandbox, ALL, "CLAUDE.md", "is no regular file");
    let sandbox = repository();
    sandbox.write(".claude", "a file\n");
    refuses(&sandbox, &["init"], CLAUDE, "lies below a file");
    sandbox.write("AGENTS.md", "x".repeat(5 << 20));
    refuses(&sandbox, &["init"], "AGENTS.md", "larger than 4 MiB");
    let sandbox = repository();
    sandbox.write("AGENTS.md", "x".repeat(4 << 20));
    refuses(&sandbox, &["init"], "AGENTS.md", "would be larger than 4 MiB");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = repository();
    sandbox.write("CLAUDE.md", "mine\n");
    fs::set_permissions(sandbox.path("CLAUDE.md"), fs::Permissions::from_mode(0o444)).expect("permissions");
    refuses(&sandbox, ALL, "CLAUDE.md", "must not be written to");
    fs::set_permissions(sandbox.path("CLAUDE.md"), fs::Permissions::from_mode(0o644)).expect("permissions");
    sandbox.write(".windsurf/x", "");
    let folder = sandbox.path(".windsurf");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).expect("permissions");
    let is_root = fs::write(folder.join("probe"), "").is_ok();
    if !is_root {
        refuses(&sandbox, ALL, ".windsurf/rules/specward.md", "make the file and its folder writable");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("permissions");
}
