//! `quality/gesture`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports clicks, key presses and selectors in steps of scenarios.
    ///
    /// ## Why it matters
    /// The scenario breaks when the screen changes, though what it demands does not. (Gherkin practice, agent-spec.)
    ///
    /// ## Example
    /// ```markdown
    /// - **WHEN** the user clicks the blue button
    /// ```
    ///
    /// ## How to fix
    /// Say what the user wants: `- **WHEN** the user confirms the order`.
    "quality/gesture", Info, Own, "A step says how a screen is used", Check::Quality(check),
    Weight::clarity("S-IMPERATIVE-UI", 2).pedantic()
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for sentence in view.requirement.scenarios.iter().flat_map(|scenario| &scenario.steps) {
        for hit in sentence.of(List::Gesture) {
            view.report_hit(sink, sentence, hit, "says how a screen is used", "say what the user wants to do");
        }
    }
}
