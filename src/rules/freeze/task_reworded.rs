//! `freeze/task-reworded`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a task whose text, or a line below it, is another one than on base, a box with a
    /// mark that is neither a blank nor an `x`, and a box that was ticked inside a code fence.
    ///
    /// ## Why it matters
    /// `Refuse on failure` is easily done once it says `Consider refusing`.
    ///
    /// ## How to fix
    /// Restore the text and do what it says. When it is wrong, tell a human.
    "freeze/task-reworded", Error, Own, "A task of an open change says something else", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::TaskReworded, "restore the task's text and do what it says; tell a human when it is wrong");
}
