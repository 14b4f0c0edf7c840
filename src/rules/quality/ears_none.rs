//! `quality/ears-none`

use crate::openspec::ears::FaultKind;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a demand whose condition has no end: nothing tells where it stops and the system begins, so the sentence
    /// fits none of the shapes of EARS. English only.
    ///
    /// ## Why it matters
    /// What is condition and what is demanded is for each reader to guess. (EARS; Mavin and others, RE'09.)
    ///
    /// ## Example
    /// ```markdown
    /// When a request fails the retry SHALL happen.
    /// ```
    ///
    /// ## How to fix
    /// Put a comma behind the condition, and name the system: `When a request fails, the client SHALL retry.`
    "quality/ears-none", Warning, Own, "A demand fits no shape of EARS", Check::Quality(check),
    Weight::clarity("R-EARS-NONE", 10)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for (sentence, fault) in view.faults(&[FaultKind::UnendedClause]) {
        let message = format!("nothing tells where the condition of `{}` ends", sentence.written(&fault.span));
        view.report(sink, sentence, &fault.span, message, "put a comma behind the condition, and name the system");
    }
}
