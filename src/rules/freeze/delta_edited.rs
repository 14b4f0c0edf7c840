//! `freeze/delta-edited`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports any other edit of an open change's delta that is more than line ends, white
    /// space or the wrapping of prose, and a delta that was added to a change that base has already.
    ///
    /// ## Why it matters
    /// Base's delta was agreed. Another one was not, even when it demands more.
    ///
    /// ## How to fix
    /// Restore the delta. Put what is new into a change of its own, or have the delta changed in a pull request of its own.
    "freeze/delta-edited", Error, Own, "The delta of an open change was edited", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::DeltaEdited, "restore the delta; put what is new into a change of its own");
}
