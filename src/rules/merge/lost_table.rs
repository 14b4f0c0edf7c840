//! `merge/lost-table`

use super::lost::Lost;
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Compares the tables of each MODIFIED requirement with the main spec's and lists rows that are gone. A row whose
    /// first cell or most of whose words are still in a table, or whose words stand elsewhere in the requirement, is not
    /// reported.
    ///
    /// ## Why it matters
    /// MODIFIED replaces the whole requirement. A table that is not repeated is gone once the change is archived, and
    /// nobody says so.
    ///
    /// ## How to fix
    /// Copy the rows back, unless they are meant to go.
    "merge/lost-table", Warning, Own, "A modified requirement leaves out rows of a table", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for block in view.losses() {
        let pieces = &block.loss.rows;
        let what = format!("{} of a table", count(pieces.len(), "row"));
        Lost { block, what, pieces, line: block.new_line }.report(view, sink);
    }
}
