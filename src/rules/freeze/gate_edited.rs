//! `freeze/gate-edited`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports edits of what decides whether and how the gate runs:
    /// `openspec/specward.yaml`, `openspec/specward-baseline.yaml`, `openspec/verify/`, and, where base's version mentions specward, CI workflows, hooks, hook
    /// managers' and agents' settings, and the block between `<!-- specward:start -->` and `<!-- specward:end -->` in agents'
    /// instructions. Of files that mostly say other things, such as `package.json` and `Makefile`, only the lines that mention
    /// specward count. New agent settings that turn hooks off count too.
    ///
    /// Where base has no `openspec/specward.yaml`, adding one passes when it says `frozen: explained` or `frozen: strict` and
    /// only asks for more than is asked without one. Comments above and below all else in a YAML file are nobody's business.
    ///
    /// In `openspec/verify/` new criteria for scenarios that had none are fine, and so are other comments, another order
    /// and another layout. What base has must stay as it is, unless its scenario is gone or its requirement is called
    /// otherwise because a change was archived.
    ///
    /// ## Why it matters
    /// A gate that whoever is judged can switch off is none.
    ///
    /// ## How to fix
    /// Restore the file. A change of the gate is let in by whoever may decide that, see "How the gate is changed" in
    /// docs/freeze.md.
    "freeze/gate-edited", Error, Own, "The gate's own files were edited", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::GateEdited, "restore the file, or have it let in by whoever may change the gate (docs/freeze.md)");
}
