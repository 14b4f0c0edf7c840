//! `freeze/delta-weakened`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a delta of an open change that lost a requirement, a scenario, a step, a bound
    /// (a number) or a binding word (SHALL, MUST, NOT) between base and head, or that was deleted. Commented out or fenced
    /// counts as lost, and so does a way out that was put in ("if possible", "SHALL try to").
    ///
    /// ## Why it matters
    /// The delta is what the implementation is measured with.
    ///
    /// ## How to fix
    /// Restore the delta and fix the implementation. When the delta is wrong, tell a human, who changes it in a pull request
    /// of its own.
    "freeze/delta-weakened", Error, Own, "The delta of an open change demands less", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::DeltaWeakened, "restore the delta and fix the implementation; tell a human when the delta is wrong");
}
