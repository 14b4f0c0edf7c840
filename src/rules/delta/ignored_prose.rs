//! `delta/ignored-prose`

use crate::openspec::delta::Operation;
use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports text in ADDED or MODIFIED that stands above the first requirement, under a heading of its own or not,
    /// and sections such as `## ADDED Acceptance Criteria`.
    ///
    /// ## Why it matters
    /// Archiving writes requirements to the main spec and nothing else. What is said here is gone afterwards, binding or not.
    ///
    /// ## How to fix
    /// Move it into the requirement that it is about, or into `proposal.md` or `design.md`.
    "delta/ignored-prose", Warning, Own, "Words in a delta section belong to no requirement", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let message = match &leftover.reason {
            Reason::Prose(operation @ (Operation::Added | Operation::Modified)) => {
                format!("this text in {} belongs to no requirement, so archiving drops it", operation.word())
            }
            Reason::Prose(operation) => format!("nothing is read from {}", operation.word()),
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
}
