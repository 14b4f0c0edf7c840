//! `specward lint`: scores, what is judged, formats.

use std::sync::LazyLock;

use serde_json::Value;

use crate::support::{AUTH, DELTA, Outcome, SPEC, Sandbox};

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let path = format!("{}/schemas/lint.v1.schema.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the schema is there");
    jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a schema")
});

/// A requirement that costs nothing.
fn good(name: &str) -> String {
    format!(
        "\n### Requirement: {name}\nThe system SHALL store the {name} of each account.\n\n\
         #### Scenario: Stored {name}\n- **WHEN** an account is saved\n- **THEN** the {name} is in the table `accounts`\n"
    )
}

/// A requirement that two vague words take 16 points from.
fn vague(name: &str) -> String {
    good(name).replace("SHALL store the", "SHALL quickly store the appropriate")
}

/// A main spec with some requirements.
fn spec(requirements: &[String]) -> String {
    let purpose = "Keeps what people tell about themselves, so that they need not tell it twice.";
    format!("# Accounts\n\n## Purpose\n{purpose}\n\n## Requirements\n{}", requirements.concat())
}

fn lint(sandbox: &Sandbox, args: &[&str]) -> (Value, Outcome) {
    let outcome = sandbox.run(&[&["lint", "--format", "json"], args].concat());
    let report: Value = serde_json::from_str(&outcome.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}\n{}\n{}", outcome.shown(), outcome.stderr));
    let faults: Vec<String> = SCHEMA.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}\n{report:#}");
    assert_eq!(report["exitCode"].as_i64(), outcome.code.map(i64::from));
    assert_eq!(report["pass"] == true, outcome.code == Some(0), "{report:#}");
    (report, outcome)
}

fn rules(report: &Value) -> Vec<String> {
    let specs = report["specs"].as_array().expect("a list");
    let findings = specs.iter().flat_map(|spec| spec["findings"].as_array().expect("a list"));
    findings.map(|finding| finding["rule"].as_str().unwrap_or_default().to_owned()).collect()
}

fn accounts(requirements: &[String]) -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    sandbox.write("openspec/specs/accounts/spec.md", spec(requirements));
    sandbox
}

#[test]
fn the_score_of_requirements_and_files() {
    let sandbox = accounts(&[good("name"), vague("birthday")]);
    let (report, outcome) = lint(&sandbox, &[]);
    assert_eq!(outcome.code, Some(0), "{report:#}");
    let file = &report["specs"][0];
    assert_eq!((&file["id"], &file["path"]), (&"accounts".into(), &"openspec/specs/accounts/spec.md".into()));
    let scores: Vec<i64> =
        file["requirements"].as_array().expect("a list").iter().filter_map(|one| one["score"].as_i64()).collect();
    assert_eq!(scores, [100, 84]);
    assert_eq!((file["score"].as_f64(), file["min"].as_i64()), (Some(92.0), Some(84)));
    assert_eq!((report["score"].as_f64(), report["minScore"].is_null()), (Some(92.0), true));
    assert_eq!(file["counts"]["warnings"], 2);
    let finding = &file["findings"][0];
    assert_eq!((&finding["rule"], &finding["code"]), (&"quality/vague".into(), &"R-VAGUE".into()));
    assert_eq!((&finding["line"], &finding["column"], &finding["level"]), (&16.into(), &18.into(), &"warning".into()));
    assert!(finding["message"].is_string() && finding["hint"].is_string());
}

#[test]
fn padding_does_not_raise_the_lowest_score() {
    for padding in [0, 40] {
        let names: Vec<String> = (0..padding).map(|at| format!("field {at}")).collect();
        let mut requirements: Vec<String> = names.iter().map(|name| good(name)).collect();
        requirements.push(vague("birthday"));
        let sandbox = accounts(&requirements);
        assert_eq!(lint(&sandbox, &["--min-score", "84"]).1.code, Some(0));
        let (report, outcome) = lint(&sandbox, &["--min-score", "85"]);
        assert_eq!((outcome.code, report["min"].as_i64()), (Some(1), Some(84)), "{padding}");
        assert!(rules(&report).contains(&"quality/low-score".to_owned()));
    }
}

#[test]
fn an_error_fails_whatever_the_score() {
    let without_scenario = "\n### Requirement: Language\nThe system SHALL store the language.\n".to_owned();
    let (report, outcome) = lint(&accounts(&[good("name"), without_scenario]), &["--min-score", "0"]);
    assert_eq!(outcome.code, Some(1), "{report:#}");
    assert!(rules(&report).contains(&"spec/no-scenario".to_owned()));
}

#[test]
fn with_changed_only_requirements_that_differ_count() {
    let sandbox = accounts(&[vague("birthday"), good("name")]);
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    let path = "openspec/specs/accounts/spec.md";
    sandbox.write(path, spec(&[vague("birthday"), good("name"), good("language")]));
    let (report, outcome) = lint(&sandbox, &["--changed", "--min-score", "100"]);
    assert_eq!(outcome.code, Some(0), "{report:#}");
    assert_eq!(report["specs"][0]["requirements"].as_array().map(Vec::len), Some(1));
    sandbox.write(path, spec(&[vague("birthday"), good("name"), vague("language")]));
    sandbox.commit("second");
    let (report, outcome) = lint(&sandbox, &["--changed", "--min-score", "100"]);
    assert_eq!((outcome.code, report["min"].as_i64()), (Some(1), Some(84)), "{report:#}");
    // A change's delta counts in the same way.
    sandbox.write("openspec/changes/add/specs/accounts/spec.md", DELTA);
    let (report, _) = lint(&sandbox, &["--changed"]);
    let ids: Vec<&str> =
        report["specs"].as_array().expect("a list").iter().filter_map(|spec| spec["id"].as_str()).collect();
    assert_eq!(ids, ["accounts", "add/accounts"]);
}

#[test]
fn nothing_that_differs_passes_and_says_so() {
    let sandbox = Sandbox::on_branch();
    let (report, outcome) = lint(&sandbox, &["--changed", "--min-score", "100"]);
    assert_eq!((outcome.code, &report["specs"]), (Some(0), &Value::Array(Vec::new())), "{report:#}");
    assert!(report["notes"].to_string().contains("differs"), "{report:#}");
}

#[test]
fn without_a_base_nothing_is_known() {
    let sandbox = accounts(&[good("name")]);
    sandbox.init(&[]);
    let outcome = sandbox.run(&["lint", "--changed", "--format", "json"]);
    assert!(matches!(outcome.code, Some(2 | 3)), "{}", outcome.shown());
    let (report, outcome) = {
        sandbox.commit("first");
        sandbox.git(&["branch", "-m", "odd"]);
        lint(&sandbox, &["--changed", "--base", "nowhere"])
    };
    assert_eq!((outcome.code, report["pass"].as_bool()), (Some(3), Some(false)), "{report:#}");
}

#[test]
fn specs_are_named_by_id_and_by_path() {
    let sandbox = Sandbox::project();
    sandbox.write("openspec/specs/accounts/spec.md", spec(&[good("name")]));
    sandbox.write("openspec/changes/add/specs/auth/spec.md", DELTA);
    for (names, expected) in [
        (vec!["auth"], vec!["auth"]),
        (vec!["spec/accounts", "change/add"], vec!["accounts", "add/auth"]),
        (vec![AUTH], vec!["auth"]),
        (vec!["./openspec/specs/"], vec!["accounts", "auth"]),
        (vec!["openspec/changes/add/specs/auth/spec.md"], vec!["add/auth"]),
        (vec![], vec!["accounts", "auth", "add/auth"]),
    ] {
        let (report, _) = lint(&sandbox, &names);
        let mut ids: Vec<&str> =
            report["specs"].as_array().expect("a list").iter().filter_map(|spec| spec["id"].as_str()).collect();
        let mut expected = expected;
        ids.sort_unstable();
        expected.sort_unstable();
        assert_eq!(ids, expected, "{names:?}");
    }
    let inside = sandbox.at("openspec/specs");
    assert_eq!(lint(&inside, &["auth/spec.md"]).0["specs"][0]["id"], "auth");
    for name in ["nobody", "openspec/specs/nobody/spec.md", "../elsewhere", "/"] {
        let outcome = sandbox.run(&["lint", name]);
        if name != "/" {
            assert_eq!(outcome.code, Some(2), "{name}: {}", outcome.shown());
            assert!(outcome.stderr.contains("unknown item"), "{}", outcome.stderr);
        }
    }
}

#[test]
fn nothing_to_lint_is_no_pass() {
    let sandbox = Sandbox::bare_folder();
    assert_eq!(sandbox.run(&["lint"]).code, Some(2));
    sandbox.write(
        "openspec/changes/drop/specs/auth/spec.md",
        "## REMOVED Requirements\n\n### Requirement: Sign in\n**Reason**: gone\n",
    );
    let (report, outcome) = lint(&sandbox, &[]);
    assert_eq!(outcome.code, Some(3), "{report:#}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_no_pass() {
    let sandbox = Sandbox::project();
    sandbox.link("openspec/specs/lost/spec.md", "nowhere");
    let (report, outcome) = lint(&sandbox, &[]);
    assert_eq!(outcome.code, Some(3), "{report:#}");
}

#[test]
fn code_links_and_quotations_are_no_prose() {
    let said = good("name").replace(
        "SHALL store",
        "SHALL, as in `quick and robust`, [quick](quick.md), \"robust\" and https://example.com/quick, store",
    );
    let heading = good("robust quick name").replace("the robust quick name", "it");
    let (report, _) = lint(&accounts(&[said, heading]), &[]);
    assert!(!rules(&report).contains(&"quality/vague".to_owned()), "{report:#}");
}

#[test]
fn other_languages_get_rules_about_structure_only() {
    let german = "\n### Requirement: Anmelden\nDas System MUSS den Benutzer schnell, robust, optimal und flexibel anmelden, \
        wenn möglich etc. mit einem Passwort, das der Benutzer kennt.\n\n#### Scenario: Richtig\n\
        - **WHEN** das Passwort richtig ist\n- **THEN** ist der Benutzer angemeldet\n";
    let (report, _) = lint(&accounts(&[german.to_owned()]), &["--pedantic"]);
    assert_eq!(rules(&report), [""; 0], "{report:#}");
    let (report, outcome) = lint(&accounts(&[german[..german.find("#### ").expect("it")].to_owned()]), &[]);
    assert!(rules(&report).contains(&"spec/no-scenario".to_owned()) && outcome.code == Some(1), "{report:#}");
}

#[test]
fn verify_lints_when_a_score_is_asked_for() {
    let sandbox = accounts(&[good("name"), vague("birthday")]);
    assert_eq!(sandbox.json(&["--strict"]).outcome.code, Some(0));
    sandbox.write("openspec/specward.yaml", "lint: { min-score: 84 }\n");
    assert_eq!(sandbox.json(&["--strict"]).outcome.code, Some(0));
    sandbox.write("openspec/specward.yaml", "lint: { min-score: 85 }\n");
    let judged = sandbox.json(&[]);
    assert_eq!(judged.outcome.code, Some(1));
    assert_eq!(judged.report["findings"][0]["rule"], "quality/low-score");
    assert_eq!(lint(&sandbox, &[]).0["minScore"], 85);
    assert_eq!(lint(&sandbox, &["--min-score", "10"]).1.code, Some(0));
    for bad in ["lint: { min-score: 101 }", "lint: { min-score: -1 }", "lint: { minimum: 3 }", "lint: [1]"] {
        sandbox.write("openspec/specward.yaml", format!("{bad}\n"));
        assert_eq!(sandbox.run(&["lint"]).code, Some(2), "{bad}");
    }
}

#[test]
fn head_cannot_ask_for_less() {
    let sandbox = accounts(&[good("name")]);
    sandbox.write("openspec/specward.yaml", "lint: { min-score: 90 }\n");
    sandbox.init(&[]);
    sandbox.commit("first");
    sandbox.git(&["switch", "-qc", "work"]);
    sandbox.write("openspec/specward.yaml", "lint: { min-score: 1 }\n");
    sandbox.write("openspec/specs/accounts/spec.md", spec(&[good("name"), vague("birthday")]));
    assert_eq!(sandbox.json(&["--changed"]).outcome.code, Some(1));
    assert_eq!(lint(&sandbox, &["--changed"]).1.code, Some(1));
    sandbox.git(&["rm", "-qf", "openspec/specward.yaml"]);
    assert_eq!(sandbox.json(&["--changed"]).outcome.code, Some(1));
}

#[test]
fn warnings_can_be_allowed_and_are_counted() {
    let allowed = vague("birthday").replace(
        "\n### Requirement",
        "\n<!-- specward: allow quality/vague -- the customer insists -->\n### Requirement",
    );
    let sandbox = accounts(&[good("name"), allowed]);
    let (report, outcome) = lint(&sandbox, &["--min-score", "100"]);
    assert_eq!((outcome.code, report["suppressed"].as_array().map(Vec::len)), (Some(0), Some(2)), "{report:#}");
    // What allows a finding of `lint` is not idle for `verify`, which does not look for it.
    assert_eq!(sandbox.json(&["--strict"]).outcome.code, Some(0));
    let error = vague("birthday").replace("\n### ", "\n<!-- specward: allow quality/low-score -- no -->\n### ");
    assert_eq!(lint(&accounts(&[good("name"), error]), &["--min-score", "100"]).1.code, Some(1));
}

#[test]
fn rules_of_taste_run_when_they_are_asked_for() {
    let taste = good("name").replace("SHALL store", "SHALL always store");
    let sandbox = accounts(&[taste]);
    assert_eq!(rules(&lint(&sandbox, &[]).0), [""; 0]);
    assert_eq!(rules(&lint(&sandbox, &["--pedantic"]).0), ["quality/absolute"]);
    sandbox.write("openspec/specward.yaml", "rules: { quality/absolute: error }\n");
    let (report, outcome) = lint(&sandbox, &[]);
    assert_eq!((rules(&report), outcome.code), (vec!["quality/absolute".to_owned()], Some(1)));
}

#[test]
fn criteria_without_a_check_are_told() {
    let sandbox = Sandbox::project();
    let entry = "version: 1\ncriteria:\n  - requirement: Sign in\n    scenario: Right password\n    verify: []\n";
    sandbox.write("openspec/verify/auth.yaml", entry);
    let (report, outcome) = lint(&sandbox, &["--min-score", "100"]);
    assert_eq!(outcome.code, Some(0), "{report:#}");
    let finding = &report["specs"][0]["findings"][0];
    assert_eq!((&finding["code"], &finding["path"]), (&"L06".into(), &"openspec/verify/auth.yaml".into()));
    sandbox.write("openspec/verify/auth.yaml", "version: 2\n");
    assert_eq!(lint(&sandbox, &[]).1.code, Some(1));
}

#[test]
fn formats() {
    let sandbox = accounts(&[good("name"), vague("birthday")]);
    let human = sandbox.run(&["lint", "--min-score", "85"]);
    assert!(human.stdout.contains("warning[quality/vague]") && human.stdout.contains("Score  Lowest  Spec"));
    let last = human.stdout.lines().last().unwrap_or_default().to_owned();
    assert_eq!(last, "FAIL: 2 requirements in 1 file: score 92.0 (A), lowest 84; 85 asked for");
    let agent = sandbox.run(&["lint", "--format", "agent", "--min-score", "85"]).stdout;
    let lines: Vec<&str> = agent.lines().collect();
    assert_eq!(lines[0], "SPECWARD VERDICT: FAIL");
    assert_eq!(lines[1], "2 requirements in 1 file: score 92.0 (A), lowest 84; 85 asked for");
    assert!(agent.contains("## spec/accounts: openspec/specs/accounts/spec.md (score 92.0, lowest 84)"));
    assert!(!agent.contains('\u{1b}'));
    let sarif = sandbox.run(&["lint", "--format", "sarif", "--min-score", "85"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect("JSON");
    assert_eq!((&log["version"], sarif.code), (&"2.1.0".into(), Some(1)));
    let results = log["runs"][0]["results"].as_array().expect("a list");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("a list");
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(result["ruleId"], rules[index]["id"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "openspec/specs/accounts/spec.md");
        assert!(place["region"]["startLine"].as_u64() > Some(0));
    }
    assert_eq!(results.len(), 3);
}

#[test]
fn a_report_goes_into_a_file() {
    let sandbox = accounts(&[good("name")]);
    let outcome = sandbox.run(&["lint", "--format", "json", "--output", "lint.json"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(sandbox.path("lint.json")).expect("a file");
    assert!(SCHEMA.is_valid(&serde_json::from_str(&text).expect("JSON")));
    assert_eq!(sandbox.run(&["lint", "--output", "openspec/specs/lint.json"]).code, Some(2));
}

#[test]
fn wrong_usage_is_refused() {
    let sandbox = Sandbox::project();
    assert!(sandbox.run(&["lint"]).stdout.contains("PASS"), "{SPEC}");
    for args in [
        vec!["lint", "--min-score", "101"],
        vec!["lint", "--min-score", "many"],
        vec!["lint", "--base", "main"],
        vec!["lint", "--format", "xml"],
    ] {
        assert_eq!(sandbox.run(&args).code, Some(2), "{args:?}");
    }
}
