//! `merge/lost-scenario`

use crate::openspec::loss::{LostScenario, replaced};
use crate::openspec::requirement::{missing_scenarios, scenario_names};
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Compares each MODIFIED requirement with the one it replaces and reports scenarios that are missing in it. Names
    /// are counted: two scenarios of one name need two. A requirement renamed in the same delta is found by its old name.
    ///
    /// ## Why it matters
    /// MODIFIED replaces the whole requirement. What is not repeated is gone, and archiving refuses to drop it.
    ///
    /// ## How to fix
    /// Copy the missing scenarios into the block. A scenario cannot be dropped by MODIFIED: remove the requirement and
    /// add it anew under another name when it is meant to go. Nor can one be renamed: when its steps stand under a new
    /// name, the finding says so; keep the old name, or remove and add the requirement.
    "merge/lost-scenario", Error, Reference, "A modified requirement leaves out scenarios", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    if view.delta.modified.is_empty() {
        return;
    }
    let Ok(Some(file)) = view.project.target(&view.file.capability) else { return };
    let Ok(spec) = view.project.parsed(&file) else { return };
    for pair in replaced(view.delta, spec) {
        let (old, new) = (spec.raw(pair.old), view.delta.raw(pair.new));
        let missing = missing_scenarios(old, new);
        if missing.is_empty() {
            continue;
        }
        let block = view.losses().iter().find(|loss| loss.new_line == pair.new.line);
        let lost = block.map(|block| block.loss.scenarios.as_slice()).unwrap_or_default();
        let renamed = |name: &str| lost.iter().find(|lost| lost.name == name).and_then(|lost| lost.renamed.as_deref());
        let names: Vec<String> = missing
            .iter()
            .map(|name| renamed(name).map_or_else(|| format!("`{name}`"), |to| format!("`{name}` (renamed to `{to}`)")))
            .collect();
        let message = format!(
            "MODIFIED `{}` has {} where the main spec has {}; missing: {}",
            pair.new.name,
            count(scenario_names(new).len(), "scenario"),
            scenario_names(old).len(),
            names.join(", ")
        );
        let fix = fix(lost, missing.len(), &view.file.capability, pair.old.line + 1);
        sink.report(pair.new.line, view.file.entry(), message, fix).about(&pair.new.name);
    }
}

fn fix(lost: &[LostScenario], missing: usize, capability: &str, line: usize) -> String {
    let place = format!("`openspec/specs/{capability}/spec.md` line {line}");
    let renamed: Vec<String> =
        lost.iter().filter(|lost| lost.renamed.is_some()).map(|lost| format!("`{}`", lost.name)).collect();
    if renamed.is_empty() {
        return format!("copy them from {place}");
    }
    let keep = format!(
        "keep the old name {}: MODIFIED cannot rename a scenario; for new names write REMOVED and ADDED with another requirement name",
        renamed.join(", ")
    );
    if renamed.len() == missing { keep } else { format!("copy the others from {place}; {keep}") }
}
