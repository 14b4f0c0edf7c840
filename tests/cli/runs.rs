//! `specward runs` and `specward explain` of a criterion.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use specward::ledger::{self, RunRecord};

use crate::support::Sandbox;

/// Where runs of a sandbox's repository are stored.
fn folder(sandbox: &Sandbox) -> PathBuf {
    sandbox.path(".git/specward/runs")
}

fn check(index: usize, verdict: &str, evidence: &str) -> Value {
    json!({
        "index": index, "type": "command", "name": format!("test {index}"), "subject": "cargo test", "verdict": verdict,
        "message": "exit code 101", "duration_ms": 1234,
        "evidence": evidence, "evidence_bytes": evidence.len(),
    })
}

/// Stores a run with two criteria, one of which failed.
fn store(sandbox: &Sandbox, id: &str, head: &str, evidence: &str) {
    let run: RunRecord = serde_json::from_value(json!({
        "version": 1, "run_id": id, "time": "2026-01-02T03:04:05Z", "specward": "0.1.0", "verdict": "FAIL",
        "exit_code": 1, "counts": { "passed": 1, "failed": 1, "unverifiable": 0, "skipped": 0 },
        "scope": { "kind": "changed", "base": "b".repeat(40), "head": head },
        "criteria": [
            {
                "id": "auth/sign-in/right-password", "requirement": "Sign in", "scenario": "Right password",
                "ears": "The system SHALL let users in.", "pattern": "ubiquitous", "verdict": "FAIL",
                "checks": [check(1, "PASS", "good"), check(2, "FAIL", evidence), json!({
                    "index": 3, "type": "judge", "subject": "The error says what to do", "verdict": "UNVERIFIABLE",
                })],
            },
            { "id": "auth/sign-out/signed-out", "requirement": "Sign out", "scenario": "Signed out", "verdict": "PASS" },
        ],
    }))
    .expect("a run");
    ledger::save(&folder(sandbox), &run).expect("it can be stored");
}

const OLD: &str = "20260102T030405Z-00000001";
const NEW: &str = "20260102T030406Z-00000002";

#[test]
fn runs_are_listed_the_newest_first() {
    let sandbox = Sandbox::repository();
    sandbox.run(&["runs"]).exits(0).says("No run is stored. `specward verify`");
    store(&sandbox, OLD, &"c".repeat(40), "");
    store(&sandbox, NEW, "worktree", "");
    let outcome = sandbox.run(&["runs"]);
    outcome.exits(0).says("1 passed, 1 failed").says("bbbbbbbbbb..worktree").says("bbbbbbbbbb..cccccccccc");
    assert!(outcome.stdout.find(NEW).expect("new") < outcome.stdout.find(OLD).expect("old"));
    sandbox.run(&["runs", "-n", "1"]).exits(0).says(NEW).never_says(OLD);
    let document: Value = serde_json::from_str(&sandbox.run(&["runs", "--format", "json"]).stdout).expect("JSON");
    assert_eq!((&document["runs"][0]["run_id"], &document["runs"][1]["verdict"]), (&json!(NEW), &json!("FAIL")));
}

#[test]
fn a_linked_work_tree_has_the_same_runs() {
    let sandbox = Sandbox::repository();
    store(&sandbox, OLD, "worktree", "");
    sandbox.git(&["worktree", "add", "-q", "../linked"]);
    sandbox.at("../linked").run(&["runs"]).exits(0).says(OLD);
}

#[test]
fn damaged_files_are_listed_and_stay() {
    let sandbox = Sandbox::repository();
    store(&sandbox, OLD, "worktree", "");
    fs::write(folder(&sandbox).join(format!("{NEW}.json")), "{\"version\": 1, \"run").expect("written");
    fs::write(folder(&sandbox).join("x\u{1b}[2J"), "mine").expect("written");
    let outcome = sandbox.run(&["runs"]);
    outcome.exits(0).says(OLD).says(&format!("{NEW}.json  damaged: ")).says("not a name of a stored run");
    outcome.never_says("\u{1b}");
    sandbox.run(&["explain", "right-password"]).exits(0).says(OLD);
    sandbox.run(&["explain", "right-password", "--run", NEW]).exits(2).complains("cannot be used");
    assert!(folder(&sandbox).join(format!("{NEW}.json")).exists());
}

#[test]
fn outside_a_repository_there_are_none() {
    let sandbox = Sandbox::project();
    sandbox.run(&["runs"]).exits(2).complains("not a git repository").complains("fix: ");
    sandbox.run(&["explain", "a/b/c"]).exits(2).complains("not a git repository");
    sandbox.run(&["explain", "a/b/c", "--run", OLD]).exits(2).complains("not a git repository");
}

#[test]
fn a_criterion_is_explained_from_its_newest_run() {
    let sandbox = Sandbox::repository();
    let head = sandbox.head();
    store(&sandbox, OLD, &head, "old evidence");
    store(&sandbox, NEW, "worktree", "first\n\u{1b}[31mred\u{202e}\n");
    let outcome = sandbox.run(&["explain", "auth/sign-in/right-password"]);
    outcome
        .exits(0)
        .says("Sign in — Right password")
        .says("The system SHALL let users in.")
        .says("ubiquitous")
        .says(NEW);
    outcome.says("check 2 command test 2  FAIL  1.2 s").says("    | first\n    | \\u{1b}[31mred\\u{202e}\n");
    outcome.says("rubric     The error says what to do").says("check 3 judge  UNVERIFIABLE");
    outcome.says("1 check passed; --all shows them").never_says("good").never_says("old evidence").never_says("\u{1b}");
    sandbox.run(&["explain", "right-password", "--all"]).exits(0).says("    | good\n");
    let old = sandbox.run(&["explain", "sign-in/right-password", "--run", "20260102T030405Z"]);
    old.exits(0).says("old evidence").says(&head[..10]).never_says("is checked out now");
    sandbox.commit("later");
    let moved = sandbox.run(&["explain", "right-password", "--run", OLD]);
    moved.exits(0).says(&format!("this run judged {}", &head[..10])).says("is checked out now");
    let json = sandbox.run(&["explain", "right-password", "--format", "json"]);
    let document: Value = serde_json::from_str(&json.exits(0).stdout).expect("JSON");
    assert_eq!(document["criterion"]["checks"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["criterion"]["checks"][0]["evidence"], "first\n\u{1b}[31mred\u{202e}\n");
    assert!(!json.stdout.contains('\u{202e}'));
}

#[test]
fn what_no_run_has_names_the_nearest() {
    let sandbox = Sandbox::repository();
    sandbox.run(&["explain", "auth/sign-in/x"]).exits(2).complains("no run is stored").complains("specward verify");
    store(&sandbox, OLD, "worktree", "");
    sandbox.run(&["explain", "auth/sign-in/right-pasword"]).exits(2).complains("auth/sign-in/right-password");
    sandbox.run(&["explain", "right", "--run", OLD]).exits(2).complains("auth/sign-in/right-password");
    // With a run a rule's name means a criterion.
    sandbox.run(&["explain", "spec/no-scenario", "--run", OLD]).exits(2).complains("no criterion");
    for id in ["../../config", "2027", ""] {
        sandbox.run(&["explain", "right-password", "--run", id]).exits(2).complains("`specward runs` lists");
    }
    sandbox.run(&["explain", "--run", OLD]).exits(2);
}
