//! `spec/unread-requirement`

use crate::openspec::heading::section_break;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement of a main spec whose heading has no blank behind its hashes.
    ///
    /// ## Why it matters
    /// Archiving takes it for a requirement, validation and lists do not: they read it and its scenarios as part of the
    /// requirement before it.
    ///
    /// ## Example
    /// ```markdown
    /// ###Requirement: Sign out
    /// ```
    ///
    /// ## How to fix
    /// Write a blank: `### Requirement: Sign out`.
    "spec/unread-requirement", Warning, Own, "A requirement's heading has no blank behind its hashes", Check::Spec(check),
    Weight::completeness("R-HIDDEN", 40)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    for block in &view.spec.blocks {
        let written = view.spec.text.line(block.line);
        if section_break(written).is_none() {
            let message = format!("`{}` has no blank behind its hashes, so it is not validated and not listed", written.trim());
            let fix = format!("write `### Requirement: {}`", block.name);
            sink.report(block.line, "requirements", message, fix).about(&block.name);
        }
    }
}
