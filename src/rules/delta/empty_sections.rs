//! `delta/empty-sections`

use crate::openspec::delta::Operation;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta file with delta sections none of which holds anything the merge understands.
    ///
    /// ## Why it matters
    /// The change looks as if it did something and does nothing.
    ///
    /// ## How to fix
    /// Write `### Requirement: <name>` blocks below the sections. REMOVED takes bullets as well, RENAMED takes pairs of
    /// FROM and TO.
    "delta/empty-sections", Error, Reference, "A delta's sections hold nothing", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    if view.delta.has_entries() {
        return;
    }
    let Some(first) = view.delta.sections.first() else { return };
    let mut titles: Vec<String> = view.delta.sections.iter().map(|section| format!("`## {}`", section.title)).collect();
    titles.dedup();
    let message = format!("nothing is read from {}", titles.join(", "));
    let fix = match first.operation {
        Operation::Renamed => "write FROM and TO lines, each with `### Requirement: <name>`",
        Operation::Removed => "name each requirement: `### Requirement: <name>`, as a header or in a bullet",
        Operation::Added | Operation::Modified => "write each requirement as `### Requirement: <name>` below the section",
    };
    sink.report(first.line, view.file.entry(), message, fix);
}
