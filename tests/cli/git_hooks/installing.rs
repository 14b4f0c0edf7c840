//! `init --git-hooks`: what is written, and taken out again to the byte.

use std::fs;

#[cfg(unix)]
use super::{edited, program, with_program};
use super::{read, repository};
#[cfg(unix)]
use crate::support::AUTH;
use crate::support::Sandbox;

const HOOK: &str = ".git/hooks/pre-commit";

#[test]
fn once_and_again_and_out() {
    let sandbox = repository();
    let before = files(&sandbox);
    sandbox.run(&["init", "--git-hooks", "--dry-run"]).exits(0).says("create .git/hooks/pre-push").says("+#!/bin/sh");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("missing .git/hooks/pre-commit");
    assert_eq!(files(&sandbox), before);
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("create .git/hooks/pre-commit");
    let installed = files(&sandbox);
    assert_eq!(installed.len(), before.len() + 2);
    // What is copied by hand is what is written, but for the line that says who wrote it.
    let script = read(concat!(env!("CARGO_MANIFEST_DIR"), "/hooks/pre-commit"));
    let written = read(sandbox.path(HOOK));
    assert!(written.strip_prefix(&script).is_some_and(|rest| rest.starts_with("# specward:file ")), "{written}");
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("unchanged .git/hooks/pre-commit");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(0).says("up to date");
    sandbox.run(&["init", "--git-hooks=commit-msg", "--check"]).exits(1).says("missing .git/hooks/commit-msg");
    assert_eq!(files(&sandbox), installed);
    sandbox.run(&["init", "--git-hooks", "--uninstall", "--dry-run"]).exits(0).says("remove .git/hooks/pre-push");
    assert_eq!(files(&sandbox), installed);
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("remove .git/hooks/pre-push");
    assert_eq!(files(&sandbox), before);
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("nothing to take out");
    sandbox.run(&["init", "--git-hooks=pre-comit"]).exits(2).complains("no hook is called");
}

/// All files of the hooks' folder and the work tree.
fn files(sandbox: &Sandbox) -> Vec<(String, String)> {
    let names = |folder: &str| -> Vec<(String, String)> {
        let entries =
            fs::read_dir(sandbox.path(folder)).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.is_file()).map(|path| (path.display().to_string(), read(&path))).collect()
    };
    let mut all = names(".git/hooks");
    all.extend(names("."));
    all.sort();
    all
}

#[test]
fn agents_and_hooks_are_asked_for_apart() {
    let sandbox = repository();
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    assert!(!sandbox.path("AGENTS.md").exists());
    let other = repository();
    other.run(&["init", "--agents=claude"]).exits(0);
    assert!(!other.path(HOOK).exists() && other.path("CLAUDE.md").exists());
    other.run(&["init", "--uninstall"]).exits(0).never_says("git hooks");
    let both = repository();
    both.run(&["init", "--agents=claude", "--git-hooks", "--check"])
        .exits(1)
        .says("missing CLAUDE.md")
        .says("missing .git");
    both.run(&["init", "--agents=claude", "--git-hooks"]).exits(0).says("create CLAUDE.md").says("create .git/hooks");
    assert!(both.path("CLAUDE.md").exists() && both.path(HOOK).exists());
    both.run(&["init", "--agents=claude", "--git-hooks", "--check"]).exits(0);
    both.run(&["init", "--uninstall", "--git-hooks"]).exits(0);
    assert!(both.path("CLAUDE.md").exists() && !both.path(HOOK).exists());
    both.run(&["init", "--git-hooks"]).exits(0);
    both.run(&["init", "--uninstall"]).exits(0).says("remove .git/hooks/pre-push");
    assert!(!both.path("CLAUDE.md").exists() && !both.path(HOOK).exists());
}

#[test]
fn all_or_none() {
    let sandbox = repository();
    // The second cannot be written.
    fs::create_dir_all(sandbox.path(".git/hooks/pre-push/x")).expect("folders");
    sandbox.run(&["init", "--git-hooks"]).exits(2).complains("is no file").complains("nothing was written");
    assert!(!sandbox.path(HOOK).exists());
    fs::remove_dir_all(sandbox.path(".git/hooks/pre-push")).expect("it is there");
    // An agent's file cannot.
    sandbox.write("CLAUDE.md", "<!-- specward:start -->\n");
    sandbox.run(&["init", "--agents=claude", "--git-hooks"]).exits(2);
    assert!(!sandbox.path(HOOK).exists());
}

#[test]
fn an_edited_hook_is_kept() {
    let sandbox = repository();
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    let text = read(sandbox.path(HOOK)).replace("set -eu", "set -u");
    fs::write(sandbox.path(HOOK), &text).expect("a file");
    sandbox.run(&["init", "--git-hooks"]).exits(1).says("keep .git/hooks/pre-commit: edited");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("edited .git/hooks/pre-commit");
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(1).says("keep .git/hooks/pre-commit");
    assert_eq!(read(sandbox.path(HOOK)), text);
    // One of another version, which nobody edited, is brought up to date; so is a copy by hand.
    let script = read(concat!(env!("CARGO_MANIFEST_DIR"), "/hooks/pre-commit"));
    fs::write(sandbox.path(HOOK), &script).expect("a file");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("stale .git/hooks/pre-commit");
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("update .git/hooks/pre-commit");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(0);
}

#[cfg(unix)]
#[test]
fn foreign_hooks_go_first() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = repository();
    super::bare(&sandbox, "origin.git");
    sandbox.git(&["remote", "add", "origin", "../origin.git"]);
    let foreign = b"#!/bin/sh\n# \xff not UTF-8\necho \"commit $#\" >> ../log\ntest ! -e ../refuse\n";
    let hook = sandbox.path(HOOK);
    fs::write(&hook, foreign).expect("a file");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o750)).expect("a mode");
    program(&sandbox.path(".git/hooks/pre-push"), "#!/bin/sh\necho \"$1\" >> ../log\ncat >> ../log\n");
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("runs first");
    let kept = sandbox.path(".git/hooks/before-specward/pre-commit");
    assert_eq!(fs::read(&kept).expect("it is kept"), foreign);
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("unchanged");
    // Both run.
    sandbox.write("code", "1");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "code"]);
    sandbox.git(&["push", "-q", "origin", "main"]);
    let log = read(sandbox.top.join("log"));
    assert!(log.starts_with("commit 0\norigin\nrefs/heads/main "), "{log}");
    sandbox.write(AUTH, edited());
    sandbox.try_git(&["commit", "-qam", "edit"]).exits(1).complains("freeze/direct-edit");
    // Its failure is the hook's.
    sandbox.git(&["checkout", "-q", "HEAD", "--", AUTH]);
    fs::write(sandbox.top.join("refuse"), "").expect("a file");
    sandbox.write("code", "2");
    sandbox.try_git(&["commit", "-qam", "code"]).exits(1).never_says("PASS");
    // And it comes back as it was.
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("is back");
    assert_eq!(fs::read(&hook).expect("it is back"), foreign);
    assert_eq!(fs::metadata(&hook).expect("it is back").permissions().mode() & 0o777, 0o750);
    assert!(!kept.parent().expect("a folder").exists());
}

#[cfg(unix)]
#[test]
fn hooks_that_look_at_their_own_name() {
    let sandbox = repository();
    let text = "#!/bin/sh\ncase ${0##*/} in pre-commit) echo commit >> ../log ;; pre-push) cat >> ../log ;; esac\n";
    program(&sandbox.path("scripts/all hooks"), text);
    sandbox.link(HOOK, "../../scripts/all hooks");
    let absolute = sandbox.path("scripts/all hooks");
    sandbox.link(".git/hooks/pre-push", &absolute);
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    super::bare(&sandbox, "origin.git");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "code"]);
    sandbox.git(&["push", "-q", "../origin.git", "main"]);
    let log = read(sandbox.top.join("log"));
    assert!(log.starts_with("commit\nrefs/heads/main "), "{log}");
    // What was to be taken out and could not leaves the links as they are.
    fs::write(sandbox.path(".git/hooks/pre-push.specward-old"), "").expect("a file");
    sandbox
        .run(&["init", "--git-hooks", "--uninstall"])
        .exits(2)
        .complains("pre-push.specward-old: is in the way")
        .complains("remove it");
    let kept = sandbox.path(".git/hooks/before-specward/pre-commit");
    assert_eq!(fs::read_link(kept).expect("a link"), std::path::Path::new("../../../scripts/all hooks"));
    fs::remove_file(sandbox.path(".git/hooks/pre-push.specward-old")).expect("it is there");
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("is back");
    assert_eq!(fs::read_link(sandbox.path(HOOK)).expect("a link"), std::path::Path::new("../../scripts/all hooks"));
    assert_eq!(fs::read_link(sandbox.path(".git/hooks/pre-push")).expect("a link"), absolute);
    assert!(!sandbox.path(".git/hooks/before-specward").exists());
}

#[cfg(unix)]
#[test]
fn odd_hooks() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = repository();
    let hook = sandbox.path(HOOK);
    // A link, which leads somewhere or not.
    program(&sandbox.path("scripts/hook"), "#!/bin/sh\necho ran > ../ran\n");
    sandbox.link(HOOK, "../../scripts/hook");
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    sandbox.write("code", "1");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "code"]);
    assert!(sandbox.top.join("ran").exists());
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0);
    assert_eq!(fs::read_link(&hook).expect("a link"), std::path::Path::new("../../scripts/hook"));
    fs::remove_file(&hook).expect("it is there");
    sandbox.link(HOOK, "nowhere");
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0);
    fs::remove_file(&hook).expect("it is there");
    // One that git passes over is passed over still.
    fs::write(&hook, "#!/bin/sh\nexit 1\n").expect("a file");
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
    // Both are somebody else's: neither is lost.
    program(&hook, "#!/bin/sh\n");
    sandbox.run(&["init", "--git-hooks"]).exits(2).complains("in the way");
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(1).says("keep which you want");
    fs::remove_file(&hook).expect("it is there");
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("is back");
    assert_eq!(read(&hook), "#!/bin/sh\nexit 1\n");
    fs::remove_file(&hook).expect("it is there");
    // Ours, not executable.
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).expect("a mode");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("not executable .git/hooks/pre-commit");
    sandbox.run(&["doctor"]).exits(1).says("problem .git/hooks/pre-commit: is not executable");
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("update .git/hooks/pre-commit");
    sandbox.run(&["doctor"]).says("ok      .git/hooks/pre-commit: git's pre-commit calls specward");
}

#[cfg(unix)]
#[test]
fn another_folder_of_hooks() {
    let sandbox = repository();
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    sandbox.git(&["config", "core.hooksPath", ".githooks"]);
    sandbox.run(&["doctor"]).exits(1).says("is not run: core.hooksPath is .githooks");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("missing .githooks/pre-commit");
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("create .githooks/pre-commit");
    // From a folder below, and in another work tree, it is another place.
    sandbox.write("openspec/specs/x", "");
    sandbox.at("openspec/specs").run(&["init", "--git-hooks", "--check"]).exits(0);
    sandbox.write(AUTH, edited());
    sandbox.try_git(&["commit", "-qam", "edit"]).exits(1).complains("freeze/direct-edit");
    // One that all repositories share is nobody's to write to.
    let shared = sandbox.top.join("shared hooks");
    fs::create_dir(&shared).expect("a folder");
    sandbox.git(&["config", "core.hooksPath", &shared.display().to_string()]);
    sandbox.run(&["init", "--git-hooks"]).exits(1).says("outside of this repository").says("git config core.hooksPath");
    assert_eq!(fs::read_dir(&shared).expect("a folder").count(), 0);
    sandbox.git(&["config", "core.hooksPath", "~/hooks"]);
    sandbox.run(&["init", "--git-hooks"]).exits(1).says("outside of this repository");
    sandbox.git(&["config", "core.hooksPath", "/dev/null"]);
    sandbox.run(&["init", "--git-hooks"]).exits(1).says("outside of this repository");
    // A link that leads out of it is outside.
    sandbox.git(&["config", "core.hooksPath", "linked"]);
    sandbox.link("linked", &shared);
    sandbox.run(&["init", "--git-hooks"]).exits(1).says("outside of this repository");
    assert_eq!(fs::read_dir(&shared).expect("a folder").count(), 0);
}

#[cfg(unix)]
#[test]
fn a_folder_that_all_repositories_share() {
    let sandbox = repository();
    let shared = sandbox.top.join("shared hooks");
    fs::create_dir(&shared).expect("a folder");
    let text = shared.display().to_string();
    sandbox.git(&["config", "core.hooksPath", &text]);
    // What is advised works in linked work trees too, where `.git` is a file.
    let own = format!("git config core.hooksPath \"{}\"", sandbox.path(".git/hooks").display());
    sandbox.run(&["init", "--git-hooks"]).exits(1).says("git config --unset core.hooksPath").says(&own);
    // What was copied there by hand is seen.
    for hook in ["pre-commit", "pre-push"] {
        let script = read(format!("{}/hooks/{hook}", env!("CARGO_MANIFEST_DIR")));
        program(&shared.join(hook), &script);
    }
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(0).says("up to date");
    sandbox.run(&["doctor"]).says("git's pre-push calls specward");
    fs::write(shared.join("pre-commit"), "#!/bin/sh\necho\n# specward hook pre-commit\n").expect("a file");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("missing ").never_says("pre-push");
    fs::write(shared.join("pre-commit"), "#!/bin/sh\nspecward hook pre-commit\n").expect("a file");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(0);
    fs::write(shared.join("pre-push"), "#!/bin/sh\nspecward hook pre-push\n").expect("a file");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("not fed ");
    // The repository's own folder may be a link to it: nothing is set then.
    sandbox.git(&["config", "--unset", "core.hooksPath"]);
    fs::remove_dir_all(sandbox.path(".git/hooks")).expect("it is there");
    sandbox.link(".git/hooks", &shared);
    sandbox.run(&["init", "--git-hooks"]).exits(1).says("is a link that leads outside").never_says("core.hooksPath");
    assert_eq!(fs::read_dir(&shared).expect("a folder").count(), 2);
}

#[test]
fn no_folder_of_hooks_at_all() {
    let sandbox = repository();
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    sandbox.git(&["config", "core.hooksPath", ""]);
    for args in [&["init", "--git-hooks"][..], &["init", "--git-hooks", "--check"]] {
        sandbox.run(args).exits(2).complains("core.hooksPath: is set to nothing").complains("git config --unset");
    }
    assert!(!sandbox.path("pre-commit").exists());
    sandbox.run(&["doctor"]).exits(1).says("is not run: core.hooksPath is set to nothing");
}

#[test]
fn without_a_list() {
    let sandbox = repository();
    let before = files(&sandbox);
    sandbox.run(&["init", "--git-hooks=pre-commit,pre-push,commit-msg"]).exits(0);
    let path = sandbox.path(".git/hooks/commit-msg");
    fs::write(&path, read(&path).replace("set -eu", "set -u")).expect("a file");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("edited .git/hooks/commit-msg");
    fs::remove_file(&path).expect("it is there");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(0);
    fs::write(&path, "mine").expect("a file");
    sandbox.run(&["init", "--git-hooks=commit-msg"]).exits(0);
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("update .git/hooks/commit-msg");
    assert_eq!(read(&path), "mine");
    fs::remove_file(&path).expect("it is there");
    assert_eq!(files(&sandbox), before);
}

#[cfg(unix)]
#[test]
fn pipes_are_not_waited_for() {
    let pipe = |sandbox: &Sandbox, path: &str| sandbox.git(&["-c", &format!("alias.x=!mkfifo '{path}'"), "x"]);
    for path in [".git/hooks/pre-push", ".pre-commit-config.yaml", "lefthook.toml"] {
        let sandbox = repository();
        pipe(&sandbox, path);
        let outcome = sandbox.run(&["init", "--git-hooks"]);
        assert!(outcome.code == Some(2) && outcome.stderr.contains("is no "), "{path}: {}", outcome.stderr);
        sandbox.run(&["init", "--git-hooks", "--check"]).exits(2);
        sandbox.run(&["doctor"]).exits(1);
        assert!(!sandbox.path(HOOK).exists());
    }
    let sandbox = repository();
    sandbox.write(".pre-commit-config.yaml", "repos: [{repo: x, hooks: [{id: specward-verify}]}]\n");
    pipe(&sandbox, HOOK);
    sandbox.run(&["init", "--git-hooks=pre-commit", "--check"]).exits(2).complains("is no file");
}

#[cfg(unix)]
#[test]
fn names_with_spaces() {
    let sandbox = with_program(Sandbox::bare_folder());
    sandbox.write("a 'b' $c/x", "");
    let inner = sandbox.at("a 'b' $c");
    inner.write(AUTH, crate::support::SPEC);
    inner.init(&[]);
    program(&inner.path(HOOK), "#!/bin/sh\necho ran > ran\n");
    inner.run(&["init", "--git-hooks"]).exits(0);
    inner.git(&["add", "-A"]);
    inner.try_git(&["commit", "-qm", "first"]).exits(0).complains("PASS");
    assert!(inner.path("ran").exists());
}

#[test]
fn without_a_repository() {
    let sandbox = Sandbox::project();
    sandbox.run(&["init", "--git-hooks"]).exits(2).complains("not a git repository");
    sandbox.run(&["init", "--uninstall"]).exits(0);
}
