//! `scenario/duplicate-name`

use std::collections::HashMap;

use crate::openspec::heading::fold_name;
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario whose name another scenario of the same requirement has, without regard to case and blanks.
    ///
    /// ## Why it matters
    /// Scenarios are told apart by name: in a review, in a check that belongs to one, and when archiving looks whether a
    /// modified requirement has lost one.
    ///
    /// ## How to fix
    /// Give each its own name, by what is different about it. If they say the same, delete one.
    "scenario/duplicate-name", Warning, Own, "Two scenarios of a requirement have one name", Check::Scenarios(check),
    Weight::consistency("S-DUP-NAME", 20)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for group in &view.map.groups {
        let mut lines: HashMap<String, usize> = HashMap::new();
        for scenario in group.scenarios.iter().filter(|scenario| !scenario.name.is_empty()) {
            let first = *lines.entry(fold_name(&scenario.name)).or_insert(scenario.line);
            if first == scenario.line {
                continue;
            }
            let message = format!("`{}` has two scenarios `{}`, the other on line {}", group.name, scenario.name, first + 1);
            sink.report(scenario.line, view.anchor, message, "give it a name of its own").about(&group.name);
        }
    }
}
