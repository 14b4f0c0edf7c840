//! `merge/unreadable-target`

use super::dry_run::Outcome;
use crate::rules::rule::rule;
use crate::rules::{Check, MergeView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta that only adds or removes requirements when something is where its main spec should be and cannot
    /// be read: a folder, a file in place of a folder, a link that leads nowhere or out of the tree.
    /// (`merge/unreadable-spec` reports one that modifies.)
    ///
    /// ## Why it matters
    /// What archiving would make of it cannot be told, and archiving fails.
    ///
    /// ## How to fix
    /// Make `openspec/specs/<capability>/spec.md` a readable file, or remove what is in its place.
    "merge/unreadable-target", Error, Own, "The main spec a delta adds to cannot be read", Check::Merge(check)
}

fn check(view: &MergeView<'_>, sink: &mut Sink<'_>) {
    let Outcome::Unreadable(error) = &view.run.outcome else { return };
    if view.delta.modified.is_empty() {
        let message = format!("the main spec of `{}` cannot be read: {error}", view.file.capability);
        let fix = "make it a readable file, or remove what is in its place";
        sink.report(view.first_line(), view.file.entry(), message, fix).unverifiable();
    }
}
