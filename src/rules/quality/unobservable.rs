//! `quality/unobservable`

use crate::openspec::lexicon::List;
use crate::openspec::prose::Sentence;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario whose outcome has no word for something that can be observed (returns, shows, writes, a status, a
    /// message), no code, no quotation and no number.
    ///
    /// ## Why it matters
    /// A check can only look at what can be observed. (spectra abstract scenarios.)
    ///
    /// ## Example
    /// ```markdown
    /// - **THEN** the user feels safe
    /// ```
    ///
    /// ## How to fix
    /// Say what is returned, shown, written or logged.
    "quality/unobservable", Info, Own, "The outcome of a scenario cannot be observed", Check::Quality(check),
    Weight::testability("S-THEN-OBSERVABLE", 4).pedantic()
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    if !view.requirement.is_english() {
        return;
    }
    for scenario in &view.requirement.scenarios {
        let Some(first) = scenario.outcomes().next() else { continue };
        let is_literal = |c: char| c.is_ascii_digit() || matches!(c, '`' | '"' | '“' | '*');
        let can_be_seen = |sentence: &Sentence| {
            sentence.text.contains(is_literal) || sentence.of(List::Observable).next().is_some()
        };
        // What is said in another language may be seen as well.
        let is_english = scenario.outcomes().all(Sentence::is_english);
        if is_english && !scenario.outcomes().any(can_be_seen) {
            let range = 0..first.text.len();
            let fix = "say what is returned, shown, written or logged";
            view.report(sink, first, &range, "nothing of this outcome can be observed", fix);
        }
    }
}
