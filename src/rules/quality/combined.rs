//! `quality/combined`

use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a sentence in which one SHALL or MUST demands several actions. A sentence with several of these words is
    /// `quality/modal-multi`'s. A prohibition of several is one, and where
    /// the words leave a doubt nothing is reported. English only.
    ///
    /// ## Why it matters
    /// A requirement holds or does not; with two actions it can half hold. (INCOSE R18 and R19, "combinators".)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL lock the account and send a mail to its owner.
    /// ```
    ///
    /// ## How to fix
    /// Give each action a sentence, or a requirement of its own when it can be met without the other.
    "quality/combined", Warning, Own, "One demand asks for several actions", Check::Quality(check),
    Weight::atomicity("R-COMBINE", 6)
}

/// Verbs that leave the actions to somebody else: "allow the user to confirm or cancel".
const ENABLING: &[&str] = &["allow", "allows", "enable", "let", "permit"];

/// Words that demand or permit by themselves.
const MODALS: &[&str] = &["shall", "must", "may", "should", "can", "will"];

/// Words that turn a demand with several actions into one prohibition.
const NEGATIONS: &[&str] = &["neither", "no", "none", "not"];

/// Verbs behind which only things follow, however much they look like verbs: "contain types and dispatch logic".
const HOLDING: &[&str] = &["contain", "include", "consist", "comprise", "cover", "list", "mention"];

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for (sentence, ears) in view.readings() {
        let [first, second, ..] = ears.responses.as_slice() else { continue };
        let verb = sentence.words().find(|word| word.range.start >= first.start);
        let has_other = |words: &[&str]| verb.as_ref().is_some_and(|verb| words.contains(&verb.word));
        // Another modal makes another demand, and alternatives are one.
        let is_other = sentence.words().any(|word| MODALS.contains(&word.word) && word.range != ears.modal.span);
        let between = first.end..second.start;
        let is_choice = sentence.words().any(|word| word.word == "or" && between.contains(&word.range.start));
        // "Neither the client nor the server SHALL", "SHALL NOT drop the row and go on", "exit with 1 and not write": one thing.
        let is_negative = ears.modal.is_negative
            || sentence.words().next().is_some_and(|word| NEGATIONS.contains(&word.word))
            || sentence.words().find(|word| word.range.start >= second.start).is_some_and(|word| word.word == "not");
        if is_negative || is_other || is_choice || has_other(ENABLING) || has_other(HOLDING) {
            continue;
        }
        let message = format!("one `{}` demands several actions", sentence.written(&ears.modal.span));
        view.report(sink, sentence, second, message, "give each action a sentence, or a requirement, of its own");
    }
}
