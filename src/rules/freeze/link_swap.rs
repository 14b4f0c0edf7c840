//! `freeze/link-swap`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports a file of the spec set that became a link, a folder or a submodule (or the
    /// reverse), a link that leads elsewhere, and a link that is new in the spec set.
    ///
    /// ## Why it matters
    /// A link shows whatever it leads to, which may be changed without anybody looking at the specs.
    ///
    /// ## How to fix
    /// Put the file itself back.
    "freeze/link-swap", Error, Own, "A file of the spec set became something else", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::LinkSwap, "put the file itself back");
}
