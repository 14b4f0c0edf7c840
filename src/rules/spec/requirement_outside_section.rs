//! `spec/requirement-outside-section`

use crate::openspec::spec::StructureKind;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a `### Requirement:` that does not stand in the first `## Requirements` section.
    ///
    /// ## Why it matters
    /// Nobody reads it there: it is not validated, not listed, and a delta cannot address it.
    ///
    /// ## How to fix
    /// Move it below `## Requirements`. A second `## Requirements` has to be joined with the first.
    "spec/requirement-outside-section", Error, Reference, "A requirement stands outside the requirements section",
    Check::Spec(check),
    Weight::completeness("R-HIDDEN", 40)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if !view.spec.is_readable() {
        return;
    }
    for issue in view.spec.structure.iter().filter(|issue| issue.kind == StructureKind::RequirementOutside) {
        let message = format!("`{}` is not below `## Requirements`, so nobody reads it", issue.header);
        sink.report(issue.line, "file", message, "move it below the first `## Requirements`");
    }
}
