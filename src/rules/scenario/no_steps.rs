//! `scenario/no-steps`

use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario without a single step: nothing at all below its heading beside other scenarios, or prose in
    /// which nothing begins with GIVEN, WHEN or THEN. The keywords of about thirty languages are known, however they are
    /// written; text in another language is not judged, nor is a scenario in a table or a code fence that has them.
    ///
    /// ## Why it matters
    /// The reference counts anything below a `####` heading as a scenario. Prose does not say what to do and what to
    /// look for, so nobody can play it through.
    ///
    /// ## Example
    /// ```markdown
    /// #### Scenario: Fifth failure
    /// It just works.
    /// ```
    ///
    /// ## How to fix
    /// Write what happens and what comes of it:
    ///
    /// ```markdown
    /// #### Scenario: Fifth failure
    /// - **WHEN** the user enters a wrong password for the fifth time
    /// - **THEN** the account is locked
    /// ```
    "scenario/no-steps", Warning, Own, "A scenario has no steps", Check::Scenarios(check),
    Weight::testability("S-EMPTY", 30)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for (group, scenario) in view.map.scenarios() {
        // A heading that is not called a scenario and has no steps is none.
        if !scenario.is_labelled || !scenario.is_without_steps() {
            continue;
        }
        let what = match scenario.has_body {
            true if !scenario.is_known_language => continue,
            true => "has no steps, only prose",
            // Without any scenario that counts, the requirement is told as a whole.
            false if group.scenarios.iter().all(|other| !other.has_body) => continue,
            false => "has nothing below its heading",
        };
        let message = format!("scenario `{}` {what}", scenario.name);
        let fix = "say what happens and what comes of it: `- **WHEN** …` and `- **THEN** …`";
        sink.report(scenario.line, view.anchor, message, fix).about(&group.name);
    }
}
