//! `freeze/task-removed`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a task of an open change, or of one that is archived in the diff, that base has
    /// and head does not. One that was moved to another file, into a code fence or into a comment is gone. Ticking boxes, new
    /// tasks and another order are fine.
    ///
    /// ## Why it matters
    /// A task is to be done, not to be deleted.
    ///
    /// ## How to fix
    /// Restore the task. When it must not be done, tell a human.
    "freeze/task-removed", Error, Own, "A task of an open change is gone", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::TaskRemoved, "restore the task and do it; tell a human when it must not be done");
}
