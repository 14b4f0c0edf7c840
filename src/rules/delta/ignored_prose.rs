//! `delta/ignored-prose`

use std::ops::Range;

use crate::openspec::delta::Operation;
use crate::openspec::js::trim;
use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports text in ADDED or MODIFIED that stands above the first requirement, under a heading of its own or not,
    /// and sections such as `## ADDED Acceptance Criteria`; text in RENAMED that explains no rename, and text in REMOVED that
    /// names another requirement of the main spec.
    ///
    /// ## Why it matters
    /// Archiving writes requirements to the main spec and nothing else. What is said here is gone afterwards, binding or not.
    ///
    /// ## How to fix
    /// Move it into the requirement that it is about, or into `proposal.md` or `design.md`.
    "delta/ignored-prose", Warning, Own, "Words in a delta section belong to no requirement", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    // A line that names a requirement is `delta/ignored-entry`'s.
    let is_entry = |lines: &Range<usize>| view.named().iter().any(|named| named.is_certain && lines.contains(&named.line));
    for leftover in &view.delta.account().leftovers {
        let message = match &leftover.reason {
            Reason::Prose(operation @ (Operation::Added | Operation::Modified)) => {
                format!("this text in {} belongs to no requirement, so archiving drops it", operation.word())
            }
            Reason::Prose(_) if is_entry(&leftover.lines) => continue,
            Reason::Prose(operation) => format!("this text in {} is not read", operation.word()),
            Reason::DroppedHeading { title, has_scenario: false } => {
                format!("`{title}` is no requirement, so archiving drops it with the text below")
            }
            Reason::OperationSection(title) => {
                format!("`## {title}` is none of the four delta sections, so archiving drops it")
            }
            _ => continue,
        };
        let fix = "move it into a requirement, or into proposal.md";
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
    for named in view.named().iter().filter(|named| !named.is_certain && view.delta.has_entries()) {
        let line = trim(view.delta.text.line(named.line));
        let message = format!("`{line}` names a requirement of the main spec that the delta leaves as it is");
        let fix = "name it as `### Requirement: <name>` if it goes too; else say `**Reason**:` or `**Migration**:` before the text";
        sink.report(named.line, view.file.entry(), message, fix);
    }
}
