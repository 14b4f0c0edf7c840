//! `git push` through the installed hook.

use super::{bare, commit_edit, hooked, propose, pushed, without_program};
use crate::support::{AUTH, Outcome, SPEC, Sandbox};

fn push(sandbox: &Sandbox, what: &[&str]) -> Outcome {
    sandbox.try_git(&[&["push", "-q", "origin"], what].concat())
}

#[test]
fn refused_and_accepted() {
    let sandbox = pushed();
    sandbox.git(&["switch", "-qc", "work"]);
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push(&sandbox, &["work"]).exits(0).complains("judging refs/heads/work against default branch");
    commit_edit(&sandbox);
    push(&sandbox, &["work"]).exits(1);
    assert_ne!(sandbox.git(&["rev-parse", "origin/work"]), sandbox.head());
    // What slipped through once does not count as agreed.
    sandbox.git(&["push", "-q", "--no-verify", "origin", "work"]);
    sandbox.write("code", "1");
    sandbox.commit("code");
    let outcome = push(&sandbox, &["work"]);
    assert!(outcome.code == Some(1) && format!("{}{}", outcome.stdout, outcome.stderr).contains("freeze/direct-edit"));
}

#[test]
fn the_default_branch() {
    let sandbox = pushed();
    sandbox.git(&["push", "-q", "--no-verify", "origin", "main"]);
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push(&sandbox, &["main"]).exits(0).complains("against refs/heads/main as it is there");
    // What a forced push takes away is an edit.
    sandbox.git(&["reset", "-q", "--hard", "HEAD~"]);
    push(&sandbox, &["-f", "main"]).exits(1).says("freeze/change-deleted");
    // What others pushed is not here.
    let other = sandbox.at("../other");
    sandbox.git(&["clone", "-q", "../origin.git", "../other"]);
    other.write("code", "1");
    other.commit("theirs");
    other.git(&["push", "-q", "origin", "main"]);
    let outcome = push(&sandbox, &["-f", "main"]);
    outcome.exits(1).complains("is not here").complains("git fetch").complains("UNVERIFIABLE");
}

#[test]
fn forced_pushes_of_a_branch() {
    let sandbox = pushed();
    sandbox.git(&["switch", "-qc", "work"]);
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push(&sandbox, &["work"]).exits(0);
    sandbox.git(&["commit", "-q", "--amend", "-m", "otherwise"]);
    push(&sandbox, &["-f", "work"]).exits(0);
    // What was there does not matter, nor that it is not here.
    let gone = "1".repeat(40);
    let line = format!("refs/heads/work {} refs/heads/work {gone}\n", sandbox.head());
    sandbox.feed(&["hook", "pre-push", "origin", "../origin.git"], line).exits(0).says("PASS");
}

#[test]
fn several_at_once_and_tags() {
    let sandbox = pushed();
    sandbox.git(&["switch", "-qc", "good"]);
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    sandbox.git(&["tag", "-a", "v1", "-m", "one"]);
    sandbox.git(&["tag", "-a", "v2", "-m", "of a tag", "v1"]);
    let blob = sandbox.git(&["rev-parse", "HEAD:openspec/specs/auth/spec.md"]);
    sandbox.git(&["tag", "-a", "text", "-m", "of a file", &blob]);
    sandbox.git(&["tag", "old", "main"]);
    let outcome = push(&sandbox, &["good", "v1", "v2", "text", "old"]);
    outcome.exits(0).complains("the same was judged above");
    outcome.complains("refs/tags/text names no commit");
    outcome.complains("refs/tags/old has nothing that remotes/origin/main does not have");
    sandbox.git(&["switch", "-qc", "bad"]);
    commit_edit(&sandbox);
    sandbox.write("code", "1");
    sandbox.git(&["switch", "-q", "good"]);
    sandbox.commit("code");
    push(&sandbox, &["good", "bad"]).exits(1).says("PASS").says("FAIL");
}

#[test]
fn deletions_and_nothing() {
    let sandbox = pushed();
    sandbox.git(&["push", "-q", "origin", "main:refs/heads/gone"]);
    push(&sandbox, &[":gone"]).exits(0).complains("refs/heads/gone is deleted");
    push(&sandbox, &["main"]).exits(0).complains("nothing is pushed");
    sandbox.feed(&["hook", "pre-push", "origin", "x"], "").exits(0).complains("nothing is pushed");
    sandbox.feed(&["hook", "pre-push", "origin", "x"], "not a line\n").exits(2).complains("not one that git writes");
    sandbox
        .feed(&["hook", "pre-push", "origin", "x"], "a b refs/heads/c d\n")
        .exits(3)
        .complains("no name of a commit");
}

#[test]
fn zeros_of_any_length() {
    let sandbox = pushed();
    for length in [40, 64] {
        let zeros = "0".repeat(length);
        let line = format!("(delete) {zeros} refs/heads/x {zeros}\n");
        sandbox.feed(&["hook", "pre-push", "origin", "x"], line).exits(0).complains("refs/heads/x is deleted");
    }
}

#[test]
fn the_first_push() {
    let sandbox = hooked();
    bare(&sandbox, "origin.git");
    sandbox.git(&["remote", "add", "origin", "../origin.git"]);
    push(&sandbox, &["main"]).exits(0).complains("refs/heads/main is the first branch");
    let other = hooked();
    bare(&other, "origin.git");
    other.git(&["remote", "add", "origin", "../origin.git"]);
    other.git(&["branch", "-q", "-m", "trunk"]);
    push(&other, &["trunk"]).exits(0).complains("refs/heads/trunk is the first branch");
    other.write(AUTH, super::edited());
    other.git(&["commit", "-qanm", "edit"]);
    push(&other, &["trunk"]).exits(1).complains("against refs/heads/trunk as it is there");
}

#[test]
fn a_fork() {
    let sandbox = pushed();
    bare(&sandbox, "fork.git");
    sandbox.git(&["remote", "add", "fork", "../fork.git"]);
    sandbox.git(&["push", "-q", "fork", "main"]);
    // Upstream agrees to an edit; the fork gets it too.
    commit_edit(&sandbox);
    sandbox.git(&["push", "-q", "--no-verify", "origin", "main"]);
    sandbox.try_git(&["push", "-q", "fork", "main"]).exits(0);
    sandbox.write(AUTH, SPEC.replace("a password", "nothing"));
    sandbox.git(&["commit", "-qanm", "edit"]);
    sandbox.try_git(&["push", "-q", "fork", "main"]).exits(1);
}

#[test]
fn histories_without_a_common_commit() {
    let sandbox = pushed();
    sandbox.git(&["switch", "-q", "--orphan", "pages"]);
    sandbox.write("index.html", "hi");
    sandbox.commit("pages");
    push(&sandbox, &["pages"]).exits(0).complains("no OpenSpec project and no commit in common");
    sandbox.write(AUTH, super::edited());
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qnm", "specs again"]);
    push(&sandbox, &["pages"]).exits(1).says("freeze/direct-edit");
}

#[test]
fn words_of_pre_commit() {
    let mut sandbox = pushed();
    sandbox.git(&["switch", "-qc", "work"]);
    commit_edit(&sandbox);
    // By hand, with neither lines nor variables: the commit that is checked out.
    sandbox.feed(&["hook", "pre-push"], "").exits(1).says("freeze/direct-edit");
    let main = sandbox.git(&["rev-parse", "main"]);
    for (name, value) in [
        ("PRE_COMMIT", "1"),
        ("PRE_COMMIT_REMOTE_NAME", "origin"),
        ("PRE_COMMIT_REMOTE_BRANCH", "refs/heads/other"),
        ("PRE_COMMIT_LOCAL_BRANCH", "refs/heads/main"),
        ("PRE_COMMIT_FROM_REF", main.as_str()),
        ("PRE_COMMIT_TO_REF", main.as_str()),
    ] {
        sandbox.set(name, value);
    }
    sandbox.feed(&["hook", "pre-push"], "").exits(0).complains("refs/heads/other has nothing that");
    sandbox.set("PRE_COMMIT_TO_REF", sandbox.head());
    sandbox.feed(&["hook", "pre-push"], "").exits(1).complains("judging refs/heads/other against default branch");
    sandbox.set("PRE_COMMIT_REMOTE_BRANCH", "refs/heads/main");
    sandbox.feed(&["hook", "pre-push"], "").exits(1).complains("against refs/heads/main as it is there");
    sandbox.set("PRE_COMMIT_TO_REF", "1".repeat(40));
    sandbox.feed(&["hook", "pre-push"], "").exits(3).complains("is no commit here");
    // pre-commit says less when all of a history is new.
    sandbox.set("PRE_COMMIT_TO_REF", "");
    sandbox.set("PRE_COMMIT_FROM_REF", "");
    sandbox.set("PRE_COMMIT_LOCAL_BRANCH", "refs/heads/work");
    sandbox.feed(&["hook", "pre-push"], "").exits(1).says("freeze/direct-edit");
}

#[test]
fn evil_names() {
    let sandbox = pushed();
    sandbox.git(&["branch", "x;touch${IFS}evil;$(id)"]);
    sandbox.git(&["switch", "-qc", "`id`"]);
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push(&sandbox, &["`id`", "x;touch${IFS}evil;$(id)"]).exits(0).complains("refs/heads/`id`");
    assert!(!sandbox.top.join("evil").exists() && !sandbox.path("evil").exists());
    let line = format!("x {} refs/heads/\u{1b}[31m\u{202e} {}\n", sandbox.head(), "0".repeat(40));
    let outcome = sandbox.feed(&["hook", "pre-push", "origin", "x"], line);
    outcome.exits(0).never_says("\u{1b}[31m").never_says("\u{202e}");
}

#[test]
fn without_the_program_nothing_passes() {
    let sandbox = without_program(pushed());
    sandbox.write("code", "1");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qnm", "code"]);
    push(&sandbox, &["main"]).exits(1).complains("cargo install --locked specward");
}

#[test]
fn a_default_branch_that_nobody_named() {
    let sandbox = hooked();
    bare(&sandbox, "origin.git");
    sandbox.git(&["--git-dir", "../origin.git", "symbolic-ref", "HEAD", "refs/heads/trunk"]);
    sandbox.git(&["remote", "add", "origin", "../origin.git"]);
    sandbox.git(&["branch", "-q", "-m", "trunk"]);
    push(&sandbox, &["trunk"]).exits(0).complains("refs/heads/trunk is the first branch");
    sandbox.git(&["update-ref", "--no-deref", "-d", "refs/remotes/origin/HEAD"]);
    sandbox.git(&["switch", "-qc", "work"]);
    commit_edit(&sandbox);
    for what in ["work", "work:main"] {
        push(&sandbox, &[what]).exits(1).complains("git remote set-head origin --auto").complains("UNVERIFIABLE");
    }
    // Nor is a branch of one's own believed that has the name.
    sandbox.git(&["branch", "main"]);
    push(&sandbox, &["work"]).exits(1).complains("UNVERIFIABLE");
    // Nothing is known of a place, but what git says of another branch there.
    let lines = format!(
        "work {0} refs/heads/work {1}\ntrunk {2} refs/heads/trunk {2}\n",
        sandbox.head(),
        "0".repeat(40),
        sandbox.git(&["rev-parse", "trunk"])
    );
    sandbox.git(&["branch", "-q", "-D", "main"]);
    sandbox.git(&["remote", "remove", "origin"]);
    sandbox.feed(&["hook", "pre-push", "../origin.git", "../origin.git"], lines).exits(3).complains("is new");
    sandbox.git(&["remote", "add", "origin", "../origin.git"]);
    sandbox.git(&["fetch", "-q", "origin"]);
    sandbox.git(&["remote", "set-head", "origin", "--auto"]);
    push(&sandbox, &["work"]).exits(1).says("freeze/direct-edit");
}

#[test]
fn a_branch_of_ones_own_under_another_name() {
    let sandbox = hooked();
    bare(&sandbox, "there.git");
    let push = |what: &[&str]| sandbox.try_git(&[&["push", "-q", "../there.git"], what].concat());
    push(&["main", "main:refs/heads/same"]).exits(0).complains("refs/heads/main is the first branch");
    commit_edit(&sandbox);
    push(&["main"]).exits(1).says("freeze/direct-edit");
    push(&["main:refs/heads/other"]).exits(1).complains("nothing is known of the branches").complains("UNVERIFIABLE");
}

#[test]
fn one_remote_with_several_names() {
    let sandbox = pushed();
    let before = sandbox.head();
    propose(&sandbox, "add-out");
    sandbox.commit("propose");
    push(&sandbox, &["main"]).exits(0);
    sandbox.git(&["remote", "add", "again", "../origin.git"]);
    sandbox.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    let elsewhere = sandbox.top.join("origin.git").display().to_string();
    for remote in ["origin", "again", "../origin.git", elsewhere.as_str(), &format!("file://{elsewhere}")] {
        let outcome = sandbox.try_git(&["push", "-qf", remote, &format!("{before}:refs/heads/main")]);
        outcome.exits(1).says("freeze/change-deleted").complains("against refs/heads/main as it is there");
    }
    // Even where nothing tells that it is the same.
    let line = format!("x {before} refs/heads/main {}\n", sandbox.head());
    let outcome = sandbox.feed(&["hook", "pre-push", "alias:x", "alias:x"], line);
    outcome.exits(1).says("freeze/change-deleted");
}

#[test]
fn a_fork_that_is_cloned_from() {
    let sandbox = pushed();
    bare(&sandbox, "project.git");
    sandbox.git(&["remote", "add", "upstream", "../project.git"]);
    sandbox.git(&["push", "-q", "upstream", "main"]);
    let before = sandbox.head();
    // The project agrees to an edit, and the fork does not have it yet.
    let theirs = sandbox.at("../theirs");
    sandbox.git(&["clone", "-q", "../project.git", "../theirs"]);
    theirs.write(AUTH, super::edited());
    theirs.write("code", "theirs");
    theirs.commit("edit");
    theirs.git(&["push", "-q", "origin", "main"]);
    sandbox.git(&["fetch", "-q", "upstream"]);
    sandbox.git(&["switch", "-q", "--no-track", "-c", "work", "upstream/main"]);
    sandbox.write("more", "1");
    sandbox.git(&["add", "-A"]);
    sandbox.try_git(&["commit", "-qm", "more"]).exits(0);
    push(&sandbox, &["work"]).exits(0).complains("default branch (remotes/upstream/main)");
    // The fork is brought up to it, with work of one's own or without.
    push(&sandbox, &["work:main"]).exits(0).complains("default branch (remotes/upstream/main)");
    sandbox.git(&["--git-dir", "../origin.git", "update-ref", "refs/heads/main", &before]);
    sandbox.git(&["fetch", "-q", "origin"]);
    push(&sandbox, &["upstream/main:refs/heads/main"]).exits(0).complains("remotes/upstream/main does not have");
    // A merge of it that has to be mended.
    sandbox.git(&["--git-dir", "../origin.git", "update-ref", "refs/heads/main", &before]);
    sandbox.git(&["fetch", "-q", "origin"]);
    sandbox.git(&["switch", "-qc", "other", "main"]);
    sandbox.write("code", "ours");
    sandbox.commit("ours");
    assert_ne!(sandbox.try_git(&["merge", "-q", "upstream/main"]).code, Some(0));
    sandbox.write("code", "both");
    sandbox.git(&["add", "-A"]);
    sandbox.try_git(&["commit", "-qm", "merged"]).exits(0).complains("PASS");
    push(&sandbox, &["other"]).exits(0).says("PASS");
    // An edit of one's own is still one.
    sandbox.write(AUTH, SPEC.replace("a password", "nothing"));
    sandbox.git(&["commit", "-qanm", "edit"]);
    push(&sandbox, &["other"]).exits(1).says("freeze/direct-edit");
    push(&sandbox, &["other:main"]).exits(1).says("freeze/direct-edit");
    // What a fork has is nothing that the project agreed to.
    push(&sandbox, &["--no-verify", "other:main"]).exits(0);
    let to_project = sandbox.try_git(&["push", "-q", "upstream", "other:main"]);
    to_project.exits(1).says("freeze/direct-edit").complains("against refs/heads/main as it is there");
    sandbox.try_git(&["push", "-q", "upstream", "other"]).exits(1).complains("default branch (remotes/upstream/main)");
}
