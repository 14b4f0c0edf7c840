//! `quality/long`

use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a sentence of a requirement's body with more than 60 words. Holds for any language that puts blanks between
    /// words.
    ///
    /// ## Why it matters
    /// Who has arrived at the end of it has forgotten the condition at its beginning. (QuARS readability, NASA ARM size.)
    ///
    /// ## How to fix
    /// Make several sentences of it, or a list of its conditions.
    "quality/long", Info, Own, "A sentence is very long", Check::Quality(check),
    Weight::clarity("R-LONG", 3)
}

/// Words a sentence may have.
const MOST: usize = 60;

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for sentence in &view.requirement.body {
        let is_word = |word: &&str| word.contains(char::is_alphanumeric);
        let count = sentence.text.split(' ').filter(is_word).count();
        if count > MOST {
            let first = 0..sentence.text.find(' ').unwrap_or(sentence.text.len());
            let message = format!("this sentence has {count} words");
            view.report(sink, sentence, &first, message, format!("make several of it: more than {MOST} are hard to follow"));
        }
    }
}
