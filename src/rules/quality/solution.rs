//! `quality/solution`

use crate::openspec::lexicon::List;
use crate::openspec::prose::Kind;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports words for how things are built, in the sentences of a requirement that demand something: class, foreign key,
    /// singleton.
    ///
    /// ## Why it matters
    /// A requirement that names the solution stays true of that solution only, and hides what is needed. (INCOSE R31.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL keep sessions in a hash map.
    /// ```
    ///
    /// ## How to fix
    /// Say what is needed from outside: `The system SHALL find a session by its id.`
    "quality/solution", Info, Own, "A demand names how it is built", Check::Quality(check),
    Weight::clarity("R-SOLUTION", 2).pedantic()
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("says how it is built, not what it does", "say what can be seen from outside");
    view.report_demanded(sink, List::Solution, words, |sentence, _| !matches!(sentence.kind, Kind::Step(_)));
}
