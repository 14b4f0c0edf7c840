//! Reports to render, and what the list of a report holds.

use std::time::Duration;

use super::*;
use crate::report::{CheckResult, Evidence, JudgedItem, Scope, Suppressed};

/// Text that tries to be something else in every format.
pub(in crate::report::render) const EVIL: &str = "a\n::error::b\r##[error]c %0A,:]]></testcase></details>\n```\n````|@user #12 [x](y) <img src=x>\u{1b}[2J\u{202e}\u{ffff}";

/// A run that stopped.
pub(in crate::report::render) fn stopped(message: &str) -> Report {
    let reason = Reason { message: message.to_owned(), fix: "do that".to_owned() };
    Report::stopped("20261201T022418Z-1a2b3c4d", Scope::default(), reason)
}

/// A run that passed, of one spec.
pub(in crate::report::render) fn passed() -> Report {
    let item = item("auth");
    let mut report = stopped("");
    report.reasons.clear();
    report.verdict = Verdict::Pass;
    report.items = vec![JudgedItem { item, title: "Auth".to_owned(), verdict: Verdict::Pass }];
    report
}

/// A spec.
pub(in crate::report::render) fn item(id: &str) -> Item {
    Item::new("".into(), ItemKind::Spec, id)
}

/// A finding of a rule about a spec.
pub(in crate::report::render) fn found(rule: &'static str, level: Level, message: &str) -> Finding {
    Finding {
        rule,
        level,
        item: item("auth"),
        anchor: "file".to_owned(),
        path: "openspec/specs/auth/spec.md".to_owned(),
        line: 7,
        column: 1,
        width: 0,
        message: message.to_owned(),
        fix: "add one".to_owned(),
        requirement: Some("Sign in".to_owned()),
        source: Some("### Requirement: Sign in".to_owned()),
        evidence: Vec::new(),
        is_echo: false,
        cannot_check: false,
    }
}

/// A criterion with one check.
pub(in crate::report::render) fn checked(id: &str, verdict: Verdict, evidence: &str) -> CriterionResult {
    CriterionResult {
        id: id.to_owned(),
        root: String::new(),
        capability: "auth".to_owned(),
        requirement: "Sign in".to_owned(),
        scenario: "Wrong password".to_owned(),
        ears: String::new(),
        pattern: None,
        path: "openspec/verify/auth.yaml".to_owned(),
        line: 3,
        is_of_base: false,
        verdict,
        reason: None,
        checks: vec![CheckResult {
            index: 1,
            kind: "command",
            name: None,
            subject: "sh test.sh".to_owned(),
            verdict,
            message: "exit code 1".to_owned(),
            evidence: Evidence { text: evidence.into(), ..Evidence::default() },
            duration: Duration::from_millis(1250),
        }],
        touched: Vec::new(),
    }
}

/// A run with everything in it, named as somebody would who means no good.
pub(in crate::report::render) fn evil() -> Report {
    let mut report = passed();
    report.verdict = Verdict::Fail;
    report.items[0].verdict = Verdict::Fail;
    report.items[0].title = EVIL.to_owned();
    report.spec_changes = Some(vec![visible(EVIL)]);
    report.notes = vec![EVIL.to_owned()];
    report.reasons = vec![Reason { message: EVIL.to_owned(), fix: EVIL.to_owned() }];
    report.suppressed = vec![Suppressed {
        rule: "spec/no-body".to_owned(),
        path: visible(EVIL),
        line: 3,
        reason: EVIL.to_owned(),
        by: format!("{}:3", visible(EVIL)),
    }];
    let mut finding = found("spec/no-scenario", Level::Error, EVIL);
    (finding.path, finding.source, finding.fix) = (visible(EVIL), Some(visible(EVIL)), EVIL.to_owned());
    report.findings = vec![finding];
    let mut criterion = checked(EVIL, Verdict::Fail, EVIL);
    (criterion.scenario, criterion.path) = (EVIL.to_owned(), visible(EVIL));
    criterion.checks[0].subject = visible(EVIL);
    report.criteria = vec![criterion];
    report
}

#[test]
fn the_worst_comes_first() {
    let mut report = stopped("no base");
    report.scope.strict = false;
    let mut unread = found("repo/unreadable", Level::Error, "unread");
    unread.cannot_check = true;
    report.findings = vec![
        found("spec/purpose-too-brief", Level::Warning, "brief"),
        unread,
        found("spec/no-scenario", Level::Error, "none"),
        found("freeze/spec-changed", Level::Error, "edited"),
    ];
    let verdicts = [Verdict::Unverifiable, Verdict::Pass, Verdict::Skipped, Verdict::Fail];
    report.criteria = verdicts.map(|verdict| checked("one", verdict, "")).to_vec();
    let ids = |report: &Report| -> Vec<&str> { all(report).into_iter().map(|one| one.rule).collect() };
    let worst = ["run/not-judged", "freeze/spec-changed", "criterion/failed", "spec/no-scenario", "repo/unreadable"];
    let rest = ["criterion/unverifiable", "spec/purpose-too-brief"];
    assert_eq!(ids(&report), [&worst[..], &rest].concat());
    assert_eq!(counted(all(&report).iter()), "6 errors, 1 warning");
    report.scope.strict = true;
    assert_eq!(counted(all(&report).iter()), "7 errors");
}

#[test]
fn fingerprints_are_unique_and_stay_when_lines_move() {
    let mut report = passed();
    let same = |line| Finding { line, ..found("spec/no-scenario", Level::Error, &format!("see line {line}")) };
    report.findings = vec![same(7), same(9), found("spec/no-body", Level::Error, "none")];
    report.criteria = vec![checked("one", Verdict::Fail, ""), checked("two", Verdict::Fail, "")];
    let of = |report: &Report| -> Vec<String> { all(report).into_iter().map(|one| one.fingerprint).collect() };
    let before = of(&report);
    let unique: std::collections::HashSet<&String> = before.iter().collect();
    assert_eq!(unique.len(), 5);
    assert!(before.iter().all(|one| one.len() == 64));
    for finding in &mut report.findings {
        finding.line += 100;
        finding.message = finding.message.replace('7', "107").replace('9', "109");
    }
    assert_eq!(of(&report), before);
    report.findings[2].requirement = Some("Sign out".to_owned());
    assert_ne!(of(&report), before);
}

#[test]
fn everything_has_a_file_and_a_line() {
    let mut report = stopped("no base");
    assert_eq!(all(&report)[0].place(), "openspec/config.yaml:1");
    report.scope.roots = vec!["services/api".to_owned()];
    assert_eq!(all(&report)[0].place(), "services/api/openspec/config.yaml:1");
    report.findings = vec![Finding { path: String::new(), line: 0, ..found("spec/no-body", Level::Error, "none") }];
    report.items = passed().items;
    assert!(all(&report).iter().all(|one| one.place() == "openspec/specs/auth/spec.md:1"));
}

#[test]
fn all_text_is_on_one_line() {
    for one in all(&evil()) {
        let texts = [&one.path, &one.title, &one.message, &one.fix].into_iter().chain(&one.evidence);
        assert!(texts.into_iter().all(|text| *text == visible(text)), "{one:?}");
    }
}
