//! `freeze/change-deleted`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a change that is open on base and neither open nor archived on head.
    ///
    /// ## Why it matters
    /// What was to be implemented is demanded no more.
    ///
    /// ## How to fix
    /// Restore the folder under its name. A change that is not wanted any more is deleted in a pull request of its own.
    "freeze/change-deleted", Error, Own, "An open change was deleted or renamed", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::ChangeDeleted, "restore the folder under its name");
}
