//! `change/no-what-changes`

use super::{form, place};
use crate::openspec::proposal_form::Role;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Sink};

rule! {
    /// ## What it does
    /// Reports a proposal of the built-in schema without a `## What Changes` section, or with an empty one or one that only says TBD. Sections that say the same
    /// in another language or another word count.
    ///
    /// ## Why it matters
    /// It is what a reviewer reads first, and what the change is held against in the end.
    ///
    /// ## How to fix
    /// Write a `## What Changes` section.
    "change/no-what-changes", Warning, Own, "A proposal does not say what the change does", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let Some(form) = form(view) else { return };
    let (line, message) = match form.part(Role::WhatChanges) {
        // "What and Why" and the like.
        None if form.parts.iter().any(|part| part.title.to_lowercase().contains("what")) => return,
        Some((part, _)) if form.says_something(part.body.clone()) => return,
        Some((part, _)) if form.has_words(part.body.clone()) => {
            (part.line, format!("`{}` has nothing but a placeholder", part.title))
        }
        Some((part, _)) => (part.line, format!("`{}` is empty", part.title)),
        None if form.is_known() => (0, "the proposal has no `## What Changes`".to_owned()),
        None => return,
    };
    let path = view.change.path("proposal.md");
    sink.report_at(place(path.as_ref(), form, line), message, "say what the change does below `## What Changes`");
}
