//! `scenario/no-when`

use crate::openspec::scenario::StepKind;
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario that has steps, none of which says WHEN. IF and WHILE will do, and so will a WHEN in capitals or
    /// bold inside another step, or commands in a code fence before the THEN.
    ///
    /// ## Why it matters
    /// Without the event nobody knows what to do to see the outcome.
    ///
    /// ## Example
    /// ```markdown
    /// #### Scenario: Lockout
    /// - **GIVEN** a user with four failed attempts
    /// - **THEN** the account is locked
    /// ```
    ///
    /// ## How to fix
    /// Add `- **WHEN** …`. For something that always holds, name the moment somebody looks:
    /// `- **WHEN** the settings are read`.
    "scenario/no-when", Warning, Own, "A scenario has no WHEN", Check::Scenarios(check),
    Weight::testability("S-NO-WHEN", 20)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for (group, scenario) in view.map.scenarios() {
        let happens = scenario.mentions(StepKind::When).or(scenario.mentions(StepKind::If));
        // Commands in a fence before the THEN are what happens.
        let is_shown = scenario.first_fence.is_some_and(|fence| scenario.mentions(StepKind::Then).is_none_or(|then| fence < then));
        if !scenario.has_sure_steps() || happens.is_some() || is_shown {
            continue;
        }
        let message = format!("scenario `{}` has no WHEN", scenario.name);
        let fix = match scenario.mentions(StepKind::Given) {
            Some(_) => "write what is done as `- **WHEN** …`, between what is given and the THEN",
            None => "add `- **WHEN** …` before the THEN",
        };
        sink.report(scenario.line, view.anchor, message, fix).about(&group.name);
    }
}
