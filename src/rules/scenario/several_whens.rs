//! `scenario/several-whens`

use crate::openspec::requirement::has_normative_keyword;
use crate::openspec::scenario::{Step, StepKind};
use crate::rules::rule::rule;
use crate::rules::{Check, ScenarioView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario with more than one WHEN. Steps nested below another one are not counted.
    ///
    /// ## Why it matters
    /// A second WHEN after a THEN is a second scenario without a name of its own: when it fails, nobody can tell which of
    /// them did, and a change cannot replace one of them. Two in a row leave open whether both have to happen or either.
    ///
    /// ## Example
    /// ```markdown
    /// #### Scenario: Lockout
    /// - **WHEN** the fifth attempt fails
    /// - **THEN** the account is locked
    /// - **WHEN** an hour has passed
    /// - **THEN** it is open again
    /// ```
    ///
    /// ## How to fix
    /// Make two scenarios; the outcome of the first becomes the GIVEN of the second. When both have to happen, write
    /// `- **AND** …` for the second.
    "scenario/several-whens", Warning, Own, "A scenario has more than one WHEN", Check::Scenarios(check),
    Weight::atomicity("S-MULTI-WHEN", 8)
}

fn check(view: &ScenarioView<'_>, sink: &mut Sink<'_>) {
    for (group, scenario) in view.map.scenarios() {
        if scenario.is_doubtful {
            continue;
        }
        let Some(indent) = scenario.steps.iter().map(|step| step.indent).min() else { continue };
        // Up to three blanks before a line change nothing in Markdown, but two make a bullet a nested one.
        let is_when = |step: &&Step| {
            step.kind == StepKind::When && step.indent < indent + 2 && !is_sentence(view.text.line(step.line))
        };
        let mut whens = scenario.steps.iter().filter(is_when);
        let (Some(first), Some(second)) = (whens.next(), whens.next()) else { continue };
        let has_then_between = scenario
            .steps
            .iter()
            .any(|step| step.kind == StepKind::Then && (first.line..second.line).contains(&step.line));
        let fix = match has_then_between {
            true => "make a scenario of its own from here on",
            false => "write `- **AND** …` here, or make two scenarios",
        };
        let message = format!("scenario `{}` has {} WHENs", scenario.name, whens.count() + 2);
        sink.report(second.line, view.anchor, message, fix).about(&group.name);
    }
}

/// Whether a line is a plain sentence that says "when …, it SHALL …" by itself, above the steps or among them.
fn is_sentence(line: &str) -> bool {
    let is_plain = line.starts_with(|c: char| c.is_alphabetic()) && !line.starts_with("WHEN");
    is_plain && has_normative_keyword(line)
}
