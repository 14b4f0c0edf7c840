//! `merge/lost-sentence`

use super::lost::Lost;
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Compares the text of each MODIFIED requirement with the main spec's and lists sentences with SHALL or MUST (or
    /// their like in other languages), and items of lists these introduce, that have no counterpart. Words are compared:
    /// a sentence that was reworded, moved to a scenario or to another requirement of the change, or replaced by another
    /// demand is not reported. A prohibition is only replaced by a prohibition.
    ///
    /// ## Why it matters
    /// MODIFIED replaces the whole requirement. A demand that is not repeated is gone once the change is archived, and
    /// nobody says so.
    ///
    /// ## Example
    /// The main spec says `The system MUST NOT report internal ids.`, the delta does not.
    ///
    /// ## How to fix
    /// Copy the sentences back, unless they are meant to go.
    "merge/lost-sentence", Warning, Own, "A modified requirement leaves out a demand", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for block in view.losses() {
        let pieces = &block.loss.sentences;
        Lost { block, what: count(pieces.len(), "demand"), pieces, line: block.new_line }.report(view, sink);
    }
}
