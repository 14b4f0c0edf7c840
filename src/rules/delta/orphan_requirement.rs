//! `delta/orphan-requirement`

use crate::openspec::near_forms::near_section;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a `### Requirement:` of a delta that stands in no ADDED, MODIFIED, REMOVED or RENAMED section.
    ///
    /// ## Why it matters
    /// It is dropped when the change is archived.
    ///
    /// ## How to fix
    /// Move it below the section that says what is to be done with it. Section titles need exactly one space:
    /// `## ADDED Requirements`.
    "delta/orphan-requirement", Warning, Reference, "A requirement stands outside the delta sections", Check::Delta(check),
    Weight::completeness("R-HIDDEN", 40)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for orphan in &view.delta.orphans {
        let place = match &orphan.section {
            Some(section) => format!("under `## {section}`"),
            None => "above the first section".to_owned(),
        };
        let message = format!("`{}` stands {place}, so archiving drops it", orphan.name);
        let meant = orphan.section.as_ref().and_then(|section| near_section(&format!("## {section}")));
        let fix = match meant {
            Some(near) => format!("write the title as `## {} Requirements`", near.operation.word()),
            None => "move it below `## ADDED Requirements` or the section that is meant".to_owned(),
        };
        sink.report(orphan.line, view.file.entry(), message, fix).about(&orphan.name);
    }
}
