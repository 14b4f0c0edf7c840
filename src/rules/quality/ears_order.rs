//! `quality/ears-order`

use crate::openspec::ears::FaultKind;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports conditions in front of a demand in another order than EARS has them (While and Where, then When, then If),
    /// and a second When that is not joined to the first. English only.
    ///
    /// ## Why it matters
    /// EARS goes with time: what has to hold comes before what sets it off. "When A, while B" leaves open whether B has to
    /// hold before A happens or may come later. (EARS; Mavin and others, RE'09.)
    ///
    /// ## Example
    /// ```markdown
    /// When a key is pressed, while the screen is locked, the system SHALL show the clock.
    /// ```
    ///
    /// ## How to fix
    /// `While the screen is locked, when a key is pressed, the system SHALL show the clock.` With two triggers say "and" or
    /// "or" between them, or write two requirements.
    "quality/ears-order", Warning, Own, "Conditions stand in an unusual order", Check::Quality(check),
    Weight::clarity("R-EARS-ORDER", 8)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for (sentence, fault) in view.faults(&[FaultKind::OutOfOrder, FaultKind::TwoTriggers]) {
        let word = sentence.written(&fault.span);
        let (message, fix) = match fault.kind {
            FaultKind::TwoTriggers => {
                (format!("`{word}` is a second trigger"), "join the two with \"and\" or \"or\", or write two requirements")
            }
            _ => (
                format!("`{word}` stands behind a condition that it has to precede"),
                "write While and Where first, then When, then If",
            ),
        };
        view.report(sink, sentence, &fault.span, message, fix);
    }
}
