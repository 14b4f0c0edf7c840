//! Annotations of GitHub Actions: one line each, no more than GitHub shows, and the rest in plain lines below them.

use std::fmt::Write;

use super::ranked::{self, Told, counted, level_index};
use super::{human, lint};
use crate::report::Report;

/// Annotations of one level that GitHub takes from a step; it drops all after them.
const MOST: usize = 10;

/// Characters of a message. GitHub cuts at 4,096.
const MAX_MESSAGE: usize = 3000;

/// Renders a report. Each line is an annotation, or text in which nothing begins a command.
pub fn render(report: &Report) -> String {
    let told = ranked::all(report);
    let (shown, rest) = chosen(&told);
    let mut out = String::new();
    for one in shown {
        annotation(&mut out, one);
    }
    if !rest.is_empty() {
        let words = format!("{} not annotated: see the log of this step", counted(rest.iter().copied()));
        let _ = writeln!(out, "::notice title=specward::{}", data(&words));
        let _ = writeln!(out, "Not annotated: {}", counted(rest.iter().copied()));
        for one in rest {
            let _ = writeln!(out, "- {} {} at {}: {}", one.level.word(), one.rule, one.place(), one.message);
        }
    }
    out.push_str(&if report.quality.is_some() {
        lint::human::ending(report, false)
    } else {
        human::summary(report, false)
    });
    out
}

/// What becomes an annotation, and what does not: the first of each level. Where something is left out, one notice is kept
/// free to say so.
fn chosen<'t, 'r>(told: &'t [Told<'r>]) -> (Vec<&'t Told<'r>>, Vec<&'t Told<'r>>) {
    let mut numbers = [0_usize; 3];
    for one in told {
        numbers[level_index(one.level)] += 1;
    }
    let is_over = numbers.iter().any(|number| *number > MOST);
    let mut room = [MOST, MOST, if is_over { MOST - 1 } else { MOST }];
    told.iter().partition(|one| {
        let room = &mut room[level_index(one.level)];
        let fits = *room > 0;
        *room = room.saturating_sub(1);
        fits
    })
}

fn annotation(out: &mut String, one: &Told<'_>) {
    let command = ["error", "warning", "notice"][level_index(one.level)];
    let (line, column) = (one.line, one.column);
    let mut place = format!("file={},line={line},endLine={line},col={column}", property(&one.path));
    if one.width > 0 {
        let _ = write!(place, ",endColumn={}", column + one.width);
    }
    let title = property(&format!("{}: {}", one.rule, one.title));
    let mut message = format!("{}\nFix: {}", one.message, one.fix);
    for line in &one.evidence {
        let _ = write!(message, "\n| {line}");
    }
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
        message.truncate(end);
        message.push('…');
    }
    let _ = writeln!(out, "::{command} {place},title={title}::{}", data(&message));
}

/// A message as the runner reads it back.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property's value as the runner reads it back.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::ranked::tests::{EVIL, checked, evil, found, passed, stopped};
    use super::*;
    use crate::report::{Finding, Level, Verdict, visible};

    #[test]
    fn an_annotation() {
        let mut report = passed();
        report.verdict = Verdict::Fail;
        report.findings =
            vec![Finding { column: 3, width: 4, ..found("spec/no-scenario", Level::Error, "100 % wrong, see: here") }];
        let expected = "::error file=openspec/specs/auth/spec.md,line=7,endLine=7,col=3,endColumn=7,\
            title=spec/no-scenario%3A spec/auth::100 %25 wrong, see: here%0AFix: add one%0A| ### Requirement: Sign in";
        let text = render(&report);
        assert_eq!(text.lines().next(), Some(expected));
        assert_eq!(text.lines().last(), Some("FAIL: 1 passed, 0 failed, 0 unverifiable, 0 skipped"));
    }

    #[test]
    fn what_could_not_be_judged_is_an_error() {
        let text = render(&stopped("no base"));
        assert!(text.starts_with("::error file=openspec/config.yaml,line=1,endLine=1,col=1,title=run/not-judged%3A "));
        let mut report = passed();
        report.criteria = vec![checked("a", Verdict::Unverifiable, ""), checked("b", Verdict::Skipped, "")];
        assert_eq!(render(&report).matches("::error ").count(), 1);
    }

    #[test]
    fn strict_makes_errors_of_warnings() {
        let mut report = passed();
        report.findings = vec![found("spec/purpose-too-brief", Level::Warning, "brief")];
        assert!(render(&report).starts_with("::warning "));
        report.scope.strict = true;
        assert!(render(&report).starts_with("::error "));
    }

    #[test]
    fn no_more_than_github_takes_and_the_rest_is_counted() {
        let mut report = passed();
        let many = |level| (0..12).map(move |number| found("spec/no-body", level, &format!("fault {number}")));
        report.findings = [Level::Info, Level::Warning, Level::Error].into_iter().flat_map(many).collect();
        report.findings.push(found("freeze/spec-changed", Level::Error, "edited"));
        let text = render(&report);
        let count = |command: &str| text.lines().filter(|line| line.starts_with(command)).count();
        assert_eq!((count("::error "), count("::warning "), count("::notice ")), (10, 10, 10));
        assert!(text.lines().next().is_some_and(|line| line.contains("title=freeze/spec-changed")));
        assert!(text.contains("\n::notice title=specward::3 errors, 2 warnings, 3 notes not annotated"));
        assert!(text.contains("\nNot annotated: 3 errors, 2 warnings, 3 notes\n- error spec/no-body at "));
        assert_eq!(count("- "), 8);
        let few = (0..10).map(|_| found("spec/no-body", Level::Info, "x")).collect();
        let text = render(&Report { findings: few, ..passed() });
        assert!(text.matches("::notice ").count() == 10 && !text.contains("Not annotated"));
    }

    #[test]
    fn nobody_else_writes_a_command() {
        let mut report = evil();
        report.findings = vec![report.findings[0].clone(); 12];
        let text = render(&report);
        let commands: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("::")).collect();
        assert_eq!(commands.len(), 11);
        for command in commands {
            let (head, message) = command[2..].split_once("::").unwrap_or_default();
            assert!(!head.contains('\\') || head.matches("::").count() == 0, "{head}");
            let names: Vec<&str> = head.split_once(' ').map_or("", |(_, rest)| rest).split(',').collect();
            let names: Vec<&str> = names.iter().filter_map(|one| one.split_once('=')).map(|(name, _)| name).collect();
            let all = ["file", "line", "endLine", "col", "title"];
            assert!(names == all || names == ["title"], "{command}");
            assert!(!message.contains(['\r', '\n', '\u{1b}']));
        }
        assert!(!text.contains("##[") && !text.contains(['\r', '\u{1b}', '\u{202e}']));
        assert!(text.contains(&data(&visible(EVIL))));
    }

    #[test]
    fn messages_are_bounded() {
        let mut report = passed();
        report.findings = vec![found("spec/no-body", Level::Error, &"x".repeat(5000))];
        assert!(render(&report).lines().next().is_some_and(|line| line.len() < 3300 && line.ends_with('…')));
    }
}
