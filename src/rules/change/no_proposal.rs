//! `change/no-proposal`

use super::{place, proposal};
use crate::openspec::proposal_form::ProposalFile;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a change of the built-in schema without `proposal.md`, or with one that says nothing.
    ///
    /// ## Why it matters
    /// The proposal says why the change is made. Without it nobody can tell whether the deltas do what was wanted.
    ///
    /// ## How to fix
    /// Write `proposal.md` with `## Why` and `## What Changes`.
    "change/no-proposal", Warning, Own, "A change has no proposal", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let path = view.change.path("proposal.md");
    let fix = "write `## Why` and `## What Changes`";
    match proposal(view) {
        Some(ProposalFile::Missing) => {
            let place = Place { file: view.change.dir.as_ref(), line: 0, anchor: "proposal.md", text: None };
            sink.report_at(place, "the change has no proposal.md", "write proposal.md with `## Why` and `## What Changes`");
        }
        Some(ProposalFile::Read(form)) if !form.has_words(0..form.text.len()) => {
            sink.report_at(place(path.as_ref(), form, 0), "the proposal says nothing", fix);
        }
        _ => {}
    }
}
