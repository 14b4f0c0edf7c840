//! `specward merge`: what archiving would write, shown and not written.

use serde_json::Value;

use crate::support::{AUTH, DELTA, SPEC, Sandbox};

const CHANGE: &str = "openspec/changes/add-logout/specs/auth/spec.md";

/// What archiving [`DELTA`] makes of [`SPEC`].
fn merged() -> String {
    format!("{SPEC}\n{}", DELTA.split_once("\n\n").expect("a header").1)
}

fn project() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.write(AUTH, SPEC);
    sandbox.write(CHANGE, DELTA);
    sandbox
}

#[test]
fn the_bytes_of_one_spec() {
    let sandbox = project();
    let outcome = sandbox.run(&["merge", "add-logout", "--print"]);
    outcome.exits(0);
    assert_eq!(outcome.stdout, merged());
    assert_eq!(std::fs::read_to_string(sandbox.path(AUTH)).expect("the spec"), SPEC, "nothing is written");
    sandbox.run(&["merge", "add-logout"]).exits(0).says("update openspec/specs/auth/spec.md: 1 added");
}

#[test]
fn a_change_nobody_knows() {
    let sandbox = project();
    let outcome = sandbox.run(&["merge", "add-logut"]);
    outcome.exits(2).complains("no open change `add-logut`; nearest: add-logout\n").complains("fix: `specward list` ");
    let none = Sandbox::project();
    none.write(AUTH, SPEC);
    none.run(&["merge", "nope"]).exits(2).complains("no open change `nope`\n").complains("\nfix: `specward list` ");
}

#[test]
fn line_ends_stay_those_of_the_file() {
    let sandbox = project();
    sandbox.write(AUTH, SPEC.replace('\n', "\r\n"));
    let outcome = sandbox.run(&["merge", "add-logout", "--print"]);
    assert_eq!(outcome.stdout, merged().replace('\n', "\r\n"));
}

#[test]
fn several_specs_have_a_line_before_each() {
    let sandbox = project();
    sandbox.write("openspec/changes/add-logout/specs/api/v1/spec.md", DELTA);
    let outcome = sandbox.run(&["merge", "add-logout", "--print"]);
    let new = "==> openspec/specs/api/v1/spec.md <==\n# api/v1 Specification\n";
    outcome.exits(0).says(new).says("\n\n==> openspec/specs/auth/spec.md <==\n# Auth\n");
    let one = sandbox.run(&["merge", "add-logout", "--print", "--spec", "auth"]);
    assert_eq!(one.stdout, merged());
    sandbox
        .run(&["merge", "add-logout", "--spec", "aut"])
        .exits(2)
        .complains("nearest: auth")
        .complains("\nfix: name ");
}

#[test]
fn what_was_merged_before_stays_as_it_is() {
    let sandbox = project();
    // Archiving would not even mend the blank lines.
    let spec = merged().replace("## Requirements\n", "## Requirements\n\n\n");
    sandbox.write(AUTH, &spec);
    let outcome = sandbox.run(&["merge", "add-logout", "--print"]);
    outcome.exits(0);
    assert_eq!(outcome.stdout, spec);
    sandbox.run(&["merge", "add-logout"]).exits(0).says("leave openspec/specs/auth/spec.md as it is");
}

#[test]
fn a_refusal_prints_no_spec() {
    let sandbox = project();
    sandbox.write(CHANGE, DELTA.replace("ADDED", "MODIFIED"));
    let outcome = sandbox.run(&["merge", "add-logout", "--print"]);
    outcome.exits(1).complains("merge/not-found").complains("spec.md:3:");
    assert_eq!(outcome.stdout, "");
    let json: Value = serde_json::from_str(&sandbox.run(&["merge", "add-logout", "--json"]).stdout).expect("JSON");
    assert_eq!(json["refused"], true);
    assert_eq!(json["specs"][0]["outcome"], "refused");
    assert_eq!(json["specs"][0]["text"], Value::Null);
    assert_eq!(json["obstacles"][0]["rule"], "merge/not-found");
}

#[test]
fn json_has_the_text() {
    let sandbox = project();
    let outcome = sandbox.run(&["merge", "add-logout", "--json"]);
    outcome.exits(0);
    let json: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(json["specs"][0]["text"], merged());
    assert_eq!(json["specs"][0]["applied"]["added"], 1);
    assert_eq!(json["archive_name"], Value::Null, "the day decides");
}

#[test]
fn names_nobody_knows() {
    let sandbox = project();
    sandbox.run(&["merge", "add-logut"]).exits(2).complains("nearest: add-logout");
    sandbox.run(&["merge", "../add-logout"]).exits(2).complains("no name of a change");
    Sandbox::bare_folder().run(&["merge", "add-logout"]).exits(2).complains("no OpenSpec project");
}
