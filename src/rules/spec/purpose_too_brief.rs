//! `spec/purpose-too-brief`

use crate::openspec::{js, purpose};
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView};

/// In UTF-16 code units, as the reference counts.
const MIN_LENGTH: usize = 50;

rule! {
    /// ## What it does
    /// Reports a purpose of fewer than 50 characters (UTF-16 code units). A placeholder is reported as such instead.
    ///
    /// ## Why it matters
    /// So short a purpose rarely says more than the capability's name.
    ///
    /// ## How to fix
    /// Say who needs the capability and what for.
    "spec/purpose-too-brief", Warning, Reference, "The purpose is very short", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    let (Some(section), Some(text)) = (&view.spec.purpose, view.spec.purpose_text()) else { return };
    let length = js::length(text);
    if view.spec.is_readable() && length < MIN_LENGTH && purpose::placeholder_line(view.spec).is_none() {
        let message = format!("the purpose has {length} characters, fewer than {MIN_LENGTH}");
        sink.report(section.line, "overview", message, "say who needs the capability and what for");
    }
}
