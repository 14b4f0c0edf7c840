//! What is no cheat during a session, and where there is nothing to judge.

use std::fs;

use crate::repo::{AUTH, Repo, SOURCE, TASKS, spec};
use crate::session::Session;

/// What is no cheat: work of the person before the session, ticked boxes, source, a new change, a revert.
#[test]
fn what_was_there_before_is_not_the_agents() {
    let repo = Repo::new();
    repo.write("openspec/specward.yaml", "frozen: explained\n");
    // Edited by the person, staged in part, and a spec that was never right.
    repo.replace(AUTH, "within 1 second", "within 2 seconds");
    repo.git(&["add", AUTH]);
    repo.replace(AUTH, "within 2 seconds", "within 3 seconds");
    repo.write("openspec/changes/broken/proposal.md", "# Broken\n");
    repo.write("openspec/changes/broken/tasks.md", "- [ ] 1.1 Mend it\n");
    let session = Session::begin(&repo);
    session.passes();
    repo.replace(TASKS, "- [ ] 1.1", "- [x] 1.1");
    repo.edit_source();
    session.passes();
    // The change is as broken as it was.
    repo.replace("openspec/changes/broken/tasks.md", "- [ ]", "- [x]");
    session.passes();
    repo.commit("all of it");
    session.passes();
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write(SOURCE, "fn main() { println!(); }\n");
    repo.commit("source");
    session.passes();
    // But what the agent breaks is its own.
    repo.replace(AUTH, "SHALL", "MAY");
    session.is_blocked(&[AUTH]);
}

/// A check was red before, and so were files that nobody committed: a question and an answer change nothing of that.
#[test]
fn a_turn_without_edits_runs_no_check() {
    let criteria = "version: 1\ncriteria:\n  - requirement: Sign in\n    scenario: Right password\n    verify:\n      - command: [sh, check.sh]\n";
    let repo =
        Repo::based_on(&[("openspec/verify/auth.yaml", criteria), ("check.sh", "grep -q nothing src/main.rs\n")]);
    repo.write(SOURCE, "fn main() { todo!() }\n");
    repo.write("notes.txt", "mine\n");
    let session = Session::begin(&repo);
    session.passes();
    repo.write(SOURCE, "fn main() { done() }\n");
    session.is_blocked(&["sign-in/right-password"]);
}

/// A project that git does not follow, beside one that it follows.
#[test]
fn an_untracked_project_beside() {
    let repo = Repo::new();
    let beside = "b/openspec/specs/x/spec.md";
    repo.write(beside, spec("X"));
    let session = Session::begin(&repo);
    session.passes();
    session.stop_in(&repo.path("b")).exits_silently();
    repo.replace(beside, "SHALL", "MAY");
    session.is_blocked(&[beside]);
    session.stop_in(&repo.path("b")).blocks(&[beside]);
}

/// A session in a repository without any commit, and its first commit.
#[test]
fn a_repository_without_commits() {
    let repo = Repo::empty(&[]);
    repo.write(AUTH, spec("Sign in"));
    let session = Session::begin(&repo);
    session.passes();
    repo.commit("first");
    session.passes();
    repo.weaken();
    session.is_blocked(&[AUTH]);
}

/// A work tree that is made during the session holds what was committed before.
#[test]
fn a_new_work_tree() {
    let repo = Repo::new();
    let session = Session::begin(&repo);
    let other = repo.outside("other");
    repo.git(&["worktree", "add", "-q", "-b", "other", other.to_str().expect("ASCII")]);
    session.stop_in(&other).exits_silently();
    fs::write(other.join(AUTH), spec("Sign in").replace("SHALL", "MAY")).expect("it is written");
    session.stop_in(&other).blocks(&[AUTH]);
    repo.git_in(&other, &[], &["commit", "-q", "-a", "-m", "weaken"]);
    session.stop_in(&other).blocks(&[AUTH]);
}

/// Hooks say nothing where there is nothing to judge.
#[test]
fn not_a_project() {
    let repo = Repo::empty(&[]);
    repo.write(SOURCE, "fn main() {}\n");
    let session = Session::begin(&repo);
    session.passes();
    Session::unseen(&repo, "unseen").passes();
    // A project that is made during the session is judged.
    repo.write(AUTH, "# Nothing\n");
    Session::unseen(&repo, "other").is_blocked(&["no record"]);
}
