//! `delta/fenced-entry`

use std::collections::HashMap;

use crate::openspec::heading::{is_scenario, scenario_name};
use crate::openspec::js::trim;
use crate::openspec::leftovers::Reason;
use crate::openspec::requirement::{Block, missing_scenarios};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta section, requirement, removal or rename inside a code fence that is no example inside a requirement; and
    /// a scenario that the main spec has and a MODIFIED requirement keeps only inside a fence.
    ///
    /// ## Why it matters
    /// What is in a fence is code and not read. Archiving drops it, or refuses.
    ///
    /// ## How to fix
    /// Take it out of the fence.
    "delta/fenced-entry", Error, Own, "A requirement stands in a code fence", Check::Delta(check)
}

const FIX: &str = "take it out of the fence";

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let Reason::Fenced(line) = &leftover.reason else { continue };
        let message = format!("`{line}` stands in a code fence, so it is not read");
        sink.report(leftover.lines.start, view.file.entry(), message, FIX);
    }
    if view.delta.modified.is_empty() {
        return;
    }
    let Ok(Some(file)) = view.project.target(&view.file.capability) else { return };
    let Ok(spec) = view.project.parsed(&file) else { return };
    let current: HashMap<&str, &Block> = spec.blocks.iter().map(|block| (block.name.as_str(), block)).collect();
    for block in &view.delta.modified {
        let Some(replaced) = current.get(block.name.as_str()) else { continue };
        let raw = view.delta.raw(block);
        for name in missing_scenarios(spec.raw(replaced), raw) {
            let mut lines = (block.line..).zip(raw.split('\n')).filter(|(line, _)| view.delta.text.fenced(*line));
            let is_it = |written: &str| is_scenario(written) && scenario_name(written) == name;
            if let Some((line, _)) = lines.find(|(_, written)| is_it(trim(written))) {
                let message = format!("scenario `{name}` of `{}` stands in a code fence, so it is not read", block.name);
                sink.report(line, view.file.entry(), message, FIX).about(&block.name);
            }
        }
    }
}
