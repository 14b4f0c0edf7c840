//! `quality/vague`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports words that everybody measures otherwise, where something is demanded: fast, appropriate, gracefully. Where a
    /// number with a unit or a limit stands within four words (`fast, within 200 ms`, `at least 5`), or it is said behind the
    /// word what it means (`a helpful error naming the file`, `proper rights (read, write)`), the word is measured and left
    /// alone. So are names such as "fail fast".
    ///
    /// ## Why it matters
    /// Two people who read it build two things, and no check can tell which of them is right. (INCOSE R7, QuARS vagueness, NASA
    /// ARM weak phrases.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL answer quickly.
    /// ```
    ///
    /// ## How to fix
    /// Say how much, or what counts as it: `The system SHALL answer within 200 ms.`
    "quality/vague", Warning, Own, "A word that cannot be checked", Check::Quality(check),
    Weight::clarity("R-VAGUE", 8)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let words = ("cannot be checked", "say how much, or what counts as it");
    view.report_demanded(sink, List::Vague, words, |sentence, hit| !sentence.is_measured(&hit.range));
}
