//! `freeze/history-edited`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports edits below `openspec/changes/archive/`: a file of a change that was archived
    /// on base, and a change with deltas that appears in the archive without having been open on base.
    ///
    /// ## Why it matters
    /// The archive tells what was agreed and when. What appears in it without ever having been open was agreed by nobody.
    ///
    /// ## How to fix
    /// Restore the archive. Propose a change first, have it accepted, and archive it in a later pull request.
    "freeze/history-edited", Error, Own, "The archive was edited", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::HistoryEdited, "restore the archive; a change is proposed, agreed and only then archived");
}
