//! Hooks that another program writes.

use std::fs;

use super::{edited, read, repository};
use crate::support::{AUTH, Sandbox};

fn with_husky() -> Sandbox {
    let sandbox = repository();
    fs::create_dir_all(sandbox.path(".husky/_")).expect("folders");
    sandbox.git(&["config", "core.hooksPath", ".husky/_"]);
    sandbox
}

#[test]
fn husky() {
    let sandbox = with_husky();
    sandbox.write(".husky/pre-commit", "npm test\n");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("missing .husky/pre-commit");
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("update .husky/pre-commit").says("create .husky/pre-push");
    let text = read(sandbox.path(".husky/pre-commit"));
    assert!(text.starts_with("# specward:start\n") && text.ends_with("# specward:end\nnpm test\n"), "{text}");
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("unchanged .husky/pre-commit");
    sandbox.run(&["doctor"]).says("ok      .husky/pre-push: git's pre-push calls specward");
    // What stands in the block is ours.
    fs::write(sandbox.path(".husky/pre-commit"), text.replace("hook pre-commit", "--version")).expect("a file");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("stale .husky/pre-commit");
    sandbox.run(&["init", "--git-hooks"]).exits(0).says("update .husky/pre-commit");
    assert_eq!(read(sandbox.path(".husky/pre-commit")), text);
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("remove .husky/pre-push");
    assert_eq!(read(sandbox.path(".husky/pre-commit")), "npm test\n");
    assert!(!sandbox.path(".husky/pre-push").exists());
    // A command of one's own is enough; half a block is not.
    sandbox.write(".husky/pre-commit", "specward hook pre-commit --no-checks\n");
    sandbox.run(&["init", "--git-hooks=pre-commit"]).exits(0).says("stands for ours");
    sandbox.write(".husky/pre-commit", "# specward:start\nx\n");
    sandbox.run(&["init", "--git-hooks=pre-commit"]).exits(2).complains("not once each");
    // All of ours goes, not only the usual ones.
    let other = with_husky();
    other.run(&["init", "--git-hooks=commit-msg"]).exits(0);
    other.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("remove .husky/commit-msg");
}

#[test]
fn a_line_for_husky_that_may_hear_nothing() {
    let sandbox = with_husky();
    for text in ["specward hook pre-push \"$1\" \"$2\"\ncat\n", "cat\nspecward hook pre-push \"$1\" \"$2\"\n"] {
        sandbox.write(".husky/pre-push", text);
        let check = sandbox.run(&["init", "--git-hooks=pre-push", "--check"]);
        check.exits(1).says("not fed .husky/pre-push").says("delete that line");
        sandbox.run(&["init", "--git-hooks=pre-push"]).exits(1).says("keep .husky/pre-push");
        assert_eq!(read(sandbox.path(".husky/pre-push")), text);
        sandbox.run(&["doctor"]).exits(1).says("problem .husky/pre-push");
    }
    // What the documentation says is well.
    let docs = read(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/git-hooks.md"));
    let (_, block) = docs.split_once("# .husky/pre-push\n").expect("the block");
    let (block, _) = block.split_once("```").expect("its end");
    sandbox.write(".husky/pre-push", block);
    sandbox.run(&["init", "--git-hooks=pre-push", "--check"]).exits(0);
}

#[cfg(unix)]
#[test]
fn huskys_hooks_run() {
    let sandbox = with_husky();
    // As husky has it: what git runs calls the file of the same name above.
    for hook in ["pre-commit", "pre-push"] {
        let text = "#!/usr/bin/env sh\nexec sh -e \"$(dirname \"$0\")/../$(basename \"$0\")\" \"$@\"\n";
        super::program(&sandbox.path(format!(".husky/_/{hook}")), text);
    }
    sandbox.write(".husky/pre-push", "cat > ../lines\n");
    let docs = read(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/git-hooks.md"));
    let (_, block) = docs.split_once("# .husky/pre-push\n").expect("the block");
    let (block, _) = block.split_once("```").expect("its end");
    huskys_push(&sandbox);
    sandbox.run(&["init", "--git-hooks", "--uninstall"]).exits(0);
    assert_eq!(read(sandbox.path(".husky/pre-push")), "cat > ../lines\n");
    // The same by hand.
    fs::remove_dir_all(sandbox.top.join("origin.git")).expect("it is there");
    sandbox.git(&["remote", "remove", "origin"]);
    sandbox.write(".husky/pre-push", format!("{block}cat > ../lines\n"));
    huskys_push(&sandbox);
    sandbox.write(AUTH, edited());
    sandbox.try_git(&["commit", "-qam", "edit"]).exits(1).complains("freeze/direct-edit");
    sandbox.git(&["commit", "-qanm", "edit"]);
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(1);
}

#[cfg(unix)]
fn huskys_push(sandbox: &Sandbox) {
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    super::bare(sandbox, "origin.git");
    sandbox.git(&["remote", "add", "origin", "../origin.git"]);
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(0).complains("judging refs/heads/main");
    assert!(read(sandbox.top.join("lines")).starts_with("refs/heads/main "), "the lines reach both");
    // Nothing to push is the end of the file, and no line.
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(0);
    assert_eq!(read(sandbox.top.join("lines")), "");
}

#[test]
fn lefthook() {
    let sandbox = repository();
    sandbox.write("lefthook.yml", "pre-commit:\n  jobs:\n    - run: npm test\n");
    sandbox.write(".git/hooks/pre-commit", "#!/bin/sh\ncall_lefthook run pre-commit\n");
    let outcome = sandbox.run(&["init", "--git-hooks"]);
    outcome.exits(1).says("keep lefthook.yml (pre-commit): lefthook writes the hooks here").says("use_stdin: true");
    assert_eq!(read(sandbox.path(".git/hooks/pre-commit")), "#!/bin/sh\ncall_lefthook run pre-commit\n");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("missing lefthook.yml (pre-push)");
    let told = "pre-commit:\n  jobs:\n    - run: specward hook pre-commit\npre-push:\n  jobs:\n    - run: specward hook \
                pre-push {1} {2}\n      use_stdin: true\n";
    sandbox.write("lefthook.yml", told);
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("not written lefthook.yml (pre-push)");
    generated(&sandbox, "pre-commit", "#!/bin/sh\ncall_lefthook run pre-commit\n");
    generated(&sandbox, "pre-push", "#!/bin/sh\ncall_lefthook run pre-push\n");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(0).says("up to date");
    // Another job's standard input is not ours.
    sandbox.write("lefthook.yml", told.replace("      use_stdin", "    - run: cat\n      use_stdin"));
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("missing lefthook.yml (pre-push)");
    // One that was installed before stays what git runs.
    let other = repository();
    other.run(&["init", "--git-hooks"]).exits(0);
    other.write("lefthook.yml", "pre-commit: {}\n");
    other.run(&["init", "--git-hooks", "--check"]).exits(0);
    other.run(&["init", "--git-hooks", "--uninstall"]).exits(0).says("remove .git/hooks/pre-push");
    // Its hooks show it, without a file of its own.
    fs::remove_file(sandbox.path("lefthook.yml")).expect("it is there");
    sandbox.run(&["init", "--git-hooks"]).exits(1).says("add this to lefthook.yml");
}

#[test]
fn pre_commit() {
    let sandbox = repository();
    sandbox.write(".pre-commit-config.yaml", "repos: []\n");
    let outcome = sandbox.run(&["init", "--git-hooks"]);
    outcome.exits(1).says("add this to .pre-commit-config.yaml").says("id: specward-verify-push-system");
    assert!(!sandbox.path(".git/hooks/pre-commit").exists());
    let hooks = "repos:\n  - repo: x\n    hooks:\n      - id: specward-verify\n      # - id: specward-verify-push\n";
    sandbox.write(".pre-commit-config.yaml", hooks);
    let check = || sandbox.run(&["init", "--git-hooks=pre-commit", "--check"]);
    check().exits(1).says("did not write its hook yet; run `pre-commit install --hook-type pre-commit`");
    sandbox.run(&["doctor"]).exits(1).says("problem .pre-commit-config.yaml");
    generated(&sandbox, "pre-commit", "#!/bin/sh\nexit 0\n");
    check().exits(1).says("somebody else's");
    generated(&sandbox, "pre-commit", "#!/bin/sh\n# File generated by prek: https://github.com/j178/prek\n");
    check().exits(0);
    generated(&sandbox, "pre-commit", "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n");
    check().exits(0);
    not_executable(&sandbox, "pre-commit");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("missing .pre-commit-config.yaml (pre-push)");
    sandbox.run(&["init", "--git-hooks=pre-commit", "--uninstall"]).exits(1).says("take that out of it yourself");
    // Words are no hooks.
    sandbox.write(".pre-commit-config.yaml", "ci:\n  skip: [specward-verify] # specward hook pre-commit\nrepos: []\n");
    check().exits(1).says("missing .pre-commit-config.yaml");
    sandbox.write(".pre-commit-config.yaml", "repos: [\n");
    check().exits(2).complains("is not YAML");
}

/// Writes what a manager generates.
fn generated(sandbox: &Sandbox, hook: &str, text: &str) {
    let path = sandbox.path(format!(".git/hooks/{hook}"));
    #[cfg(unix)]
    super::program(&path, text);
    #[cfg(not(unix))]
    fs::write(path, text).expect("a file");
}

/// One that git passes over, where there are such.
fn not_executable(sandbox: &Sandbox, hook: &str) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = sandbox.path(format!(".git/hooks/{hook}"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("a mode");
        let check = sandbox.run(&["init", &format!("--git-hooks={hook}"), "--check"]);
        check.exits(1).says("it is not executable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    }
}

#[test]
fn what_pre_commit_is_offered() {
    let sandbox = repository();
    let manifest = read(concat!(env!("CARGO_MANIFEST_DIR"), "/.pre-commit-hooks.yaml"));
    let entries: Vec<&str> = manifest.lines().filter_map(|line| line.strip_prefix("  entry: specward ")).collect();
    let ids: Vec<&str> = manifest.lines().filter_map(|line| line.strip_prefix("- id: ")).collect();
    assert_eq!((entries.len(), ids.len()), (10, 10));
    for entry in entries {
        let words: Vec<&str> = entry.split(' ').chain(["--help"]).collect();
        sandbox.run(&words).exits(0);
    }
    for id in ids.iter().filter(|id| !id.ends_with("-system")) {
        assert!(ids.contains(&format!("{id}-system").as_str()), "{id}");
    }
    // `language: rust` installs the package at the top, which must have one program of this name.
    let cargo = read(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    assert!(cargo.contains("[package]\nname = \"specward\"") && !cargo.contains("[[bin]]"));
}
