//! `criteria/same-scenario`

use std::collections::HashMap;

use bstr::BStr;

use crate::rules::rule::rule;
use crate::rules::{Check, CriteriaView, Sink};

rule! {
    /// ## What it does
    /// Reports a second entry of one file for the same scenario.
    ///
    /// ## Why it matters
    /// What proves a scenario stands in one place. A second, weaker entry beside the first would look as if the scenario
    /// passed.
    ///
    /// ## Example
    /// ```yaml
    /// version: 1
    /// criteria:
    ///   - { requirement: Sign in, scenario: Right password, verify: [{ command: [make, test] }] }
    ///   - { requirement: Sign in, scenario: Right password, id: again }
    /// ```
    ///
    /// ## How to fix
    /// Put all checks of the scenario under one entry.
    "criteria/same-scenario", Error, Own, "Two entries are for the same scenario", Check::Criteria(check)
}

fn check(view: &CriteriaView<'_>, sink: &mut Sink<'_>) {
    let mut by_name: HashMap<(&str, &str), usize> = HashMap::new();
    let mut by_place: HashMap<(&BStr, usize), usize> = HashMap::new();
    for (criterion, matching) in view.matched() {
        let names = (criterion.requirement.as_str(), criterion.scenario.as_str());
        // Two names of one requirement while a rename is open.
        let places = matching.found().iter().map(|found| (found.path.as_ref(), found.scenario_line));
        let places: Vec<(&BStr, usize)> = places.collect();
        let first = by_name.get(&names).or_else(|| places.iter().find_map(|place| by_place.get(place))).copied();
        if let Some(first) = first {
            let message = format!("the entry in line {} is for the same scenario `{}`", first + 1, criterion.scenario);
            let fix = "put all checks of the scenario under one entry";
            sink.report(criterion.line, "criteria", message, fix).about(&criterion.requirement);
            continue;
        }
        by_name.insert(names, criterion.line);
        by_place.extend(places.into_iter().map(|place| (place, criterion.line)));
    }
}
