//! `delta/ignored-purpose`

use crate::openspec::leftovers::Reason;
use crate::report::display_path;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a `## Purpose` section in a delta for a capability that exists already, unless it says the same as the main spec.
    ///
    /// ## Why it matters
    /// Archiving takes the purpose of a delta over for a new capability only. For an existing one the text is dropped.
    ///
    /// ## How to fix
    /// Edit the purpose in the main spec when the change is archived, and delete it here.
    "delta/ignored-purpose", Warning, Own, "The purpose in a delta is ignored", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let Some(leftover) = view.delta.account().leftovers.iter().find(|leftover| leftover.reason == Reason::Purpose) else {
        return;
    };
    if let Ok(Some(file)) = view.project.target(&view.file.capability) {
        // A copy loses nothing.
        let written = view.delta.text.lines(leftover.lines.start + 1..leftover.lines.end);
        let kept = view.project.parsed(&file).ok().and_then(|spec| spec.purpose_text());
        if kept.is_some_and(|kept| kept.split_whitespace().eq(written.split_whitespace())) {
            return;
        }
        let message = format!("this purpose is dropped when the change is archived: {} has one", display_path(file.path.as_ref()));
        let fix = "delete it here; edit the purpose of the main spec when the change is archived";
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
}
