//! `spec/no-body`

use crate::openspec::requirement::{after_header, body_text};
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a `### Requirement:` of a main spec with nothing between its header and its first scenario.
    ///
    /// ## Why it matters
    /// The header is a name. What is demanded has to stand below it.
    ///
    /// ## Example
    /// ```markdown
    /// ### Requirement: The system MUST encrypt passwords
    ///
    /// #### Scenario: …
    /// ```
    ///
    /// ## How to fix
    /// Write the sentence with SHALL or MUST on the line after the header.
    "spec/no-body", Error, Reference, "A requirement has a name but no text", Check::Spec(check),
    Weight::completeness("R-EMPTY", 40)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if !view.spec.is_readable() {
        return;
    }
    for (index, block) in view.spec.blocks.iter().enumerate() {
        if body_text(after_header(view.spec.raw(block))).is_empty() {
            let message = format!("`{}` has no text below its header", block.name);
            let fix = "write the sentence with SHALL or MUST on the line after the header";
            sink.report(block.line, format!("requirements[{index}]"), message, fix).about(&block.name);
        }
    }
}
