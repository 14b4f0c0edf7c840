//! `quality/acronym`

use crate::openspec::lexicon::List;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports an abbreviation in capitals that the file explains nowhere: neither `Time To Live (TTL)` nor `TTL (time to live)`.
    /// Those that everybody knows are left alone. Each is told once for each requirement.
    ///
    /// ## Why it matters
    /// The next reader guesses, and guesses wrong. (INCOSE R37, QuARS unexplanation.)
    ///
    /// ## Example
    /// ```markdown
    /// The system SHALL keep the RTO.
    /// ```
    ///
    /// ## How to fix
    /// Write it out where it stands first: `recovery time objective (RTO)`.
    "quality/acronym", Info, Own, "An abbreviation is not explained", Check::Quality(check),
    Weight::clarity("R-ACRONYM", 1).pedantic()
}

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for sentence in view.requirement.demands().filter(|sentence| sentence.is_english()) {
        let Some(lexicon) = sentence.lexicon else { continue };
        for word in sentence.words() {
            let written = sentence.written(&word.range);
            if !is_acronym(written) || seen.contains(&written) {
                continue;
            }
            seen.push(written);
            let is_known = lexicon.hits(word.word).iter().any(|hit| hit.is(List::Abbreviation));
            if !is_known && !is_explained(view.text.content(), written) {
                let message = format!("`{written}` is explained nowhere in this file");
                view.report(sink, sentence, &word.range, message, "write it out where it stands first");
            }
        }
    }
}

fn is_acronym(word: &str) -> bool {
    (2..=6).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether `(TTL)` or `TTL (` stands somewhere.
fn is_explained(content: &str, word: &str) -> bool {
    content.match_indices(word).any(|(at, _)| {
        let (before, after) = (&content[..at], &content[at + word.len()..]);
        before.ends_with('(') && after.starts_with(')') || after.starts_with(" (")
    })
}
