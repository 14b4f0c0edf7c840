//! `git push` to a bare repository with the script for pre-receive.

use std::fs;
use std::path::PathBuf;

use super::{bare, commit_edit, propose, repository};
use crate::support::{AUTH, Sandbox};

fn script() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("hooks/pre-receive")
}

/// A repository and its server, which judges. Nothing is pushed yet.
fn served() -> (Sandbox, PathBuf) {
    let sandbox = repository();
    let server = bare(&sandbox, "server.git");
    fs::create_dir_all(server.join("hooks")).expect("a folder");
    fs::copy(script(), server.join("hooks/pre-receive")).expect("a copy");
    sandbox.git(&["remote", "add", "origin", "../server.git"]);
    (sandbox, server)
}

#[test]
fn refused_and_accepted() {
    let (sandbox, _) = served();
    let push = |what: &[&str]| sandbox.try_git(&[&["push", "-q", "origin"], what].concat());
    push(&["main"]).exits(0).complains("refs/heads/main is the first branch");
    sandbox.git(&["switch", "-qc", "work"]);
    commit_edit(&sandbox);
    push(&["work"]).exits(1).complains("freeze/direct-edit").complains("pre-receive hook declined");
    assert_eq!(sandbox.git(&["ls-remote", "origin", "refs/heads/work"]), "");
    sandbox.git(&["reset", "-q", "--hard", "main"]);
    propose(&sandbox, "add-out");
    // More objects than git unpacks one by one.
    for number in 0..150 {
        sandbox.write(format!("code/{number}"), number.to_string());
    }
    sandbox.commit("propose");
    sandbox.git(&["tag", "-a", "v1", "-m", "one"]);
    push(&["work", "v1"]).exits(0).complains("PASS").complains("the same was judged above");
    push(&["work:main"]).exits(0).complains("against refs/heads/main as it is there");
    // What is invalid is refused too.
    sandbox.write("openspec/changes/add-out/specs/auth/spec.md", "## ADDED\n");
    sandbox.commit("bad");
    push(&["work"]).exits(1).complains("delta/");
    // And a forced push that takes away what was agreed.
    push(&["-f", "main:main"]).exits(1).complains("freeze/change-deleted");
}

#[test]
fn deletions() {
    let (sandbox, server) = served();
    sandbox.git(&["push", "-q", "origin", "main", "main:refs/heads/other"]);
    let push = |what: &str| sandbox.try_git(&["push", "-q", "origin", what]);
    push(":other").exits(0).complains("refs/heads/other is deleted");
    push(":main").exits(1).complains("is the default branch and has specs");
    // Nothing of a push is stored there.
    assert!(!server.join("specward").exists());
}

#[test]
fn the_mode_is_what_the_default_branch_says() {
    let (sandbox, _) = served();
    sandbox.write("openspec/specward.yaml", "frozen: strict\n");
    sandbox.write(".pre-commit-config.yaml", "- id: specward-verify\n");
    sandbox.commit("strict");
    let push = |what: &str| sandbox.try_git(&["push", "-q", "origin", what]);
    push("main").exits(0);
    sandbox.git(&["switch", "-qc", "work"]);
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push("work").exits(1).complains("freeze/spec-changed");
    // A branch cannot ask for less.
    sandbox.write("openspec/specward.yaml", "frozen: off\n");
    sandbox.commit("off");
    push("work").exits(1).complains("freeze/spec-changed");
    // What calls the gate is looked at in every mode.
    sandbox.git(&["reset", "-q", "--hard", "main"]);
    fs::remove_file(sandbox.path(".pre-commit-config.yaml")).expect("it is there");
    sandbox.commit("disarm");
    push("work").exits(1).complains("freeze/gate-edited").complains("was deleted");
}

#[cfg(unix)]
#[test]
fn no_program_of_a_push_is_run() {
    let (sandbox, _) = served();
    sandbox.git(&["push", "-q", "origin", "main"]);
    sandbox.git(&["switch", "-qc", "work"]);
    propose(&sandbox, "add-out");
    let criteria = "version: 1\ncriteria:\n  - requirement: Sign in\n    scenario: Right password\n    verify:\n      - command: \
                    [sh, -c, \"touch ../ran\"]\n";
    sandbox.write("openspec/verify/auth.yaml", criteria);
    sandbox.commit("propose");
    sandbox.try_git(&["push", "-q", "origin", "work"]);
    assert!(!sandbox.top.join("ran").exists() && !sandbox.top.join("server.git/ran").exists());
}

#[test]
fn a_server_whose_head_names_nothing() {
    let (sandbox, server) = served();
    sandbox.git(&["--git-dir", "../server.git", "symbolic-ref", "HEAD", "refs/heads/master"]);
    sandbox.git(&["branch", "-q", "-m", "trunk"]);
    let push = |what: &str| sandbox.try_git(&["push", "-q", "origin", what]);
    push("trunk").exits(0).complains("is the first branch");
    sandbox.git(&["switch", "-qc", "work"]);
    commit_edit(&sandbox);
    push("work").exits(1).complains("git symbolic-ref HEAD").complains("UNVERIFIABLE");
    push("work:trunk").exits(1).complains("freeze/direct-edit");
    sandbox.git(&["--git-dir", &server.display().to_string(), "symbolic-ref", "HEAD", "refs/heads/trunk"]);
    push("work").exits(1).complains("freeze/direct-edit");
    // The usual name is known where HEAD names nothing.
    sandbox.git(&["push", "-q", "origin", "trunk:main"]);
    sandbox.git(&["--git-dir", &server.display().to_string(), "symbolic-ref", "HEAD", "refs/heads/gone"]);
    push("work").exits(1).complains("default branch (heads/main)");
}

#[test]
fn a_repository_with_a_work_tree() {
    let sandbox = repository();
    sandbox.git(&["init", "-q", "-b", "main", "../served"]);
    let served = sandbox.at("../served");
    served.git(&["config", "receive.denyCurrentBranch", "updateInstead"]);
    fs::create_dir_all(served.path(".git/hooks")).expect("a folder");
    fs::copy(script(), served.path(".git/hooks/pre-receive")).expect("a copy");
    sandbox.git(&["remote", "add", "origin", "../served"]);
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(0).complains("is the first branch");
    commit_edit(&sandbox);
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(1).complains("freeze/direct-edit");
}

#[test]
fn reftables() {
    let sandbox = repository();
    if sandbox.try_git(&["init", "-q", "--bare", "-b", "main", "--ref-format=reftable", "../server.git"]).code
        != Some(0)
    {
        println!("skipped: this git has no reftables");
        return;
    }
    let server = sandbox.top.join("server.git");
    fs::copy(script(), server.join("hooks/pre-receive")).expect("a copy");
    sandbox.git(&["remote", "add", "origin", "../server.git"]);
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(0);
    sandbox.write(AUTH, super::edited());
    sandbox.commit("edit");
    sandbox.try_git(&["push", "-q", "origin", "main"]).exits(1).complains("freeze/direct-edit");
}

/// A branch as [`served`] has it, pushed to a server whose HEAD names `master`, which is not there.
fn served_as(branch: &str) -> Sandbox {
    let (sandbox, _) = served();
    sandbox.git(&["--git-dir", "../server.git", "symbolic-ref", "HEAD", "refs/heads/master"]);
    sandbox.git(&["branch", "-q", "-m", branch]);
    sandbox.try_git(&["push", "-q", "origin", branch]).exits(0).complains("is the first branch");
    sandbox
}

/// A commit without parents and without files.
fn empty_root(sandbox: &Sandbox) -> String {
    sandbox.git(&["commit-tree", "-m", "x", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"])
}

#[test]
fn nothing_takes_the_place_of_the_default_branch() {
    let sandbox = served_as("main");
    let push = |what: &str| sandbox.try_git(&["push", "-q", "origin", what]);
    let old = sandbox.head();
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push("main").exits(0).complains("against refs/heads/main as it is there");
    sandbox.git(&["hash-object", "-t", "tree", "-w", "--stdin"]);
    let root = empty_root(&sandbox);
    push(&format!("{root}:refs/heads/master")).exits(1).complains("freeze/").complains("whose place as default branch");
    push(&format!("{old}:refs/heads/master")).exits(1).complains("git symbolic-ref HEAD refs/heads/main");
    // What is the same may have that name, and what comes is compared with it then.
    push("main:master").exits(0).complains("takes its place");
    commit_edit(&sandbox);
    push("main:master").exits(1).complains("freeze/direct-edit");
    push("main").exits(1).complains("freeze/direct-edit");
}

#[test]
fn nothing_becomes_the_default_branch_of_a_server_that_has_none() {
    let sandbox = served_as("develop");
    sandbox.git(&["hash-object", "-t", "tree", "-w", "--stdin"]);
    let root = empty_root(&sandbox);
    let push = |what: &str| sandbox.try_git(&["push", "-q", "origin", what]);
    for name in ["master", "main"] {
        push(&format!("{root}:refs/heads/{name}"))
            .exits(1)
            .complains("git symbolic-ref HEAD")
            .complains("UNVERIFIABLE");
    }
    // Nor is it emptied, to begin anew.
    push(":develop").exits(1).complains("may be the default branch").complains("UNVERIFIABLE");
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push("develop").exits(0).complains("against refs/heads/develop as it is there");
}

#[test]
fn another_name_of_the_default_branch() {
    let (sandbox, server) = served();
    let push = |what: &[&str]| sandbox.try_git(&[&["push", "-q", "origin"], what].concat());
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push(&["main"]).exits(0);
    let server = server.display().to_string();
    sandbox.git(&["--git-dir", &server, "symbolic-ref", "refs/heads/master", "refs/heads/main"]);
    push(&[":master"]).exits(1).complains("is the default branch and has specs");
    push(&["-f", "HEAD~:master"]).exits(1).complains("freeze/change-deleted");
    commit_edit(&sandbox);
    push(&["HEAD:master"]).exits(1).complains("freeze/direct-edit");
    // HEAD may name it that way too.
    sandbox.git(&["--git-dir", &server, "symbolic-ref", "HEAD", "refs/heads/master"]);
    push(&["HEAD:main"]).exits(1).complains("freeze/direct-edit");
    push(&["HEAD:refs/heads/work"]).exits(1).complains("default branch (heads/main)");
}

#[test]
fn what_a_deletion_says_of_the_past_is_not_believed() {
    let (sandbox, _) = served();
    sandbox.git(&["push", "-q", "origin", "main"]);
    let zeros = "0".repeat(40);
    let server = sandbox.at("../server.git");
    let outcome = server.feed(&["hook", "pre-receive"], format!("{zeros} {zeros} refs/heads/main\n"));
    outcome.exits(1).complains("is the default branch and has specs");
}

#[test]
fn replacements() {
    let (sandbox, _) = served();
    let push = |what: &str| sandbox.try_git(&["push", "-q", "origin", what]);
    push("main").exits(0);
    let old = sandbox.head();
    sandbox.write(AUTH, super::edited());
    let blob = sandbox.git(&["hash-object", "-w", AUTH]);
    let spec = sandbox.git(&["rev-parse", &format!("HEAD:{AUTH}")]);
    push(&format!("{blob}:refs/replace/{spec}")).exits(1).complains("something else than what was judged");
    sandbox.commit("edit");
    push(&format!("HEAD:refs/replace/{old}")).exits(1).complains("refs/replace/");
    // One that is there may go, and nothing is said about other folders.
    let line = format!("{old} {} refs/replace/{old}\n", "0".repeat(40));
    sandbox.at("../server.git").feed(&["hook", "pre-receive"], line).exits(0).complains("is deleted");
    push(&format!("{blob}:refs/notes/x")).exits(0);
}

#[test]
fn a_project_that_begins_to_be_judged() {
    let (sandbox, _) = served();
    let push = |what: &[&str]| sandbox.try_git(&[&["push", "-q", "origin"], what].concat());
    push(&["main"]).exits(0);
    sandbox.run(&["init", "--agents=claude"]).exits(0);
    sandbox.commit("begin");
    push(&["main:adopt", "main"]).exits(0).complains("PASS");
    // From then on only whoever runs the gate changes it.
    sandbox.write("openspec/specward.yaml", "frozen: explained\nstrict: true\n");
    sandbox.commit("stricter");
    push(&["main"]).exits(1).complains("freeze/gate-edited").complains("docs/freeze.md");
}
