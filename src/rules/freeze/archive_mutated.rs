//! `freeze/archive-mutated`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, compares every change that is archived between base and head with the open change as
    /// it stands on base, and reports a delta that is not the same (line ends and wrapping aside), missing or new.
    ///
    /// ## Why it matters
    /// A delta that is weakened while it is archived explains whatever was written into the main spec.
    ///
    /// ## How to fix
    /// Archive the delta as it stands on base: restore the change and run `openspec archive` again.
    "freeze/archive-mutated", Error, Own, "A delta was changed by the commits that archive it", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::ArchiveMutated, "restore the delta as it stands on base and archive the change again");
}
