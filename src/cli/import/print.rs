//! What an import says it did.

use super::Import;
use crate::import::model::Mark;
use crate::import::plan::{Edit, Part, diff};
use crate::import::record::Outcome;
use crate::import::write::criteria::Filled;
use crate::report::{Finding, count, visible};

/// Findings that are shown of one rule.
const MAX_OF_RULE: usize = 3;

/// The whole of it.
pub(super) fn report(import: &Import<'_>, findings: &[Finding]) -> String {
    let mut text = summary(import);
    for edit in &import.plan.edits {
        text.push_str(&file(edit, import.is_dry));
    }
    if import.plan.edits.is_empty() {
        let is_as_imported = |part: &Part| part.outcome == Outcome::Unchanged;
        let all = import.plan.parts.iter().all(is_as_imported) && import.plan.filled.is_empty();
        let why = if all { "everything is as it was imported" } else { "what differs was edited by hand or stays" };
        text.push_str(&format!("  nothing to write: {why}\n"));
    }
    if !import.is_dry {
        text.push_str(&updates(import));
    }
    text.push_str(&left(import));
    text.push_str(&checks(import));
    text.push_str(&empty(import));
    text.push_str(&marks(import));
    text.push_str(&not_strict(findings));
    text.push_str(&next(import));
    text
}

fn summary(import: &Import<'_>) -> String {
    let document = import.document;
    let verb = if import.is_dry { "Would import" } else { "Imported" };
    let place = match &import.target.change {
        Some(change) => format!("change `{change}`, capability `{}`", import.target.origin.capability),
        None => format!("capability `{}`", import.target.origin.capability),
    };
    let source = visible(&import.source.shown);
    let mut text = format!("{verb} {source} ({}) into {place}\n", document.kind.name());
    let criteria = document.criteria();
    let criteria = format!("{criteria} {}", if criteria == 1 { "criterion" } else { "criteria" });
    text.push_str(&format!("  {}, {criteria}", count(document.requirements.len(), "requirement")));
    let noted = document.noted_lines();
    if noted > 0 {
        let place = if import.target.change.is_some() { "design.md" } else { "`## Notes`" };
        text.push_str(&format!(", {} without a place noted in {place}", count(noted, "line")));
    }
    text.push('\n');
    text
}

fn file(edit: &Edit, is_dry: bool) -> String {
    let verb = if edit.before.is_some() { "update" } else { "create" };
    let mut text = format!("  {verb} {}\n", visible(&edit.path));
    if is_dry {
        let old = if edit.before.is_some() { format!("a/{}", edit.path) } else { "/dev/null".to_owned() };
        text.push_str(&format!("--- {}\n+++ b/{}\n", visible(&old), visible(&edit.path)));
        text.push_str(&shown(&diff(edit.before.as_deref().unwrap_or_default(), &edit.after), ""));
    }
    text
}

/// Parts that were brought up to date, with what differs.
fn updates(import: &Import<'_>) -> String {
    let mut text = String::new();
    for part in &import.plan.parts {
        let verb = match part.outcome {
            Outcome::Updated => "updated",
            Outcome::Overwritten => "overwritten, though it was edited by hand",
            _ => continue,
        };
        text.push_str(&format!("{}: {verb}\n{}", named(part), shown(&part.diff, "  ")));
    }
    text
}

/// What stays otherwise than the source has it.
fn left(import: &Import<'_>) -> String {
    let mut text = String::new();
    for part in &import.plan.parts {
        match part.outcome {
            Outcome::Kept => {
                text.push_str(&format!("{}: kept, since it was edited by hand; the source has:\n", named(part)));
                text.push_str(&shown(&part.diff, "  "));
            }
            Outcome::LeftDeleted => text.push_str(&format!(
                "{}: stays deleted, since it was deleted by hand; --force brings it back\n",
                named(part)
            )),
            Outcome::Gone => text.push_str(&format!("{}: kept, though the source no longer has it\n", named(part))),
            _ => {}
        }
    }
    if import.plan.kept().next().is_some() {
        text.push_str("fix: take over what the source has, or overwrite with --force\n");
    }
    text
}

/// What becomes of checks, which prove one sentence and no other.
fn checks(import: &Import<'_>) -> String {
    let path = visible(&import.target.criteria_path);
    let told = |filled: &Filled| match filled {
        Filled::Moved { from, to } => format!("{path}: `{from}` is `{to}` now: its checks followed its sentence\n"),
        Filled::Reworded { id, sentence } => format!(
            "{path}: `{id}` has another sentence than the one its checks were written for: {}\nfix: see whether they prove it\n",
            visible(sentence)
        ),
        Filled::Gone { id } => format!(
            "{path}: `{id}` has no scenario any more and stays, since somebody filled it in\nfix: delete the entry, or tie it to another scenario\n"
        ),
    };
    import.plan.filled.iter().map(told).collect()
}

/// Ids of the source without words, which are not imported.
fn empty(import: &Import<'_>) -> String {
    let told = |empty: &Mark| {
        let (source, id) = (visible(&import.source.shown), visible(&empty.text));
        format!("{source}:{}: {id} is left out: nothing is demanded behind it\n", empty.line)
    };
    import.document.empty.iter().map(told).collect()
}

fn marks(import: &Import<'_>) -> String {
    let marks = &import.document.marks;
    if marks.is_empty() {
        return String::new();
    }
    let mut text = format!("Still to be decided, {}:\n", count(marks.len(), "place"));
    for mark in marks {
        text.push_str(&format!("  {}:{}: {}\n", visible(&import.source.shown), mark.line, visible(&mark.text)));
    }
    text
}

fn not_strict(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut text = format!("Does not validate strictly yet, {}:\n", count(findings.len(), "finding"));
    let mut rules: Vec<&str> = Vec::new();
    for finding in findings {
        let seen = rules.iter().filter(|rule| **rule == finding.rule).count();
        rules.push(finding.rule);
        if seen < MAX_OF_RULE {
            let message = visible(&finding.message);
            text.push_str(&format!("  {}:{}: {}: {message}\n", finding.path, finding.line, finding.rule));
        } else if seen == MAX_OF_RULE {
            let all = findings.iter().filter(|other| other.rule == finding.rule).count();
            text.push_str(&format!("  and {} more of {}\n", all - MAX_OF_RULE, finding.rule));
        }
    }
    text.push_str("fix: mend the source and import it again, or edit what was written\n");
    text
}

fn next(import: &Import<'_>) -> String {
    if import.plan.added == 0 || import.is_dry {
        return String::new();
    }
    let path = visible(&import.target.criteria_path);
    let criteria = import.plan.added;
    let (them, are) = if criteria == 1 { ("criterion", "it is") } else { ("criteria", "they are") };
    format!("Next: fill in `verify` for {criteria} {them} in {path}; until then {are} UNVERIFIABLE\n")
}

fn named(part: &Part) -> String {
    let name = match part.name.as_str() {
        "head" => "title and purpose",
        "notes" => "notes",
        name => name,
    };
    format!("{} ({})", visible(name), visible(&part.path))
}

/// A diff with each line made safe to show.
fn shown(diff: &str, indent: &str) -> String {
    diff.lines().map(|line| format!("{indent}{}\n", visible(line))).collect()
}
