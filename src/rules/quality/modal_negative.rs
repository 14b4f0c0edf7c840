//! `quality/modal-negative`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports "shall not" and "must not" in a sentence that says nothing about when: no condition, no limit.
    ///
    /// ## Why it matters
    /// What must not happen cannot be shown by a check, what happens instead can. (INCOSE R16, QVscribe negative imperatives.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL NOT lose data.
    /// ```
    ///
    /// ## How to fix
    /// Say what happens instead, or in which case it must not: `When a write fails, the system SHALL keep the old file.`
    "quality/modal-negative", Info, Own, "A prohibition without a bound", Check::Quality(check),
    Weight::testability("R-MODAL-NEG", 3).pedantic()
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for (sentence, hit) in view.requirement.body_hits(List::Imperative) {
        let is_negative = sentence.said[hit.range.clone()].ends_with(" not");
        if sentence.is_english() && is_negative && sentence.of(List::Bound).next().is_none() {
            view.report_hit(sink, sentence, hit, "has no bound", "say what happens instead, or in which case it must not");
        }
    }
}
