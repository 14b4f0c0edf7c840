//! The report as Markdown, for a job's summary and a comment on a pull request: what keeps the run from passing in a table,
//! what shows it below, and never more than a comment holds.

use std::fmt::Write;

use super::ranked::{self, About, Told, counted};
use super::{agent, human, lint};
use crate::report::{Counts, CriterionResult, Report, Verdict, count};

mod text;

use text::{code, fenced, html, inline};

/// Bytes of a whole report. A comment may have 65,536 characters.
const MOST: usize = 60_000;

/// Bytes up to which the table may reach: what is below needs room too.
const MOST_IN_TABLE: usize = 30_000;

/// Bytes up to which details may reach: notes come after them.
const MOST_WITH_DETAILS: usize = 58_000;

/// Bytes kept free for what ends a report.
const ENDING: usize = 1_000;

/// Spec files, reasons and notes that are named.
const MOST_NAMED: usize = 20;

/// Lines of evidence for one check.
const MAX_LINES: usize = 20;

/// Renders a report.
pub fn render(report: &Report) -> String {
    let told = ranked::all(report);
    let mut out = Bounded::default();
    out.push(&format!("## specward: {}\n\n", report.verdict.word()), MOST);
    out.push(&numbers(report, &told), MOST);
    out.list("### Not judged", told.iter().filter(|one| matches!(one.about, About::Run)).map(reason));
    out.list("### Spec changed in this diff", report.spec_changes.iter().flatten().map(|path| code(path)));
    table(&mut out, &told);
    details(&mut out, &told);
    out.list(
        "### Let through",
        report.suppressed.iter().map(|one| {
            format!("{} at {}: {}", code(&one.rule), code(&format!("{}:{}", one.path, one.line)), inline(&one.reason))
        }),
    );
    out.list("### Notes", report.notes.iter().map(|note| inline(note)));
    out.text.push_str(&ending(report));
    out.text
}

/// A text that does not grow past a limit.
#[derive(Default)]
struct Bounded {
    text: String,
}

impl Bounded {
    /// Adds a piece as a whole, or not at all when the text would be longer than `most`. Says whether it was added.
    fn push(&mut self, piece: &str, most: usize) -> bool {
        let fits = self.text.len() + piece.len() + ENDING <= most;
        if fits {
            self.text.push_str(piece);
        }
        fits
    }

    /// A heading and what it is about, as far as there is room; what is left out is counted.
    fn list(&mut self, heading: &str, entries: impl Iterator<Item = String>) {
        let (mut shown, mut left) = (0, 0);
        for (at, entry) in entries.enumerate() {
            if at == 0 {
                let _ = write!(self.text, "{heading}\n\n");
            }
            if left == 0 && shown < MOST_NAMED && self.push(&format!("- {entry}\n"), MOST) {
                shown += 1;
            } else {
                left += 1;
            }
        }
        if left > 0 {
            let _ = writeln!(self.text, "- {}{left} left out", if shown > 0 { "and " } else { "" });
        }
        if shown + left > 0 {
            self.text.push('\n');
        }
    }
}

/// What was judged and how it ended, in a table and some words.
fn numbers(report: &Report, told: &[Told<'_>]) -> String {
    let mut out = String::from("| | passed | failed | unverifiable | skipped |\n|---|---:|---:|---:|---:|\n");
    let mut row = |name: &str, counts: Counts| {
        let Counts { passed, failed, unverifiable, skipped } = counts;
        let _ = writeln!(out, "| {name} | {passed} | {failed} | {unverifiable} | {skipped} |");
    };
    let mut items = Counts::default();
    report.items.iter().for_each(|judged| items.add(judged.verdict));
    row("Items", items);
    if !report.criteria.is_empty() {
        row("Criteria", report.criteria_counts());
    }
    let mut words = Vec::new();
    let findings = counted(told.iter().filter(|one| matches!(one.about, About::Finding(_))));
    words.push(if findings.is_empty() { "No findings".to_owned() } else { format!("Findings: {findings}") });
    words.extend(report.let_through());
    if report.spec_changes.is_some() {
        words.push(format!("{} judged, {} left alone", report.judged(), report.left_alone));
    }
    if report.scenarios > 0 && !report.criteria.is_empty() {
        words.push(format!("{} of {} with a check", report.covered, count(report.scenarios, "scenario")));
    }
    words.extend(human::compared(report).map(|words| inline(&words)));
    words.extend(report.quality.is_some().then(|| lint::summary(report)));
    let _ = write!(out, "\n{}.\n\n", words.join("; "));
    out
}

fn reason(one: &Told<'_>) -> String {
    format!("{}. Fix: {}", inline(&one.message), inline(&one.fix))
}

/// A row for everything with a place, worst first.
fn table(out: &mut Bounded, told: &[Told<'_>]) {
    let rows: Vec<&Told<'_>> = told.iter().filter(|one| !matches!(one.about, About::Run)).collect();
    let start = "### What was found\n\n| | rule | where | what |\n|---|---|---|---|\n";
    if rows.is_empty() || !out.push(start, MOST_IN_TABLE) {
        return;
    }
    let mut shown = 0;
    for one in &rows {
        let (level, rule, place) = (one.level.word(), code(one.rule), code(&one.place()));
        if !out.push(&format!("| {level} | {rule} | {place} | {} |\n", inline(&one.message)), MOST_IN_TABLE) {
            break;
        }
        shown += 1;
    }
    if shown < rows.len() {
        let _ = write!(out.text, "\nNot in this table: {}.\n", counted(rows[shown..].iter().copied()));
    }
    out.text.push('\n');
}

/// What shows each of them, folded, as far as there is room.
fn details(out: &mut Bounded, told: &[Told<'_>]) {
    let mut left = Vec::new();
    for one in told.iter().filter(|one| !matches!(one.about, About::Run)) {
        // The first that does not fit ends it: what comes after matters less.
        if !left.is_empty() || !out.push(&block(one), MOST_WITH_DETAILS) {
            left.push(one);
        }
    }
    if !left.is_empty() {
        let _ = write!(out.text, "Without details: {}.\n\n", counted(left.into_iter()));
    }
}

fn block(one: &Told<'_>) -> String {
    match one.about {
        About::Criterion(criterion) => self::criterion(one, criterion),
        About::Finding(_) | About::Run => finding(one),
    }
}

fn finding(one: &Told<'_>) -> String {
    let summary = html(&format!("{} at {}", one.rule, one.place()));
    let evidence = fenced(one.evidence.iter().map(String::as_str));
    let (item, message, fix) = (code(&one.title), inline(&one.message), inline(&one.fix));
    format!("<details><summary>{summary}</summary>\n\n{item}: {message}\n\n{evidence}Fix: {fix}\n\n</details>\n\n")
}

/// A criterion with its checks that did not pass and what they saw.
fn criterion(one: &Told<'_>, criterion: &CriterionResult) -> String {
    let summary = html(&format!("{}: {}", one.rule, one.title));
    let mut out = format!("<details><summary>{summary}</summary>\n\n{}\n\n", code(&one.place()));
    if !criterion.ears.is_empty() {
        let _ = write!(out, "EARS: {}\n\n", inline(&criterion.ears));
    }
    if let Some(reason) = &criterion.reason {
        let _ = write!(out, "Reason: {}\n\n", inline(reason));
    }
    for check in criterion.checks.iter().filter(|check| check.verdict != Verdict::Pass) {
        let (label, subject, message) = (inline(&check.label()), code(&check.subject), inline(&check.message));
        let _ = write!(out, "- {label} {subject} {}: {message}\n\n", check.verdict.word());
        out.push_str(&fenced(check.shown_lines(MAX_LINES).iter().map(String::as_str)));
    }
    if criterion.is_of_base {
        out.push_str("This is the criterion as base has it; edits of it do not count.\n\n");
    }
    let _ = write!(out, "{}\n\n</details>\n\n", inline(&one.fix));
    out
}

/// What nobody may miss: the fixed last line of a run that did not pass.
fn ending(report: &Report) -> String {
    match report.verdict {
        Verdict::Pass | Verdict::Skipped => String::new(),
        _ if report.quality.is_some() => format!("{}\n", lint::agent::FOOTER),
        _ => format!("{}\n", agent::FOOTER),
    }
}

#[cfg(test)]
mod tests;
