//! `quality/modal-case`

use crate::openspec::lexicon::List;
use crate::openspec::requirement::has_normative_keyword;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports an English requirement whose only words that demand are in small letters: shall, must.
    ///
    /// ## Why it matters
    /// In capitals they are read as in RFC 2119 and found by tools, `openspec validate` among them. In small letters they are
    /// words like others.
    ///
    /// ## Example
    /// ```markdown
    /// The system must keep sessions for 30 minutes.
    /// ```
    ///
    /// ## How to fix
    /// Write `SHALL` or `MUST`.
    "quality/modal-case", Warning, Own, "SHALL or MUST is in small letters", Check::Quality(check),
    Weight::clarity("R-MODAL-CASE", 10)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let requirement = view.requirement;
    // A table or a code fence may have them too.
    if !requirement.is_english() || has_normative_keyword(view.text.lines(requirement.lines.clone())) {
        return;
    }
    let is_modal = |word: &str| word.starts_with("shall") || word.starts_with("must");
    let mut modals = requirement.body_hits(List::Imperative);
    if let Some((sentence, hit)) = modals.find(|(sentence, hit)| is_modal(&sentence.said[hit.range.clone()])) {
        view.report_hit(sink, sentence, hit, "is in small letters", "write `SHALL` or `MUST`");
    }
}
