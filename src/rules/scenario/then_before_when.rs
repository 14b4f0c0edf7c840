//! `scenario/then-before-when`

use crate::openspec::scenario::StepKind;
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario whose first THEN stands before its first WHEN.
    ///
    /// ## Why it matters
    /// Read in order, the outcome is there before anything has happened: either the steps are swapped, or a WHEN is
    /// missing.
    ///
    /// ## Example
    /// ```markdown
    /// #### Scenario: Fifth failure
    /// - **THEN** the account is locked
    /// - **WHEN** the user submits a wrong password
    /// ```
    ///
    /// ## How to fix
    /// Put the steps in the order in which they happen: GIVEN, WHEN, THEN.
    "scenario/then-before-when", Warning, Own, "A scenario's THEN stands before its WHEN", Check::Scenarios(check),
    Weight::testability("S-ORDER", 8)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for (group, scenario) in view.map.scenarios() {
        let step = |kind| scenario.steps.iter().find(|step| step.kind == kind);
        let (Some(then), Some(when)) = (step(StepKind::Then), step(StepKind::When)) else { continue };
        // A condition, or a WHEN inside an earlier line, is an event as well; a nested WHEN is a detail of the THEN.
        let earlier = scenario.mentions(StepKind::When).min(Some(when.line));
        let condition = scenario.mentions(StepKind::If).is_some_and(|line| line <= then.line);
        if scenario.is_doubtful || earlier <= Some(then.line) || condition || when.indent > then.indent {
            continue;
        }
        let message = format!("scenario `{}` says THEN before it says WHEN, on line {}", scenario.name, when.line + 1);
        sink.report(then.line, view.anchor, message, "put the WHEN before the THEN").about(&group.name);
    }
}
