//! `change/other-heading`

use super::{form, place};
use crate::openspec::proposal_form::{Naming, Role};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Sink};

rule! {
    /// ## What it does
    /// Notes a proposal in which another heading stands for `## Why` or `## What Changes`.
    ///
    /// ## Why it matters
    /// The reference looks for these two names: `openspec show` and its archive note do not see the section.
    ///
    /// ## How to fix
    /// Call the section `## Why` or `## What Changes`.
    "change/other-heading", Info, Own, "A section of a proposal is not called as the template has it", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let Some(form) = form(view) else { return };
    let path = view.change.path("proposal.md");
    for (role, wanted) in [(Role::Why, "Why"), (Role::WhatChanges, "What Changes")] {
        if let Some((part, Naming::Synonym | Naming::Translated)) = form.part(role) {
            let message = format!("`{}` stands for `## {wanted}`, which the reference looks for", part.title);
            sink.report_at(place(path.as_ref(), form, part.line), message, format!("call it `## {wanted}`"));
        }
    }
}
