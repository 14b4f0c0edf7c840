//! What a SARIF document holds, read back.

use serde_json::Value;

use super::super::ranked::tests::{EVIL, checked, evil, found, passed, stopped};
use super::*;
use crate::report::{Finding, Verdict};

/// The run of a document.
fn run(report: &Report) -> Value {
    let mut log: Value = serde_json::from_str(&render(report)).unwrap();
    log["runs"][0].take()
}

fn results(run: &Value) -> &Vec<Value> {
    run["results"].as_array().unwrap()
}

#[test]
fn a_finding_that_stands_twice_has_two_fingerprints() {
    let mut report = stopped("no base");
    let one = Finding { path: "a b/ü:x.md".to_owned(), ..found("spec/no-scenario", Level::Error, "none") };
    report.findings = vec![one.clone(), Finding { line: 0, ..one }];
    let run = run(&report);
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"], "no base; do that");
    assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(1));
    let results = results(&run);
    let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "a%20b/%C3%BC%3Ax.md");
    assert_ne!(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
    assert_eq!(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
}

#[test]
fn criteria_that_did_not_pass_are_results() {
    let mut report = passed();
    let all = [Verdict::Pass, Verdict::Unverifiable, Verdict::Fail, Verdict::Skipped];
    report.criteria = all.map(|verdict| checked(verdict.word(), verdict, "")).to_vec();
    let run = run(&report);
    let ids: Vec<&Value> = results(&run).iter().map(|one| &one["ruleId"]).collect();
    assert_eq!(ids, ["criterion/failed", "criterion/unverifiable"]);
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "criterion/failed");
    let text = &results(&run)[0]["message"]["text"];
    let expected = "`Sign in / Wrong password` does not hold: check 1 command: exit code 1; \
                    `specward explain FAIL` shows all that was seen";
    assert_eq!(text, expected);
    assert_eq!(results(&run)[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
}

#[test]
fn nothing_to_tell_is_a_document_all_the_same() {
    let run = run(&passed());
    assert_eq!((results(&run).len(), &run["automationDetails"]["id"]), (0, &"specward/".into()));
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn strict_makes_errors_of_warnings() {
    let mut report = passed();
    report.findings = vec![found("spec/purpose-too-brief", Level::Warning, "brief")];
    report.scope.strict = true;
    let run = run(&report);
    assert_eq!(results(&run)[0]["level"], "error");
    assert_eq!(run["tool"]["driver"]["rules"][0]["defaultConfiguration"]["level"], "warning");
}

#[test]
fn what_is_allowed_is_a_result_that_is_suppressed() {
    let mut report = passed();
    let one = |by: &str| Suppressed {
        rule: "spec/no-body".to_owned(),
        path: "a.md".to_owned(),
        line: 3,
        reason: "agreed".to_owned(),
        by: by.to_owned(),
    };
    report.suppressed = vec![one("a.md:2"), one("openspec/specward.yaml:9")];
    let run = run(&report);
    let kinds: Vec<&Value> = results(&run).iter().map(|one| &one["suppressions"][0]["kind"]).collect();
    assert_eq!(kinds, ["inSource", "external"]);
    assert_ne!(results(&run)[0]["partialFingerprints"], results(&run)[1]["partialFingerprints"]);
}

const WORDS: &str = "more results are left out; the JSON format has all of them";

#[test]
fn limits() {
    let mut report = passed();
    report.findings = vec![found("spec/no-body", Level::Warning, "none"); MOST_RESULTS];
    report.findings.push(found("spec/no-scenario", Level::Error, "none"));
    report.suppressed = evil().suppressed;
    let (many, left_out) = super::results(&ranked::all(&report), &report.suppressed, &mut Used::default());
    assert_eq!((many.len(), many[0].level, left_out), (MOST_RESULTS, "error", 2));
    report.findings = vec![found("spec/no-body", Level::Error, &"x".repeat(20_000)); 500];
    let (many, left_out) = super::results(&ranked::all(&report), &report.suppressed, &mut Used::default());
    assert!((350..400).contains(&many.len()), "{}", many.len());
    assert_eq!(many.len() + left_out, 501);
    let told = &notifications(&report, left_out)[0];
    assert_eq!((told.level, told.message.text.split_once(' ').map(|(_, words)| words)), ("warning", Some(WORDS)));
}

#[test]
fn names_stay_names() {
    let text = render(&evil());
    assert!(!text.contains("##[") && !text.contains(['\u{1b}', '\u{202e}', '\r']));
    assert!(!text.lines().any(|line| line.trim_start().starts_with("::")));
    let run = run(&evil());
    for result in results(&run) {
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.starts_with("a%5Cn%3A%3Aerror") && uri.is_ascii() && !uri.contains([' ', ':', '\\']), "{uri}");
    }
    let message = results(&run)[1]["message"]["text"].as_str().unwrap_or_default();
    assert!(message.contains(&visible(EVIL).replace("](", "] (")));
}
