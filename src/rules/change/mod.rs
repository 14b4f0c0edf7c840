//! Rules about a change's proposal and metadata.

use super::rule::group;
use super::{ChangeView, Place};
use crate::openspec::proposal_form::{Form, ProposalFile};

group!("change": no_proposal, no_why, no_what_changes, other_heading, why_too_short, capabilities_differ, unknown_schema,
    invalid_metadata);

/// The proposal of a change that follows the built-in schema. Other schemas may want anything in it, or none.
fn proposal<'a>(view: &'a ChangeView<'_>) -> Option<&'a ProposalFile> {
    let is_judged = view.change.nested.is_empty() && view.change.tasks.is_built_in;
    is_judged.then(|| view.change.proposal(view.project))
}

/// A proposal that says something.
fn form<'a>(view: &'a ChangeView<'_>) -> Option<&'a Form> {
    match proposal(view)? {
        ProposalFile::Read(form) if form.has_words(0..form.text.len()) => Some(form),
        _ => None,
    }
}

/// A line of the proposal.
fn place<'a>(path: &'a bstr::BStr, form: &'a Form, line: usize) -> Place<'a> {
    Place { file: path, line, anchor: "proposal.md", text: Some(&form.text) }
}
