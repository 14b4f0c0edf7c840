//! `specward ledger check`.

use serde_json::Value;
use specward::ledger::chain::{self, Entry};

use crate::support::Sandbox;

const LEDGER: &str = "ledger.jsonl";

/// A ledger of three runs; the digest of the last.
fn ledger(sandbox: &Sandbox) -> String {
    let mut digest = String::new();
    for number in 1..=3 {
        let entry = Entry {
            run_id: format!("20260102T030405Z-{number:08x}"),
            time: "2026-01-02T03:04:05Z".to_owned(),
            version: 1,
            specward: "0.1.0".to_owned(),
            verdict: specward::report::Verdict::Fail,
            exit_code: 1,
            counts: specward::report::Counts::default(),
            base: None,
            head: "worktree".to_owned(),
            trees: specward::report::Trees::default(),
            criteria_digest: None,
            criteria: Vec::new(),
        };
        digest = chain::append(&sandbox.path(LEDGER), &entry).expect("it can be written").digest;
    }
    digest
}

#[test]
fn a_whole_ledger_passes_and_its_end_is_proved_by_a_digest() {
    let sandbox = Sandbox::bare_folder();
    let digest = ledger(&sandbox);
    let check = ["ledger", "check", LEDGER];
    let outcome = sandbox.run(&check);
    outcome.exits(0).says("3 lines").says(&format!("last digest: {digest}\n")).says("pass it with --expect");
    let expecting = [&check[..], &["--expect", &digest]].concat();
    sandbox.run(&expecting).exits(0).never_says("--expect");
    let text = std::fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger");
    let end = text.trim_end().rfind('\n').expect("several lines");
    sandbox.write(LEDGER, &text[..=end]);
    sandbox.run(&check).exits(0);
    sandbox.run(&expecting).exits(1).says("removed from the end");
}

#[test]
fn a_changed_line_is_named() {
    let sandbox = Sandbox::bare_folder();
    ledger(&sandbox);
    let text = std::fs::read_to_string(sandbox.path(LEDGER)).expect("a ledger");
    let lines: Vec<&str> = text.lines().collect();
    let changed = lines[1].replace("FAIL", "PASS");
    sandbox.write(LEDGER, format!("{}\n{changed}\n{}\n", lines[0], lines[2]));
    sandbox.run(&["ledger", "check", LEDGER]).exits(1).says("ledger.jsonl:2: the line was changed");
    let json = sandbox.run(&["ledger", "check", LEDGER, "--format", "json"]);
    let document: Value = serde_json::from_str(&json.exits(1).stdout).expect("JSON");
    assert_eq!((&document["ok"], &document["problems"][0]["line"]), (&Value::Bool(false), &Value::from(2)));
    sandbox.write(LEDGER, "\u{1b}[2J\n");
    sandbox.run(&["ledger", "check", LEDGER]).exits(1).never_says("\u{1b}");
}

#[test]
fn nothing_to_check_is_no_pass() {
    let sandbox = Sandbox::bare_folder();
    sandbox.run(&["ledger", "check", "none"]).exits(2).complains("fix: ");
    sandbox.run(&["ledger", "check", "."]).exits(2).complains("not a regular file");
    sandbox.write(LEDGER, "");
    sandbox.run(&["ledger", "check", LEDGER]).exits(1).says("empty");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let sandbox = Sandbox::bare_folder();
    crate::support::pipe(&sandbox, LEDGER);
    sandbox.run(&["ledger", "check", LEDGER]).exits(2).complains("not a regular file");
}
