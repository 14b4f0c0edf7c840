//! `spec/no-requirements`

use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a main spec whose `Requirements` section has no heading below it.
    ///
    /// ## Why it matters
    /// A spec without requirements demands nothing, so everything conforms to it.
    ///
    /// ## How to fix
    /// Add at least one `### Requirement: <name>`, or delete the spec when the capability is gone.
    "spec/no-requirements", Error, Reference, "A main spec has no requirement", Check::Spec(check),
    Weight::completeness("R-NONE", 40)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if let Some(section) = view.spec.requirements_section.as_ref()
        && view.spec.is_readable()
        && view.spec.requirements.is_empty()
    {
        let fix = "add `### Requirement: <name>` with a sentence that says SHALL or MUST, and a scenario";
        sink.report(section.line, "requirements", "the Requirements section holds no requirement", fix);
    }
}
