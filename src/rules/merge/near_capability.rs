//! `merge/near-capability`

use crate::openspec::near_capability::{Nearness, nearest};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta for a capability that does not exist, where one exists whose name differs in upper and lower case,
    /// separators or Unicode form only.
    ///
    /// ## Why it matters
    /// Archiving creates a second capability. On file systems that fold case the two are one folder, and the one written last
    /// wins.
    ///
    /// ## How to fix
    /// Use the folder of the existing capability, unless a new one is meant.
    "merge/near-capability", Warning, Own, "A new capability differs from an existing one in spelling only", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let Some((Nearness::Spelling, near)) = nearest(view.project, &view.file.capability) else { return };
    let message = format!("this creates the capability `{}` beside `{near}`", view.file.capability);
    let fix = format!("use `specs/{near}/spec.md`, unless a new capability is meant");
    sink.report(0, view.file.entry(), message, fix);
}
