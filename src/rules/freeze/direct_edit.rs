//! `freeze/direct-edit`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a main spec that differs between base and head although no change says so: it is
    /// not what archiving (or syncing) the deltas that stand on base would write, and not only wrapped otherwise. The nearest
    /// explanation is named: which change would write what, at the first line that differs.
    ///
    /// ## Why it matters
    /// Main specs say what was agreed. An edit that no agreed change asks for lowers the bar for whoever implements it.
    ///
    /// ## How to fix
    /// Restore the file. To change what is demanded, propose a change with a delta, have it accepted, and archive it then.
    "freeze/direct-edit", Error, Own, "A main spec was edited and no change explains it", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::DirectEdit, "restore it; to change a spec, propose a change with a delta and archive it once it is agreed");
}
