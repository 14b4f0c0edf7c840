//! `spec/missing-requirements`

use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a main spec without a `Requirements` section.
    ///
    /// ## Why it matters
    /// Requirements are read below that heading only, so the spec demands nothing and no delta can be merged into it.
    ///
    /// ## How to fix
    /// Put the requirements under `## Requirements`.
    "spec/missing-requirements", Error, Reference, "A main spec has no requirements section", Check::Spec(check),
    Weight::completeness("R-NONE", 40)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    // Without a purpose nobody reads on; the first missing section is the one to mend.
    if view.spec.purpose_text().is_some() && view.spec.requirements_section.is_none() {
        let fix = "put the requirements under `## Requirements`, each as `### Requirement: <name>`";
        sink.report(0, "file", "there is no Requirements section", fix);
    }
}
