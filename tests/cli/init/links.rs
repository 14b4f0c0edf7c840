//! Links, modes, line ends.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{CLAUDE, START, contents, refuses, repository, text};

#[test]
fn a_link_to_the_shared_file_is_written_once() {
    let sandbox = repository();
    sandbox.write("AGENTS.md", "# Mine\n");
    sandbox.link("CLAUDE.md", "AGENTS.md");
    let before = contents(&sandbox);
    sandbox.run(&["init"]).exits(0).says("update AGENTS.md").never_says("CLAUDE.md");
    assert!(fs::symlink_metadata(sandbox.path("CLAUDE.md")).expect("a link").is_symlink());
    assert_eq!(text(&sandbox, "CLAUDE.md").matches(START).count(), 1);
    sandbox.run(&["init"]).exits(0).says("nothing to write");
    sandbox.run(&["init", "--uninstall"]).exits(0);
    assert_eq!(contents(&sandbox), before);
}

#[test]
fn a_file_that_only_points_to_the_shared_one_is_left_alone() {
    for content in ["@AGENTS.md", "\u{feff}\n@AGENTS.md\r\n", "@./AGENTS.md\n"] {
        let sandbox = repository();
        sandbox.write("CLAUDE.md", content);
        sandbox.run(&["init", "--agents=claude"]).exits(0).says("create AGENTS.md").never_says("CLAUDE.md");
        assert_eq!(text(&sandbox, "CLAUDE.md"), content);
    }
}

#[test]
fn links_inside_are_followed() {
    let sandbox = repository();
    sandbox.write("config/claude/settings.json", "{}\n");
    sandbox.link(".claude", "config/claude");
    let before = contents(&sandbox);
    sandbox.run(&["init", "--agents=claude"]).exits(0);
    assert!(text(&sandbox, "config/claude/settings.json").contains("specward hook stop"));
    sandbox.run(&["init", "--uninstall"]).exits(0);
    assert_eq!(contents(&sandbox), before);
}

#[test]
fn links_that_lead_elsewhere_are_refused() {
    let sandbox = repository();
    fs::create_dir(sandbox.top.join("outside")).expect("a folder");
    fs::write(sandbox.top.join("outside/CLAUDE.md"), "theirs\n").expect("a file");
    sandbox.link("CLAUDE.md", "../outside/CLAUDE.md");
    refuses(&sandbox, &["init"], "CLAUDE.md", "leads out of the repository");
    fs::remove_file(sandbox.path("CLAUDE.md")).expect("a link");
    sandbox.link(".claude", "../outside");
    refuses(&sandbox, &["init"], CLAUDE, "leads out of the repository");
    fs::remove_file(sandbox.path(".claude")).expect("a link");
    sandbox.link("GEMINI.md", ".git/config");
    refuses(&sandbox, &["init"], "GEMINI.md", "git's own folder");
    fs::remove_file(sandbox.path("GEMINI.md")).expect("a link");
    sandbox.link("QWEN.md", "nowhere");
    refuses(&sandbox, &["init"], "QWEN.md", "leads nowhere");
    assert_eq!(fs::read_to_string(sandbox.top.join("outside/CLAUDE.md")).expect("a file"), "theirs\n");
}

#[test]
fn modes_line_ends_and_marks_stay() {
    let sandbox = repository();
    let files = [
        ("CLAUDE.md", "\u{feff}# Mine\r\nno end", 0o640),
        ("AGENTS.md", "# Mine\r\n", 0o600),
        (CLAUDE, "\u{feff}{\r\n\t\"model\": \"x\" // mine\r\n}", 0o600),
    ];
    for (path, content, mode) in files {
        sandbox.write(path, content);
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(mode)).expect("permissions");
    }
    sandbox.run(&["init"]).exits(0);
    let mode = |path: &str| fs::metadata(sandbox.path(path)).expect("a file").permissions().mode() & 0o777;
    for (path, content, expected) in files {
        let now = text(&sandbox, path);
        assert!(now.replace("\r\n", "").find('\n').is_none(), "{path}: {now:?}");
        assert!(path == CLAUDE || now.starts_with(content), "{now:?}");
        assert_eq!(mode(path), expected, "{path}");
    }
    assert!(text(&sandbox, "CLAUDE.md").ends_with("<!-- specward:end -->"));
    sandbox.run(&["init", "--uninstall"]).exits(0);
    for (path, content, expected) in files {
        assert_eq!((text(&sandbox, path).as_str(), mode(path)), (content, expected));
    }
}

#[test]
fn programs_can_be_run() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=cline"]).exits(0);
    let mode = fs::metadata(sandbox.path(".cline/hooks/PreToolUse")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o100, 0o100);
}

#[test]
fn a_program_that_lost_its_mode_gets_it_back() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=cline"]).exits(0);
    let path = sandbox.path(".cline/hooks/PreToolUse");
    let before = text(&sandbox, ".cline/hooks/PreToolUse");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    sandbox.run(&["init", "--check"]).exits(1).says("stale .cline/hooks/PreToolUse").never_says("TaskStart");
    sandbox.run(&["init", "--agents=cline", "--dry-run"]).exits(0).says("new mode 100755");
    sandbox.run(&["init", "--agents=cline"]).exits(0).says("update .cline/hooks/PreToolUse");
    assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o750);
    assert_eq!(text(&sandbox, ".cline/hooks/PreToolUse"), before);
    sandbox.run(&["init", "--check"]).exits(0);
}

#[test]
fn what_others_read_stays_with_them() {
    let sandbox = repository();
    sandbox.write("AGENTS.md", "# Mine\n");
    sandbox.link("CLAUDE.md", "AGENTS.md");
    sandbox.write("GEMINI.md", "# Mine\n");
    sandbox.link("QWEN.md", "GEMINI.md");
    sandbox.run(&["init"]).exits(0);
    sandbox.run(&["init", "--uninstall", "--agents=claude,qwen"]).exits(0).says("remove .claude/settings.json");
    assert!(text(&sandbox, "AGENTS.md").contains(START) && text(&sandbox, "GEMINI.md").contains(START));
    sandbox.run(&["init", "--uninstall", "--agents=gemini"]).exits(0);
    assert_eq!(text(&sandbox, "GEMINI.md"), "# Mine\n");
}

#[test]
fn what_cannot_be_ours_holds_nothing_up() {
    let sandbox = repository();
    fs::create_dir(sandbox.top.join("outside")).expect("a folder");
    sandbox.write("GEMINI.md", "a\n```\nb\n");
    sandbox.write("QWEN.md", b"a\xff\n");
    sandbox.write(".codex", "a file\n");
    sandbox.link(".gemini", "../outside");
    sandbox.link(".windsurf", "nowhere");
    sandbox.link(".kiro", ".git");
    fs::create_dir_all(sandbox.path(".cursor/hooks.json")).expect("a folder");
    sandbox.write(".github/copilot-instructions.md", "x".repeat(5 << 20));
    let before = contents(&sandbox);
    sandbox.run(&["init", "--agents=claude"]).exits(0);
    sandbox.run(&["init", "--uninstall"]).exits(0);
    assert_eq!(contents(&sandbox), before);
    // In these there is something of ours that cannot be taken out.
    sandbox.write(
        "QWEN.md",
        format!("{START}\n<!-- specward:end -->\n").into_bytes().into_iter().chain([0xff]).collect::<Vec<u8>>(),
    );
    refuses(&sandbox, &["init", "--uninstall"], "QWEN.md:3", "is not UTF-8");
    fs::remove_file(sandbox.path("QWEN.md")).expect("a file");
    sandbox.write("GEMINI.md", format!("a\n```\n{START}\n<!-- specward:end -->\n"));
    refuses(&sandbox, &["init", "--uninstall"], "GEMINI.md:2", "never ends");
}
