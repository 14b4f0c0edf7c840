//! Findings that somebody allowed: by a comment, by `allow` in `openspec/specward.yaml`.

use serde_json::{Value, json};

use crate::support::{AUTH, DELTA, Judged, SPEC, Sandbox};

const OWN: &str = "openspec/specward.yaml";

const RULE: &str = "spec/no-normative-keyword";

const COMMENT: &str = "<!-- specward: allow spec/no-normative-keyword -- imported -->\n";

/// A spec with a warning, and a comment before its requirement.
fn allowed(comment: &str) -> String {
    SPEC.replace("SHALL", "will").replace("### Requirement", &format!("{comment}### Requirement"))
}

/// Demands that these rules have findings, in any order, and no others.
#[track_caller]
fn finds_only(judged: &Judged, rules: &[&str]) {
    let mut found: Vec<&str> =
        judged.report["findings"].as_array().expect("a list").iter().filter_map(|one| one["rule"].as_str()).collect();
    found.sort_unstable();
    let mut rules = rules.to_vec();
    rules.sort_unstable();
    assert_eq!(found, rules, "{:#}", judged.report);
}

/// The level of a rule's finding.
#[track_caller]
fn level<'a>(judged: &'a Judged, rule: &str) -> &'a str {
    let findings = judged.report["findings"].as_array().expect("a list");
    let found = findings.iter().find(|one| one["rule"] == rule).expect("a finding");
    found["level"].as_str().expect("a word")
}

#[test]
fn what_is_allowed_is_counted_and_shown_in_every_format() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, allowed(COMMENT));
    let judged = sandbox.json(&["--strict"]);
    judged.is("PASS");
    let by = format!("{AUTH}:8");
    assert_eq!(
        judged.report["suppressed"],
        json!([{"rule": RULE, "path": AUTH, "line": 9, "reason": "imported", "by": by}])
    );
    assert_eq!(judged.report["baselined"], 0);
    sandbox.agent(&["--strict"]).exits(0).says("\nLet through: 1 suppressed\n");
    let human = sandbox.run(&["verify", "--strict"]);
    human.exits(0).says(&format!("Suppressed: {RULE} at {AUTH}:9 by {by}: imported")).says(", 1 suppressed\n");
    // Without anything to show nothing is shown.
    sandbox.write(AUTH, SPEC);
    assert_eq!(sandbox.json(&[]).report["suppressed"], json!([]));
    sandbox.agent(&[]).never_says("Let through").never_says("suppressed");
    sandbox.run(&["verify"]).never_says("uppressed");
}

#[test]
fn a_comment_before_the_title_is_for_the_whole_file() {
    let sandbox = Sandbox::bare_folder();
    let requirement = &SPEC[SPEC.find("### Requirement").expect("it is there")..];
    let spec = format!("{SPEC}\n{}", requirement.replace("Sign in", "Sign up")).replace("SHALL", "will");
    sandbox.write(AUTH, &spec);
    finds_only(sandbox.json(&["--strict"]).is("FAIL"), &[RULE, RULE]);
    sandbox.write(AUTH, format!("{COMMENT}{spec}"));
    let judged = sandbox.json(&["--strict"]);
    finds_only(judged.is("PASS"), &[]);
    assert_eq!(judged.report["suppressed"].as_array().map(Vec::len), Some(2));
    // Before one requirement it is for that one.
    sandbox.write(AUTH, spec.replacen("### Requirement", &format!("{COMMENT}### Requirement"), 1));
    finds_only(sandbox.json(&["--strict"]).is("FAIL"), &[RULE]);
}

#[test]
fn a_comment_in_a_code_fence_is_none() {
    let sandbox = Sandbox::bare_folder();
    for fenced in [format!("```\n{COMMENT}```\n"), format!("```\n<!-- specward: allow nonsense -->\n{COMMENT}```\n\n")]
    {
        sandbox.write(AUTH, allowed(&fenced));
        let judged = sandbox.json(&["--strict"]);
        finds_only(judged.is("FAIL"), &[RULE]);
        assert_eq!(judged.report["suppressed"], json!([]));
    }
}

#[test]
fn files_with_crlf_and_other_languages() {
    let sandbox = Sandbox::bare_folder();
    let comment = "<!-- specward: allow spec/no-normative-keyword -- 既存の文書、来月直す -->\n";
    for text in [allowed(comment), allowed(comment).replace('\n', "\r\n"), format!("\u{feff}{}", allowed(comment))] {
        sandbox.write(AUTH, text);
        let judged = sandbox.json(&["--strict"]);
        judged.is("PASS");
        assert_eq!(judged.report["suppressed"][0]["reason"], "既存の文書、来月直す");
    }
}

#[test]
fn the_files_of_a_change() {
    let sandbox = Sandbox::project();
    let delta = "openspec/changes/add/specs/auth/spec.md";
    let tasks = "openspec/changes/add/tasks.md";
    let comment = "<!-- specward: allow delta/no-normative-keyword -- imported -->\n";
    sandbox.write(delta, DELTA.replace("SHALL", "will").replace("### Req", &format!("{comment}\n### Req")));
    sandbox.write(
        tasks,
        "<!-- specward: allow task/duplicate-id, task/wrong-group -- numbers of the ticket system -->\n# Tasks\n\n## 1. A\n- [ ] 1.1 a\n- [ ] 1.1 b\n- [ ] 2.1 c\n",
    );
    sandbox.write(
        "openspec/changes/add/proposal.md",
        "## Why\nPeople who share a computer want to leave, and cannot do so yet.\n\n## What Changes\n- Sign out\n",
    );
    let judged = sandbox.json(&["add", "--strict"]);
    let suppressed: Vec<&str> = judged.report["suppressed"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["rule"].as_str().expect("a word"))
        .collect();
    assert_eq!(suppressed, ["delta/no-normative-keyword", "task/duplicate-id", "task/wrong-group"]);
    finds_only(&judged, &[]);
    // What allows nothing in a proposal is told there.
    let proposal = "openspec/changes/add/proposal.md";
    sandbox.write(proposal, format!("# Add\n{comment}## Why\nPeople want to leave.\n\n## What Changes\n- Sign out\n"));
    sandbox.json(&["add"]).finds("suppress/unused", proposal, 2);
}

#[test]
fn errors_of_the_reference_stand() {
    let sandbox = Sandbox::bare_folder();
    let comment = "<!-- specward: allow spec/no-scenario -- no -->\n";
    let without = &allowed(comment)[..allowed(comment).find("#### Scen").expect("it is there")];
    sandbox.write(AUTH, without.replace("will", "SHALL"));
    let judged = sandbox.json(&[]);
    judged.is("FAIL").finds("spec/no-scenario", AUTH, 9).finds("suppress/refused", AUTH, 8);
    for rule in ["spec/no-scenario", "suppress/refused"] {
        assert_eq!(level(&judged, rule), "error", "{rule}");
    }
    assert_eq!(judged.report["suppressed"], json!([]));
    // `validate` answers as the reference does, whatever a comment says.
    sandbox.run(&["validate", "auth"]).exits(1).never_says("suppress");
    sandbox.write(AUTH, allowed(COMMENT));
    sandbox.run(&["validate", "auth", "--strict"]).exits(1).says(RULE);
}

#[test]
fn what_could_not_be_checked_stands() {
    let sandbox = Sandbox::project();
    std::fs::create_dir_all(sandbox.path("openspec/specs/broken/spec.md")).expect("a folder");
    for rule in ["repo/unreadable", "repo/not-utf8"] {
        sandbox.write(OWN, format!("allow:\n  - {{rule: {rule}, reason: no, expires: 2999-01-01}}\n"));
        sandbox.json(&[]).is("FAIL").finds("suppress/refused", OWN, 2).finds(
            "repo/unreadable",
            "openspec/specs/broken/spec.md",
            1,
        );
    }
}

#[test]
fn entries_by_path_and_item() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, allowed(""));
    sandbox.write("openspec/specs/billing/spec.md", allowed(""));
    for (which, left) in [
        ("", 0),
        (", path: openspec/specs/auth/spec.md", 1),
        (", path: 'openspec/**/spec.md'", 0),
        (", path: openspec/specs/auth/", 1),
        (", item: auth", 1),
        (", item: spec/auth", 1),
        (", item: spec/auth, path: openspec/specs/billing", 2),
        (", item: change/auth", 2),
    ] {
        sandbox.write(OWN, format!("allow:\n- {{rule: {RULE}, reason: known, expires: 2999-01-01{which}}}\n"));
        let judged = sandbox.json(&[]);
        let mut expected = vec![RULE; left];
        expected.extend((left == 2).then_some("suppress/unused"));
        finds_only(&judged, &expected);
        assert_eq!(judged.report["suppressed"].as_array().map(Vec::len), Some(2 - left), "{which}");
    }
    for which in ["path: ''", "path: '../x'", "path: 'a['", "item: ''"] {
        sandbox.write(OWN, format!("allow:\n- {{rule: {RULE}, reason: known, expires: 2999-01-01, {which}}}\n"));
        sandbox.json(&[]).is("FAIL").finds("suppress/malformed", OWN, 2);
    }
}

#[test]
fn an_entry_for_a_file_is_shown_with_its_reason() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, allowed(""));
    sandbox.json(&["--strict"]).is("FAIL").finds(RULE, AUTH, 8);
    sandbox
        .write(OWN, format!("allow:\n- {{rule: {RULE}, path: {AUTH}, reason: until we moved, expires: 2999-01-01}}\n"));
    let judged = sandbox.json(&["--strict"]);
    finds_only(judged.is("PASS"), &[]);
    let by = format!("{OWN}:2");
    assert_eq!(
        judged.report["suppressed"],
        json!([{"rule": RULE, "path": AUTH, "line": 8, "reason": "until we moved", "by": by}])
    );
    let human = sandbox.run(&["verify", "--strict"]);
    human.exits(0).says(&format!("Suppressed: {RULE} at {AUTH}:8 by {by}: until we moved"));
}

#[test]
fn an_entry_without_a_day() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, allowed(""));
    sandbox.write(OWN, format!("strict: false\nallow:\n  - rule: {RULE}\n    reason: until we moved\n"));
    let judged = sandbox.json(&[]);
    judged.is("FAIL").finds("suppress/malformed", OWN, 3).finds(RULE, AUTH, 8);
    assert_eq!(level(&judged, "suppress/malformed"), "error");
    assert_eq!(judged.report["suppressed"], json!([]));
}

#[test]
fn an_entry_expires() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, allowed(""));
    sandbox.write(OWN, format!("allow:\n  - rule: {RULE}\n    reason: until we moved\n    expires: 2020-01-31\n"));
    let judged = sandbox.json(&[]);
    judged.is("PASS").finds("suppress/expired", OWN, 2).finds(RULE, AUTH, 8);
    assert_eq!(level(&judged, "suppress/expired"), "warning");
    assert_eq!(judged.report["suppressed"], json!([]));
    sandbox.json(&["--strict"]).is("FAIL");
}

#[test]
fn an_empty_tree_is_not_judged_by_its_configuration() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write("openspec/specs/.keep", "");
    sandbox.write(OWN, format!("allow:\n  - {{rule: {RULE}, reason: known, expires: 2999-01-31}}\n"));
    sandbox.json(&[]).is("UNVERIFIABLE");
}

#[test]
fn levels_apply_to_what_is_said_about_comments() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, allowed(COMMENT).replace("will", "SHALL"));
    sandbox.json(&["--strict"]).is("FAIL").finds("suppress/unused", AUTH, 8);
    sandbox.write(OWN, "rules:\n  suppress/unused: off\n");
    finds_only(sandbox.json(&["--strict"]).is("PASS"), &[]);
    // A rule that is off finds nothing that could be allowed.
    sandbox.write(AUTH, allowed(COMMENT));
    sandbox.write(OWN, format!("rules:\n  {RULE}: off\n"));
    sandbox.json(&[]).finds("suppress/unused", AUTH, 8);
}

#[test]
fn a_comparison_tells_what_allows_nothing_only_where_it_can_know() {
    let sandbox = Sandbox::repository();
    sandbox.write("openspec/specs/billing/spec.md", allowed(COMMENT).replace("will", "SHALL"));
    sandbox.write(OWN, format!("allow:\n  - {{rule: {RULE}, reason: known, expires: 2999-01-31}}\n"));
    sandbox.commit("allowed");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(AUTH, SPEC.replace("a password", "a key"));
    finds_only(sandbox.json(&["--changed"]).is("PASS"), &[]);
    sandbox.write(AUTH, allowed(COMMENT).replace("will", "SHALL"));
    finds_only(&sandbox.json(&["--changed"]), &["suppress/unused"]);
    finds_only(&sandbox.json(&[]), &["suppress/unused", "suppress/unused", "suppress/unused"]);
}

#[test]
fn comments_count_without_frozen_spec_and_are_an_edit_with_it() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, allowed(""));
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write(AUTH, allowed(COMMENT));
    let judged = sandbox.json(&["--changed", "--strict"]);
    judged.is("PASS");
    assert_eq!(judged.spec_changes(), [AUTH]);
    assert_eq!(judged.report["suppressed"].as_array().map(Vec::len), Some(1));
    sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", AUTH, 8);
}

#[test]
fn many_comments_take_no_time() {
    let sandbox = Sandbox::bare_folder();
    let many = format!("{COMMENT}##### deep\n").repeat(5_000);
    sandbox.write(AUTH, format!("{SPEC}\n{many}"));
    let started = std::time::Instant::now();
    let judged = sandbox.json(&[]);
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
    assert_eq!(judged.report["findings"].as_array().map(Vec::len), Some(5_000));
    assert_eq!(judged.report["findings"][0]["rule"], Value::from("suppress/unused"));
}
