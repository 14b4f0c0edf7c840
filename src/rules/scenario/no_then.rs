//! `scenario/no-then`

use crate::openspec::scenario::StepKind;
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario that has steps, none of which says THEN. A THEN in capitals or bold inside another step will do, and so will a
    /// WHEN that says what the system SHALL do.
    ///
    /// ## Why it matters
    /// A scenario without an outcome is fulfilled by anything.
    ///
    /// ## Example
    /// ```markdown
    /// #### Scenario: Fifth failure
    /// - **GIVEN** a user with four failed attempts
    /// - **WHEN** the user submits a wrong password
    /// ```
    ///
    /// ## How to fix
    /// Add `- **THEN** …` with what can be seen afterwards.
    "scenario/no-then", Warning, Own, "A scenario has no THEN", Check::Scenarios(check),
    Weight::testability("S-NO-THEN", 20)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for (group, scenario) in view.map.scenarios() {
        if !scenario.has_sure_steps() || scenario.mentions(StepKind::Then).is_some() {
            continue;
        }
        let message = format!("scenario `{}` has no THEN: nothing comes of it", scenario.name);
        sink.report(scenario.line, view.anchor, message, "add `- **THEN** …` with what can be seen afterwards")
            .about(&group.name);
    }
}
