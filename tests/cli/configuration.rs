//! `openspec/specward.yaml` and what it changes.

use crate::support::{AUTH, Judged, SPEC, Sandbox, faulty};

const OWN: &str = "openspec/specward.yaml";

/// A spec with a warning: neither SHALL nor MUST.
fn warned() -> String {
    SPEC.replace("SHALL", "will")
}

#[test]
fn warnings_fail_only_under_strict() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned());
    let judged = sandbox.json(&[]);
    judged.is("PASS").finds("spec/no-normative-keyword", AUTH, 8);
    assert_eq!(judged.report["findings"][0]["level"], "warning");
    sandbox.json(&["--strict"]).is("FAIL");
    sandbox.write(OWN, "strict: true\n");
    let judged = sandbox.json(&[]);
    judged.is("FAIL");
    assert_eq!(judged.report["scope"]["strict"], true);
}

#[test]
fn levels_by_id_and_group() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned());
    for (rules, verdict, level) in [
        ("spec/no-normative-keyword: error", "FAIL", Some("error")),
        ("spec/no-normative-keyword: info", "PASS", Some("info")),
        ("spec/no-normative-keyword: off", "PASS", None),
        ("spec: error", "FAIL", Some("error")),
        ("spec: off", "PASS", None),
        ("spec: error\n  spec/no-normative-keyword: info", "PASS", Some("info")),
        ("spec: off\n  spec/no-normative-keyword: error", "FAIL", Some("error")),
        ("delta: off", "PASS", Some("warning")),
    ] {
        sandbox.write(OWN, format!("rules:\n  {rules}\n"));
        let judged = sandbox.json(&[]);
        judged.is(verdict);
        let found = judged.report["findings"].as_array().expect("a list");
        let found = found.iter().find(|finding| finding["rule"] == "spec/no-normative-keyword");
        assert_eq!(found.map(|finding| finding["level"].as_str().expect("a word")), level, "{rules}");
    }
}

#[test]
fn one_rule_of_a_group_that_is_off() {
    let sandbox = Sandbox::bare_folder();
    let purpose = SPEC.lines().nth(3).expect("a purpose");
    sandbox.write(AUTH, warned().replace(purpose, "Signing in."));
    let rules = |judged: &Judged| -> Vec<String> {
        let findings = judged.report["findings"].as_array().expect("a list");
        findings.iter().map(|one| format!("{} {}", one["level"], one["rule"]).replace('"', "")).collect()
    };
    let judged = sandbox.json(&[]);
    assert_eq!(rules(judged.is("PASS")), ["warning spec/purpose-too-brief", "warning spec/no-normative-keyword"]);
    sandbox.write(OWN, "rules:\n  spec: off\n  spec/purpose-too-brief: error\n");
    let judged = sandbox.json(&[]);
    assert_eq!(rules(judged.is("FAIL")), ["error spec/purpose-too-brief"]);
}

#[test]
fn an_error_of_the_reference_cannot_be_turned_off() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, faulty());
    for rules in ["spec/no-scenario: off", "spec/no-scenario: info", "spec: off", "spec: warning"] {
        sandbox.write(OWN, format!("rules:\n  {rules}\n"));
        let judged = sandbox.json(&[]);
        judged.is("FAIL").finds("spec/no-scenario", AUTH, 8);
        assert_eq!(judged.report["findings"][0]["level"], "error", "{rules}");
    }
}

#[test]
fn what_was_not_read_cannot_be_turned_off() {
    let sandbox = Sandbox::project();
    std::fs::create_dir_all(sandbox.path("openspec/changes/add/specs/auth/spec.md")).expect("a folder");
    sandbox.write("openspec/changes/add/specs/other/spec.md", crate::support::DELTA);
    for rules in ["repo: off", "repo: info", "repo/unreadable: off"] {
        sandbox.write(OWN, format!("rules:\n  {rules}\n"));
        sandbox.json(&[]).is("UNVERIFIABLE");
    }
}

#[test]
fn freezing_cannot_be_turned_off_by_what_is_judged() {
    for rules in ["freeze: off", "freeze/spec-changed: info", "spec/purpose-too-brief: off"] {
        let sandbox = Sandbox::on_branch();
        sandbox.write(OWN, format!("rules:\n  {rules}\n"));
        sandbox.json(&["--changed", "--frozen-spec"]).is("FAIL").finds("freeze/spec-changed", OWN, 1);
    }
}

#[test]
fn unknown_keys_rules_and_globs_name_their_line() {
    for (text, line, words) in [
        ("strict: true\nfrozn: []\n", 2, "frozn"),
        ("strict: true\n\nfrozn: []\n", 3, "frozn"),
        ("rules:\n  spec/no-scenari: off\n", 2, "spec/no-scenario"),
        ("rules:\n  speck: off\n", 2, "speck"),
        ("rules:\n  spec: loud\n", 2, "loud"),
        ("strict: yes\n", 1, "there has to be `true` or `false`"),
        ("strict: true\nprotect: ['a[']\n", 2, "a["),
        ("strict: true\nroots: [., nowhere]\n", 2, "nowhere"),
        ("protect: ['../x']\n", 1, "../x"),
        ("protect: ['!tests/**']\n", 1, "!tests"),
        ("protect: ['']\n", 1, "no glob"),
    ] {
        let sandbox = Sandbox::project();
        sandbox.write(OWN, text);
        let judged = sandbox.json(&[]);
        judged.outcome.exits(2).complains(&format!("{OWN}:{line}: ")).complains(words);
        assert_eq!(judged.report["verdict"], "UNVERIFIABLE");
        judged.reasons(&format!("{OWN}:{line}: "), "mend the file");
    }
}

#[test]
fn an_empty_file_configures_nothing() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, warned());
    sandbox.write("openspec/specs/bad/spec.md", faulty());
    let report = || {
        let mut report = sandbox.json(&[]).is("FAIL").judges("auth", "PASS").judges("bad", "FAIL").report.clone();
        report["run_id"] = "any".into();
        report
    };
    let without = report();
    assert_eq!(without["scope"]["strict"], false);
    for text in ["", "\n\n", "# nothing\n", "---\n", "strict: false\nprotect: []\nrules: {}\nroots: []\n"] {
        sandbox.write(OWN, text);
        assert_eq!(report(), without, "{text:?}");
    }
}

#[test]
fn protected_files_are_frozen_too() {
    let sandbox = Sandbox::project();
    sandbox.write(OWN, "protect: ['tests/**', Makefile, '*.toml']\n");
    sandbox.write("tests/deep/a.rs", "1\n");
    sandbox.write("Makefile", "all:\n");
    sandbox.write("src/a.rs", "1\n");
    sandbox.write("a.toml", "1\n");
    sandbox.write("src/b.toml", "1\n");
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write("src/a.rs", "2\n");
    sandbox.write("src/b.toml", "2\n");
    sandbox.json(&["--changed", "--frozen-spec"]).is("PASS");
    for path in ["tests/deep/a.rs", "Makefile", "a.toml"] {
        sandbox.write(path, "2\n");
    }
    let judged = sandbox.json(&["--changed", "--frozen-spec"]);
    judged.is("FAIL").finds("freeze/spec-changed", "tests/deep/a.rs", 1);
    assert_eq!(judged.spec_changes(), ["Makefile", "a.toml", "tests/deep/a.rs"]);
    // Whoever is judged cannot take the protection away.
    sandbox.write(OWN, "protect: []\n");
    let judged = sandbox.json(&["--changed", "--frozen-spec"]);
    assert_eq!(judged.spec_changes(), ["Makefile", "a.toml", OWN, "tests/deep/a.rs"]);
    sandbox.git(&["add", "-A"]);
    let judged = sandbox.json(&["--staged", "--frozen-spec"]);
    assert_eq!(judged.spec_changes(), ["Makefile", "a.toml", OWN, "tests/deep/a.rs"]);
}

#[test]
fn frozen_spec_needs_a_comparison() {
    let sandbox = Sandbox::repository();
    sandbox.agent(&["--frozen-spec"]).exits(2).says("--frozen-spec needs a comparison").says("Fix: ");
}

#[test]
fn a_broken_config_is_told_without_any_change() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(AUTH, SPEC);
    sandbox.json(&[]).is("PASS");
    sandbox.write("openspec/config.yaml", "schema: [\n");
    sandbox.json(&[]).is("FAIL").finds("repo/bad-metadata", "openspec/config.yaml", 1);
}
