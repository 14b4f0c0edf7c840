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
    sandbox.run(&["init", "--git-hooks"]).exits(0);
    super::bare(&sandbox, "origin.git");
    sandbox.git(&["remote", "add", "origin", "../origin.git"]);
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(0).complains("judging refs/heads/main");
    assert!(read(sandbox.top.join("lines")).starts_with("refs/heads/main "), "the lines reach both");
    sandbox.write(AUTH, edited());
    sandbox.try_git(&["commit", "-qam", "edit"]).exits(1).complains("freeze/direct-edit");
    sandbox.git(&["commit", "-qanm", "edit"]);
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(1);
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
    sandbox.write(".git/hooks/pre-push", "#!/bin/sh\ncall_lefthook run pre-push\n");
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(0).says("up to date");
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
    sandbox.write(".git/hooks/pre-commit", "# generated by pre-commit\n");
    sandbox.run(&["init", "--git-hooks=pre-commit", "--check"]).exits(0);
    sandbox.run(&["init", "--git-hooks", "--check"]).exits(1).says("missing .pre-commit-config.yaml (pre-push)");
    sandbox.run(&["init", "--git-hooks=pre-commit", "--uninstall"]).exits(1).says("take that out of it yourself");
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
