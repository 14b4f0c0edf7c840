//! `quality/vague`

use crate::openspec::lexicon::List;
use crate::openspec::prose::Sentence;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports words that everybody measures otherwise: fast, appropriate, user-friendly. Where a number or a comparison
    /// stands within four words (`fast, within 200 ms`), the word is measured and left alone.
    ///
    /// ## Why it matters
    /// Two people who read it build two things, and no check can tell which of them is right. (INCOSE R7, QuARS vagueness.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL answer quickly.
    /// ```
    ///
    /// ## How to fix
    /// Say how much, or by what it is told: `The system SHALL answer within 200 ms.`
    "quality/vague", Warning, Own, "A word means something else to everybody", Check::Quality(check),
    Weight::clarity("R-VAGUE", 8)
}

/// Words on each side among which a number measures a vague one.
const NEAR: usize = 4;

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for sentence in view.requirement.sentences() {
        for hit in sentence.of(List::Vague).filter(|hit| !is_measured(sentence, hit.range.start)) {
            let message = format!("`{}` means something else to everybody", sentence.written(&hit.range));
            view.report(sink, sentence, &hit.range, message, "say how much, or by what it is told");
        }
    }
}

/// Whether a number or a comparison stands near a word.
fn is_measured(sentence: &Sentence, at: usize) -> bool {
    let words: Vec<_> = sentence.words().collect();
    let Some(index) = words.iter().position(|word| word.range.start >= at) else { return false };
    let near = &words[index.saturating_sub(NEAR)..words.len().min(index + NEAR + 1)];
    let is_compared = |start: usize, end: usize| {
        sentence.of(List::Comparator).any(|hit| hit.range.start >= start && hit.range.end <= end)
    };
    near.iter().any(|word| word.word.contains(|c: char| c.is_ascii_digit()))
        || near.first().zip(near.last()).is_some_and(|(first, last)| is_compared(first.range.start, last.range.end))
}
