//! `delta/no-sections`

use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a `spec.md` of a change without any of the four delta sections.
    ///
    /// ## Why it matters
    /// Archiving applies nothing from it. A whole spec copied into a change is a usual cause.
    ///
    /// ## How to fix
    /// Put the requirements below `## ADDED Requirements`, `## MODIFIED Requirements`, `## REMOVED Requirements` or
    /// `## RENAMED Requirements`: level 2, exactly these words. Notes belong outside `specs/`.
    "delta/no-sections", Error, Reference, "A delta has no delta section", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    if view.delta.sections.is_empty() {
        let fix = "put the requirements below `## ADDED Requirements`, or MODIFIED, REMOVED, RENAMED";
        sink.report(0, view.file.entry(), "there is no delta section", fix);
    }
}
