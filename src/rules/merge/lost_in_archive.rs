//! `merge/lost-in-archive`

use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecDiffView};

rule! {
    /// ## What it does
    /// When the difference between base and head archives a change, compares each main spec the change has a delta for,
    /// as it was in base and as it is in head, and reports requirements and scenarios that are gone although no delta
    /// says so. A requirement may go when a delta archived in this difference, or an open one, has it under REMOVED, and
    /// have another name when one has it under RENAMED. A scenario that a delta's MODIFIED block leaves out too is
    /// `merge/lost-in-diff`'s. What stands under another name with most of its text, or in another spec, is not lost.
    ///
    /// ## Why it matters
    /// Archiving is when specs get lost: a delta made before the last change to the spec, a merge done by hand, a file
    /// overwritten. The difference is large, and nobody reads it line by line.
    ///
    /// ## How to fix
    /// Put the scenarios back into the main spec. When a requirement is meant to go, say so in the delta under REMOVED.
    "merge/lost-in-archive", Error, Own, "Archiving lost requirements or scenarios that no delta removes", Check::SpecDiff(check)
}

fn check(view: &SpecDiffView<'_>, sink: &mut Sink<'_>) {
    let lost = view.lost();
    if lost.is_empty() || view.archived().is_empty() {
        return;
    }
    let names: Vec<String> = view.archived().iter().map(|(name, _)| format!("`{name}`")).collect();
    let with = format!("with {} archived", names.join(", "));
    super::lost_in_diff::whole(view, sink, &with);
}
