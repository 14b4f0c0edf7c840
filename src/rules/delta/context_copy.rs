//! `delta/context-copy`

use super::ignored_requirement::{Outside, number, outside};
use crate::openspec::js::trim;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Notes requirements outside of the delta sections, all of which stand word for word in a delta section of the same file
    /// or in the main spec. White space does not count.
    ///
    /// ## Why it matters
    /// Nothing is lost. But the copy is not read, so an edit in it comes to nothing.
    ///
    /// ## How to fix
    /// Nothing, when it is there for the readers of the change. Else delete it.
    "delta/context-copy", Info, Own, "Requirements outside of the delta sections are copies", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for Outside { section, entries } in outside(view) {
        let Some((first, _)) = entries.first().filter(|_| entries.iter().all(|(_, is_copy)| *is_copy)) else { continue };
        let place = section.map_or_else(|| "above the first section".to_owned(), |title| format!("below `## {title}`"));
        let (what, _) = number(trim(view.delta.text.line(*first)), entries.len(), "is a copy", "are copies");
        let message = format!("{what} {place}: archiving reads the delta sections only");
        sink.report(*first, view.file.entry(), message, "delete what the readers of the change do not need");
    }
}
