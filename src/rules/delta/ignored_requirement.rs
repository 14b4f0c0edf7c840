//! `delta/ignored-requirement`

use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports what was meant as a requirement and is none for the merge: `#### Requirement:`, an indented header, bold text in
    /// place of a header, a full-width colon, invisible characters, a number before the colon; and requirements, scenarios or
    /// renames that stand in no delta section.
    ///
    /// ## Why it matters
    /// Inside another requirement such a header is merged as a part of it. Anywhere else it is dropped when the change is
    /// archived, although everybody read it in the review.
    ///
    /// ## How to fix
    /// Write `### Requirement: <name>` at the start of its line, below `## ADDED Requirements` or the section that is meant.
    "delta/ignored-requirement", Error, Own, "A requirement is written so that nobody reads it", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let (message, fix) = match &leftover.reason {
            Reason::NearHeader { name, flaw, inside } => {
                let end = match inside {
                    Some(other) => format!("it becomes a part of `{other}`"),
                    None => "archiving drops it".to_owned(),
                };
                let message = format!("`{name}` is not read as a requirement: {}; {end}", flaw.reason());
                (message, format!("write `### Requirement: {name}` at the start of the line"))
            }
            Reason::Lost { section, first, count: number } => {
                let place = match section {
                    Some(section) => format!("below `## {section}`"),
                    None => "above the first section".to_owned(),
                };
                let what = if *number == 1 { format!("`{first}` stands") } else { format!("`{first}` and {} more stand", number - 1) };
                let message = format!("{what} {place}, which is no delta section, so archiving drops it");
                (message, "move it below `## ADDED Requirements` or the section that is meant".to_owned())
            }
            _ => continue,
        };
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
}
