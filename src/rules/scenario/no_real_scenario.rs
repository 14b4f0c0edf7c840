//! `scenario/no-real-scenario`

use crate::openspec::scenario::Scenario;
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement whose `####` headings are no scenarios: none is called `Scenario: …`, and none has a step
    /// below it. Text in a language whose keywords are not known is not judged.
    ///
    /// ## Why it matters
    /// For the reference any `####` heading with something below it is a scenario, so `#### Notes` is enough to pass.
    ///
    /// ## Example
    /// ```markdown
    /// ### Requirement: Audit log
    /// The system SHALL log.
    ///
    /// #### Notes
    /// Nothing here is testable.
    /// ```
    ///
    /// ## How to fix
    /// Add `#### Scenario: <name>` with `- **WHEN** …` and `- **THEN** …` below it.
    "scenario/no-real-scenario", Warning, Own, "A requirement has headings but no scenario", Check::Scenarios(check),
    Weight::completeness("S-NONE", 40)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for group in view.map.groups.iter().filter(|group| group.is_requirement) {
        let is_heading_only = |scenario: &Scenario| !scenario.is_labelled && scenario.is_without_steps();
        // One unknown language among them, and nothing is sure. Without a body the reference tells it.
        let is_sure = group.scenarios.iter().any(|scenario| scenario.has_body)
            && group.scenarios.iter().all(|scenario| is_heading_only(scenario) && scenario.is_known_language);
        let Some(first) = group.scenarios.first().filter(|_| is_sure) else { continue };
        let message = format!("`{}` has no real scenario: `{}` has no steps", group.name, first.name);
        let fix = "add `#### Scenario: <name>` with `- **WHEN** …` and `- **THEN** …` below it";
        sink.report(first.line, view.anchor, message, fix).about(&group.name);
    }
}
