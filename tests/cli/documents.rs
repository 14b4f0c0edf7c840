//! What is read from a folder of OpenSpec documents, seen through the commands that list it.

use serde_json::Value;

use crate::support::{AUTH, DELTA, SPEC, Sandbox};

const CHANGE: &str = "openspec/changes/add";
const METADATA: &str = "openspec/changes/add/.openspec.yaml";

/// A proposal the reference can show.
const PROPOSAL: &str = "# Add

## Why
People who share a computer need a way to end their session.

## What Changes
- Sign out
";

/// A schema of one's own with a single artifact.
const SCHEMA: &str = "name: ours
version: 1
artifacts:
  - {id: plan, generates: plan.md, description: d, template: t.md, requires: []}
";

/// A project with a spec and an open change.
fn project() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write(format!("{CHANGE}/proposal.md"), PROPOSAL);
    sandbox.write(format!("{CHANGE}/specs/auth/spec.md"), DELTA);
    sandbox
}

/// What a command prints as JSON; it must succeed.
fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    let outcome = sandbox.run(args);
    outcome.exits(0);
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", outcome.shown()))
}

#[test]
fn crlf_and_a_byte_order_mark_change_no_finding() {
    // Valid, and with something to say about on a line far down.
    let spec = SPEC.replace("SHALL", "will");
    let findings = |content: String| {
        let sandbox = Sandbox::bare_folder();
        sandbox.write(AUTH, content);
        let judged = sandbox.json(&[]);
        judged.is("PASS");
        judged.report["findings"].clone()
    };
    let plain = findings(spec.clone());
    assert_eq!((&plain[0]["rule"], &plain[0]["line"]), (&"spec/no-normative-keyword".into(), &8.into()), "{plain:#}");
    assert_eq!(findings(format!("\u{feff}{}", spec.replace('\n', "\r\n"))), plain);
}

#[test]
fn a_capability_below_another_folder() {
    let sandbox = Sandbox::project();
    sandbox.write("openspec/specs/auth/login/spec.md", SPEC);
    let outcome = sandbox.run(&["list", "--specs"]);
    outcome.exits(0);
    assert!(outcome.stdout.lines().any(|line| line.split_whitespace().next() == Some("auth/login")), "{outcome:?}");
}

#[test]
fn names_with_a_dot_are_no_capabilities() {
    let sandbox = Sandbox::project();
    sandbox.write("openspec/specs/.draft/spec.md", SPEC);
    sandbox.run(&["list", "--specs"]).exits(0).says("auth").never_says("draft");
    sandbox.json(&[]).is("PASS").judges_only(&["spec/auth"]);
}

#[test]
fn requirements_of_a_spec_are_counted() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, format!("{SPEC}\n### Requirement: Sign out\nThe system SHALL let users sign out.\n"));
    let listed = json(&sandbox, &["list", "--specs", "--json"]);
    assert_eq!((&listed["specs"][0]["id"], &listed["specs"][0]["requirementCount"]), (&"auth".into(), &2.into()));
}

#[test]
fn archived_deltas_are_not_judged() {
    let faulty = DELTA.replace("#### Scenario", "#### Szenario").replace("SHALL", "will") + "\n### Requirement: X\n";
    let sandbox = project();
    sandbox.write(format!("{CHANGE}/specs/auth/spec.md"), &faulty);
    sandbox.json(&[]).is("FAIL").judges("add", "FAIL");
    let sandbox = Sandbox::project();
    sandbox.write("openspec/changes/archive/2026-01-02-add/specs/auth/spec.md", &faulty);
    let judged = sandbox.json(&[]);
    judged.is("PASS").judges_only(&["spec/auth"]);
    assert_eq!(judged.report["findings"], Value::Array(Vec::new()));
}

#[test]
fn what_a_delta_adds_and_removes_is_counted() {
    let sandbox = project();
    assert_eq!(json(&sandbox, &["show", "add", "--json"])["deltaCount"], 1);
    let removed = "\n## REMOVED Requirements\n\n### Requirement: Sign in\n**Reason**: gone\n**Migration**: none\n";
    sandbox.write(format!("{CHANGE}/specs/auth/spec.md"), format!("{DELTA}{removed}"));
    let shown = json(&sandbox, &["show", "add", "--json"]);
    assert_eq!(shown["deltaCount"], 2, "{shown:#}");
    let operations: Vec<&Value> = shown["deltas"].as_array().expect("a list").iter().map(|d| &d["operation"]).collect();
    assert_eq!(operations, ["ADDED", "REMOVED"]);
}

#[test]
fn a_schema_of_the_project() {
    let sandbox = project();
    sandbox.write("openspec/schemas/ours/schema.yaml", SCHEMA);
    sandbox.write(METADATA, "schema: ours\n");
    let status = json(&sandbox, &["status", "--change", "add", "--json"]);
    assert_eq!(status["schemaName"], "ours");
    let ids: Vec<&Value> = status["artifacts"].as_array().expect("a list").iter().map(|a| &a["id"]).collect();
    assert_eq!(ids, ["plan"], "{status:#}");
}

#[test]
fn a_schema_that_only_the_user_has() {
    let mut sandbox = project();
    sandbox.write(METADATA, "schema: ours\n");
    // Wherever the reference looks on any system.
    for folder in ["openspec", ".config/openspec", ".local/share/openspec", "AppData/Local/openspec", ".openspec"] {
        sandbox.write(format!("../home/{folder}/schemas/ours/schema.yaml"), SCHEMA);
    }
    for name in ["XDG_DATA_HOME", "LOCALAPPDATA", "APPDATA"] {
        let home = sandbox.top.join("home");
        sandbox.set(name, home);
    }
    sandbox.run(&["status", "--change", "add"]).exits(1).complains("ours");
    // The same file in the project is found.
    sandbox.write("openspec/schemas/ours/schema.yaml", SCHEMA);
    sandbox.run(&["status", "--change", "add"]).exits(0);
}

#[test]
fn boxes_of_the_tasks_are_counted() {
    let sandbox = project();
    sandbox.write(format!("{CHANGE}/tasks.md"), "## 1. Work\n- [x] 1.1 Write it\n- [ ] 1.2 Test it\n");
    let listed = json(&sandbox, &["list", "--json"]);
    let change = &listed["changes"][0];
    assert_eq!((&change["completedTasks"], &change["totalTasks"]), (&1.into(), &2.into()), "{listed:#}");
}

#[test]
fn a_key_that_stands_twice() {
    let sandbox = project();
    sandbox.write(METADATA, "schema: spec-driven\n");
    sandbox.run(&["status", "--change", "add"]).exits(0);
    sandbox.write(METADATA, "schema: spec-driven\nschema: spec-driven\n");
    sandbox.run(&["status", "--change", "add"]).exits(1).complains("schema");
}
