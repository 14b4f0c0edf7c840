//! `merge/lost-note`

use super::lost::Lost;
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Lists text of the main spec that stands between a requirement's last scenario and the next requirement, such as a
    /// note or a heading of its own, and that the MODIFIED requirement does not repeat.
    ///
    /// ## Why it matters
    /// Everything up to the next requirement or `##` belongs to the block that MODIFIED replaces, also what the reader
    /// takes for something else. It is gone once the change is archived, and nobody says so.
    ///
    /// ## How to fix
    /// Copy the text into the MODIFIED requirement, or move it in the main spec above `## Requirements` or below a `##`
    /// heading of its own.
    "merge/lost-note", Warning, Own, "A note behind a modified requirement goes with it", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for block in view.losses() {
        let pieces = &block.loss.notes;
        let what = format!("{} of notes behind its scenarios", count(pieces.len(), "line"));
        Lost { block, what, pieces, line: block.new_line }.report(view, sink);
    }
}
