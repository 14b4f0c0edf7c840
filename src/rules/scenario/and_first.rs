//! `scenario/and-first`

use crate::openspec::scenario::StepKind;
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario whose first step is AND, BUT or OR.
    ///
    /// ## Why it matters
    /// AND goes on with the step before. Without one nobody knows whether it is a condition, an event or an outcome;
    /// often the step before was lost in an edit.
    ///
    /// ## Example
    /// ```markdown
    /// #### Scenario: Fifth failure
    /// - **AND** the user submits a wrong password
    /// - **THEN** the account is locked
    /// ```
    ///
    /// ## How to fix
    /// Begin with GIVEN or WHEN.
    "scenario/and-first", Warning, Own, "A scenario begins with AND", Check::Scenarios(check),
    Weight::testability("S-CONJ", 4)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for (group, scenario) in view.map.scenarios() {
        let Some(first) = scenario.steps.first() else { continue };
        let mains = [StepKind::Given, StepKind::When, StepKind::Then, StepKind::If];
        let is_preceded = mains.iter().any(|kind| scenario.mentions(*kind).is_some_and(|line| line <= first.line));
        if first.kind != StepKind::And || scenario.is_doubtful || is_preceded {
            continue;
        }
        let message = format!("scenario `{}` begins with a step that goes on with one before", scenario.name);
        sink.report(first.line, view.anchor, message, "begin with `- **GIVEN** …` or `- **WHEN** …`").about(&group.name);
    }
}
