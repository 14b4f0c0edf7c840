//! `specward runs` and `specward explain` of a criterion.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use specward::ledger::{self, RunRecord};

use crate::checked::{FAILS, FILE, HOLDS, criteria, on_branch, spec};
use crate::support::{AUTH, Sandbox};

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

/// What is stored of a run.
fn stored(sandbox: &Sandbox, id: &str) -> Value {
    let text = fs::read_to_string(folder(sandbox).join(format!("{id}.json"))).expect("a stored run");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn linked_work_tree() {
    let sandbox = Sandbox::repository();
    sandbox.git(&["worktree", "add", "-q", "../linked"]);
    let linked = sandbox.at("../linked");
    let id = linked.json(&[]).report["run_id"].as_str().expect("a name").to_owned();
    sandbox.run(&["runs"]).exits(0).says(&id);
    let own = sandbox.json(&[]).report["run_id"].as_str().expect("a name").to_owned();
    linked.run(&["runs"]).exits(0).says(&id).says(&own);
    assert!(sandbox.git(&["status", "--porcelain"]).is_empty(), "nothing of it can be committed");
}

#[test]
fn more_than_are_kept() {
    let sandbox = Sandbox::repository();
    for number in 0..100 {
        store(&sandbox, &format!("20260102T0304{:02}Z-{number:08x}", number % 60), "worktree", "");
    }
    let count = || fs::read_dir(folder(&sandbox)).expect("a folder").count();
    assert_eq!(count(), 100);
    let id = sandbox.json(&[]).report["run_id"].as_str().expect("a name").to_owned();
    assert_eq!(count(), 100);
    let listed = sandbox.run(&["runs", "-n", "1000"]);
    listed.exits(0).says(&id).says("20260102T030400Z-0000003c").says("20260102T030459Z-0000003b");
    listed.never_says("20260102T030400Z-00000000");
    assert_eq!(listed.stdout.lines().count(), 100);
}

#[test]
fn a_run_without_a_verdict_on_anything_is_stored_too() {
    let sandbox = Sandbox::on_branch();
    let judged = sandbox.json(&["--changed", "--base", "nothing"]);
    let run = stored(&sandbox, judged.is("UNVERIFIABLE").report["run_id"].as_str().expect("a name"));
    assert_eq!((&run["verdict"], &run["reasons"]), (&json!("UNVERIFIABLE"), &judged.report["reasons"]));
    // One that could not happen is none.
    sandbox.run(&["verify", "--bogus"]).exits(2);
    sandbox.run(&["verify", "nothing"]).exits(2);
    assert_eq!(fs::read_dir(folder(&sandbox)).expect("a folder").count(), 1);
}

#[test]
fn a_run_that_cannot_be_stored_is_judged_all_the_same() {
    let sandbox = Sandbox::repository();
    sandbox.write(".git/specward", "in the way");
    let judged = sandbox.json(&[]);
    let notes = judged.is("PASS").report["notes"].as_array().expect("a list");
    assert!(notes[0].as_str().expect("a note").starts_with("this run was not stored: "), "{notes:?}");
    sandbox.run(&["verify"]).exits(0).says("Note: this run was not stored: ");
    let none = Sandbox::project();
    assert_eq!(none.json(&[]).is("PASS").report["notes"], json!([]), "nobody expects it without a repository");
}

#[test]
fn comparison() {
    let sandbox = on_branch(&[("One", &[HOLDS])], &[("app.txt", "old\n")]);
    let base = sandbox.head();
    sandbox.write(AUTH, spec(&["One"]).replace("with a password", "with a passphrase"));
    let head = sandbox.commit("second");
    let run = |args: &[&str]| {
        let judged = sandbox.json(&[&["--changed", "--base", "main"], args].concat());
        let run = stored(&sandbox, judged.report["run_id"].as_str().expect("a name"));
        assert_eq!((&run["trees"], &run["scope"]), (&judged.report["trees"], &judged.report["scope"]));
        run
    };
    let whole = run(&["--head", "HEAD"]);
    let tree = |commit: &str| sandbox.git(&["rev-parse", &format!("{commit}^{{tree}}")]);
    assert_eq!((&whole["scope"]["base"], &whole["scope"]["head"]), (&json!(base), &json!(head)));
    assert_eq!((&whole["trees"]["base"], &whole["trees"]["head"]), (&json!(tree("main")), &json!(tree("HEAD"))));
    assert_eq!(whole["trees"]["files"], json!(tree("HEAD")), "what lay on disk");
    let digest = |run: &Value, pointer: &str| {
        let digest = run.pointer(pointer).and_then(Value::as_str).expect("a digest").to_owned();
        assert!(digest.starts_with("sha256:") && digest.len() == 71, "{digest}");
        digest
    };
    let (specs, criteria_digest) = (digest(&whole, "/trees/specs"), digest(&whole, "/criteria_digest"));
    // Files that are no specs: only the digest of all files is another.
    sandbox.write("app.txt", "new\n");
    let edited = run(&[]);
    assert_eq!((&edited["scope"]["head"], &edited["trees"]["head"]), (&json!("worktree"), &json!(tree("HEAD"))));
    assert_eq!(
        (digest(&edited, "/trees/specs"), digest(&edited, "/criteria_digest")),
        (specs.clone(), criteria_digest.clone())
    );
    assert_ne!(edited["trees"]["files"], whole["trees"]["files"]);
    sandbox.write(FILE, criteria(&[("One", &[FAILS])]));
    let weakened = run(&[]);
    assert_ne!(digest(&weakened, "/criteria_digest"), criteria_digest);
    assert_ne!(digest(&weakened, "/trees/specs"), specs);
}

/// A repository with a criterion that fails until `app.txt` says so, and counts how often it runs.
#[cfg(unix)]
fn with_a_failing_criterion() -> Sandbox {
    let check = "{ name: acceptance, command: [sh, t.sh] }";
    on_branch(
        &[("One", &[check]), ("Two", &[HOLDS])],
        &[("t.sh", "echo x >> ran\ncat app.txt\ngrep -q locked app.txt\n"), ("app.txt", "the first words\n")],
    )
}

fn id_of_a_run(sandbox: &Sandbox) -> String {
    sandbox.json(&[]).report["run_id"].as_str().expect("a name").to_owned()
}

#[cfg(unix)]
#[test]
fn newest_run() {
    let sandbox = with_a_failing_criterion();
    // Many in one second, and the newest is the newest.
    for number in 0..5 {
        sandbox.write("app.txt", format!("words of run {number}\n"));
        let id = id_of_a_run(&sandbox);
        let outcome = sandbox.run(&["explain", "one"]);
        outcome.exits(0).says(&id).says("The system SHALL let users sign in with a password.").says("Sign in — One");
        outcome.says("check 1 command acceptance  FAIL").says(&format!("    | words of run {number}\n"));
        outcome.says("it exits with 1, not with 0");
    }
    assert_eq!(fs::read_to_string(sandbox.path("ran")).expect("it ran").lines().count(), 5, "explain runs nothing");
    sandbox.run(&["explain", "one"]).never_says("words of run 3");
}

#[cfg(unix)]
#[test]
fn named_run() {
    let sandbox = with_a_failing_criterion();
    let first = id_of_a_run(&sandbox);
    sandbox.write("app.txt", "locked\n");
    let second = id_of_a_run(&sandbox);
    assert!(first < second);
    sandbox.run(&["explain", "one", "--run", &first]).exits(0).says("    | the first words\n").says("FAIL");
    let passed = sandbox.run(&["explain", "one", "--run", &second, "--all"]);
    passed.exits(0).says("    | locked\n").never_says("the first words");
    let json = sandbox.run(&["explain", "one", "--run", &first, "--format", "json"]);
    let document: Value = serde_json::from_str(&json.exits(0).stdout).expect("JSON");
    assert!(document["criterion"]["checks"][0]["evidence"].as_str().expect("text").contains("the first words"));
    assert_eq!(fs::read_to_string(sandbox.path("ran")).expect("it ran").lines().count(), 2, "explain runs nothing");
}

#[test]
fn unknown_criterion() {
    let sandbox = on_branch(&[("Right password", &[HOLDS])], &[]);
    id_of_a_run(&sandbox);
    let outcome = sandbox.run(&["explain", "right-pasword"]);
    outcome.exits(2).complains("`right-pasword`").complains("right-password").complains("fix: ");
    assert_eq!(outcome.stdout, "");
}
