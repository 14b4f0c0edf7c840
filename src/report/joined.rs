//! One report of the parts that several runners judged.

use std::collections::BTreeSet;

use super::{Finding, ItemKind, JudgedItem, Reason, Report, Scope, Shard, Trees, Verdict};

/// A part and where it was read from.
#[derive(Debug, Clone)]
pub struct Part {
    /// The file, for whoever has to look for it.
    pub name: String,
    /// What it says.
    pub report: Report,
}

/// Why parts cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// There are several, and one of them is no part of anything.
    #[error("{0} is the report of a whole run, which cannot be merged with others")]
    Whole(String),
    /// The same part twice.
    #[error("{0} and {1} are both part {2}")]
    Twice(String, String, Shard),
    /// They count their parts differently.
    #[error("{0} is part {1} and {2} is part {3}: they are not of one run")]
    Totals(String, Shard, String, Shard),
}

/// Puts parts together. One whole report stays as it is. What is missing, or was judged of something else, makes the
/// outcome UNVERIFIABLE.
///
/// # Errors
/// When they were never meant to be one run.
pub fn join(run_id: &str, mut parts: Vec<Part>) -> Result<Report, JoinError> {
    // A run that could not happen says why, and may not know which part it was meant to be.
    let is_stopped = |part: &Part| part.report.items.is_empty() && !part.report.reasons.is_empty();
    if let [only] = parts.as_mut_slice()
        && only.report.scope.shard.is_none()
    {
        let mut report = parts.remove(0).report;
        report.verdict = added_up(&report, [report.verdict]);
        return Ok(report);
    }
    let (stopped, parts): (Vec<Part>, Vec<Part>) =
        parts.into_iter().partition(|part| part.report.scope.shard.is_none() && is_stopped(part));
    let mut shards: Vec<(Shard, Part)> = Vec::new();
    for part in parts {
        let shard = part.report.scope.shard.ok_or_else(|| JoinError::Whole(part.name.clone()))?;
        if let Some((other, first)) = shards.first().filter(|(other, _)| other.total != shard.total) {
            return Err(JoinError::Totals(first.name.clone(), *other, part.name, shard));
        }
        if let Some((_, other)) = shards.iter().find(|(other, _)| *other == shard) {
            return Err(JoinError::Twice(other.name.clone(), part.name, shard));
        }
        shards.push((shard, part));
    }
    shards.sort_by_key(|(shard, _)| *shard);
    let mut reasons: Vec<Reason> = stopped.into_iter().flat_map(|part| named(part.name, part.report.reasons)).collect();
    reasons.extend(missing(&shards));
    // Those that judged nothing know too little of what was compared.
    let known: Vec<&Part> = shards.iter().map(|(_, part)| part).filter(|part| !is_stopped(part)).collect();
    reasons.extend(known.split_first().and_then(|(first, others)| odd_one(first, others)));
    let mut joined = Report::stopped(run_id, Scope::default(), Reason { message: String::new(), fix: String::new() });
    joined.reasons = reasons;
    if let Some(first) = known.first() {
        let Report { scope, left_alone, spec_changes, baselined, scenarios, covered, .. } = &first.report;
        joined.scope = Scope { shard: None, ..scope.clone() };
        joined.spec_changes.clone_from(spec_changes);
        (joined.left_alone, joined.baselined) = (*left_alone, *baselined);
        (joined.scenarios, joined.covered) = (*scenarios, *covered);
        joined.suppressed.clone_from(&first.report.suppressed);
        joined.criteria_digest.clone_from(&first.report.criteria_digest);
        let files = known.iter().find_map(|part| part.report.trees.files.clone());
        joined.trees = Trees { files, ..first.report.trees.clone() };
    }
    let verdicts = deal(shards, &mut joined);
    joined.verdict = added_up(&joined, verdicts);
    Ok(joined)
}

/// The verdict of all that a report lists, and no better than these.
fn added_up(report: &Report, stated: impl IntoIterator<Item = Verdict>) -> Verdict {
    let items = report.items.iter().map(|judged| judged.verdict);
    let findings = report.findings.iter().filter(|finding| finding.fails(report.scope.strict));
    let findings = findings.map(|one| if one.cannot_check { Verdict::Unverifiable } else { Verdict::Fail });
    let criteria = report.criteria.iter().map(|criterion| criterion.verdict);
    let checks = report.criteria.iter().flat_map(|criterion| &criterion.checks).map(|check| check.verdict);
    let reasons = report.reasons.iter().map(|_| Verdict::Unverifiable);
    items.chain(findings).chain(criteria).chain(checks).chain(reasons).chain(stated).fold(Verdict::Pass, Verdict::worst)
}

/// An item, and where the parts have it.
struct Dealt {
    place: usize,
    shard: u16,
    judged: JudgedItem,
    findings: Vec<Finding>,
}

impl Dealt {
    /// What another part says of the same item. What one of them leaves out counts all the same.
    fn add(&mut self, judged: JudgedItem, findings: Vec<Finding>) {
        self.judged.verdict = self.judged.verdict.worst(judged.verdict);
        let key = |finding: &Finding| (finding.rule, finding.path.clone(), finding.line, finding.message.clone());
        let known: Vec<_> = self.findings.iter().map(key).collect();
        self.findings.extend(findings.into_iter().filter(|finding| !known.contains(&key(finding))));
    }
}

/// Gives what the parts tell to the whole, in the order of one run. Returns their verdicts.
fn deal(shards: Vec<(Shard, Part)>, joined: &mut Report) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let mut items: Vec<Dealt> = Vec::new();
    for (shard, part) in shards {
        let report = part.report;
        verdicts.push(report.verdict);
        joined.reasons.extend(named(part.name, report.reasons));
        // A part without anything says so, which is no word on the whole.
        if !report.items.is_empty() || !report.criteria.is_empty() {
            let known = joined.notes.clone();
            joined.notes.extend(report.notes.into_iter().filter(|note| !known.contains(note)));
        }
        let mut findings = report.findings;
        let (of_project, others): (Vec<JudgedItem>, Vec<JudgedItem>) =
            report.items.into_iter().partition(|judged| judged.item.kind == ItemKind::Project);
        for (place, judged) in of_project.into_iter().enumerate().chain(others.into_iter().enumerate()) {
            let own = findings.extract_if(.., |finding| finding.item == judged.item).collect::<Vec<_>>();
            match items.iter_mut().find(|known| known.judged.item == judged.item) {
                Some(known) => known.add(judged, own),
                None => items.push(Dealt { place, shard: shard.index, judged, findings: own }),
            }
        }
        // Findings without an item of their own are of no order that is known.
        joined.findings.append(&mut findings);
        joined.criteria.extend(report.criteria);
    }
    // What is about projects stands first, and everybody told it. Specs and changes were dealt out one by one.
    items.sort_by_key(|one| (one.judged.item.kind != ItemKind::Project, one.place, one.shard));
    for one in items {
        joined.items.push(one.judged);
        joined.findings.extend(one.findings);
    }
    let place = |root: &str| joined.scope.roots.iter().position(|one| one == if root.is_empty() { "." } else { root });
    joined.criteria.sort_by_cached_key(|one| (place(&one.root), one.capability.clone(), one.line, one.id.clone()));
    verdicts
}

fn named(name: String, reasons: Vec<Reason>) -> impl Iterator<Item = Reason> {
    reasons.into_iter().map(move |Reason { message, fix }| Reason { message: format!("{name}: {message}"), fix })
}

/// Says which parts are missing.
fn missing(shards: &[(Shard, Part)]) -> Option<Reason> {
    let total = shards.first()?.0.total;
    let there: BTreeSet<u16> = shards.iter().map(|(shard, _)| shard.index).collect();
    let missing: Vec<String> =
        (1..=total).filter(|index| !there.contains(index)).map(|index| format!("{index}/{total}")).collect();
    let message = format!("no report of {}: what it judged is not known", missing.join(", "));
    (!missing.is_empty()).then(|| Reason { message, fix: "run it, and name its JSON report too".to_owned() })
}

/// Says which part judged something else than the first.
fn odd_one(first: &Part, others: &[&Part]) -> Option<Reason> {
    others.iter().find_map(|part| {
        let what = difference(&first.report, &part.report)?;
        let message = format!("{} and {} judged different things: {what} differs", first.name, part.name);
        Some(Reason { message, fix: "let all runners check out the same commit, with the same base".to_owned() })
    })
}

fn difference(a: &Report, b: &Report) -> Option<&'static str> {
    let scope = |report: &Report| Scope { shard: None, ..report.scope.clone() };
    let trees = |report: &Report| Trees { files: None, ..report.trees.clone() };
    [
        ("what was compared", scope(a) != scope(b)),
        ("the tree", trees(a) != trees(b)),
        ("the files on disk", a.trees.files.is_some() && b.trees.files.is_some() && a.trees.files != b.trees.files),
        ("the list of edited specs", a.spec_changes != b.spec_changes),
        ("the list of criteria", a.criteria_digest != b.criteria_digest),
        ("the number of items", (a.left_alone, a.scenarios, a.covered) != (b.left_alone, b.scenarios, b.covered)),
        ("what is let through", (&a.suppressed, a.baselined) != (&b.suppressed, b.baselined)),
    ]
    .into_iter()
    .find_map(|(what, differs)| differs.then_some(what))
}
