//! `merge/no-main-spec`

use crate::openspec::merge::Reason;
use crate::openspec::near::near;
use crate::rules::rule::rule;
use crate::rules::{Check, MergeView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta that modifies or renames requirements of a capability that has no main spec. Archiving refuses it,
    /// while the reference's `validate --strict` passes.
    ///
    /// ## Why it matters
    /// There is nothing to modify. Usually the folder's name is misspelt, or the capability is new and everything in it
    /// belongs under ADDED.
    ///
    /// ## How to fix
    /// Name the delta's folder as the capability's folder below `openspec/specs/`, or use ADDED for a new capability.
    "merge/no-main-spec", Error, Own, "A delta modifies a spec that does not exist", Check::Merge(check)
}

/// What to do when no capability was plainly meant.
const GENERAL: &str = "name an existing capability's folder, or use ADDED for a new one";

fn check(view: &MergeView<'_>, sink: &mut Sink<'_>) {
    for refusal in view.refusals().iter().filter(|refusal| !view.waits(refusal)) {
        let Reason::NoTarget(operation) = &refusal.reason else { continue };
        let capability = &view.file.capability;
        let known = view.project.specs();
        let near = near(capability, known.files.iter().map(|file| file.id.as_str()));
        let message = format!("{} needs a main spec, and `{}` has none", operation.word(), capability);
        let (message, fix) = match near {
            Some(near) if near.is_slip => {
                (message, format!("name the folder `{}`, or use ADDED for a new capability", near.name))
            }
            Some(near) => (format!("{message}; the nearest capability is `{}`", near.name), GENERAL.to_owned()),
            None => (message, GENERAL.to_owned()),
        };
        sink.report(refusal.line, view.file.entry(), message, fix);
    }
}
