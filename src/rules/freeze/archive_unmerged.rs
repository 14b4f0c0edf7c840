//! `freeze/archive-unmerged`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a change that was archived between base and head while the main spec of one of
    /// its deltas stayed as it was. A delta that the main spec had already counts as merged.
    ///
    /// ## Why it matters
    /// The demands of a change that is archived by moving its folder disappear: it is open no more, and no spec has them.
    ///
    /// ## How to fix
    /// Move the folder back and run `openspec archive <change>`, which merges the deltas.
    "freeze/archive-unmerged", Error, Own, "A change was archived without its deltas", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::ArchiveUnmerged, "move the folder back and run `openspec archive`, which merges the deltas");
}
