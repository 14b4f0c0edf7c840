//! What `lint` is asked for: by the configuration of both sides, by comments, by a command line that cannot be parsed.

use serde_json::Value;

use crate::support::Sandbox;

const FILE: &str = "openspec/specs/export/spec.md";
const CONFIG: &str = "openspec/specward.yaml";
const GOOD: &str = "The exporter SHALL write all rows.";
const VAGUE: &str = "The exporter SHALL quickly write the appropriate rows.";

fn spec(bodies: &[&str]) -> String {
    let one = |body: &&str| {
        format!(
            "### Requirement: Rows\n{body}\n\n#### Scenario: Two\n- **WHEN** two rows are exported\n- **THEN** the file has 2 lines\n"
        )
    };
    let requirements: Vec<String> = bodies.iter().map(one).collect();
    format!(
        "# Export\n\n## Purpose\nWrites the rows of a table into a file that other programs can read.\n\n## Requirements\n\n{}",
        requirements.join("\n")
    )
}

/// A branch whose base has a configuration and a good requirement.
fn branch(config: &str) -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(FILE, spec(&[GOOD]));
    sandbox.write(CONFIG, config);
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox
}

fn rules(sandbox: &Sandbox, args: &[&str]) -> Vec<String> {
    let outcome = sandbox.run(&[&["lint", "--format", "json"], args].concat());
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let specs = report["specs"].as_array().expect("a list");
    let findings = specs.iter().flat_map(|spec| spec["findings"].as_array().expect("a list"));
    findings.map(|finding| finding["rule"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn head_cannot_turn_rules_off_that_base_has() {
    for head in [
        "lint: {min-score: 90}\nrules: {quality: off}\n",
        "lint: {min-score: 90}\nrules: {quality/vague: off}\n",
        "rules: {quality: info, quality/low-score: info}\n",
    ] {
        let sandbox = branch("lint: {min-score: 90}\n");
        sandbox.write(FILE, spec(&[VAGUE]));
        sandbox.write(CONFIG, head);
        assert_eq!(sandbox.run(&["lint", "--changed"]).code, Some(1), "{head}");
        assert_eq!(sandbox.json(&["--changed"]).outcome.code, Some(1), "{head}");
    }
    let sandbox = branch("rules: {quality/vague: off}\n");
    sandbox.write(FILE, spec(&[VAGUE]));
    assert_eq!(rules(&sandbox, &["--changed"]), [""; 0]);
}

#[test]
fn of_two_with_one_name_only_as_many_are_left_out_as_base_has() {
    let sandbox = branch("");
    sandbox.write(FILE, spec(&[VAGUE, GOOD]));
    sandbox.commit("second");
    sandbox.write(FILE, spec(&[VAGUE, VAGUE]));
    assert!(rules(&sandbox, &["--changed", "--base", "HEAD"]).contains(&"quality/vague".to_owned()));
}

#[test]
fn other_wrapping_is_no_difference() {
    let sandbox = branch("");
    sandbox.write(FILE, spec(&[VAGUE]));
    sandbox.commit("second");
    let wrapped = spec(&[VAGUE]).replace("quickly write", "quickly\n  write").replace("- **WHEN**", "* **WHEN**");
    sandbox.write(FILE, wrapped);
    assert_eq!(rules(&sandbox, &["--changed", "--base", "HEAD"]), [""; 0]);
}

#[test]
fn a_comment_that_cannot_be_understood_is_told() {
    let sandbox = Sandbox::bare_folder();
    for comment in ["allow quality/vagu -- x", "allow quality/vague", "allow quality/low-score -- x"] {
        sandbox.write(FILE, spec(&[VAGUE]).replace("### Req", &format!("<!-- specward: {comment} -->\n### Req")));
        let found = rules(&sandbox, &[]);
        assert!(found.iter().any(|rule| rule.starts_with("suppress/")), "{comment}: {found:?}");
    }
}

#[test]
fn an_empty_file_or_name_is_no_pass() {
    let sandbox = Sandbox::project();
    assert_eq!(sandbox.run(&["lint", ""]).code, Some(2));
    assert_eq!(sandbox.run(&["verify", " "]).code, Some(2));
    sandbox.write(FILE, "");
    assert_eq!(sandbox.run(&["lint"]).code, Some(1));
}

#[test]
fn a_command_line_that_cannot_be_parsed_gets_a_report_too() {
    let sandbox = Sandbox::project();
    for args in [vec!["--min-score", "101"], vec!["--base", "main"], vec!["--no-such-thing"]] {
        let outcome = sandbox.run(&[&["lint", "--format", "json"], args.as_slice()].concat());
        let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
        assert_eq!((outcome.code, &report["pass"], &report["exitCode"]), (Some(2), &Value::Bool(false), &2.into()));
        let sarif = sandbox.run(&[&["lint", "--format=sarif"], args.as_slice()].concat()).stdout;
        let log: Value = serde_json::from_str(&sarif).expect("JSON");
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    }
    // A spec may be called so.
    assert_eq!(sandbox.run(&["verify", "lint", "--no-such-thing"]).stdout, "");
}

#[test]
fn what_is_allowed_is_dismissed_in_sarif() {
    let sandbox = Sandbox::bare_folder();
    sandbox.write(FILE, spec(&[VAGUE]).replace("### Req", "<!-- specward: allow quality/vague -- agreed -->\n### Req"));
    let log: Value = serde_json::from_str(&sandbox.run(&["lint", "--format", "sarif"]).stdout).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result["suppressions"][0]["kind"], "inSource");
        assert_eq!(result["suppressions"][0]["justification"], "agreed");
    }
}

#[test]
fn rules_are_explained_by_their_code() {
    let sandbox = Sandbox::bare_folder();
    let text = sandbox.run(&["explain", "r-vague"]).stdout;
    assert!(text.starts_with("# `quality/vague`"), "{text}");
    let text = sandbox.run(&["explain", "S-NONE"]).stdout;
    assert!(text.contains("spec/no-scenario") && text.contains("delta/no-scenario"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_spec_or_a_change_is_no_pass() {
    let outside = Sandbox::project();
    let sandbox = Sandbox::project();
    sandbox.link("openspec/changes/add", outside.path("openspec"));
    assert_eq!(sandbox.run(&["lint"]).code, Some(1));
    let sandbox = Sandbox::project();
    sandbox.link("openspec/specs/lost/spec.md", outside.path("openspec/specs/auth/spec.md"));
    assert_eq!(sandbox.run(&["lint"]).code, Some(1));
    let sandbox = Sandbox::project();
    std::fs::create_dir_all(sandbox.path("openspec/changes/add/specs/auth/spec.md")).expect("folders");
    assert!(matches!(sandbox.run(&["lint"]).code, Some(1 | 3)));
}
