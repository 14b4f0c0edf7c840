//! `spec/empty-requirement`

use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a heading below `Requirements` that has neither a name nor any text.
    ///
    /// ## Why it matters
    /// It counts as a requirement and says nothing.
    ///
    /// ## How to fix
    /// Name it and write the requirement below, or delete the heading.
    "spec/empty-requirement", Error, Reference, "A requirement has no name and no text", Check::Spec(check),
    Weight::completeness("R-EMPTY", 40)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if !view.spec.is_readable() {
        return;
    }
    for (index, requirement) in view.spec.requirements.iter().enumerate() {
        if requirement.section.title.is_empty() && view.spec.requirement_text(requirement).is_empty() {
            let anchor = format!("requirements.{index}.text");
            sink.report(requirement.section.line, anchor, "a heading without name and text", "name the requirement or delete the heading");
        }
    }
}
