//! `quality/comparison`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports comparisons with nothing, where something is demanded: faster, easier, as small as possible. With a number or
    /// "than" within four words they are left alone.
    ///
    /// ## Why it matters
    /// A check has to know better than what, and by how much. (Requirements smells, ISO 29148.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL give faster results.
    /// ```
    ///
    /// ## How to fix
    /// Say what it is compared with, and by how much: `in half the time of version 2`.
    "quality/comparison", Warning, Own, "A comparison does not say with what", Check::Quality(check),
    Weight::testability("R-COMPARE", 6)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("does not say compared with what", "say than what, and by how much");
    view.report_demanded(sink, List::Comparison, words, |sentence, hit| !sentence.is_measured(&hit.range) && !sentence.is_compared(&hit.range));
}
