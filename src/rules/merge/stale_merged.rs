//! The part of `merge/stale-base` that looks at a delta once it is in the main spec, archived or synced: nothing else
//! tells then what was written over.

use bstr::{BString, ByteSlice};

use super::stale_base::{prove, short};
use crate::openspec::change::without_date;
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::drift::{Entry, Past, entries, replaced};
use crate::openspec::project::Project;
use crate::openspec::requirement::Block;
use crate::openspec::spec::Spec;
use crate::openspec::units::{Unit, Units};
use crate::repo::history::{Ending, History};
use crate::report::{Level, count};
use crate::rules::{Sink, SpecDiffView};

/// What ended up in the main spec in place of what.
struct Written<'s> {
    /// As base has it, and as the delta and head have it.
    now: Units,
    delta: Units,
    head: Units,
    /// Head's block; none when it was removed.
    block: Option<&'s Block>,
}

pub(super) fn check(view: &SpecDiffView<'_>, sink: &mut Sink<'_>) {
    let (Some(head), Some(compared)) = (view.head, view.project.head.compared()) else { return };
    let Some(history) = compared.base_history else { return };
    let is_same = |block: &Block| {
        let other = find(head, &block.name);
        other.is_some_and(|other| head.raw(other) == view.base.raw(block))
    };
    if view.base.blocks.iter().all(is_same) {
        return; // Requirements came, and none went or changed.
    }
    let archived: Vec<(&str, &Delta)> = view.archived().iter().map(|(name, delta)| (name.as_str(), delta)).collect();
    let says_head = |delta: &Delta, name: &str| {
        let is_it = |entry: &Entry<'_>| {
            entry.operation == Operation::Modified
                && entry.name == name
                && find(head, name).is_some_and(|block| Units::of(head.raw(block)).same_as(&entry.units()))
        };
        entries(delta).iter().any(is_it)
    };
    for (name, delta) in &archived {
        // Of several that write the same requirement the one that was merged last is what head has.
        let is_last = |entry: &Entry<'_>| {
            says_head(delta, entry.name) || !archived.iter().any(|(_, other)| says_head(other, entry.name))
        };
        check_delta(view, head, history, (name, delta, "archiving"), &is_last, sink);
    }
    for (name, delta) in &view.open_deltas() {
        let is_synced = |entry: &Entry<'_>| says_head(delta, entry.name);
        check_delta(view, head, history, (name, delta, "the sync of"), &is_synced, sink);
    }
}

/// Looks at the entries of a delta that `is_merged` says are in head.
fn check_delta(
    view: &SpecDiffView<'_>,
    head: &Spec,
    history: &History<'_>,
    (name, delta, how): (&str, &Delta, &str),
    is_merged: &dyn Fn(&Entry<'_>) -> bool,
    sink: &mut Sink<'_>,
) {
    let mut past = None;
    for entry in entries(delta).iter().filter(|entry| is_merged(entry)) {
        let Some(written) = written(view, head, delta, entry) else { continue };
        // Most entries stop here: what they leave out is nothing, and no history is read.
        if entry.operation == Operation::Modified && written.gone(&Units::default()).is_empty() {
            continue;
        }
        let past = past.get_or_insert_with(|| {
            let path = path_on_base(view.project.base, name, view.capability);
            Past::new(history, path.as_ref(), view.project.head.root(), view.capability)
        });
        let line = written.block.map_or(0, |block| block.line);
        let touched = past.touched(entry);
        let old = match &touched {
            Ok(Some(then)) => past.spec_at(then.commit).map(|spec| {
                spec.and_then(|spec| replaced(spec, delta, entry.name).map(|block| Units::of(spec.raw(block))))
            }),
            _ => Ok(None),
        };
        let (then, old) = match (touched, old) {
            (Ok(Some(then)), Ok(old)) => (then, old),
            // The block is newer than base, and taken at its word.
            (Ok(None), _) => continue,
            (Err(error), _) | (_, Err(error)) => {
                let message =
                    format!("whether `{}` changed since its delta was written cannot be told: {error}", entry.name);
                let finding = sink.report(line, "file", message, "run `git fsck`, and fetch what is missing");
                finding.level = Level::Error;
                finding.about(entry.name).unverifiable();
                continue;
            }
        };
        // A requirement that was not there at all was written by another change, whose text this one may know.
        let Some(old) = old else { continue };
        let since = format!("after its delta was last touched ({})", short(then));
        let (level, lines, what) = match entry.operation {
            Operation::Modified => {
                let (gone, back) = (written.gone(&old), written.back(&old));
                if !gone.is_empty() {
                    let what =
                        format!("dropped {} from `{}` that came in {since}", count(gone.len(), "line"), entry.name);
                    (Level::Error, gone, what)
                } else if !back.is_empty() {
                    let lines = count(back.len(), "line");
                    (Level::Warning, back, format!("brought back {lines} in `{}` that went {since}", entry.name))
                } else if then.ending == Ending::CutOff {
                    let what =
                        format!("replaced `{}`, and history was cut off {since}: what came in is unknown", entry.name);
                    (Level::Info, Vec::new(), what)
                } else {
                    continue;
                }
            }
            _ if old.same_as(&written.now) => continue,
            _ => {
                let came = written.now.lost(&old, &Units::default());
                (Level::Warning, came, format!("removed `{}`, which changed {since}", entry.name))
            }
        };
        let fix = "bring the delta up to date with the main spec first, then merge it again";
        let finding = sink.report(line, "file", format!("{how} `{name}` {what}"), fix).about(entry.name);
        finding.level = level;
        prove(finding, &lines);
    }
}

impl Written<'_> {
    /// What came in since `old` and neither head nor the delta has.
    fn gone(&self, old: &Units) -> Vec<Unit> {
        let left_out = self.now.lost(old, &self.delta);
        let mut gone = self.now.lost(old, &self.head);
        gone.retain(|unit| left_out.contains(unit));
        gone
    }

    /// What went since `old` and is in head again.
    fn back(&self, old: &Units) -> Vec<Unit> {
        let meant = old.brought_back(&self.now, &self.delta);
        let mut back = old.brought_back(&self.now, &self.head);
        back.retain(|unit| meant.contains(unit));
        back
    }
}

/// What an entry wrote over. None when base has it as the delta does, or head is not as the entry would have it.
fn written<'s>(view: &SpecDiffView<'_>, head: &'s Spec, delta: &Delta, entry: &Entry<'_>) -> Option<Written<'s>> {
    let now = replaced(view.base, delta, entry.name).map(|block| Units::of(view.base.raw(block)))?;
    let (block, written) = (find(head, entry.name), entry.units());
    let is_there = match entry.operation {
        Operation::Modified => block.is_some() && !now.same_as(&written),
        Operation::Removed => block.is_none(),
        _ => false,
    };
    let units = block.map(|block| Units::of(head.raw(block))).unwrap_or_default();
    is_there.then_some(Written { now, delta: written, head: units, block })
}

fn find<'s>(spec: &'s Spec, name: &str) -> Option<&'s Block> {
    spec.blocks.iter().find(|block| block.name == name)
}

/// Where base has the delta of a change that head may have archived.
fn path_on_base(base: &Project<'_>, name: &str, capability: &str) -> BString {
    let path = |id: &str| base.path(&format!("changes/{id}/specs/{capability}/spec.md"));
    let dated = without_date(name.into()).and_then(|id| id.to_str().ok()).map(path);
    let path = dated.filter(|path| base.snapshot().is_file(path.as_ref())).unwrap_or_else(|| path(name));
    base.snapshot().resolve(path.as_ref()).unwrap_or(path)
}
