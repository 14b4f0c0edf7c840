//! `quality/unit`

use std::ops::Range;

use crate::openspec::lexicon::List;
use crate::openspec::prose::Sentence;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a number without a unit behind a quantity that needs one: `a timeout of 30`. Zero needs none.
    ///
    /// ## Why it matters
    /// 30 seconds and 30 milliseconds are both read from it. (INCOSE R6.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL use a timeout of 30.
    /// ```
    ///
    /// ## How to fix
    /// Write the unit behind the number: `30 seconds`.
    "quality/unit", Info, Own, "A number has no unit", Check::Quality(check),
    Weight::consistency("R-UNIT", 3)
}

/// Words between a quantity and its number.
const BETWEEN: [&str; 11] =
    ["of", "is", "be", "to", "set", "shall", "must", "defaults", "default", "equals", "exceeds"];

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for sentence in view.requirement.demands().filter(|sentence| sentence.is_english()) {
        for hit in sentence.of(List::Quantity) {
            if let Some(number) = bare_number(sentence, hit.range.end) {
                let message = format!("`{}` has no unit", sentence.written(&number));
                view.report(sink, sentence, &number, message, "write the unit behind the number");
            }
        }
    }
}

/// The number behind a quantity when nothing that could be its unit follows it.
fn bare_number(sentence: &Sentence, from: usize) -> Option<Range<usize>> {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()) && word.bytes().any(|byte| byte != b'0');
    let mut words = sentence.words().skip_while(|word| word.range.start < from);
    let number = words.find(|word| !BETWEEN.contains(&word.word))?;
    // No mark and no code stands between them.
    let is_close = sentence.text[from..number.range.start].chars().all(|c| c.is_alphabetic() || c == ' ');
    let after = &sentence.text[number.range.end..];
    let ends = after.is_empty() || after == "." || after.starts_with([',', ';']) || after.starts_with(". ");
    (is_close && ends && is_number(number.word)).then_some(number.range)
}
