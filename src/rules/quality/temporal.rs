//! `quality/temporal`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports times that are none where something is demanded: eventually, soon, immediately, periodically. With a time
    /// within four words (`periodically, every 5 minutes`) they are left alone, and so is an order: `immediately after sign-in`,
    /// `exits immediately`.
    ///
    /// ## Why it matters
    /// No check can tell how long it has to wait before what is demanded has not happened. (INCOSE R35, QuARS.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL periodically delete old sessions.
    /// ```
    ///
    /// ## How to fix
    /// Give a time: `The system SHALL delete old sessions every 24 hours.`
    "quality/temporal", Warning, Own, "A time that cannot be checked", Check::Quality(check),
    Weight::testability("R-TEMPORAL", 6)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("is no time that can be checked", "say after how long, how often, or after what");
    view.report_demanded(sink, List::Temporal, words, |sentence, hit| !sentence.is_measured(&hit.range));
}
