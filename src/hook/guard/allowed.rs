//! What an agent may do to the spec set where edits have to be explained: propose, and tick off.

use bstr::{BStr, BString, ByteSlice};

use super::Known;
use super::denial::{self, Why};
use super::frozen::Frozen;
use crate::gate::Place;
use crate::hook::targets::Action;
use crate::openspec::metadata::METADATA_FILE;
use crate::openspec::project::FOLDER;
use crate::repo::snapshot::join;
use crate::rules::Freeze;

/// Why it may not be done even so. None: it may.
pub(super) fn refused(frozen: &Frozen, action: &Action, known: &Known<'_>) -> Option<Why> {
    let was_there = |path: &BStr| (known.was_there)(path);
    let why = denial::why(frozen.place.as_ref());
    let is_allowed = match &frozen.place {
        Some(Place::Open { change, inner }) => {
            !was_there(folder(frozen, change).as_ref()) || *action == Action::Write && is_of_work(inner.as_ref())
        }
        // A change's folder as a whole, or notes beside the changes.
        Some(Place::ChangesOther) => *action == Action::Write || !was_there(frozen.path.as_ref()),
        Some(Place::Archived { change, .. }) => {
            let folder = join(changes(frozen).as_ref(), b"archive".as_bstr());
            !change.is_empty() && !was_there(join(folder.as_ref(), change.as_bstr()).as_ref())
        }
        Some(Place::Criteria { .. }) => *action == Action::Write && !was_there(frozen.path.as_ref()),
        Some(Place::Spec { .. } | Place::SpecsOther | Place::Settings | Place::Gate) => false,
        None => !was_there(frozen.path.as_ref()),
    };
    (!is_allowed).then_some(why)
}

/// Whether an open change is moved into the archive as a whole, as `openspec archive` does.
pub(super) fn is_archiving(from: &Frozen, to: &Frozen, known: &Known<'_>) -> bool {
    let is_change = matches!(from.place, Some(Place::ChangesOther)) && from.root == to.root;
    let is_explained = from.mode == Freeze::Explained && to.mode == Freeze::Explained;
    let is_new = match &to.place {
        // `mv changes/x changes/archive/2026-01-01-x`, whose name has no more folders.
        Some(Place::Archived { change, inner }) => {
            let name = if change.is_empty() { inner } else { change };
            let is_whole = change.is_empty() || inner.is_empty();
            let archive = join(changes(to).as_ref(), b"archive".as_bstr());
            is_whole && !(known.was_there)(join(archive.as_ref(), name.as_bstr()).as_ref())
        }
        _ => false,
    };
    is_change && is_explained && is_new
}

/// Whether it is where an agent ticks off what it did, which the strictest freeze lets pass. What else it writes there, the
/// end of the turn sees.
pub(super) fn is_ticking_place(frozen: &Frozen, action: &Action) -> bool {
    matches!(&frozen.place, Some(Place::Open { inner, .. }) if *action == Action::Write && inner.ends_with(b"tasks.md"))
}

/// Files of an open change that follow the work: tasks that are ticked off, notes on the design.
fn is_of_work(inner: &BStr) -> bool {
    let is_agreed = inner == "proposal.md" || inner == METADATA_FILE || inner.is_empty();
    !is_agreed && !inner.starts_with(b"specs/") && inner != "specs"
}

fn changes(frozen: &Frozen) -> BString {
    join(join(frozen.root.as_ref(), FOLDER.as_bytes().as_bstr()).as_ref(), b"changes".as_bstr())
}

fn folder(frozen: &Frozen, change: &BString) -> BString {
    join(changes(frozen).as_ref(), change.as_bstr())
}
