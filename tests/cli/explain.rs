//! `specward explain`.

use specward::rules;

use crate::support::{Outcome, SPECWARD, Sandbox};

/// Not [`Sandbox::run`], which takes the name of one rule for a crash.
fn explain(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    crate::support::run(sandbox.command(SPECWARD).arg("explain").args(args))
}

#[test]
fn every_rule_has_a_page_with_level_and_origin() {
    let sandbox = Sandbox::bare_folder();
    for rule in rules::all() {
        let outcome = explain(&sandbox, &[rule.id]);
        outcome.exits(0).says(&format!("# `{}`\n", rule.id)).says(&format!("Level: {}. Origin: ", rule.level.word()));
        outcome.says("## What it does\n").says("## Why it matters\n").says("## How to fix\n").never_says("\u{1b}");
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn groups_and_everything_are_listed() {
    let sandbox = Sandbox::bare_folder();
    let all = explain(&sandbox, &[]);
    for rule in rules::all() {
        all.exits(0).says(rule.id).says(rule.summary);
    }
    for group in ["task", "task/"] {
        sandbox.run(&["explain", group]).exits(0).says("task/duplicate-id").never_says("spec/no-scenario");
    }
}

#[test]
fn an_unknown_rule_names_the_nearest() {
    let sandbox = Sandbox::bare_folder();
    sandbox.run(&["explain", "spec/no-scenarios"]).exits(2).complains("spec/no-scenario");
    sandbox.run(&["explain", "no-scenario"]).exits(2).complains("spec/no-scenario").complains("delta/no-scenario");
    sandbox.run(&["explain", "x\u{1b}[2Jy"]).exits(2).never_says("\u{1b}");
    sandbox.run(&["explain", "spec", "delta"]).exits(2);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::Stdio;
    let sandbox = Sandbox::bare_folder();
    let mut command = sandbox.command(SPECWARD);
    let mut child =
        command.arg("explain").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
