//! `quality/unmeasured`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports latency, throughput, memory usage and other things that are measured, where less or more of it is demanded and no
    /// number says how much. A number anywhere in the sentence will do.
    ///
    /// ## Why it matters
    /// Any result meets it, and none does. (INCOSE R34.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL have low latency.
    /// ```
    ///
    /// ## How to fix
    /// Give the number and how it is measured: `The system SHALL answer 95 % of requests within 200 ms.`
    "quality/unmeasured", Warning, Own, "Performance is demanded without a number", Check::Quality(check),
    Weight::testability("R-MEASURE", 6)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("is demanded without a number", "say how much, and how it is measured");
    view.report_demanded(sink, List::Performance, words, |sentence, hit| {
        !sentence.has_number()
            && sentence.has_near(List::Tendency, &hit.range)
            && sentence.of(List::Comparator).next().is_none()
    });
}
