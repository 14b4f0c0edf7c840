//! `quality/parenthesis`

use std::ops::Range;

use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports parentheses with a SHALL or MUST and other words inside. `(MUST)` alone is a label. Holds for any language.
    ///
    /// ## Why it matters
    /// What stands in parentheses may be left out, one reads. A demand may not. (INCOSE R21.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL export all rows (the header MUST come first).
    /// ```
    ///
    /// ## How to fix
    /// Make a sentence of it: `The header SHALL come first.`
    "quality/parenthesis", Info, Own, "A demand stands in parentheses", Check::Quality(check),
    Weight::clarity("R-PAREN", 2)
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for sentence in &view.requirement.body {
        let mut told = 0;
        for range in sentence.imperatives() {
            let Some(inner) = around(&sentence.said, range.start).filter(|inner| inner.start >= told) else { continue };
            told = inner.end;
            let others = sentence.said_at(&inner).split(|c: char| !c.is_alphabetic());
            if others.filter(|word| !word.is_empty()).all(|word| matches!(word, "shall" | "must" | "not" | "or")) {
                continue;
            }
            let message = format!("`{}` stands in parentheses", sentence.written(&range));
            view.report(sink, sentence, &range, message, "make a sentence of its own of it");
        }
    }
}

/// What the parentheses around a byte hold. Both of them have to be there.
fn around(said: &str, at: usize) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    let open = said.get(..at)?.char_indices().rev().find_map(|(place, c)| match c {
        ')' | '）' => {
            depth += 1;
            None
        }
        '(' | '（' if depth == 0 => Some(place + c.len_utf8()),
        '(' | '（' => {
            depth -= 1;
            None
        }
        _ => None,
    })?;
    let close = said.get(at..)?.find([')', '）'])?;
    Some(open..at + close)
}
