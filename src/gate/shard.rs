//! One runner's part of a run that several share.
//!
//! Rules read across items, and only who has seen all findings knows which comment allows nothing. So each runner judges
//! every item, which takes milliseconds, and tells only of its own specs and changes. What is about the project as a whole,
//! an edit of the frozen spec above all, every runner tells: no report can leave it out without the others showing it.
//! Commands of checks, which take the time, are shared out: each is run by one runner.

use std::collections::BTreeMap;

use super::criteria::Planned;
use crate::report::{ItemKind, Report, Shard, Verdict};

/// Takes out of a report what other runners tell.
pub(super) fn keep(report: &mut Report, shard: Shard) {
    let mut places = 0..;
    let mut others = Vec::new();
    report.items.retain(|judged| {
        let is_own = judged.item.kind == ItemKind::Project || places.next().is_some_and(|place| shard.has(place));
        if !is_own {
            others.push(judged.item.clone());
        }
        is_own
    });
    others.sort();
    report.findings.retain(|finding| others.binary_search(&finding.item).is_err());
    if report.items.is_empty() && report.criteria.is_empty() && report.reasons.is_empty() {
        report.notes.push(format!("nothing of this run is in part {shard}"));
    }
    let verdicts = report.items.iter().map(|judged| judged.verdict);
    let verdicts = verdicts.chain(report.criteria.iter().map(|criterion| criterion.verdict));
    let worst = verdicts.fold(Verdict::Pass, Verdict::worst);
    report.verdict = if report.reasons.is_empty() { worst } else { worst.worst(Verdict::Unverifiable) };
}

/// Whose each criterion is. Those that share a command are one runner's, so that no command runs twice; whoever has the
/// fewest commands so far gets the next ones.
pub(super) fn is_own(planned: &[Planned], shard: Shard) -> Vec<bool> {
    let groups = groups(planned);
    let mut weights = vec![0; usize::from(shard.total)];
    let mut owner_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut commands_of: BTreeMap<usize, usize> = BTreeMap::new();
    for (one, group) in planned.iter().zip(&groups) {
        *commands_of.entry(*group).or_insert(1) += one.commands().count();
    }
    let mut is_own = Vec::with_capacity(planned.len());
    for group in groups {
        let owner = *owner_of.entry(group).or_insert_with(|| {
            let lightest = (0..weights.len()).min_by_key(|at| weights[*at]).unwrap_or_default();
            weights[lightest] += commands_of.get(&group).copied().unwrap_or(1);
            lightest
        });
        is_own.push(owner + 1 == usize::from(shard.index));
    }
    is_own
}

/// For each criterion the first one that it shares a command with, by way of others too.
fn groups(planned: &[Planned]) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..planned.len()).collect();
    let mut first_with: BTreeMap<_, usize> = BTreeMap::new();
    for (at, one) in planned.iter().enumerate() {
        for command in one.commands() {
            let first = *first_with.entry((one.project, command)).or_insert(at);
            let (a, b) = (root(&parents, first), root(&parents, at));
            parents[a.max(b)] = a.min(b);
        }
    }
    (0..planned.len()).map(|at| root(&parents, at)).collect()
}

fn root(parents: &[usize], mut at: usize) -> usize {
    while parents[at] != at {
        at = parents[at];
    }
    at
}
