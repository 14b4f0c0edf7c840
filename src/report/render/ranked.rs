//! What a run tells, worst first, each with the level it has in this run: one list for all formats that name places.

use std::collections::HashMap;

use super::super::{CriterionResult, Finding, Item, ItemKind, Level, Reason, Report, Verdict, count, visible};
use crate::digest::sha256;

/// The id under which a reason is told.
pub(super) const NOT_JUDGED: &str = "run/not-judged";

/// The id under which a criterion is told that does not hold.
pub(super) const FAILED: &str = "criterion/failed";

/// The id under which a criterion is told that could not be checked.
pub(super) const UNVERIFIABLE: &str = "criterion/unverifiable";

/// Lines of evidence for one thing.
const MAX_LINES: usize = 10;

/// What matters how much. The first is the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Why something could not be judged.
    Reason,
    /// A spec was edited that nobody may edit.
    Frozen,
    /// A criterion does not hold.
    Criterion,
    /// Another finding that fails.
    Error,
    /// Something could not be checked.
    Unverifiable,
    /// Worth a look.
    Warning,
    /// Worth knowing.
    Info,
}

/// What is told about.
#[derive(Debug, Clone, Copy)]
pub(super) enum About<'r> {
    /// The run.
    Run,
    /// A finding.
    Finding(&'r Finding),
    /// A criterion that did not pass.
    Criterion(&'r CriterionResult),
}

/// One thing that a run tells. All text is on one line, and hidden characters are visible in it.
#[derive(Debug, Clone)]
pub(super) struct Told<'r> {
    /// What it is about.
    pub about: About<'r>,
    /// How much it matters.
    pub rank: Rank,
    /// How bad it is in this run: what fails is an error, also when it is a warning that `--strict` lets fail.
    pub level: Level,
    /// Id of its rule, or one of ours.
    pub rule: &'static str,
    /// A file from the top of the tree, never empty.
    pub path: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// Characters from the column on. 0 for the whole line.
    pub width: usize,
    /// What it is about, in a few words.
    pub title: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub fix: String,
    /// Lines that show it.
    pub evidence: Vec<String>,
    /// 64 hexadecimal digits: no other thing of the report has them, and they stay when lines move.
    pub fingerprint: String,
}

impl Told<'_> {
    /// What is wrong and what to do, in one sentence.
    pub fn sentence(&self) -> String {
        format!("{}; {}", self.message, self.fix)
    }

    /// `path:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.path, self.line)
    }
}

/// Everything a report tells, worst first.
pub(super) fn all(report: &Report) -> Vec<Told<'_>> {
    let place_of_run = place_of_run(report);
    let mut told: Vec<Told<'_>> = report.reasons.iter().map(|one| reason(one, &place_of_run)).collect();
    told.extend(report.findings.iter().map(|one| finding(one, report.scope.strict)));
    told.extend(report.criteria.iter().filter_map(criterion));
    told.sort_by_key(|one| one.rank);
    let mut fingerprints = Fingerprints::default();
    for one in &mut told {
        one.fingerprint = match one.about {
            About::Run => fingerprints.of(&[one.rule, &one.message]),
            About::Finding(finding) => {
                let source = finding.source.as_deref().unwrap_or_default();
                let requirement = finding.requirement.as_deref().unwrap_or_default();
                fingerprints.of(&[one.rule, &finding.item.name(), &one.path, requirement, source, &one.message])
            }
            About::Criterion(criterion) => fingerprints.of(&[one.rule, &criterion.name()]),
        };
    }
    told
}

/// How many there are of each level, in words: `2 errors, 1 warning`. Levels without any are left out.
pub(super) fn counted<'t>(told: impl Iterator<Item = &'t Told<'t>>) -> String {
    let mut numbers = [0_usize; 3];
    for one in told {
        numbers[level_index(one.level)] += 1;
    }
    let words = numbers.iter().zip(["error", "warning", "note"]);
    words.filter(|(number, _)| **number > 0).map(|(number, word)| count(*number, word)).collect::<Vec<_>>().join(", ")
}

/// 0 for errors, 1 for warnings, 2 for what is worth knowing.
pub(super) fn level_index(level: Level) -> usize {
    match level {
        Level::Error => 0,
        Level::Warning => 1,
        Level::Info => 2,
    }
}

fn reason(reason: &Reason, place: &str) -> Told<'static> {
    Told {
        about: About::Run,
        rank: Rank::Reason,
        level: Level::Error,
        rule: NOT_JUDGED,
        path: place.to_owned(),
        line: 1,
        column: 1,
        width: 0,
        title: "could not judge".to_owned(),
        message: visible(&reason.message),
        fix: visible(&reason.fix),
        evidence: Vec::new(),
        fingerprint: String::new(),
    }
}

fn finding(finding: &Finding, strict: bool) -> Told<'_> {
    let level = if finding.fails(strict) { Level::Error } else { finding.level };
    let rank = match level {
        Level::Error if finding.cannot_check => Rank::Unverifiable,
        Level::Error if finding.rule.starts_with("freeze/") => Rank::Frozen,
        Level::Error => Rank::Error,
        Level::Warning => Rank::Warning,
        Level::Info => Rank::Info,
    };
    Told {
        about: About::Finding(finding),
        rank,
        level,
        rule: finding.rule,
        path: path(&finding.path)
            .filter(|path| !is_folder_of(&finding.item, path))
            .unwrap_or_else(|| place_of_item(&finding.item)),
        line: finding.line.max(1),
        column: finding.column.max(1),
        width: finding.width,
        title: visible(&finding.item.name()),
        message: visible(&finding.message),
        fix: visible(&finding.fix),
        evidence: finding.shown_lines().take(MAX_LINES).map(visible).collect(),
        fingerprint: String::new(),
    }
}

/// A criterion that did not pass; nothing for one that did, or was not run.
fn criterion(one: &CriterionResult) -> Option<Told<'_>> {
    let (rank, rule, verb) = match one.verdict {
        Verdict::Fail => (Rank::Criterion, FAILED, "does not hold"),
        Verdict::Unverifiable => (Rank::Unverifiable, UNVERIFIABLE, "could not be checked"),
        Verdict::Pass | Verdict::Skipped => return None,
    };
    let mut causes: Vec<String> = one.reason.iter().map(|reason| visible(reason)).collect();
    causes.extend(one.to_blame().map(|check| format!("check {}: {}", check.label(), visible(&check.message))));
    let more = causes.len().saturating_sub(1);
    let cause = causes.first().map(|cause| format!(": {cause}")).unwrap_or_default();
    let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    let own = Item { root: one.root.as_str().into(), kind: ItemKind::Spec, id: one.capability.as_str().into() };
    Some(Told {
        about: About::Criterion(one),
        rank,
        level: Level::Error,
        rule,
        path: path(&one.path).unwrap_or_else(|| place_of_item(&own)),
        line: one.line.max(1),
        column: 1,
        width: 0,
        title: format!("{}: {}", visible(&one.name()), visible(&one.title())),
        message: format!("`{}` {verb}{cause}{more}", visible(&one.title())),
        fix: format!("`specward explain {}` shows all that was seen", visible(&one.id)),
        evidence: criterion_evidence(one),
        fingerprint: String::new(),
    })
}

/// What its checks saw, each under a line that names it.
fn criterion_evidence(one: &CriterionResult) -> Vec<String> {
    let mut lines = Vec::new();
    // Each check gets its share: what the second one says may be what explains the first.
    let checks: Vec<_> = one.to_blame().collect();
    let share = (MAX_LINES / checks.len().max(1)).max(2);
    for check in checks.into_iter().take(MAX_LINES) {
        let (label, verdict) = (check.label(), check.verdict.word());
        lines.push(format!("{label} {verdict}: {}: {}", visible(&check.subject), visible(&check.message)));
        lines.extend(check.shown_lines(share).into_iter().map(|line| format!("  | {line}")));
    }
    lines
}

/// A path as formats name it; nothing when there is none.
fn path(path: &str) -> Option<String> {
    let path = visible(path.strip_prefix("./").unwrap_or(path));
    (!path.is_empty() && path != ".").then_some(path)
}

/// A file of the run, for what is about no file: code scanning and GitLab demand one.
fn place_of_run(report: &Report) -> String {
    let spec = report.items.iter().find(|judged| judged.item.kind == ItemKind::Spec);
    let known = || report.criteria.iter().map(|one| &one.path).chain(report.findings.iter().map(|one| &one.path));
    let roots = || report.scope.roots.iter().map(|root| if root == "." { "" } else { root }).next().unwrap_or_default();
    spec.map(|judged| place_of_item(&judged.item))
        .or_else(|| known().find_map(|known| path(known)))
        .unwrap_or_else(|| below(roots(), "openspec/config.yaml"))
}

/// Whether a path is a change's folder: readers of places want a file.
fn is_folder_of(item: &Item, path: &str) -> bool {
    item.kind == ItemKind::Change && path == below(&item.root, &format!("openspec/changes/{}", item.id))
}

/// The file an item begins with.
fn place_of_item(item: &Item) -> String {
    below(
        &item.root,
        &match item.kind {
            ItemKind::Spec => format!("openspec/specs/{}/spec.md", item.id),
            ItemKind::Change => format!("openspec/changes/{}/proposal.md", item.id),
            ItemKind::Project => "openspec/config.yaml".to_owned(),
        },
    )
}

fn below(root: &str, path: &str) -> String {
    visible(&if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") })
}

/// Makes fingerprints that are unique in a report.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    seen: HashMap<String, usize>,
}

impl Fingerprints {
    /// The fingerprint of what these words say. Numbers in them do not count: messages name lines, and lines move.
    pub fn of(&mut self, words: &[&str]) -> String {
        let mut key = String::new();
        for word in words {
            let mut was_digit = false;
            for c in word.chars() {
                if !(c.is_ascii_digit() && was_digit) {
                    key.push(if c.is_ascii_digit() { '0' } else { c });
                }
                was_digit = c.is_ascii_digit();
            }
            key.push('\0');
        }
        let times = self.seen.entry(key.clone()).or_default();
        *times += 1;
        sha256(format!("{key}{times}").as_bytes()).split_off("sha256:".len())
    }
}

#[cfg(test)]
pub(super) mod tests;
