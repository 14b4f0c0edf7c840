//! `quality/pronoun`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports words that point at something said elsewhere, where something is demanded: the above, the previous section, and
    /// it, they or this where a sentence of the body begins with them.
    ///
    /// ## Why it matters
    /// A requirement is read, changed and checked on its own. What the word points at may have moved. (INCOSE R24, QuARS
    /// implicity.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL store the above.
    /// ```
    ///
    /// ## How to fix
    /// Name what is meant.
    "quality/pronoun", Info, Own, "A word points at something said elsewhere", Check::Quality(check),
    Weight::clarity("R-PRONOUN", 3).pedantic()
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let (why, fix) = ("points at something said elsewhere", "name what is meant");
    view.report_demanded(sink, List::Reference, (why, fix), |_, _| true);
    // In a sentence that goes on it is mostly plain what is meant.
    for (sentence, hit) in view.requirement.body_hits(List::Pronoun) {
        let begins = !sentence.said[..hit.range.start].contains(char::is_alphanumeric);
        if begins && sentence.of(List::Imperative).next().is_some() {
            view.report_hit(sink, sentence, hit, why, fix);
        }
    }
}
