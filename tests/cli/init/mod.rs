//! Instructions and hooks for coding agents, put in and taken out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::support::Sandbox;

mod any;
mod choosing;
#[cfg(unix)]
mod guards;
#[cfg(unix)]
mod links;
mod refusals;
mod settings;
mod snapshots;

const START: &str = "<!-- specward:start -->";
const END: &str = "<!-- specward:end -->";
const CLAUDE: &str = ".claude/settings.json";
const CONFIG: &str = "openspec/specward.yaml";

/// A repository with a spec and nothing of any agent.
fn repository() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.init(&[]);
    sandbox
}

/// Everything of a repository but git's own: what files hold and when they were written, and folders.
fn tree(sandbox: &Sandbox) -> BTreeMap<String, Option<(Vec<u8>, SystemTime)>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![sandbox.root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = relative(&sandbox.root, &path);
            let metadata = fs::symlink_metadata(&path).expect("metadata");
            if name == ".git" {
                continue;
            }
            if metadata.is_dir() {
                folders.push(path);
                found.insert(name, None);
            } else if metadata.is_symlink() {
                let target = fs::read_link(&path).expect("a target");
                let modified = metadata.modified().expect("a time");
                found.insert(name, Some((target.display().to_string().into_bytes(), modified)));
            } else {
                let modified = metadata.modified().expect("a time");
                found.insert(name, Some((fs::read(&path).expect("a file"), modified)));
            }
        }
    }
    found
}

/// The same without times.
fn contents(sandbox: &Sandbox) -> BTreeMap<String, Option<Vec<u8>>> {
    tree(sandbox).into_iter().map(|(name, file)| (name, file.map(|(bytes, _)| bytes))).collect()
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).expect("inside").to_string_lossy().replace('\\', "/")
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Demands that nothing is written, and that a file, a line and words about it are named.
#[track_caller]
fn refuses(sandbox: &Sandbox, args: &[&str], place: &str, words: &str) {
    let before = tree(sandbox);
    let outcome = sandbox.run(args);
    outcome.exits(2).complains(&format!("error: {place}: ")).complains(words).complains("fix: ");
    assert_eq!(tree(sandbox), before, "{}", outcome.stderr);
}

#[test]
fn twice_writes_nothing() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=all"]).exits(0).says("create CLAUDE.md").says("create openspec/specward.yaml");
    let before = tree(&sandbox);
    sandbox.run(&["init", "--agents=all"]).exits(0).says("nothing to write").never_says("create");
    sandbox.run(&["init"]).exits(0).says("nothing to write");
    assert_eq!(tree(&sandbox), before);
}

#[test]
fn an_empty_repository_comes_back() {
    let sandbox = repository();
    let before = contents(&sandbox);
    sandbox.run(&["init", "--agents=all"]).exits(0);
    assert_ne!(contents(&sandbox), before);
    sandbox.run(&["init", "--uninstall"]).exits(0).says("remove .cline/hooks/PreToolUse");
    assert_eq!(contents(&sandbox), before);
    sandbox.run(&["init", "--uninstall"]).exits(0).says("nothing to take out");
}

#[test]
fn a_check_tells_what_is_missing_and_what_is_stale() {
    let sandbox = repository();
    sandbox.run(&["init", "--check"]).exits(1).says("missing AGENTS.md").says("missing openspec/specward.yaml");
    sandbox.run(&["init", "--agents=claude,cline"]).exits(0);
    sandbox.run(&["init"]).exits(0).says("create AGENTS.md");
    sandbox.run(&["init", "--check"]).exits(0).says("up to date");
    let old = text(&sandbox, "CLAUDE.md").replace("Line 1", "Line 2");
    sandbox.write("CLAUDE.md", old);
    sandbox.write(CLAUDE, text(&sandbox, CLAUDE).replace("\"timeout\": 300", "\"timeout\": 30"));
    let before = tree(&sandbox);
    let outcome = sandbox.run(&["init", "--check"]);
    outcome.exits(1).says("stale CLAUDE.md").says("stale .claude/settings.json").never_says("AGENTS.md");
    assert_eq!(tree(&sandbox), before);
    sandbox.run(&["init"]).exits(0).says("update CLAUDE.md").says("update .claude/settings.json");
    sandbox.run(&["init", "--check"]).exits(0);
}

#[test]
fn a_check_looks_at_what_was_installed() {
    let sandbox = repository();
    sandbox.write("CLAUDE.md", "mine\n");
    sandbox.write("GEMINI.md", "mine\n");
    sandbox.run(&["init", "--agents=codex,claude"]).exits(0);
    sandbox.run(&["init", "--check"]).exits(0).says("up to date");
    sandbox.run(&["init", "--check", "--agents=gemini"]).exits(1).says("stale GEMINI.md");
    fs::remove_file(sandbox.path(CLAUDE)).expect("a file");
    sandbox.run(&["init", "--check"]).exits(1).says("missing .claude/settings.json").never_says("GEMINI.md");
    sandbox.run(&["init", "--uninstall"]).exits(0);
    sandbox.run(&["init", "--check"]).exits(1).says("stale GEMINI.md").says("missing AGENTS.md");
}

#[test]
fn a_dry_run_shows_a_diff() {
    let sandbox = repository();
    sandbox.write("AGENTS.md", "mine");
    let before = tree(&sandbox);
    let outcome = sandbox.run(&["init", "--agents=claude,codex", "--dry-run"]);
    outcome.exits(0).says("update AGENTS.md").says("--- a/AGENTS.md\n+++ b/AGENTS.md\n@@").says("-mine\n");
    outcome.says("--- /dev/null\n+++ b/CLAUDE.md\n").says("\\ No newline at end of file");
    assert_eq!(tree(&sandbox), before);
    sandbox.run(&["init", "--agents=claude,codex"]).exits(0);
    let before = tree(&sandbox);
    let outcome = sandbox.run(&["init", "--uninstall", "--dry-run"]);
    outcome.exits(0).says("Would take out\n").says("remove CLAUDE.md").says("+++ /dev/null");
    assert_eq!(tree(&sandbox), before);
    let command = ".claude/commands/specward.md";
    sandbox.write(command, text(&sandbox, command).replace("PASS", "pass"));
    sandbox.run(&["init", "--uninstall", "--dry-run"]).exits(1).says(&format!("keep {command}: edited"));
}

#[test]
fn what_was_edited_or_added_since_stays() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=all"]).exits(0);
    sandbox.write("CLAUDE.md", format!("# Mine\n\n{}\nMore\n", text(&sandbox, "CLAUDE.md")));
    sandbox.write(CLAUDE, text(&sandbox, CLAUDE).replacen("{\n", "{\n  \"model\": \"x\",\n", 1));
    sandbox.write(".cline/hooks/TaskStart", format!("{}echo mine\n", text(&sandbox, ".cline/hooks/TaskStart")));
    sandbox.write(CONFIG, "frozen: strict\n");
    sandbox.write("AGENTS.md", "mine\n");
    sandbox.run(&["init", "--check"]).exits(1).says("edited .cline/hooks/TaskStart");
    let edited = text(&sandbox, ".cline/hooks/TaskStart");
    let outcome = sandbox.run(&["init"]);
    outcome.exits(1).says("keep .cline/hooks/TaskStart: edited since").says("delete it").says("update AGENTS.md");
    assert_eq!(text(&sandbox, ".cline/hooks/TaskStart"), edited);
    sandbox.run(&["init"]).exits(1).never_says("up to date");
    let outcome = sandbox.run(&["init", "--uninstall"]);
    outcome.exits(1).says("keep .cline/hooks/TaskStart: edited since it was written").says("update CLAUDE.md");
    assert_eq!(text(&sandbox, "CLAUDE.md"), "# Mine\n\nMore\n");
    assert_eq!(text(&sandbox, CLAUDE), "{\n  \"model\": \"x\"\n}\n");
    assert_eq!(text(&sandbox, CONFIG), "frozen: strict\n");
    assert!(!sandbox.path(".cline/hooks/PreToolUse").exists() && sandbox.path(".cline/hooks/TaskStart").exists());
}

#[test]
fn lines_of_others_are_not_joined() {
    let sandbox = repository();
    let rule = ".cursor/rules/specward.mdc";
    sandbox.run(&["init", "--agents=cursor,claude"]).exits(0);
    sandbox.write(rule, format!("{}Mine.\n", text(&sandbox, rule)));
    sandbox.write("CLAUDE.md", format!("# T\n{}more\n", text(&sandbox, "CLAUDE.md")));
    sandbox.run(&["init", "--uninstall"]).exits(0);
    assert!(text(&sandbox, rule).ends_with("\n---\n\nMine.\n"), "{}", text(&sandbox, rule));
    assert_eq!(text(&sandbox, "CLAUDE.md"), "# T\nmore\n");
}

#[test]
fn a_clone_with_other_line_ends_comes_clean() {
    let sandbox = repository();
    let before = contents(&sandbox);
    sandbox.run(&["init", "--agents=all"]).exits(0);
    for (name, content) in contents(&sandbox) {
        if let Some(content) = content.filter(|_| !before.contains_key(&name)) {
            sandbox.write(&name, String::from_utf8(content).expect("UTF-8").replace('\n', "\r\n"));
        }
    }
    sandbox.run(&["init", "--check"]).exits(0);
    sandbox.run(&["init", "--uninstall"]).exits(0).says(&format!("remove {CONFIG}"));
    assert_eq!(contents(&sandbox), before);
}

#[test]
fn what_programs_left_of_ours_goes_too() {
    let sandbox = repository();
    let before = contents(&sandbox);
    sandbox.run(&["init", "--agents=hermes,codex"]).exits(0);
    sandbox.write(".hermes/plugins/specward/__pycache__/__init__.cpython-312.pyc", b"\xff");
    sandbox.write("AGENTS.md", text(&sandbox, "AGENTS.md").trim_end());
    sandbox.run(&["init", "--uninstall"]).exits(0).says("remove AGENTS.md");
    assert_eq!(contents(&sandbox), before);
    sandbox.run(&["init", "--agents=hermes"]).exits(0);
    let theirs = ".hermes/plugins/specward/__pycache__/theirs.pyc";
    sandbox.write(theirs, "");
    sandbox.run(&["init", "--uninstall"]).exits(0);
    assert!(sandbox.path(theirs).exists());
}

#[test]
fn only_some_agents_are_taken_out() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=claude,codex,opencode"]).exits(0);
    sandbox.run(&["init", "--uninstall", "--agents=codex,claude"]).exits(0).says("remove .codex/hooks.json");
    assert!(!sandbox.path("CLAUDE.md").exists() && sandbox.path(".opencode/plugins/specward.ts").exists());
    assert!(sandbox.path("AGENTS.md").exists() && sandbox.path(CONFIG).exists());
}

#[test]
fn the_configuration_is_left_alone_where_there_is_one() {
    let sandbox = repository();
    sandbox.run(&["init"]).exits(0).says("create openspec/specward.yaml");
    assert!(text(&sandbox, CONFIG).ends_with("\nfrozen: explained\n"));
    sandbox.json(&["--changed", "--base", "HEAD", "--frozen-spec"]);
    sandbox.write(CONFIG, "strict: true\n");
    sandbox.run(&["init"]).exits(0).says("unchanged openspec/specward.yaml");
    assert_eq!(text(&sandbox, CONFIG), "strict: true\n");
}

#[test]
fn no_project_no_installation() {
    let sandbox = Sandbox::bare_folder();
    sandbox.init(&[]);
    sandbox.write("CLAUDE.md", "x\n");
    let before = tree(&sandbox);
    sandbox.run(&["init"]).exits(2).complains("no OpenSpec project here").complains("run `openspec init`");
    assert_eq!(tree(&sandbox), before);
}

#[test]
fn agents_look_at_the_top_of_the_repository() {
    let sandbox = repository();
    sandbox.write("sub/openspec/specs/a/spec.md", "# A\n");
    sandbox.write("sub/.cursor/x", "");
    sandbox.at("sub").run(&["init", "--agents=claude"]).exits(0).says("create sub/openspec/specward.yaml");
    assert!(sandbox.path("CLAUDE.md").exists() && !sandbox.path("sub/CLAUDE.md").exists());
    let bare = Sandbox::project();
    bare.run(&["init", "--agents=claude"]).exits(0);
    assert!(bare.path("CLAUDE.md").exists());
}
