//! `spec/delta-header`

use crate::openspec::spec::StructureKind;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView};

rule! {
    /// ## What it does
    /// Reports `## ADDED Requirements` and its like in a main spec.
    ///
    /// ## Why it matters
    /// Such a header ends the `Requirements` section: what follows is invisible, and nothing can be merged into the
    /// spec.
    ///
    /// ## How to fix
    /// Move the requirements below `## Requirements` and delete the header. Delta headers belong in
    /// `openspec/changes/<change>/specs/`.
    "spec/delta-header", Error, Reference, "A delta header stands in a main spec", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if !view.spec.is_readable() {
        return;
    }
    for issue in view.spec.structure.iter().filter(|issue| issue.kind == StructureKind::DeltaHeader) {
        let message = format!("`{}` ends the requirements section: what follows is read by nobody", issue.header);
        sink.report(issue.line, "file", message, "move its requirements below `## Requirements` and delete the header");
    }
}
