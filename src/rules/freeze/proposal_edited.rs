//! `freeze/proposal-edited`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a `proposal.md` of an open change, or of one that is archived in the diff, that
    /// is more than wrapped otherwise.
    ///
    /// ## Why it matters
    /// The proposal says what the change is for. Its scope shrinks easily while it is implemented.
    ///
    /// ## How to fix
    /// Restore the proposal. When the scope is to be another one, tell a human.
    "freeze/proposal-edited", Error, Own, "The proposal of an open change was edited", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::ProposalEdited, "restore the proposal; tell a human when its scope is wrong");
}
