//! `quality/absolute`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports always, never, 100 % and the like where something is demanded.
    ///
    /// ## Why it matters
    /// No number of checks shows that something never happens, and most such demands have exceptions that are left out. (INCOSE
    /// R26, R32.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL always be available.
    /// ```
    ///
    /// ## How to fix
    /// Say in which cases, or how often.
    "quality/absolute", Info, Own, "A demand claims to have no exception", Check::Quality(check),
    Weight::testability("R-ABSOLUTE", 2).pedantic()
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("has no exception, which nobody can check", "say in which cases, or how often");
    view.report_demanded(sink, List::Absolute, words, |_, _| true);
}
