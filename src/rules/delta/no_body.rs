//! `delta/no-body`

use crate::openspec::requirement::{after_header, body_text};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports an added or modified requirement with nothing between its header and its first scenario.
    ///
    /// ## Why it matters
    /// The header is a name. What is demanded has to stand below it.
    ///
    /// ## How to fix
    /// Write the sentence with SHALL or MUST on the line after the header.
    "delta/no-body", Error, Reference, "A requirement of a delta has a name but no text", Check::Delta(check),
    Weight::completeness("R-EMPTY", 40)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for (operation, block) in view.written_blocks() {
        if body_text(after_header(view.delta.raw(block))).is_empty() {
            let message = format!("{} `{}` has no text below its header", operation.word(), block.name);
            let fix = "write the sentence with SHALL or MUST on the line after the header";
            sink.report(block.line, view.file.entry(), message, fix).about(&block.name);
        }
    }
}
