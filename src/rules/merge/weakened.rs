//! `merge/weakened`

use crate::openspec::loss::Weakening;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Compares each demand of a MODIFIED requirement with the main spec's and reports those that bind less: SHALL or
    /// MUST that became SHOULD, MAY, CAN or nothing, MUST NOT that is no prohibition any more, and a limit ("within 1
    /// second", "at least 8 characters") that became wider or is gone. So is a number ("3 times") or a part ("at rest with
    /// AES-256") that was cut out of a sentence, a way out ("if possible", "SHALL try to") that was put in, and "some"
    /// where it said "all". Only sentences that keep most of their words are taken for the same demand, and only the
    /// sentence and the THEN part of a scenario are looked at, not conditions.
    ///
    /// ## Why it matters
    /// One word turns a demand into an offer. Whoever implements the spec may have written that word.
    ///
    /// ## Example
    /// `The system SHALL report the widget state.` becomes `The system MAY report the widget state.`
    ///
    /// ## How to fix
    /// Restore the demand, unless a human wants it weaker.
    "merge/weakened", Warning, Own, "A modified requirement demands less", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for block in view.losses() {
        for weakened in &block.loss.weakened {
            let message = format!("MODIFIED `{}` demands less: {}", block.name, what(&weakened.how));
            let line = block.old_line + weakened.old_line + 1;
            let fix = format!(
                "restore the wording of `openspec/specs/{}/spec.md` line {line}, unless a human wants it weaker",
                view.file.capability
            );
            let proof = [format!("- {}", weakened.old), format!("+ {}", weakened.new)];
            sink.report(block.new_line + weakened.line, view.file.entry(), message, fix).about(&block.name).prove(&proof);
        }
    }
}

/// "SHALL became MAY"
pub(super) fn what(how: &Weakening) -> String {
    match how {
        Weakening::Word(old, new) => format!("{old} became {new}"),
        Weakening::NoWord(old) => format!("{old} is gone"),
        Weakening::Allowed => "what it forbade is no longer forbidden".to_owned(),
        Weakening::Loosened(old, new) => format!("`{old}` became `{new}`"),
        Weakening::Unbounded(old) | Weakening::Shortened(old) => format!("`{old}` is gone"),
        Weakening::Hedged(new) => format!("`{new}` was added"),
    }
}
