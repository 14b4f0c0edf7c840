//! A run that several runners share, and what is made of their reports.

use std::fs;

use serde_json::Value;

use crate::checked::{HOLDS, criteria};
use crate::support::{Outcome, SPEC, Sandbox, faulty};

const REASON: &str = "<!-- specward: allow spec/purpose-too-brief -- known -->";

/// Two projects with good and faulty specs, a change, what lets findings through, and checks that share commands.
fn project() -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    for root in ["", "apps/web/"] {
        for number in 0..7 {
            let brief =
                SPEC.replace("Lets people in who can prove who they are, and keeps everybody else out.", "Brief.");
            let text = match number {
                2 => faulty(),
                3 => brief,
                4 => brief.replace("## Purpose", &format!("{REASON}\n## Purpose")),
                5 => SPEC.replace("## Purpose", &format!("{REASON}\n## Purpose")),
                _ => SPEC.to_owned(),
            };
            sandbox.write(format!("{root}openspec/specs/s{number}/spec.md"), text);
            let shared = format!("command: [sh, run.sh, 'c{}']", number % 3);
            let own = format!("command: [sh, run.sh, '{root}{number}']");
            let checks: &[&str] = match number {
                0..3 => &[&shared, HOLDS],
                3 => &[&own, &shared],
                4 => &[HOLDS],
                5 => &[&own],
                _ => continue,
            };
            let text = criteria(&[("Right password", checks)]).replace("right-password", &format!("k{number}"));
            sandbox.write(format!("{root}openspec/verify/s{number}.yaml"), text);
        }
        let delta = "## ADDED Requirements\n\n### Requirement: Sign out\nThe system SHALL let users out.\n";
        sandbox.write(format!("{root}openspec/changes/c1/specs/s1/spec.md"), delta);
        sandbox.write(format!("{root}openspec/changes/c1/proposal.md"), "## Why\nShort.\n");
    }
    let entry = |rule: &str, item: &str| format!("- {{rule: {rule}, item: {item}, reason: r, expires: 2999-01-01}}\n");
    let allowed = entry("spec/purpose-too-brief", "spec/s3") + &entry("spec/purpose-too-brief", "spec/s6");
    sandbox.write("openspec/specward.yaml", format!("allow:\n{allowed}"));
    sandbox.write("run.sh", "echo \"$1\" >> ran\necho \"said $1\"\ncase $1 in c1) exit 1;; esac\n");
    sandbox
}

/// A report without what no two runs share.
fn stable(mut report: Value) -> Value {
    report["run_id"] = Value::Null;
    fn walk(value: &mut Value) {
        match value {
            Value::Object(map) => {
                // Evidence tells how long a command took.
                map.retain(|name, _| !matches!(name.as_str(), "duration_ms" | "evidence_bytes"));
                map.values_mut().for_each(walk);
            }
            Value::Array(list) => list.iter_mut().for_each(walk),
            Value::String(text) => {
                let cut = |line: &str| line.split(" after ").next().unwrap_or_default().to_owned();
                *text = text.lines().map(cut).collect::<Vec<_>>().join("\n");
            }
            _ => {}
        }
    }
    walk(&mut report);
    report
}

fn parts(sandbox: &Sandbox, total: usize, args: &[&str]) -> Vec<String> {
    let part = |index: usize| {
        let (shard, file) = (format!("{index}/{total}"), format!("part-{index}.json"));
        let format = format!("json={file}");
        sandbox.run(&[&["verify", "--shard", &shard, "--format", &format], args].concat());
        file
    };
    (1..=total).map(part).collect()
}

fn merge(sandbox: &Sandbox, files: &[String], args: &[&str]) -> Outcome {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    sandbox.run(&[&["report", "merge"], files.as_slice(), args].concat())
}

fn document(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).expect("JSON")
}

fn ran(sandbox: &Sandbox) -> Vec<String> {
    let text = fs::read_to_string(sandbox.path("ran")).unwrap_or_default();
    drop(fs::remove_file(sandbox.path("ran")));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn parts_are_the_whole() {
    let sandbox = project();
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    for path in ["openspec/specs/s0/spec.md", "apps/web/openspec/specs/s3/spec.md", "openspec/verify/s1.yaml"] {
        let text = fs::read_to_string(sandbox.path(path)).expect("text");
        sandbox.write(path, text.replace("password is right", "password is the right one") + "\n");
    }
    for args in [&[][..], &["--strict"], &["--changed", "--frozen-spec"], &["--changed", "--no-checks"]] {
        ran(&sandbox);
        let whole = sandbox.run(&[&["verify", "--format", "json"], args].concat());
        let commands = ran(&sandbox);
        assert_eq!(commands.is_empty(), args.contains(&"--no-checks"), "{args:?}");
        for total in [1, 3, 40] {
            let files = parts(&sandbox, total, args);
            assert_eq!(ran(&sandbox), commands, "{args:?} {total}: each command runs once");
            let merged = merge(&sandbox, &files, &["--format", "json"]);
            assert_eq!(merged.code, whole.code, "{}", merged.shown());
            let (merged, whole) = (stable(document(&merged)), stable(document(&whole)));
            for (key, value) in whole.as_object().expect("an object") {
                let all = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                let (is, should) = (all(&merged[key]), all(value));
                for (is, should) in is.iter().zip(&should) {
                    assert_eq!(is, should, "{args:?} {total}: {key}");
                }
                assert_eq!(is.len(), should.len(), "{args:?} {total}: {key}");
            }
        }
    }
}

#[test]
fn parts_tell_different_things() {
    let sandbox = project();
    let files = parts(&sandbox, 3, &[]);
    let read = |file: &String| serde_json::from_slice::<Value>(&fs::read(sandbox.path(file)).expect("a file"));
    let reports: Vec<Value> = files.iter().map(|file| read(file).expect("JSON")).collect();
    for key in ["items", "criteria"] {
        let of = |report: &Value| report[key].as_array().expect("a list").len();
        assert!(reports.iter().all(|report| of(report) > 0), "{key}");
    }
    let mut ids: Vec<String> = reports
        .iter()
        .flat_map(|report| report["items"].as_array().expect("a list"))
        .filter(|item| item["type"] != "project")
        .map(|item| format!("{} {} {}", item["root"], item["type"], item["id"]))
        .collect();
    let all = ids.len();
    assert_eq!(all, 8);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all);
    assert_eq!(reports[1]["scope"]["shard"], serde_json::json!({ "index": 2, "total": 3 }));
}

#[test]
fn a_part_without_anything_passes_alone() {
    let sandbox = Sandbox::project();
    sandbox.run(&["verify", "--shard", "1/2"]).exits(0);
    sandbox.run(&["verify", "--shard", "2/2"]).exits(0).says("part 2/2");
    let empty = Sandbox::bare_folder();
    fs::create_dir_all(empty.path("openspec/specs")).expect("a folder");
    empty.run(&["verify", "--shard", "2/2"]).exits(3);
}

#[test]
fn what_is_missing_does_not_pass() {
    let sandbox = Sandbox::project();
    let files = parts(&sandbox, 3, &[]);
    merge(&sandbox, &files, &[]).exits(0).says("PASS");
    merge(&sandbox, &files[..2], &[]).exits(3).says("no report of 3/3");
    merge(&sandbox, &[files[0].clone()], &[]).exits(3).says("no report of 2/3, 3/3");
    // A runner that could not run.
    sandbox.run(&["verify", "--shard", "3/3", "--format", "json=part-3.json", "nothing"]).exits(2);
    merge(&sandbox, &files, &[]).exits(3).says("unknown item `nothing`").says("no report of 3/3");
    // A runner that judged something else.
    sandbox.write("openspec/specs/other/spec.md", SPEC);
    sandbox.run(&["verify", "--shard", "3/3", "--format", "json=part-3.json"]).exits(0);
    merge(&sandbox, &files, &[]).exits(3).says("judged different things");
}

#[test]
fn what_is_no_part_is_refused() {
    let sandbox = Sandbox::project();
    let files = parts(&sandbox, 2, &[]);
    let with = |more: &str| vec![files[0].clone(), files[1].clone(), more.to_owned()];
    merge(&sandbox, &with("part-1.json"), &[]).exits(2).complains("both part 1/2");
    sandbox.run(&["verify", "--format", "json=whole.json"]).exits(0);
    merge(&sandbox, &with("whole.json"), &[]).exits(2).complains("whole run");
    sandbox.run(&["verify", "--shard", "1/3", "--format", "json=third.json"]).exits(0);
    merge(&sandbox, &with("third.json"), &[]).exits(2).complains("not of one run");
    merge(&sandbox, &with("none.json"), &[]).exits(2).complains("none.json");
    for (text, words) in [
        ("", "no JSON report"),
        ("[]", "no `schema_version`"),
        ("{\"schema_version\": 2}", "schema_version 2"),
        ("{\"schema_version\": 1}", "missing field"),
    ] {
        sandbox.write("bad.json", text);
        merge(&sandbox, &with("bad.json"), &["--format", "json"]).exits(2).complains(words).says("\"exit_code\": 2");
    }
    for wrong in ["0/2", "3/2", "x", "1"] {
        sandbox.run(&["verify", "--shard", wrong]).exits(2).complains("1/4");
    }
    sandbox.run(&["report", "merge"]).exits(2);
}

/// A verdict that was made better by hand is no better than what is listed below it.
#[test]
fn a_verdict_is_added_up_again() {
    let sandbox = project();
    sandbox.run(&["verify", "--no-checks", "--format", "json=whole.json"]).exits(1);
    let text = fs::read_to_string(sandbox.path("whole.json")).expect("a report");
    sandbox.write("whole.json", text.replacen("\"verdict\": \"FAIL\"", "\"verdict\": \"PASS\"", 1));
    sandbox.run(&["report", "merge", "whole.json"]).exits(1);
    // Nor when the verdicts of all items are made better too.
    sandbox.write("whole.json", text.replace("\"verdict\": \"FAIL\"", "\"verdict\": \"PASS\""));
    sandbox.run(&["report", "merge", "whole.json"]).exits(2).complains("counts");
    let mut document: Value = serde_json::from_str(&text.replace("\"FAIL\"", "\"PASS\"")).expect("JSON");
    document["counts"]["failed"] = 0.into();
    let items = document["items"].as_array().expect("a list").len();
    document["counts"]["passed"] = items.into();
    sandbox.write("whole.json", document.to_string());
    sandbox.run(&["report", "merge", "whole.json"]).exits(1);
    sandbox.write("whole.json", text.replacen("\"specward\": \"", "\"specward\": \"9", 1));
    sandbox.run(&["report", "merge", "whole.json"]).exits(2).complains("is of specward 9");
}

/// What is about the whole run is in each part: one that leaves it out is shown up by the others.
#[test]
fn an_edited_spec_is_told_by_every_part() {
    let sandbox = Sandbox::on_branch();
    sandbox.write("openspec/specs/other/spec.md", SPEC);
    let args = ["--changed", "--frozen-spec", "--no-checks"];
    let files = parts(&sandbox, 3, &args);
    for forged in 0..3 {
        merge(&sandbox, &files, &[]).exits(1).says("freeze/");
        let path = sandbox.path(&files[forged]);
        let honest = fs::read(&path).expect("a report");
        let mut document: Value = serde_json::from_slice(&honest).expect("JSON");
        document["items"].as_array_mut().expect("a list").retain(|item| item["type"] != "project");
        document["findings"] = serde_json::json!([]);
        document["counts"] = serde_json::json!({
            "passed": document["items"].as_array().expect("a list").len(), "failed": 0, "unverifiable": 0, "skipped": 0
        });
        document["verdict"] = "PASS".into();
        fs::write(&path, document.to_string()).expect("a file");
        merge(&sandbox, &files, &[]).exits(1).says("freeze/");
        fs::write(&path, honest).expect("a file");
    }
}

#[test]
fn parts_have_to_be_asked_the_same() {
    let sandbox = project();
    for args in [["--only", "k0"].as_slice(), &["--no-judge"], &["--no-checks"], &["--strict"]] {
        let files = parts(&sandbox, 2, &[]);
        sandbox.run(&[&["verify", "--shard", "2/2", "--format", "json=part-2.json"], args].concat());
        merge(&sandbox, &files, &[]).says("what was compared differs");
    }
}

#[test]
fn a_whole_report_is_printed_in_other_formats() {
    let sandbox = project();
    for format in ["agent", "human", "sarif", "json"] {
        let whole = sandbox.run(&["verify", "--no-checks", "--format", "json=whole.json", "--format", format]);
        let printed = sandbox.run(&["report", "merge", "whole.json", "--format", format]);
        assert_eq!(printed.stdout, whole.stdout, "{format}");
        assert_eq!(printed.code, whole.code);
    }
}
