//! `quality/open-ended`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports lists without an end where something is demanded: etc., and so on, including but not limited to. "Such as" and
    /// "e.g." are left alone: they mostly show what is meant by the word before them.
    ///
    /// ## Why it matters
    /// What the list ends with cannot be built nor checked, as nobody knows what it is. (INCOSE R9.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL export tables, charts, etc.
    /// ```
    ///
    /// ## How to fix
    /// Name all of it, or the property that tells what belongs to it.
    "quality/open-ended", Warning, Own, "A list has no end", Check::Quality(check),
    Weight::completeness("R-OPEN", 8)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("leaves open what belongs to the list", "name all of it, or say what tells that something belongs to it");
    view.report_demanded(sink, List::OpenEnded, words, |_, _| true);
}
