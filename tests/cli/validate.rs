//! `specward validate`: what the reference answers, and the rule that found it.

use serde_json::Value;

use crate::support::{AUTH, SPEC, Sandbox};

/// An issue as the reference reports it: level, path, and the line where it tells one.
type Issue = (&'static str, &'static str, Option<u64>);

/// What `openspec validate --all --json` of version 1.13.2 reports about [`project`], by item.
const REFERENCE: [(&str, &[Issue]); 5] = [
    (
        "add-keys",
        &[("WARNING", "auth/spec.md", None), ("ERROR", "auth/spec.md", None), ("ERROR", "auth/spec.md", None)],
    ),
    (
        "auth",
        &[
            ("ERROR", "requirements.1.scenarios", None),
            ("WARNING", "overview", None),
            ("WARNING", "requirements[1].scenarios", None),
            ("WARNING", "requirements[0]", None),
        ],
    ),
    ("billing", &[("ERROR", "file", Some(15)), ("WARNING", "overview", Some(4))]),
    ("empty", &[("ERROR", "file", None)]),
    ("rename", &[("ERROR", "auth/spec.md", Some(3)), ("ERROR", "auth/spec.md", None), ("ERROR", "file", None)]),
];

/// Two specs and three changes with faults of every kind.
fn project() -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    let scenario = "#### Scenario: It\n- **WHEN** a\n- **THEN** b\n";
    sandbox.write(
        AUTH,
        format!(
            "# Auth\n\n## Purpose\nSigning in.\n\n## Requirements\n\n### Requirement: Sign in\nThe system will let \
             users sign in.\n\n{scenario}\n### Requirement: Lockout\nThe system SHALL lock an account.\n"
        ),
    );
    sandbox.write(
        "openspec/specs/billing/spec.md",
        format!(
            "# Billing\n\n## Purpose\nTBD - created by archiving change pay. Update Purpose after archive.\n\n\
             ## Requirements\n\n### Requirement: Pay\nThe system SHALL take money.\n\n{scenario}\n## ADDED Requirements\n"
        ),
    );
    sandbox.write(
        "openspec/changes/add-keys/specs/auth/spec.md",
        format!(
            "## ADDED Requirements\n\n### Requirement: Keys\nThe system will keep keys.\n\n### Requirement: Locks\n\n\
             {scenario}"
        ),
    );
    sandbox.write("openspec/changes/empty/proposal.md", "# Empty\n");
    sandbox.write(
        "openspec/changes/rename/specs/auth/spec.md",
        "## RENAMED Requirements\n\n- FROM: `### Requirement: Sign in`\n",
    );
    sandbox
}

/// The JSON that `validate` prints, and its exit code.
fn validate(sandbox: &Sandbox, args: &[&str]) -> (Value, Option<i32>) {
    let outcome = sandbox.run(&[&["validate", "--json"], args].concat());
    let document = serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {outcome:?}"));
    (document, outcome.code)
}

#[test]
fn every_issue_of_the_reference_with_the_rule_that_found_it() {
    let (document, code) = validate(&project(), &["--all"]);
    assert_eq!(code, Some(1), "{document:#}");
    let items = document["items"].as_array().expect("a list");
    let ids: Vec<&str> = items.iter().filter_map(|item| item["id"].as_str()).collect();
    assert_eq!(ids, REFERENCE.map(|(id, _)| id));
    for (item, (id, theirs)) in items.iter().zip(REFERENCE) {
        let mut ours: Vec<&Value> = item["issues"].as_array().expect("a list").iter().collect();
        for issue in &ours {
            let rule = issue["rule"].as_str().expect("an id");
            assert!(specward::rules::find(rule).is_some(), "{id}: {issue:#}");
        }
        // Those with a line first, so that none without one takes their place.
        for line_is_told in [true, false] {
            for (level, path, line) in theirs.iter().filter(|(.., line)| line.is_some() == line_is_told) {
                let is_it = |issue: &&Value| {
                    issue["level"] == *level && issue["path"] == *path && line.is_none_or(|line| issue["line"] == line)
                };
                let at = ours.iter().position(is_it);
                ours.remove(at.unwrap_or_else(|| panic!("{id}: {level} {path} {line:?} is missing in {item:#}")));
            }
        }
        assert!(ours.is_empty(), "{id}: the reference does not report {ours:#?}");
    }
}

#[test]
fn an_unknown_item() {
    let sandbox = Sandbox::project();
    sandbox.run(&["validate", "auth"]).exits(0);
    sandbox.run(&["validate", "atuh"]).exits(1).complains("atuh");
    assert_eq!(validate(&sandbox, &["atuh"]).1, Some(1));
}

#[test]
fn a_warning_fails_under_strict() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, SPEC.replace("SHALL", "will"));
    for (args, is_valid) in [(&["auth"][..], true), (&["auth", "--strict"], false), (&["--all", "--strict"], false)] {
        let (document, code) = validate(&sandbox, args);
        let item = &document["items"][0];
        assert_eq!(item["issues"][0]["level"], "WARNING", "{document:#}");
        assert_eq!(item["issues"].as_array().map(Vec::len), Some(1), "{document:#}");
        assert_eq!((item["valid"].as_bool(), code), (Some(is_valid), Some(i32::from(!is_valid))), "{document:#}");
    }
}

#[test]
fn an_archived_change_with_an_open_task() {
    let sandbox = Sandbox::project();
    let archived = |name: &str, tasks: &str| sandbox.write(format!("openspec/changes/archive/{name}/tasks.md"), tasks);
    archived("2026-01-01-done", "## 1. Work\n- [x] 1.1 Do it\n");
    assert_eq!(validate(&sandbox, &["--archived"]).1, Some(0));
    archived("2026-01-02-open", "## 1. Work\n- [x] 1.1 Do it\n- [ ] 1.2 Test it\n");
    let (document, code) = validate(&sandbox, &["--archived"]);
    assert_eq!(code, Some(1), "{document:#}");
    let items = document["items"].as_array().expect("a list");
    let valid: Vec<_> = items.iter().map(|item| (item["id"].as_str(), item["valid"].as_bool())).collect();
    let (done, open) = ((Some("2026-01-01-done"), Some(true)), (Some("2026-01-02-open"), Some(false)));
    assert_eq!(valid, [done, open], "{document:#}");
}
