//! What a run comes to, and that it comes to the same again.

use std::fs;

use crate::support::{AUTH, SPEC, SPECWARD, Sandbox, faulty, run};

const BRIEF: &str = "spec/purpose-too-brief";

/// A spec whose purpose has 20 characters, and no other fault.
fn brief() -> String {
    let (before, rest) = SPEC.split_once("Lets people").expect("a purpose");
    let (_, after) = rest.split_once('\n').expect("an end");
    format!("{before}Lets the people in..\n{after}")
}

#[test]
fn exit_codes() {
    let sandbox = Sandbox::repository();
    sandbox.run(&["verify"]).exits(0).says("PASS: 1 passed, 0 failed");
    sandbox.git(&["branch", "-m", "main", "no-default-branch"]);
    sandbox.run(&["verify", "--changed"]).exits(3).says("there is no base").says("UNVERIFIABLE: ");
    sandbox.write(AUTH, faulty());
    sandbox.run(&["verify"]).exits(1).says("spec/no-scenario").says("FAIL: 0 passed, 1 failed");
    fs::remove_dir_all(sandbox.path("openspec")).expect("it is there");
    sandbox.run(&["verify"]).exits(2).complains("no OpenSpec project");
}

#[test]
fn the_worst_item_decides() {
    let sandbox = Sandbox::project();
    sandbox.json(&[]).is("PASS").judges("auth", "PASS");
    // A folder cannot be read as a file.
    let broken = "openspec/specs/broken/spec.md";
    fs::create_dir_all(sandbox.path(broken)).expect("a folder");
    let judged = sandbox.json(&[]);
    judged.is("UNVERIFIABLE").judges("auth", "PASS").judges(broken, "UNVERIFIABLE");
    sandbox.write(AUTH, faulty());
    let judged = sandbox.json(&[]);
    judged.is("FAIL").judges("auth", "FAIL").judges(broken, "UNVERIFIABLE");
}

#[test]
fn a_warning_alone_fails_under_strict_only() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, brief());
    for (args, verdict) in [(&[][..], "PASS"), (&["--strict"], "FAIL")] {
        let judged = sandbox.json(args);
        judged.is(verdict).judges("auth", verdict).finds(BRIEF, AUTH, 3);
        assert!(judged.outcome.stdout.contains("has 20 characters"), "{:#}", judged.report);
        let findings = judged.report["findings"].as_array().expect("a list");
        assert_eq!((findings.len(), findings[0]["level"].as_str()), (1, Some("warning")), "{:#}", judged.report);
    }
}

#[test]
fn the_whole_tree_as_it_lies_on_disk() {
    let new = "openspec/specs/new/spec.md";
    // Without any repository.
    let sandbox = Sandbox::project();
    sandbox.json(&[]).is("PASS").judges_only(&["spec/auth"]);
    sandbox.write(new, faulty());
    sandbox.json(&[]).is("FAIL").judges_only(&["spec/auth", "spec/new"]).finds("spec/no-scenario", new, 8);
    // In one that knows nothing of the file, and in one that shall not look at it.
    let sandbox = Sandbox::repository();
    sandbox.write(new, faulty());
    assert_eq!(sandbox.git(&["ls-files", new]), "");
    for ignored in ["", "new/\n"] {
        sandbox.write(".gitignore", ignored);
        sandbox.json(&[]).is("FAIL").judges_only(&["spec/auth", "spec/new"]).finds("spec/no-scenario", new, 8);
    }
}

#[test]
fn two_runs_over_many_specs_say_the_same() {
    let sandbox = Sandbox::bare_folder();
    for number in 0..100 {
        let text = match number % 4 {
            0 => SPEC.to_owned(),
            1 => brief(),
            2 => faulty(),
            _ => SPEC.replace("SHALL", "will"),
        };
        sandbox.write(format!("openspec/specs/s{number}/spec.md"), text);
    }
    let report = |threads: &str| {
        let mut command = sandbox.command(SPECWARD);
        command.args(["verify", "--strict", "--format", "agent"]).env("RAYON_NUM_THREADS", threads);
        let outcome = run(&mut command);
        outcome.exits(1).says("25 passed, 75 failed");
        outcome.stdout
    };
    let first = report("1");
    for threads in ["1", "2", "16", "16"] {
        assert_eq!(report(threads), first, "{threads} threads");
    }
}
