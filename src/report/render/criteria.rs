//! Criteria for people: those that did not pass with what their checks saw, and how many scenarios have one.

use std::fmt::Write;

use crate::report::{CriterionResult, Report, Verdict, count, criteria, visible};

/// Lines of evidence for one check.
const MAX_LINES: usize = 20;

/// A block for each criterion that did not pass.
pub(super) fn blocks(report: &Report, styled: bool) -> String {
    let is_told = |one: &&CriterionResult| !matches!(one.verdict, Verdict::Pass | Verdict::Skipped);
    report.criteria.iter().filter(is_told).map(|one| block(one, styled)).collect()
}

fn block(one: &CriterionResult, styled: bool) -> String {
    let mut out = String::new();
    let word = super::human::word(one.verdict, styled);
    let _ = writeln!(out, "{word}: {}: {}", visible(&one.name()), visible(&one.title()));
    let version = if one.is_of_base { " (base's version)" } else { "" };
    let _ = writeln!(out, "  --> {}:{}{version}", one.path, one.line);
    if !one.ears.is_empty() {
        let _ = writeln!(out, "  = {}", visible(&one.ears));
    }
    if let Some(reason) = &one.reason {
        let _ = writeln!(out, "  = {}", visible(reason));
    }
    for check in one.checks.iter().filter(|check| check.verdict != Verdict::Pass) {
        let word = check.verdict.word();
        let _ = writeln!(out, "  {} `{}` {word}: {}", check.label(), check.subject, check.message);
        for line in check.shown_lines(MAX_LINES) {
            let _ = writeln!(out, "    | {line}");
        }
    }
    if !one.touched.is_empty() {
        let touched = one.touched.iter().map(|path| visible(path)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "  = the diff changes what it relies on: {touched}");
    }
    let _ = writeln!(out, "  = help: `specward explain {}` shows all that was seen\n", visible(&one.id));
    out
}

/// How the criteria ended, and how many scenarios have one. Nothing when there is no criterion.
pub(super) fn summary(report: &Report) -> Option<String> {
    if report.criteria.is_empty() {
        return None;
    }
    let mut out = format!("{}: {}\n", criteria(report.criteria.len()), report.criteria_counts());
    if let Some(percent) = (report.covered * 100).checked_div(report.scenarios) {
        let have = if report.scenarios == 1 { "has" } else { "have" };
        let scenarios = count(report.scenarios, "scenario");
        let _ = writeln!(out, "Coverage: {} of {scenarios} {have} a check ({percent} %)", report.covered);
    }
    Some(out)
}
