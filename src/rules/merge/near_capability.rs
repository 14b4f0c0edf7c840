//! `merge/near-capability`

use crate::openspec::near_capability::{Nearness, nearest};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta for a capability that does not exist, where one exists, or comes with an open change, whose name
    /// differs in upper and lower case, separators or Unicode form only.
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
    let (project, capability) = (view.project, &view.file.capability);
    if let Some((Nearness::Spelling, near)) = nearest(project, capability) {
        let message = format!("this creates the capability `{capability}` beside `{near}`");
        let fix = format!("use `specs/{near}/spec.md`, unless a new capability is meant");
        sink.report(0, view.file.entry(), message, fix);
        return;
    }
    if !matches!(project.target(capability), Ok(None)) {
        return;
    }
    let Some((near, change)) = project.claimed_in_other_spelling(capability) else { return };
    let whose = if change == view.change.id { "this change".to_owned() } else { format!("the open change `{change}`") };
    let message = format!("this creates the capability `{capability}`, and {whose} has a delta for `{near}`");
    let fix = "use one spelling in both, unless two capabilities are meant";
    sink.report(0, view.file.entry(), message, fix);
}
