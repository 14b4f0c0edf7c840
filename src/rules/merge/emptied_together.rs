//! `merge/emptied-together`

use std::collections::HashSet;

use super::dry_run::Outcome;
use crate::openspec::artifacts::metadata;
use crate::openspec::claims::OpenDelta;
use crate::openspec::delta::Delta;
use crate::openspec::spec::Spec;
use crate::repo::snapshot::join;
use crate::report::Level;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

/// Changes that are named.
const NAMED: usize = 10;

rule! {
    /// ## What it does
    /// Reports changes that each leave a requirement in a main spec, and together remove all of them, while none of them
    /// says `retire_capabilities: true`. A note when one of them does, or when another open change adds a requirement:
    /// then it is a matter of order.
    ///
    /// ## Why it matters
    /// Each of them passes. Whichever is archived last removes the last requirement, and archiving stops.
    ///
    /// ## Example
    /// A capability has two requirements. One change removes the first, another one the second.
    ///
    /// ## How to fix
    /// When the capability is to go, let one change remove both and say `retire_capabilities: true` in `.openspec.yaml`.
    "merge/emptied-together", Warning, Own, "Open changes together remove all requirements of a capability", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    for (at, file) in view.change.deltas.iter().enumerate() {
        let Ok(delta) = &file.delta else { continue };
        if delta.removed.is_empty() {
            continue;
        }
        let all = view.project.open_deltas(&file.capability);
        let is_other = |other: &&OpenDelta| other.change != view.change.id;
        let Ok(Some(target)) = view.project.target(&file.capability) else { continue };
        let Ok(spec) = view.project.parsed(&target) else { continue };
        let others: Vec<&OpenDelta> = all.iter().filter(is_other).collect();
        let own = gone(spec, delta);
        // One that empties the spec alone is told by itself.
        if others.is_empty() || own.is_empty() || own.len() == spec.blocks.len() || !delta.added.is_empty() {
            continue;
        }
        let removes = |other: &&OpenDelta| {
            let theirs = gone(spec, &other.delta);
            other.delta.added.is_empty() && !theirs.is_subset(&own) && theirs.len() < spec.blocks.len()
        };
        let (removers, rest): (Vec<&OpenDelta>, Vec<&OpenDelta>) = others.into_iter().partition(removes);
        let mut all_gone = own.clone();
        removers.iter().for_each(|other| all_gone.extend(gone(spec, &other.delta)));
        let is_written = |outcome: &Outcome| matches!(outcome, Outcome::Written(_) | Outcome::InSync(_));
        let is_refused = !view.dry_run().files.get(at).is_some_and(|run| is_written(&run.outcome));
        if all_gone.len() < spec.blocks.len() || is_refused {
            continue;
        }
        let retiring = retiring(view, &removers);
        let adding = rest.iter().find(|other| !other.delta.added.is_empty()).map(|other| other.change.as_str());
        let mut names: Vec<String> = removers.iter().take(NAMED).map(|other| format!("`{}`", other.change)).collect();
        if removers.len() > NAMED {
            names.push(format!("{} more", removers.len() - NAMED));
        }
        let message = format!(
            "together with {} this removes every requirement of `{}`, and whichever is archived last is refused",
            names.join(", "),
            file.capability
        );
        let (level, message, fix) = match (retiring, adding) {
            (Some(change), _) => {
                let message = format!("{message} unless it is `{change}`, which says `retire_capabilities: true`");
                (Level::Info, message, format!("archive `{change}` last"))
            }
            (None, Some(change)) => {
                let message = format!("{message} unless `{change}` has added one before");
                (Level::Info, message, format!("archive `{change}` first"))
            }
            (None, None) => {
                let fix = "keep a requirement, or let one change remove them all and retire the capability";
                (Level::Warning, message, fix.to_owned())
            }
        };
        let anchor = file.entry();
        let line = delta.removed.first().map_or(0, |removal| removal.line);
        let place = Place { file: file.path.as_ref(), line, anchor: &anchor, text: Some(&delta.text) };
        sink.report_at(place, message, fix).level = level;
    }
}

/// Places of the main spec's requirements that a delta removes, under their old name or the one it gives them.
fn gone(spec: &Spec, delta: &Delta) -> HashSet<usize> {
    let removed: HashSet<&str> = delta.removed.iter().map(|removal| removal.name.as_str()).collect();
    if removed.is_empty() {
        return HashSet::new();
    }
    let renamed: HashSet<&str> = delta
        .renamed
        .iter()
        .filter(|rename| removed.contains(rename.to.as_str()))
        .map(|rename| rename.from.as_str())
        .collect();
    let is_gone = |name: &str| removed.contains(name) || renamed.contains(name);
    let blocks = spec.blocks.iter().enumerate();
    blocks.filter(|(_, block)| is_gone(&block.name)).map(|(at, _)| at).collect()
}

/// The change that may retire capabilities, this one or another.
fn retiring(view: &ChangeView<'_>, others: &[&OpenDelta]) -> Option<String> {
    if view.change.metadata.valid().is_some_and(|metadata| metadata.retire_capabilities) {
        return Some(view.change.id.clone());
    }
    let may_retire = |other: &&&OpenDelta| {
        let project = match view.project.compared() {
            Some(compared) if other.is_only_in_base => compared.newest_base(),
            _ => view.project,
        };
        let dir = join(project.path("changes").as_ref(), &other.change);
        metadata(project.snapshot(), dir.as_ref()).valid().is_some_and(|metadata| metadata.retire_capabilities)
    };
    others.iter().find(may_retire).map(|other| other.change.clone())
}
