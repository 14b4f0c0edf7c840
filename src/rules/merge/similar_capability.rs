//! `merge/similar-capability`

use crate::openspec::near_capability::{Nearness, nearest};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Notes a delta for a capability that does not exist, where one exists whose name is a slip away.
    ///
    /// ## Why it matters
    /// Archiving creates a second capability, and the requirements of one thing stand in two places.
    ///
    /// ## How to fix
    /// Use the folder of the existing capability, unless a new one is meant.
    "merge/similar-capability", Info, Own, "A new capability has nearly the name of an existing one", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let Some((Nearness::Slip, near)) = nearest(view.project, &view.file.capability) else { return };
    let message = format!("this creates the capability `{}` beside `{near}`", view.file.capability);
    let fix = format!("use `specs/{near}/spec.md`, unless a new capability is meant");
    sink.report(0, view.file.entry(), message, fix);
}
