//! Findings that are let through: by a comment, by an entry of the configuration, by the baseline.
//!
//! All of it happens once everything is judged, because a finding about one item may stand in the file of another, and
//! because only then is known what allows nothing.

use std::collections::BTreeMap;

use bstr::{BStr, BString};
use jiff::civil::Date;

mod desk;
mod permit;

use desk::Desk;

use super::baseline::{Baselines, Recorded};
use super::work::Judged;
use crate::config::Config;
use crate::openspec::allow::Comments;
use crate::openspec::project::Project;
use crate::openspec::text::Text;
use crate::repo::snapshot::Snapshot;
use crate::report::{Finding, Item, Level, Suppressed, shown_line};
use crate::rules::{self, Origin, Rule};

/// The comments of a file that allow something, or were meant to.
#[derive(Debug)]
pub(super) struct FileComments {
    path: BString,
    comments: Comments,
    /// Their lines, by 0-based number.
    lines: BTreeMap<usize, String>,
}

impl FileComments {
    /// The comments of a file, when there are any.
    pub(super) fn of(path: &BStr, text: &Text) -> Option<Self> {
        let comments = Comments::of(text);
        if comments.is_empty() {
            return None;
        }
        let allowed = comments.allowances.iter().map(|allowance| allowance.line);
        let lines = allowed.chain(comments.malformed.iter().map(|malformed| malformed.line));
        let lines = lines.map(|line| (line, shown_line(text.line(line)))).collect();
        Some(Self { path: path.to_owned(), comments, lines })
    }
}

/// What a run knows when everything is judged.
pub(super) struct Ground<'a> {
    pub(super) head: &'a dyn Snapshot,
    pub(super) projects: &'a [Project<'a>],
    pub(super) configs: &'a [Config],
    /// Whether all there is was judged: only then is known what allows nothing.
    pub(super) is_whole: bool,
    pub(super) strict: bool,
    pub(super) today: Date,
}

/// What was let through.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub(super) suppressed: Vec<Suppressed>,
    /// Findings that stand in a baseline.
    pub(super) baselined: usize,
    /// What a baseline could hold, when one is recorded.
    pub(super) recorded: Vec<Recorded>,
    pub(super) notes: Vec<String>,
}

/// Takes out of the judged items what is let through, and reports what lets nothing through or must not.
pub(super) fn settle(ground: &Ground<'_>, baselines: Baselines<'_>, judged: &mut Vec<Judged>) -> Settled {
    let mut desk = Desk { ground, permits: Vec::new(), reports: Vec::new() };
    for (index, one) in judged.iter_mut().enumerate() {
        for file in std::mem::take(&mut one.comments) {
            desk.take_comments(file, Some(index));
        }
    }
    desk.take_foreign_comments(judged);
    desk.take_entries();
    let mut settled = Settled::default();
    if !desk.permits.is_empty() {
        for one in judged.iter_mut() {
            one.keep(ground.strict, |finding| match desk.permit(finding) {
                Some(suppressed) => {
                    settled.suppressed.push(suppressed);
                    false
                }
                None => true,
            });
        }
    }
    desk.report_idle(judged);
    desk.deliver(judged);
    baselines.settle(ground, judged, &mut settled);
    judged.retain(|one| !one.is_gone);
    settled.suppressed.sort_by(|a, b| (&a.path, a.line, &a.rule).cmp(&(&b.path, b.line, &b.rule)));
    settled
}

/// Takes out of some items' findings what comments and entries let through. Nothing is told of those that let nothing
/// through: other rules may have something for them. A comment that cannot be understood is told.
pub(super) fn let_through_of<'f>(
    ground: &Ground<'_>,
    findings: impl Iterator<Item = (&'f Item, Vec<FileComments>, &'f mut Vec<Finding>)>,
) -> Vec<Suppressed> {
    let mut desk = Desk { ground, permits: Vec::new(), reports: Vec::new() };
    desk.take_entries();
    let mut lists = Vec::new();
    for (index, (item, comments, list)) in findings.enumerate() {
        comments.into_iter().for_each(|file| desk.take_comments(file, Some(index)));
        lists.push((item, list));
    }
    let mut suppressed = Vec::new();
    if !desk.permits.is_empty() {
        for (_, list) in &mut lists {
            list.retain(|finding| match desk.permit(finding) {
                Some(one) => {
                    suppressed.push(one);
                    false
                }
                None => true,
            });
        }
    }
    desk.report_comments(&mut lists);
    suppressed.sort_by(|a, b| (&a.path, a.line, &a.rule).cmp(&(&b.path, b.line, &b.rule)));
    suppressed
}

/// Why findings of a rule cannot be allowed, whatever they say.
fn refusal(rule: &Rule) -> Option<&'static str> {
    match rule.id.split('/').next() {
        Some("freeze") => Some("an edit of what is frozen is no matter of opinion"),
        Some("repo") => Some("what could not be read or judged is not known to be fine"),
        Some("suppress") => Some("it is about what is allowed"),
        _ if rule.origin == Origin::Reference && rule.level == Level::Error => {
            Some("`openspec validate` fails by it, and archiving refuses it")
        }
        Some("quality") if rule.level == Level::Error => {
            Some("a requirement that nobody can build is no matter of opinion")
        }
        _ if rules::merge::stops_archiving(rule) => Some("archiving refuses it"),
        _ if rules::criteria::keeps_checks_from_running(rule) => Some("it keeps checks from running"),
        _ => None,
    }
}

/// Whether a finding may be let through: no error of the reference or of archiving, nothing that was not checked or
/// that keeps checks from running.
pub(super) fn can_be_let_through(finding: &Finding) -> bool {
    !finding.cannot_check && rules::find(finding.rule).is_some_and(|rule| refusal(rule).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{Progress, Task, verify};

    #[test]
    fn what_nobody_can_allow() {
        for rule in rules::all() {
            let is_fixed = rule.origin == Origin::Reference && rule.level == Level::Error
                || rules::merge::stops_archiving(rule)
                || rules::criteria::keeps_checks_from_running(rule)
                || rule.id.starts_with("quality/") && rule.level == Level::Error
                || ["freeze/", "repo/", "suppress/"].iter().any(|group| rule.id.starts_with(group));
            assert_eq!(refusal(rule).is_some(), is_fixed, "{}", rule.id);
        }
    }

    #[test]
    fn an_entry_counts_through_its_last_day() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let openspec = folder.path().join("openspec");
        std::fs::create_dir_all(openspec.join("specs/a"))?;
        let spec = "## Purpose\nBrief.\n\n## Requirements\n### Requirement: A\nIt SHALL.\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n";
        std::fs::write(openspec.join("specs/a/spec.md"), spec)?;
        let entry = "allow:\n- {rule: spec/purpose-too-brief, reason: known, expires: 2026-02-28}\n";
        std::fs::write(openspec.join("specward.yaml"), entry)?;
        for (today, suppressed) in [("2026-02-27", 1), ("2026-02-28", 1), ("2026-03-01", 0), ("2027-01-01", 0)] {
            let task = Task { cwd: folder.path().to_owned(), today: today.parse()?, ..Task::default() };
            let report = verify(&task, &Progress::default())?;
            assert_eq!(report.suppressed.len(), suppressed, "{today}");
            let expired = |finding: &&Finding| finding.rule == rules::suppress::expired::RULE.id;
            assert_eq!(report.findings.iter().filter(expired).count(), 1 - suppressed, "{today}");
        }
        Ok(())
    }
}
