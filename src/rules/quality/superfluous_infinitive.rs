//! `quality/superfluous-infinitive`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports "be able to", "be capable of" and the like where something is demanded. "Shall not be able to" is left alone, and so is what
    /// people shall be able to do.
    ///
    /// ## Why it matters
    /// A system that is able to do something need not do it. What is meant is nearly always the action, and when it happens.
    /// (INCOSE R10.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL be able to export reports.
    /// ```
    ///
    /// ## How to fix
    /// Demand the action: `When the user asks for it, the system SHALL export the report.`
    "quality/superfluous-infinitive", Info, Own, "An ability is demanded where an action is meant", Check::Quality(check),
    Weight::clarity("R-INFINITIVE", 3)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("demands an ability, not what is done", "demand what is done, and when");
    view.report_demanded(sink, List::SuperfluousInfinitive, words, |sentence, hit| !sentence.said[..hit.range.start].trim_end().ends_with(" not") && !sentence.has_near(List::Person, &hit.range));
}
