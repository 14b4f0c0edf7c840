//! `quality/modal-missing`

use crate::openspec::lexicon::List;
use crate::openspec::prose::Language;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement whose words demand nothing: no SHALL, MUST or "is required to" in any form, not even should or
    /// may, neither in its text nor in its header, tables and code. Only for English, Portuguese and Spanish: Chinese and
    /// Japanese specs demand by plain statements, which nothing tells from descriptions.
    ///
    /// ## Why it matters
    /// Nobody can tell whether it says how things are or how they have to be. (OpenSpec, EARS, NASA ARM imperatives.)
    ///
    /// ## Example
    /// ```markdown
    /// Sessions are kept for 30 minutes.
    /// ```
    ///
    /// ## How to fix
    /// Say who has to do what: `The system SHALL keep sessions for 30 minutes.`
    "quality/modal-missing", Error, Own, "A requirement demands nothing", Check::Quality(check),
    Weight::completeness("R-MODAL-MISSING", 40)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let requirement = view.requirement;
    let is_told = matches!(requirement.language, Language::English | Language::Portuguese | Language::Spanish);
    let has = |list| requirement.body_hits(list).next().is_some();
    if !is_told || requirement.body.is_empty() || has(List::Imperative) || has(List::Weak) || view.demands_elsewhere() {
        return;
    }
    let message = format!("`{}` demands nothing", requirement.name);
    view.report_header(sink, message, "say what the system SHALL or MUST do");
}
