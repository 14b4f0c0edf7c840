//! `freeze/capability-removed`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a main spec that base has and head does not, unless an archived change retires
    /// the capability. A folder that was renamed counts, also when only upper and lower case differ: no delta and no reader
    /// finds the old name any more.
    ///
    /// ## Why it matters
    /// What is not there demands nothing.
    ///
    /// ## How to fix
    /// Restore the file. To retire a capability, archive a change that removes its requirements and sets
    /// `retire_capabilities: true`.
    "freeze/capability-removed", Error, Own, "A main spec was deleted or renamed", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::CapabilityRemoved, "restore it; a change with `retire_capabilities: true` retires a capability when it is archived");
}
