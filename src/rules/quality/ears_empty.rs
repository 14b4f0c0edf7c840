//! `quality/ears-empty`

use crate::openspec::ears::FaultKind;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a demand that says nothing behind its SHALL or MUST, and a While, Where, When or If with no condition behind
    /// it. English only.
    ///
    /// ## Why it matters
    /// Something is missing, mostly because an edit or a template was left half done. Nobody can build it.
    ///
    /// ## Example
    /// ```markdown
    /// When, the system SHALL stop.
    /// The system SHALL.
    /// ```
    ///
    /// ## How to fix
    /// Say what is demanded, or when.
    "quality/ears-empty", Error, Own, "A demand or a condition says nothing", Check::Quality(check),
    Weight::completeness("R-EARS-EMPTY", 30)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for (sentence, fault) in view.faults(&[FaultKind::EmptyClause, FaultKind::EmptyResponse]) {
        let word = sentence.written(&fault.span);
        let (message, fix) = match fault.kind {
            FaultKind::EmptyClause => (format!("`{word}` has no condition behind it"), "say what the condition is"),
            _ => (format!("nothing is demanded behind `{word}`"), "say what the system has to do"),
        };
        view.report(sink, sentence, &fault.span, message, fix);
    }
}
