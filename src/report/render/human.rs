//! The report for people: what is wrong shown where it is wrong, grouped by file, the summary last.

use annotate_snippets::{AnnotationKind, Group, Level as Snippetlevel, Renderer, Snippet};

use super::criteria;
use crate::report::{Finding, Level, Report, Suppressed, Verdict, count, visible};

/// Columns of a line when there is no terminal to ask.
const WIDTH: usize = 120;

/// Renders a report, with colours or without.
pub fn render(report: &Report, styled: bool) -> String {
    let mut out = findings(report, styled);
    out.push_str(&criteria::blocks(report, styled));
    out.push_str(&summary(report, styled));
    out
}

/// The findings and reasons, each shown where it is.
pub(super) fn findings(report: &Report, styled: bool) -> String {
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() }.term_width(WIDTH);
    let mut out = String::new();
    let mut findings: Vec<&Finding> = report.findings.iter().collect();
    // Worst findings of a file stand where its lines put them; files keep the order of their items.
    let mut paths: Vec<&str> = Vec::new();
    for finding in &findings {
        if !paths.contains(&finding.path.as_str()) {
            paths.push(&finding.path);
        }
    }
    if paths.len() < MAX_GROUPED {
        findings.sort_by_key(|finding| (paths.iter().position(|path| *path == finding.path), finding.line));
    }
    for finding in findings {
        out.push_str(&renderer.render(&[group(finding)]));
        out.push_str("\n\n");
    }
    for reason in &report.reasons {
        let title = Snippetlevel::ERROR.primary_title(visible(&reason.message));
        let help = Snippetlevel::HELP.message(visible(&reason.fix));
        out.push_str(&renderer.render(&[Group::with_title(title).element(help)]));
        out.push_str("\n\n");
    }
    out
}

/// Beyond this many files grouping would cost more than it helps: findings come item by item, which is nearly the same.
const MAX_GROUPED: usize = 2000;

fn group(finding: &Finding) -> Group<'_> {
    let level = match finding.level {
        Level::Error => Snippetlevel::ERROR,
        Level::Warning => Snippetlevel::WARNING,
        Level::Info => Snippetlevel::INFO,
    };
    let title = level.primary_title(visible(&finding.message)).id(finding.rule);
    let source = finding.source.clone().unwrap_or_default();
    let snippet = Snippet::source(source.clone())
        .line_start(finding.line)
        .path(finding.path.clone())
        .annotation(AnnotationKind::Primary.span(span(finding, &source)));
    let group = Group::with_title(title).element(snippet);
    let evidence = (!finding.evidence.is_empty()).then(|| Snippetlevel::NOTE.message(finding.evidence.join("\n")));
    group.elements(evidence).element(Snippetlevel::HELP.message(visible(&finding.fix)))
}

/// The bytes of the shown line that a finding is about.
fn span(finding: &Finding, source: &str) -> std::ops::Range<usize> {
    let at = |character: usize| source.char_indices().nth(character).map(|(at, _)| at);
    // What was made visible or cut has other columns.
    let is_as_written = source.chars().count() < MAX_SHOWN_COLUMN && !source.contains('\\');
    match at(finding.column - 1).filter(|_| finding.width > 0 && is_as_written) {
        Some(start) => start..at(finding.column - 1 + finding.width).unwrap_or(source.len()),
        None => 0..source.len(),
    }
}

/// Beyond this column a shown line may be cut.
const MAX_SHOWN_COLUMN: usize = 200;

/// The spec files that differ, what is let through, counts, and the verdict on the last line.
pub(super) fn summary(report: &Report, styled: bool) -> String {
    let mut out = String::new();
    if let Some(changes) = report.spec_changes.as_ref().filter(|changes| !changes.is_empty()) {
        out.push_str("Spec changed in this diff:\n");
        for path in changes {
            // Not blanks alone: GitHub takes a line whose first word is `::error::` for a command.
            out.push_str(&format!("  - {}\n", visible(path)));
        }
    }
    out.push_str(&notes(report));
    let (judged, left) = (report.judged(), report.left_alone);
    let scope =
        if report.spec_changes.is_some() { format!("; {judged} judged, {left} left alone") } else { String::new() };
    out.push_str(&criteria::summary(report).unwrap_or_default());
    let verdict = word(report.verdict, styled);
    out.push_str(&format!("{verdict}: {}{scope}\n", report.counts()));
    out
}

/// What is let through, notes, what was compared, how many findings there are.
pub(super) fn notes(report: &Report) -> String {
    let mut out = String::new();
    for suppressed in &report.suppressed {
        let Suppressed { rule, path, line, reason, by } = suppressed;
        out.push_str(&format!("Suppressed: {rule} at {path}:{line} by {by}: {}\n", visible(reason)));
    }
    for note in &report.notes {
        out.push_str(&format!("Note: {}\n", visible(note)));
    }
    if let Some(words) = compared(report) {
        out.push_str(&format!("{words}\n"));
    }
    let levels = |level| report.findings.iter().filter(|finding| finding.level == level).count();
    let (errors, warnings, infos) = (levels(Level::Error), levels(Level::Warning), levels(Level::Info));
    let let_through = report.let_through();
    if errors + warnings + infos > 0 || let_through.is_some() {
        out.push_str(&format!(
            "{}, {}, {}{}\n",
            count(errors, "error"),
            count(warnings, "warning"),
            count(infos, "note"),
            let_through.map(|words| format!(", {words}")).unwrap_or_default()
        ));
    }
    out
}

/// What was compared with what; nothing when there was no comparison.
pub(super) fn compared(report: &Report) -> Option<String> {
    let base = short(report.scope.base.as_ref()?);
    let source = report.scope.base_source.as_deref().unwrap_or_default();
    Some(format!("Compared {} with {base} from {}", short(&report.scope.head), visible(source)))
}

/// A commit's first twelve digits; other words as they are.
fn short(commit: &str) -> &str {
    let is_hex = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex { &commit[..12] } else { commit }
}

/// A verdict's word, with its colour or without.
pub(super) fn word(verdict: Verdict, styled: bool) -> String {
    let word = verdict.word();
    if styled { format!("{}{word}\u{1b}[0m", colour(verdict)) } else { word.to_owned() }
}

fn colour(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass | Verdict::Skipped => "\u{1b}[1;32m",
        Verdict::Unverifiable => "\u{1b}[1;33m",
        Verdict::Fail => "\u{1b}[1;31m",
    }
}
