//! `spec/missing-purpose`

use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a main spec without a `Purpose` section, or with an empty one.
    ///
    /// ## Why it matters
    /// No reader of the spec gets past it: requirements below are not validated, not listed and not merged.
    ///
    /// ## Example
    /// ```markdown
    /// # auth Specification
    ///
    /// ## Requirements
    /// ```
    ///
    /// ## How to fix
    /// Write `## Purpose` above `## Requirements` and say in a sentence or two what the capability is for. A delta
    /// copied into `openspec/specs/` is no main spec: archive the change instead.
    "spec/missing-purpose", Error, Reference, "A main spec has no purpose", Check::Spec(check),
    Weight::completeness("R-NO-PURPOSE", 0)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if view.spec.purpose_text().is_some() {
        return;
    }
    let (line, message) = match &view.spec.purpose {
        Some(section) => (section.line, "the Purpose section is empty"),
        None => (0, "there is no Purpose section"),
    };
    sink.report(line, "file", message, "write `## Purpose` above `## Requirements` and say what the capability is for");
}
