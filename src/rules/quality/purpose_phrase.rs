//! `quality/purpose-phrase`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports "in order to", "for the purpose of" and the like where something is demanded. "To" and "so that" are left alone,
    /// as they often say what comes of it.
    ///
    /// ## Why it matters
    /// A purpose beside a demand reads as if it were demanded too, and no check can tell whether it is reached. It belongs to the
    /// rationale. (INCOSE R20.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL cache results in order to save cost.
    /// ```
    ///
    /// ## How to fix
    /// Put the purpose into a sentence of its own, or into the purpose of the spec.
    "quality/purpose-phrase", Info, Own, "A purpose stands in a demand", Check::Quality(check),
    Weight::clarity("R-PURPOSE", 2)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("says why, not what is demanded", "put the purpose into a sentence of its own");
    view.report_demanded(sink, List::Purpose, words, |_, _| true);
}
