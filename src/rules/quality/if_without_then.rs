//! `quality/if-without-then`

use crate::openspec::ears::FaultKind;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a demand that begins with "if" and has no "then". "If and only if" is left alone. English only.
    ///
    /// ## Why it matters
    /// EARS keeps "If …, then …" for what nobody wants to happen, and "When …" for what does. With "then" it is also plain
    /// where the condition ends. (EARS, unwanted behaviour.)
    ///
    /// ## Example
    /// ```markdown
    /// If the file is missing, the system SHALL stop with exit code 2.
    /// ```
    ///
    /// ## How to fix
    /// `If the file is missing, then the system SHALL stop with exit code 2.` For something usual say "When".
    "quality/if-without-then", Info, Own, "A demand has an \"if\" without \"then\"", Check::Quality(check),
    Weight::clarity("R-EARS-IFTHEN", 3)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for (sentence, fault) in view.faults(&[FaultKind::IfWithoutThen]) {
        let behind = sentence.said.get(fault.span.end..).unwrap_or_default();
        let before = sentence.said.get(..fault.span.start).unwrap_or_default();
        if behind.starts_with(" and only if") || before.ends_with("only ") {
            continue;
        }
        let message = format!("`{}` has no \"then\"", sentence.written(&fault.span));
        view.report(sink, sentence, &fault.span, message, "write `If …, then the system SHALL …`, or `When …`");
    }
}
