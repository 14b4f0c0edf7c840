//! `change/why-too-short`

use super::{form, place};
use crate::openspec::js;
use crate::openspec::proposal_form::{Naming, Role};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Sink};

rule! {
    /// ## What it does
    /// Notes a `## Why` of fewer than 50 characters, the length that the reference's archive asks for.
    ///
    /// ## Why it matters
    /// "Because" does not tell the next reader what the problem was.
    ///
    /// ## How to fix
    /// Name the problem and who has it.
    "change/why-too-short", Info, Own, "A proposal says little about why", Check::Change(check)
}

/// What the reference asks for, in UTF-16 units.
const ENOUGH: usize = 50;

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let Some(form) = form(view) else { return };
    let Some((part, Naming::Template)) = form.part(Role::Why) else { return };
    let length = js::length(js::trim(form.text.lines(part.body.clone())));
    if (1..ENOUGH).contains(&length) && form.has_words(part.body.clone()) {
        let path = view.change.path("proposal.md");
        let message = format!("`## Why` has {length} characters; the reference asks for {ENOUGH}");
        sink.report_at(place(path.as_ref(), form, part.line), message, "name the problem and who has it");
    }
}
