//! `quality/empty-outcome`

use crate::openspec::lexicon::List;
use crate::openspec::prose::Sentence;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a scenario whose THEN says nothing but that it works: "it works", "the result is correct", "is handled correctly".
    /// Where any step of the outcome says more, be it in code or quotations, the scenario is left alone.
    ///
    /// ## Why it matters
    /// Every result meets it, so no check can be written. (agent-spec testability, requirements smells.)
    ///
    /// ## Example
    /// ```markdown
    /// - **WHEN** the user exports a report
    /// - **THEN** it works correctly
    /// ```
    ///
    /// ## How to fix
    /// Say what can be seen: `- **THEN** a file report.csv with one line per row is written`.
    "quality/empty-outcome", Warning, Own, "The outcome of a scenario says nothing", Check::Quality(check),
    Weight::testability("S-THEN-VAGUE", 10)
}

/// Words of the subject before such an outcome: `the export`, `each of them`.
const MOST_WORDS: usize = 3;

/// The same in scripts without blanks, in bytes.
const MOST_BYTES: usize = 24;

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for scenario in &view.requirement.scenarios {
        let mut outcomes = scenario.outcomes().peekable();
        let Some(first) = outcomes.peek().copied() else { continue };
        // Lines that are no steps may say more.
        let has_more = scenario.form.first_fence.is_some();
        if !has_more && outcomes.all(is_empty) {
            let message = format!("`{}` says nothing that can be checked", first.text);
            let range = 0..first.text.len();
            view.report(sink, first, &range, message, "say what can be seen: a value, a message, a file");
        }
    }
}

fn is_empty(sentence: &Sentence) -> bool {
    let says_more = |c: char| c.is_ascii_digit() || matches!(c, '`' | '"' | '“' | '「' | '‘' | ':' | '：');
    if sentence.text.contains(says_more) {
        return false;
    }
    let Some(first) = sentence.of(List::EmptyOutcome).next() else { return false };
    let ends = sentence.of(List::EmptyOutcome).any(|hit| {
        sentence.said.get(hit.range.end..).is_some_and(|rest| !rest.contains(char::is_alphanumeric))
    });
    let subject = &sentence.said[..first.range.start];
    let is_short = subject.split_whitespace().count() <= MOST_WORDS && !subject.contains("nothing");
    ends && is_short && (subject.is_ascii() || subject.contains(' ') || subject.len() <= MOST_BYTES)
}
