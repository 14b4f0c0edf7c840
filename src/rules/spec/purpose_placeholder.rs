//! `spec/purpose-placeholder`

use crate::openspec::purpose;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView, Weight};

rule! {
    /// ## What it does
    /// Reports a purpose that is still `TBD`, `TODO` or the sentence archiving writes for a new capability.
    ///
    /// ## Why it matters
    /// The purpose tells readers and agents what the capability is for. A placeholder tells them nothing.
    ///
    /// ## How to fix
    /// Write the purpose in the main spec itself: a delta's purpose is only read when the capability is created.
    "spec/purpose-placeholder", Warning, Reference, "The purpose is a placeholder", Check::Spec(check),
    Weight::completeness("R-TBD", 30)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    if view.spec.is_readable()
        && let Some(line) = purpose::placeholder_line(view.spec)
    {
        sink.report(line, "overview", "the purpose is still a placeholder", "say here what the capability is for");
    }
}
