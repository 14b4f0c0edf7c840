//! `spec/duplicate-requirement`

use crate::openspec::spec::StructureKind;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports the second requirement of the same name in a main spec.
    ///
    /// ## Why it matters
    /// A delta names requirements, so of two with one name the merge would drop or change the wrong one.
    ///
    /// ## How to fix
    /// Join them, or give one another name.
    "spec/duplicate-requirement", Error, Reference, "A requirement's name stands twice", Check::Spec(check),
    Weight::consistency("R-DUP-NAME", 30)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if !view.spec.is_readable() {
        return;
    }
    for issue in &view.spec.structure {
        if let StructureKind::Duplicate { first } = issue.kind {
            let message = format!("`{}` stands on line {} already", issue.header, first + 1);
            sink.report(issue.line, "file", message, "join the two requirements, or rename one");
        }
    }
}
