//! `change/other-heading`

use super::{form, place};
use crate::openspec::proposal_form::{Naming, Role};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Sink};

rule! {
    /// ## What it does
    /// Notes a proposal in which another heading stands, or may stand, for `## Why` or `## What Changes`.
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
        let Some((part, naming)) = form.part(role) else { continue };
        let (message, fix) = match naming {
            Naming::Template => continue,
            Naming::Translated => (
                format!("`{}` stands for `## {wanted}`, which the reference looks for", part.title),
                format!("call it `## {wanted}`"),
            ),
            // Another word may stand for something else.
            Naming::Synonym => (
                format!("there is no `## {wanted}`, which the reference looks for; `{}` may be it", part.title),
                format!("if it is, call it `## {wanted}`"),
            ),
        };
        sink.report_at(place(path.as_ref(), form, part.line), message, fix);
    }
}
