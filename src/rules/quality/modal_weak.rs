//! `quality/modal-weak`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement that demands nothing more strongly than should, may, can or will. Each language with word lists has
    /// words of its own.
    ///
    /// ## Why it matters
    /// Whoever builds it may leave it out and still be right. (NASA ARM options, QuARS weakness, RFC 2119.)
    ///
    /// ## Example
    /// ```markdown
    /// The system should keep sessions for 30 minutes.
    /// ```
    ///
    /// ## How to fix
    /// Write `SHALL` or `MUST` when it is demanded, and leave it out when it is not.
    "quality/modal-weak", Warning, Own, "A requirement only recommends or allows", Check::Quality(check),
    Weight::clarity("R-MODAL-WEAK", 20)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let requirement = view.requirement;
    if requirement.body_hits(List::Imperative).next().is_some() {
        return;
    }
    if let Some((sentence, hit)) = requirement.body_hits(List::Weak).next()
        && !view.demands_elsewhere()
    {
        view.report_hit(sink, sentence, hit, "does not demand anything", "say SHALL or MUST, or leave the requirement out");
    }
}
