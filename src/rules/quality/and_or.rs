//! `quality/and-or`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports "and/or" and its translations where something is demanded. A `/` between other words is left alone, as it is part
    /// of many names.
    ///
    /// ## Why it matters
    /// It can be read as "and", as "or", and as either. A check can only hold for one of them. (INCOSE R17.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL notify by mail and/or SMS.
    /// ```
    ///
    /// ## How to fix
    /// Say which: `by mail, by SMS, or by both`.
    "quality/and-or", Warning, Own, "\"and/or\" can be read in two ways", Check::Quality(check),
    Weight::clarity("R-ANDOR", 5)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("can be read in several ways", "say and, or, or either or both");
    view.report_demanded(sink, List::AndOr, words, |_, _| true);
}
