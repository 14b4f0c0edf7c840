//! `merge/lost-step`

use super::lost::Lost;
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Compares the scenarios of each MODIFIED requirement with those of the same name in the main spec and lists steps
    /// that are gone. Words are compared: a step that was reworded, moved within the requirement or replaced by another
    /// of its kind (a THEN by a THEN) is not reported, and neither are layout, emphasis and list markers. Steps of a
    /// scenario that is missing as a whole are `merge/lost-scenario`'s.
    ///
    /// ## Why it matters
    /// MODIFIED replaces the whole requirement. A step that is not repeated is gone once the change is archived, and
    /// nobody says so: only names of scenarios are compared there.
    ///
    /// ## Example
    /// The main spec has `- **AND** the failure is logged`, the delta copies the scenario without that line.
    ///
    /// ## How to fix
    /// Copy the steps back, unless they are meant to go.
    "merge/lost-step", Warning, Own, "A modified scenario leaves out steps", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for block in view.losses() {
        for lost in block.loss.steps.iter().filter(|lost| !lost.is_renamed) {
            let what = format!("{} of scenario `{}`", count(lost.steps.len(), "step"), lost.scenario);
            Lost { block, what, pieces: &lost.steps, line: block.new_line + lost.line }.report(view, sink);
        }
    }
}
