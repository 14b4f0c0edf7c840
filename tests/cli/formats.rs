//! What every format promises.

use std::sync::LazyLock;

use serde_json::Value;

use crate::checked::{FAILS, FILE, HOLDS, on_branch};
use crate::support::{AUTH, DELTA, Outcome, SPEC, Sandbox, faulty};

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| schema("report.v1"));

fn schema(name: &str) -> jsonschema::Validator {
    let path = format!("{}/schemas/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the schema is there");
    jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a schema")
}

/// The last line of the agent report.
pub const FOOTER: &str = "Fix the implementation, not the spec. If a criterion is wrong, report it to the human.";

/// A scene, the arguments after `verify`, and the exit code.
pub type Scene = (&'static str, Sandbox, Vec<&'static str>, i32);

/// One scene for each way a run can end.
pub fn scenes() -> Vec<Scene> {
    let bad = Sandbox::bare_folder();
    bad.write(AUTH, faulty());
    bad.write("openspec/specs/other/spec.md", "nothing\n");
    bad.write("openspec/changes/add/specs/auth/spec.md", DELTA);
    let edited = Sandbox::on_branch();
    edited.write(AUTH, faulty());
    let odd = Sandbox::project();
    std::fs::create_dir_all(odd.path("openspec/specs/odd/spec.md")).expect("folders");
    let misconfigured = Sandbox::project();
    misconfigured.write("openspec/specward.yaml", "strikt: true\n");
    let evil = Sandbox::bare_folder();
    evil.write("openspec/specs/a\n::error::b\u{1b}[2J\u{202e}/spec.md", "# \u{9b}2J\n### Requirement: \u{2028}x\n");
    vec![
        ("pass", Sandbox::project(), vec![], 0),
        ("pass, nothing differs", Sandbox::on_branch(), vec!["--changed"], 0),
        ("fail", bad, vec![], 1),
        ("fail, frozen", edited, vec!["--changed", "--frozen-spec"], 1),
        ("fail, names that steer", evil, vec![], 1),
        ("unverifiable item", odd, vec![], 3),
        ("unverifiable run", Sandbox::on_branch(), vec!["--changed", "--base", "nothing"], 3),
        ("usage", Sandbox::project(), vec!["--bogus"], 2),
        ("usage, two scopes", Sandbox::repository(), vec!["--changed", "--staged"], 2),
        ("usage, no comparison", Sandbox::project(), vec!["--frozen-spec"], 2),
        ("no repository", Sandbox::project(), vec!["--changed"], 2),
        ("no project", Sandbox::bare_folder(), vec![], 2),
        ("no such item", Sandbox::project(), vec!["nothing"], 2),
        ("configuration", misconfigured, vec![], 2),
    ]
}

fn verify(sandbox: &Sandbox, format: &str, args: &[&str]) -> Outcome {
    sandbox.run(&[&["verify", "--format", format], args].concat())
}

/// Without what no two runs share.
fn stable(json: &str) -> Value {
    let mut report: Value = serde_json::from_str(json).expect("one JSON document");
    report["run_id"] = Value::Null;
    report
}

#[test]
fn json_is_always_one_document_of_the_schema() {
    for (name, sandbox, args, code) in scenes() {
        let outcome = verify(&sandbox, "json", &args);
        outcome.exits(code);
        let report: Value =
            serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{name}: {error}: {outcome:?}"));
        let errors: Vec<String> = SCHEMA.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?} {report:#}");
        assert_eq!(report["schema_version"], 1, "{name}");
        assert_eq!(report["exit_code"], code, "{name}");
        let verdict = ["PASS", "FAIL", "UNVERIFIABLE", "UNVERIFIABLE"][code as usize];
        assert_eq!(report["verdict"], verdict, "{name}");
        let count = |key: &str| report["counts"][key].as_u64().expect("a number");
        let items = report["items"].as_array().expect("a list").len() as u64;
        assert_eq!(count("passed") + count("failed") + count("unverifiable") + count("skipped"), items, "{name}");
        assert!(code != 2 || !report["reasons"].as_array().expect("a list").is_empty(), "{name}");
        assert!(outcome.stdout.ends_with("}\n"), "{name}");
        assert!(!outcome.stdout.contains(|c: char| c.is_control() && c != '\n'), "{name}");
        assert_eq!(stable(&outcome.stdout), stable(&verify(&sandbox, "json", &args).stdout), "{name}: two runs differ");
    }
}

#[test]
fn the_schema_refuses_what_is_no_report() {
    let sandbox = Sandbox::project();
    let report = sandbox.json(&[]).report;
    assert!(SCHEMA.is_valid(&report));
    for (key, value) in [("verdict", Value::from("MAYBE")), ("exit_code", Value::from("0")), ("counts", Value::Null)] {
        let mut wrong = report.clone();
        wrong[key] = value;
        assert!(!SCHEMA.is_valid(&wrong), "{key}");
        wrong.as_object_mut().expect("a mapping").remove(key);
        assert!(!SCHEMA.is_valid(&wrong), "{key}");
    }
}

#[test]
fn run_ids_are_unique() {
    let sandbox = Sandbox::project();
    let ids: std::collections::BTreeSet<String> =
        (0..20).map(|_| sandbox.json(&[]).report["run_id"].as_str().expect("a name").to_owned()).collect();
    assert_eq!(ids.len(), 20);
}

#[test]
fn agent_reports_have_one_shape() {
    for (name, sandbox, args, code) in scenes() {
        let outcome = verify(&sandbox, "agent", &args);
        outcome.exits(code);
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        let verdict = ["PASS", "FAIL", "UNVERIFIABLE", "UNVERIFIABLE"][code as usize];
        assert_eq!(lines[0], format!("SPECWARD VERDICT: {verdict}"), "{name}");
        assert!(lines[1].contains(" passed, ") && lines[1].contains(" left alone)"), "{name}: {}", lines[1]);
        let is_changed = name == "fail, frozen";
        assert_eq!(lines[2].starts_with("SPEC CHANGED IN THIS DIFF: "), is_changed, "{name}: {}", lines[2]);
        assert_eq!(lines.iter().filter(|line| line.starts_with("SPEC CHANGED")).count(), usize::from(is_changed));
        assert_eq!(lines.last(), Some(&FOOTER), "{name}");
        assert_eq!(outcome.stdout.matches(FOOTER).count(), 1, "{name}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("SPECWARD VERDICT:")).count(), 1, "{name}");
        assert!(!outcome.stdout.contains(|c: char| c.is_control() && c != '\n'), "{name}: {:?}", outcome.stdout);
        assert_eq!(outcome, verify(&sandbox, "agent", &args), "{name}: two runs differ");
        if code != 0 {
            assert!(lines.iter().any(|line| line.starts_with("Fix: ")), "{name}: no way out");
            let reasons = lines.iter().filter(|l| l.starts_with("Reason: ") || l.starts_with("Failed check: ")).count();
            let fixes = lines.iter().filter(|line| line.starts_with("Fix: ")).count();
            assert_eq!(reasons, fixes, "{name}: a fix for each");
        }
    }
}

#[test]
fn the_whole_agent_report_of_a_good_spec() {
    let outcome = verify(&Sandbox::project(), "agent", &[]);
    let counts = "1 passed, 0 failed, 0 unverifiable, 0 skipped (1 judged, 0 left alone)";
    assert_eq!(outcome.exits(0).stdout, format!("SPECWARD VERDICT: PASS\n{counts}\n\n{FOOTER}\n"));
}

#[test]
fn blocks_of_an_agent_report() {
    let sandbox = Sandbox::on_branch();
    sandbox.write(AUTH, faulty());
    let outcome = verify(&sandbox, "agent", &["--changed", "--frozen-spec"]);
    let expected = "SPECWARD VERDICT: FAIL
0 passed, 2 failed, 0 unverifiable, 0 skipped (1 judged, 0 left alone)
SPEC CHANGED IN THIS DIFF: openspec/specs/auth/spec.md

## frozen-spec: 1 file of the spec set edited
Failed check: freeze/spec-changed at openspec/specs/auth/spec.md:10
";
    let (start, _) = outcome.stdout.split_once("  ").expect("a message");
    assert_eq!(start, expected);
    outcome.says("\n## spec/auth: Auth\n").says("\nRequirement: Sign in\nFailed check: spec/no-scenario at ");
    outcome.says("  | - #### Scenario: Right password\n");
}

#[test]
fn an_agent_report_stays_short() {
    for (count, more) in [(50, "\nAnd 40 more findings"), (12, "\nAnd 2 more findings")] {
        let sandbox = Sandbox::bare_folder();
        let bad: String = (0..count).map(|number| format!("### Requirement: r{number}\nIt SHALL.\n\n")).collect();
        sandbox.write(AUTH, format!("{SPEC}\n{bad}"));
        let outcome = verify(&sandbox, "agent", &[]);
        outcome.exits(1).says(more);
        assert_eq!(outcome.stdout.matches("Failed check: spec/no-scenario at ").count(), 10);
    }
}

#[test]
fn json_of_a_whole_tree() {
    let report = Sandbox::repository().json(&[]).report;
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report.get("spec_changed_in_diff"), Some(&Value::Null), "{report:#}");
}

#[test]
fn json_of_a_comparison() {
    let sandbox = Sandbox::on_branch();
    let main = sandbox.git(&["rev-parse", "main"]);
    sandbox.write(AUTH, SPEC.replace("keeps", "leaves"));
    sandbox.commit("second");
    let report = sandbox.json(&["--changed"]).report;
    assert_eq!(report["spec_changed_in_diff"], true);
    assert_eq!(
        (&report["scope"]["base"], &report["scope"]["base_source"]),
        (&main.as_str().into(), &"default branch (heads/main)".into())
    );
}

#[test]
fn findings_say_what_is_wrong_where_and_what_to_do() {
    let mut seen = 0;
    for (name, sandbox, args, _) in scenes() {
        let report: Value = serde_json::from_str(&verify(&sandbox, "json", &args).stdout).expect("JSON");
        for finding in report["findings"].as_array().expect("a list") {
            for key in ["rule", "level", "item", "path", "message", "fix"] {
                assert!(finding[key].as_str().is_some_and(|text| !text.is_empty()), "{name}, {key}: {finding:#}");
            }
            assert!(finding["line"].as_u64().is_some_and(|line| line >= 1), "{name}: {finding:#}");
            seen += 1;
        }
    }
    assert!(seen >= 5, "{seen} findings");
}

#[test]
fn human_reports_end_with_the_verdict() {
    for (name, sandbox, args, code) in scenes() {
        let outcome = verify(&sandbox, "human", &args);
        outcome.exits(code);
        if code == 2 {
            assert_eq!(outcome.stdout, "", "{name}");
            assert!(outcome.stderr.starts_with("error: "), "{name}: {}", outcome.stderr);
        } else {
            let last = outcome.stdout.lines().last().expect("a line");
            let verdict = ["PASS: ", "FAIL: ", "", "UNVERIFIABLE: "][code as usize];
            assert!(last.starts_with(verdict), "{name}: {last}");
            assert!(!outcome.stdout.contains(|c: char| c.is_control() && c != '\n'), "{name}: {:?}", outcome.stdout);
        }
    }
}

#[test]
fn the_last_line_for_people() {
    let outcome = verify(&Sandbox::project(), "human", &[]);
    outcome.exits(0);
    assert_eq!(outcome.stdout.lines().last(), Some("PASS: 1 passed, 0 failed, 0 unverifiable, 0 skipped"));
}

#[test]
fn an_unknown_format_is_wrong_usage() {
    let sandbox = Sandbox::project();
    sandbox.run(&["verify", "--format", "xml"]).exits(2).complains("agent");
    sandbox.run(&["verify", "--format"]).exits(2);
    sandbox.run(&["verify", "--format=json", "--bogus"]).exits(2).says("\"schema_version\": 1");
    sandbox.run(&[]).exits(2);
    sandbox.run(&["bogus"]).exits(2);
    for args in [&["--help"][..], &["help"], &["--version"], &["verify", "--help"], &["verify", "-h"]] {
        assert_eq!(sandbox.run(args).exits(0).stderr, "");
    }
}

#[test]
fn reports_and_stored_runs_with_criteria_are_of_their_schemas() {
    let sandbox = on_branch(
        &[
            ("One", &[HOLDS, "search: { files: [none], pattern: x, expect: absent }"]),
            ("Two", &[FAILS]),
            ("Three", &["command: [no-such-program, all]", "judge: { rubric: It is clear }"]),
            ("Four", &["junit: { report: none.xml, test: t }"]),
            ("Five", &[]),
        ],
        &[],
    );
    let (report_schema, run_schema) = (&*SCHEMA, schema("run.v1"));
    std::fs::remove_file(sandbox.path(FILE)).expect("it is there");
    for args in [&["--changed", "--base", "main", "--frozen-spec"][..], &["--changed", "--base", "main", "--no-checks"]]
    {
        let judged = sandbox.json(args);
        let id = judged.report["run_id"].as_str().expect("a name");
        let text = std::fs::read_to_string(sandbox.path(format!(".git/specward/runs/{id}.json"))).expect("a run");
        let run: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&run["criteria"], &run["counts"]), (&judged.report["criteria"], &judged.report["counts"]));
        for (schema, document) in [(report_schema, &judged.report), (&run_schema, &run)] {
            let errors: Vec<String> = schema.iter_errors(document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?} {document:#}");
        }
        // Items and criteria are counted together, criteria apart as well.
        let sum = |key: &str| -> u64 {
            judged.report[key].as_object().expect("counts").values().filter_map(Value::as_u64).sum()
        };
        let lengths = ["items", "criteria"].map(|key| judged.report[key].as_array().expect("a list").len() as u64);
        assert_eq!((sum("counts"), sum("criteria_counts")), (lengths[0] + lengths[1], lengths[1]));
    }
    let judged = sandbox.json(&["--changed", "--base", "main", "--frozen-spec"]);
    assert_eq!(judged.criteria(), ["one", "two", "three", "four", "five"]);
}

#[test]
fn drop_in_commands_print_one_json_document() {
    let good = Sandbox::project();
    good.write("openspec/changes/add/specs/auth/spec.md", DELTA);
    good.write("openspec/changes/add/proposal.md", "# Add\n\n## Why\nx\n\n## What Changes\n- y\n");
    let none = Sandbox::bare_folder();
    for (sandbox, is_good) in [(&good, true), (&none, false)] {
        for args in [
            &["validate", "--all", "--json"][..],
            &["list", "--json"],
            &["list", "--specs", "--json"],
            &["show", "auth", "--json"],
            &["show", "add", "--json"],
            &["status", "--change", "add", "--json"],
        ] {
            let outcome = sandbox.run(args);
            let document: Result<Value, _> = serde_json::from_str(&outcome.stdout);
            assert!(document.is_ok(), "{args:?} {outcome:?}");
            assert!(!is_good || outcome.code == Some(0), "{args:?} {outcome:?}");
        }
    }
}
