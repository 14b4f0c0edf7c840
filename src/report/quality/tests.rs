use proptest::prelude::*;

use super::*;
use crate::report::ItemKind;

const PATH: &str = "openspec/specs/export/spec.md";

/// Rules with a weight, the dearest first, so that samples have both kinds.
fn weighted() -> Vec<&'static str> {
    let mut rules: Vec<_> = rules::all().filter_map(|rule| Some((rule.weight?.points, rule.id))).collect();
    rules.sort_by_key(|(points, id)| (std::cmp::Reverse(*points), *id));
    rules.into_iter().map(|(_, id)| id).collect()
}

fn points(rule: &str) -> u8 {
    rules::find(rule).and_then(|rule| rule.weight).map_or(0, |weight| weight.points)
}

fn item() -> Item {
    Item::new("".into(), ItemKind::Spec, "export")
}

/// A finding of a rule on a line, counted from 0.
fn finding(rule: &'static str, line: usize) -> Finding {
    Finding {
        rule,
        level: rules::find(rule).map_or(Level::Error, |rule| rule.level),
        item: item(),
        anchor: "quality".to_owned(),
        path: PATH.to_owned(),
        line: line + 1,
        column: 1,
        width: 0,
        message: String::new(),
        fix: String::new(),
        requirement: None,
        source: None,
        evidence: Vec::new(),
        is_echo: false,
        cannot_check: false,
    }
}

/// A file of some requirements with ten lines each, the first one on line 10.
fn file(requirements: usize) -> FileQuality {
    let requirement = |at: usize| RequirementScore {
        name: format!("R{at}"),
        lines: at * 10..at * 10 + 10,
        header: format!("### Requirement: R{at}"),
        score: FULL,
    };
    FileQuality {
        item: item(),
        id: "export".to_owned(),
        path: PATH.to_owned(),
        criteria_path: None,
        requirements: (1..=requirements).map(requirement).collect(),
        scenarios: requirements,
    }
}

fn scores(requirements: usize, findings: &[Finding]) -> Vec<u8> {
    let mut file = file(requirements);
    file.count(findings.iter());
    file.requirements.iter().map(|requirement| requirement.score).collect()
}

#[test]
fn means_are_rounded_down() {
    assert_eq!(mean([100.0, 99.0, 100.0].into_iter()), Some(99.6));
    assert_eq!(mean(std::iter::empty()), None);
    assert_eq!((grade(90.0), grade(89.9), grade(0.0)), ("A", "B", "F"));
}

#[test]
fn each_finding_costs_the_points_of_its_rule() {
    assert_eq!((points("quality/vague"), points("quality/modal-multi")), (8, 10));
    assert_eq!(scores(2, &[]), [100, 100]);
    // The header is the first line of a requirement, and the line behind its last is another's.
    assert_eq!(scores(2, &[finding("quality/vague", 10)]), [92, 100]);
    assert_eq!(scores(2, &[finding("quality/vague", 19)]), [92, 100]);
    assert_eq!(scores(2, &[finding("quality/vague", 20)]), [100, 92]);
    assert_eq!(scores(2, &[finding("quality/vague", 11), finding("quality/modal-multi", 11)]), [82, 100]);
}

#[test]
fn of_one_rule_two_findings_count() {
    let vague = |line| finding("quality/vague", line);
    assert_eq!(scores(2, &[vague(11), vague(12)]), [84, 100]);
    assert_eq!(scores(2, &[vague(11), vague(12), vague(13), vague(14)]), [84, 100]);
    // In each requirement anew.
    assert_eq!(scores(2, &[vague(11), vague(12), vague(13), vague(21), vague(22), vague(23)]), [84, 84]);
    // Rules that tell one fault under two names share the two.
    let hidden = [finding("quality/hidden", 10), finding("delta/commented-out", 11), finding("quality/hidden", 12)];
    assert_eq!(scores(1, &hidden), [20]);
}

#[test]
fn an_error_takes_its_points_and_never_more_than_there_are() {
    assert_eq!(scores(1, &[finding("quality/ears-empty", 11)]), [70]);
    let all = ["spec/no-scenario", "quality/hidden", "repo/conflict-marker", "spec/no-body"];
    assert_eq!(scores(1, &all.map(|rule| finding(rule, 11))), [0]);
}

#[test]
fn what_belongs_to_no_requirement_costs_nothing() {
    let elsewhere = Finding { path: "openspec/specs/import/spec.md".to_owned(), ..finding("quality/vague", 11) };
    assert_eq!(scores(1, &[elsewhere]), [100]);
    assert_eq!(scores(1, &[finding("quality/vague", 3), finding("quality/vague", 99)]), [100]);
    // A rule without a weight.
    assert_eq!(scores(1, &[finding("spec/purpose-too-brief", 11), finding("no/such-rule", 11)]), [100]);
}

#[test]
fn lowest_and_mean() {
    let mut some = file(3);
    some.count([finding("quality/vague", 11), finding("quality/modal-multi", 21)].iter());
    assert_eq!((some.min(), some.score()), (Some(90), Some(94.0)));
    let empty = file(0);
    assert_eq!((empty.min(), empty.score()), (None, None));

    // Of the files each counts once, however many requirements it has, and one without any does not.
    let quality = |min_score| Quality { files: vec![some.clone(), file(1), file(0)], min_score };
    assert_eq!((quality(None).min(), quality(None).score()), (Some(90), Some(97.0)));
    let nothing = Quality { files: vec![file(0)], min_score: Some(100) };
    assert_eq!((nothing.min(), nothing.score()), (None, None));
}

#[test]
fn findings_are_counted_by_what_they_cost_and_by_level() {
    let unread = Finding { cannot_check: true, ..finding("quality/vague", 11) };
    let all = [
        finding("quality/vague", 11),
        finding("quality/modal-multi", 11),
        finding("quality/ears-empty", 11),
        finding("quality/long", 11),
        unread,
    ];
    // Clarity, atomicity, testability, completeness, consistency.
    assert_eq!(dimensions(all.iter()), [2, 1, 0, 1, 0]);
    assert_eq!(levels(all.iter()), [1, 3, 1]);
}

/// Findings anywhere in a file of five requirements, and above it.
fn findings() -> impl Strategy<Value = Vec<Finding>> {
    let one = (proptest::sample::select(weighted()), 0_usize..60).prop_map(|(rule, line)| finding(rule, line));
    proptest::collection::vec(one, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_score_is_what_is_left_of_a_hundred(findings in findings()) {
        for (at, score) in scores(5, &findings).into_iter().enumerate() {
            let own = |finding: &&Finding| (at + 1) * 10 < finding.line && finding.line <= (at + 2) * 10;
            let lost: usize = findings.iter().filter(own).map(|finding| usize::from(points(finding.rule))).sum();
            prop_assert!(score <= FULL);
            // The cap only ever helps.
            prop_assert!(usize::from(score) >= usize::from(FULL).saturating_sub(lost));
            prop_assert_eq!(score == FULL, lost == 0);
        }
    }

    #[test]
    fn clean_text_never_raises_the_lowest(findings in findings(), clean in 1_usize..20) {
        let quality = |requirements: usize, more_files: usize| {
            let mut first = file(requirements);
            first.count(findings.iter());
            let files = std::iter::once(first).chain(std::iter::repeat_n(file(3), more_files)).collect();
            Quality { files, min_score: None }
        };
        let before = quality(5, 0);
        // In the same file, and in others.
        for after in [quality(5 + clean, 0), quality(5, clean)] {
            prop_assert_eq!(after.min(), before.min());
            prop_assert!(after.score() >= before.score());
        }
    }

    #[test]
    fn another_finding_never_raises_a_score(findings in findings(), rule in proptest::sample::select(weighted()), line in 0_usize..60) {
        let before = scores(5, &findings);
        let more: Vec<Finding> = findings.into_iter().chain([finding(rule, line)]).collect();
        for (before, after) in before.into_iter().zip(scores(5, &more)) {
            prop_assert!(after <= before);
        }
    }
}
