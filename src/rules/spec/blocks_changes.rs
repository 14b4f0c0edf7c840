//! `spec/blocks-changes`

use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView};

/// Changes that are named.
const NAMED: usize = 10;

rule! {
    /// ## What it does
    /// Lists the open changes that cannot be archived because their main spec has a structural fault: a requirement
    /// outside of `## Requirements`, a name twice, a header of a delta.
    ///
    /// ## Why it matters
    /// One stray heading stops every change for the capability, and none of them is to blame.
    ///
    /// ## How to fix
    /// Mend the faults of the main spec, each of which is reported at its line.
    "spec/blocks-changes", Warning, Own, "A fault of a main spec blocks open changes", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    let (Some(first), Some(project)) = (view.spec.structure.first(), view.project) else { return };
    let deltas = project.open_deltas(view.capability);
    if deltas.is_empty() {
        return;
    }
    let mut names: Vec<String> = deltas.iter().take(NAMED).map(|delta| format!("`{}`", delta.change)).collect();
    if deltas.len() > NAMED {
        names.push(format!("{} more", deltas.len() - NAMED));
    }
    let message = format!(
        "{} cannot be archived because of {} of this spec, the first of which is here: {}",
        count(deltas.len(), "open change"),
        count(view.spec.structure.len(), "fault"),
        names.join(", ")
    );
    sink.report(first.line, "file", message, "mend the spec in a pull request of its own");
}
