//! `delta/commented-out`

use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a delta section, requirement, scenario, removal or rename inside an HTML comment.
    ///
    /// ## Why it matters
    /// The readers of OpenSpec do not know comments: what is commented out is applied all the same. Who reviews the rendered
    /// file does not see it.
    ///
    /// ## How to fix
    /// Delete it, or take it out of the comment.
    "delta/commented-out", Error, Own, "Something that archiving applies stands in an HTML comment", Check::Delta(check),
    Weight::completeness("R-HIDDEN", 40)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let Reason::Commented(line) = &leftover.reason else { continue };
        let message = format!("`{line}` is commented out, and archiving applies it all the same");
        sink.report(leftover.lines.start, view.file.entry(), message, "delete it, or take it out of the comment");
    }
}
