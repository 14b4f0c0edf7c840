//! `merge/last-requirement`

use super::dry_run::Outcome;
use crate::rules::rule::rule;
use crate::rules::{Check, MergeView, Sink};

/// Lines quoted of what stands in the way.
const QUOTED: usize = 5;

rule! {
    /// ## What it does
    /// Reports a delta that removes the last requirement of a capability when archiving may not delete its main spec:
    /// the change does not say `retire_capabilities: true` in `.openspec.yaml`, or the spec holds content besides title,
    /// purpose and requirements that would go with the file.
    ///
    /// ## Why it matters
    /// A spec without requirements is not valid, so archiving stops, and the reference's `validate --strict` passes.
    ///
    /// ## How to fix
    /// Add `retire_capabilities: true` to the change's `.openspec.yaml`, beside `schema:`. Move what else the spec holds
    /// under `## Purpose` or into a requirement first, or take it out.
    "merge/last-requirement", Error, Own, "A delta removes the last requirement and the spec may not go", Check::Merge(check)
}

fn check(view: &MergeView<'_>, sink: &mut Sink<'_>) {
    let Outcome::Emptied(emptied) = &view.run.outcome else { return };
    let line = view.delta.removed.first().map_or(0, |removal| removal.line);
    let message = format!("this removes the last requirement of `{}`", view.file.capability);
    if emptied.unnamed.is_empty() {
        let fix = "add `retire_capabilities: true` to the change's `.openspec.yaml`, or keep a requirement";
        sink.report(line, view.file.entry(), format!("{message}, and the change does not retire it"), fix);
        return;
    }
    let place = view.target_place(emptied.unnamed[0].line);
    let message = format!("{message}, and its spec holds content that would go with it: `{}` ({place})", emptied.unnamed[0].text);
    let fix = match emptied.is_declared {
        true => "move it under `## Purpose` or into a requirement, or take it out",
        false => "move it or take it out, and add `retire_capabilities: true` to the change's `.openspec.yaml`",
    };
    let quoted: Vec<String> = emptied.unnamed.iter().take(QUOTED).map(|unnamed| unnamed.text.clone()).collect();
    sink.report(line, view.file.entry(), message, fix).prove(&quoted);
}
