//! What is told of a change that is archived in the diff.

use std::fs;

use crate::support::{AUTH, DELTA, Judged, SPEC, Sandbox};

const OPEN: &str = "openspec/changes/add-logout";
const MOVED: &str = "openspec/changes/archive/2026-01-02-add-logout";

/// What archiving [`DELTA`] makes of [`SPEC`].
fn merged() -> String {
    format!("{SPEC}\n{}", DELTA.split_once("\n\n").expect("a header").1)
}

/// A change that is open on `main` and archived in the work tree, with these tasks and this main spec.
fn archived(tasks: &str, spec: &str) -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write(format!("{OPEN}/specs/auth/spec.md"), DELTA);
    sandbox.write(format!("{OPEN}/tasks.md"), "## 1. Work\n- [ ] 1.1 Write it\n- [ ] 1.2 Test it\n");
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    fs::create_dir(sandbox.path("openspec/changes/archive")).expect("a folder");
    fs::rename(sandbox.path(OPEN), sandbox.path(MOVED)).expect("it can be moved");
    sandbox.write(format!("{MOVED}/tasks.md"), tasks);
    sandbox.write(AUTH, spec);
    sandbox
}

/// The same in the work tree, the index and a commit.
#[track_caller]
fn check(sandbox: &Sandbox, demand: impl Fn(&Judged)) {
    demand(&sandbox.json(&["--changed", "--strict"]));
    sandbox.git(&["add", "-A"]);
    demand(&sandbox.json(&["--staged", "--strict"]));
    sandbox.git(&["commit", "-qm", "archive"]);
    demand(&sandbox.json(&["--changed", "--strict", "--base", "main", "--head", "work"]));
}

const DONE: &str = "## 1. Work\n- [x] 1.1 Write it\n- [x] 1.2 Test it\n";

#[test]
fn everything_done_and_merged() {
    check(&archived(DONE, &merged()), |judged| {
        judged.is("PASS");
        assert_eq!(judged.report["findings"].as_array().map(Vec::len), Some(0), "{:#}", judged.report);
    });
}

#[test]
fn an_open_task() {
    let sandbox = archived(&DONE.replace("[x] 1.2", "[ ] 1.2"), &merged());
    check(&sandbox, |judged| {
        judged.is("FAIL").finds("task/archived-open", &format!("{MOVED}/tasks.md"), 3);
        assert_eq!(judged.report["findings"].as_array().map(Vec::len), Some(1), "{:#}", judged.report);
    });
}

#[test]
fn deltas_left_behind() {
    let delta = format!("{MOVED}/specs/auth/spec.md");
    check(&archived(DONE, SPEC), |judged| {
        judged.is("FAIL").finds("task/archived-unmerged", &delta, 1);
        assert_eq!(judged.report["findings"].as_array().map(Vec::len), Some(1), "{:#}", judged.report);
    });
}
