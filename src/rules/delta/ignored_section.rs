//! `delta/ignored-section`

use crate::openspec::delta::Operation;
use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta section that has content of which the merge understands nothing, beside sections that it does read.
    ///
    /// ## Why it matters
    /// Archiving applies the other sections and drops this one without a word. A removal or rename that everybody agreed on
    /// never happens.
    ///
    /// ## Example
    /// ```md
    /// ## REMOVED Requirements
    /// - Widget colors
    /// ```
    ///
    /// ## How to fix
    /// ADDED, MODIFIED and REMOVED take `### Requirement: <name>`, REMOVED also as a bullet. RENAMED takes pairs of
    /// ``- FROM: `### Requirement: <old>` `` and ``- TO: `### Requirement: <new>` ``. Delete a section that is not needed.
    "delta/ignored-section", Error, Own, "Nothing is read from one of the delta sections", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    // When nothing at all is read, `delta/empty-sections` says so.
    if !view.delta.has_entries() {
        return;
    }
    for leftover in &view.delta.account().leftovers {
        let Reason::EmptySection(operation, first) = &leftover.reason else { continue };
        let message = format!("nothing is read from {}, so archiving drops `{first}`", operation.word());
        let fix = match operation {
            Operation::Renamed => "write `- FROM: ### Requirement: <old>` and `- TO: ### Requirement: <new>`, capitals included",
            Operation::Removed => "name each requirement: `### Requirement: <name>`, as a header or in a bullet",
            Operation::Added | Operation::Modified => "write each requirement as `### Requirement: <name>`",
        };
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
}
