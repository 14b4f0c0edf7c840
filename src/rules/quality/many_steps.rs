//! `quality/many-steps`

use crate::openspec::prose::Position;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario with more than ten steps, those that begin with AND counted. Holds for any language whose
    /// keywords are known.
    ///
    /// ## Why it matters
    /// A scenario shows one thing. A long one shows several, and when it fails nobody knows which. (gherkin-lint
    /// "scenario-size".)
    ///
    /// ## How to fix
    /// Cut it where a WHEN could stand again, and begin the second half with what the first one came to as its GIVEN.
    "quality/many-steps", Info, Own, "A scenario has many steps", Check::Quality(check),
    Weight::atomicity("S-SIZE", 3)
}

/// Steps a scenario may have.
const MOST: usize = 10;

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for scenario in &view.requirement.scenarios {
        let count = scenario.form.steps.len();
        if count > MOST {
            let message = format!("scenario `{}` has {count} steps", scenario.form.name);
            let at = Position { line: scenario.form.line, column: 0 };
            view.report_at(sink, at, 0, message, "make several scenarios of it, each with one outcome");
        }
    }
}
