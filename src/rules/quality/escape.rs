//! `quality/escape`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports ways out of what is demanded: where possible, if needed, as appropriate. A condition that can be checked, such as
    /// "if available", is none.
    ///
    /// ## Why it matters
    /// Whoever builds it decides whether it is demanded at all, so nothing is. (INCOSE R8.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL encrypt files where possible.
    /// ```
    ///
    /// ## How to fix
    /// Say when: `The system SHALL encrypt files on disks that support it.`
    "quality/escape", Warning, Own, "A demand has a way out", Check::Quality(check),
    Weight::clarity("R-ESCAPE", 12)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("leaves it open whether this is demanded", "say when it is, or leave the words out");
    view.report_demanded(sink, List::Escape, words, |_, _| true);
}
