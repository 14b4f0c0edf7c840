//! `merge/invalid-result`

use super::dry_run::{Fault, Outcome};
use crate::rules::rule::rule;
use crate::rules::{Check, MergeView, Sink};

rule! {
    /// ## What it does
    /// Applies a delta to its main spec in memory and judges the result as archiving does before it writes the file.
    /// Every error in the result is reported, also when it stands in a requirement the delta does not touch: a main spec
    /// without a purpose, a requirement without a scenario or without text.
    ///
    /// ## Why it matters
    /// Archiving writes nothing when the result is not valid, and the reference's `validate --strict` of the change does
    /// not look at it.
    ///
    /// ## How to fix
    /// Mend the line that is named: in the main spec when it was there before, else in the delta.
    "merge/invalid-result", Error, Own, "The spec that archiving would write is not valid", Check::Merge(check)
}

fn check(view: &MergeView<'_>, sink: &mut Sink<'_>) {
    let Outcome::Invalid(merged, faults) = &view.run.outcome else { return };
    if merged.is_new && merged.has_no_blocks {
        let message =
            format!("there is no main spec of `{}`, so there is nothing to remove, and archiving refuses this", view.file.capability);
        sink.report(view.first_line(), view.file.entry(), message, "delete this delta, or name an existing capability's folder");
        return;
    }
    for fault in faults {
        let (line, place, fix) = blame(view, fault);
        let message = format!("archiving would write a spec that is not valid: {} ({place}; {})", fault.message, fault.rule);
        let finding = sink.report(line, view.file.entry(), message, fix);
        if let Some(requirement) = &fault.requirement {
            finding.about(requirement);
        }
    }
}

/// The line of the delta to point at, where the fault comes from, and what to do.
fn blame(view: &MergeView<'_>, fault: &Fault) -> (usize, String, &'static str) {
    let header = fault.source.as_deref().unwrap_or_default();
    for block in view.delta.added.iter().chain(&view.delta.modified) {
        let at = view.delta.raw(block).split('\n').position(|line| !header.is_empty() && line == header);
        if let Some(at) = at.or_else(|| (Some(block.name.as_str()) == fault.requirement.as_deref()).then_some(0)) {
            return (block.line + at, "from this delta".to_owned(), "mend it here");
        }
    }
    let text = view.target().map(|spec| &spec.text);
    let in_spec = text.and_then(|text| (0..text.len()).find(|line| !header.is_empty() && text.line(*line) == header));
    let place = match (in_spec, text) {
        (Some(line), _) => view.target_place(line),
        (None, Some(_)) => view.target_name(),
        (None, None) => "the spec would be new".to_owned(),
    };
    let fix = if text.is_some() { "mend the main spec first" } else { "mend it here" };
    (view.first_line(), place, fix)
}
