//! `quality/modal-multi`

use std::ops::Range;

use crate::openspec::prose::{Kind, Sentence};
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a sentence of a requirement's body with more than one SHALL or MUST, and a body whose paragraphs have more
    /// than four of them together, at the fifth and the sixth. Each entry of a list is a statement of its own, and so is what a semicolon ends. Words
    /// in code and quotations do not count, nor do two that say one thing (`SHALL/MUST`). Holds for any language.
    ///
    /// ## Why it matters
    /// A requirement holds or does not. With two demands in one it can half hold, a check for one of them looks like a
    /// check for both, and a change that takes one out is easily overlooked. (INCOSE R18 "single thought", QVscribe "one
    /// imperative".)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL lock the account and SHALL send a mail to its owner.
    /// ```
    ///
    /// ## How to fix
    /// Give each demand a sentence. Demands that can be met one without the other deserve a requirement each, with its
    /// own scenarios.
    "quality/modal-multi", Warning, Own, "A sentence or a body demands several things", Check::Quality(check),
    Weight::atomicity("R-MODAL-MULTI", 10)
}

/// Demands that the paragraphs of a body may have.
const MOST: usize = 4;

/// So many beyond them are told.
const TOLD: usize = 2;

/// What ends a statement inside a sentence. The comma of Chinese and Japanese does where others have a full stop.
const ENDS: [char; 3] = [';', '；', '，'];

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let body = &view.requirement.body;
    let mut is_told = false;
    for sentence in body {
        let demands = sentence.demands();
        // Two with nothing that ends a statement between them.
        let together = demands.windows(2).find(|pair| !sentence.said_at(&(pair[0].end..pair[1].start)).contains(ENDS));
        let Some([_, second]) = together else { continue };
        is_told = true;
        let message = format!("one sentence demands {} things", demands.len());
        view.report(sink, sentence, second, message, "give each demand a sentence, or a requirement, of its own");
    }
    if is_told {
        return;
    }
    let statements = body.iter().filter(|sentence| sentence.kind == Kind::Statement);
    let demands: Vec<(&Sentence, Range<usize>)> =
        statements.flat_map(|sentence| sentence.demands().into_iter().map(move |word| (sentence, word))).collect();
    // More of them cost no more.
    for (sentence, word) in demands.iter().skip(MOST).take(TOLD) {
        let message = format!("`{}` demands {} things", view.requirement.name, demands.len());
        view.report(sink, sentence, word, message, "make a requirement of each, or a list of what belongs together");
    }
}
