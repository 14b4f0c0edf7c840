//! `merge/lost-scenario`

use std::collections::{HashMap, HashSet};

use crate::openspec::requirement::{Block, missing_scenarios, scenario_names};
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
    /// add it anew under another name when it is meant to go.
    "merge/lost-scenario", Error, Reference, "A modified requirement leaves out scenarios", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    if view.delta.modified.is_empty() {
        return;
    }
    let Ok(Some(file)) = view.project.target(&view.file.capability) else { return };
    let Ok(spec) = view.project.parsed(&file) else { return };
    let current: HashMap<&str, &Block> = spec.blocks.iter().map(|block| (block.name.as_str(), block)).collect();
    let renamed: HashMap<&str, &str> = view.delta.renamed.iter().map(|rename| (rename.to.as_str(), rename.from.as_str())).collect();
    let renamed_away: HashSet<&str> = view.delta.renamed.iter().map(|rename| rename.from.as_str()).collect();
    for block in &view.delta.modified {
        // Reported as a conflict already; and the block it would replace is not the one it names.
        if renamed_away.contains(block.name.as_str()) {
            continue;
        }
        let Some(replaced) = before_renames(&block.name, &current, &renamed) else { continue };
        let (old, new) = (spec.raw(replaced), view.delta.raw(block));
        let missing = missing_scenarios(old, new);
        if missing.is_empty() {
            continue;
        }
        let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        let message = format!(
            "MODIFIED `{}` has {} where the main spec has {}; missing: {}",
            block.name,
            count(scenario_names(new).len(), "scenario"),
            scenario_names(old).len(),
            names.join(", ")
        );
        let fix = format!("copy them from `openspec/specs/{}/spec.md` line {}", view.file.capability, replaced.line + 1);
        sink.report(block.line, view.file.entry(), message, fix).about(&block.name);
    }
}

/// The block a name stands for in the main spec, following renames back. Renames in a circle end the search.
fn before_renames<'a>(name: &'a str, current: &HashMap<&str, &'a Block>, renamed: &HashMap<&str, &'a str>) -> Option<&'a Block> {
    let mut seen = HashSet::new();
    let mut name = name;
    while seen.insert(name) {
        if let Some(block) = current.get(name) {
            return Some(block);
        }
        name = renamed.get(name)?;
    }
    None
}
