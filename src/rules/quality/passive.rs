//! `quality/passive`

use std::ops::Range;

use crate::openspec::lexicon::List;
use crate::openspec::prose::{Sentence, Word};
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports `SHALL be <participle>` where no "by" says who does it. English only. Runs with `--pedantic`, or when its
    /// level is configured.
    ///
    /// ## Why it matters
    /// "The file SHALL be deleted" leaves open which part of the system deletes it, or whether a person does. (INCOSE R2
    /// "active voice".)
    ///
    /// ## Example
    /// ```markdown
    /// The file SHALL be deleted after the export.
    /// ```
    ///
    /// ## How to fix
    /// Say who does it: `The exporter SHALL delete the file after the export.`
    "quality/passive", Info, Own, "A demand does not say who fulfils it", Check::Quality(check),
    Weight::clarity("R-PASSIVE", 4).pedantic()
}

/// Words that may stand between the modal, "be" and the participle, besides those in `-ly`.
const BETWEEN: &[&str] = &["not", "never", "always", "also", "only", "then", "still", "either", "both", "first"];

/// Words in `-ed` that are no participle, or one that asks nobody to do anything.
const NONE: &[&str] = &["need", "required", "allowed", "permitted", "supposed", "based", "named", "located", "related"];

/// Participles that requirements use and that end otherwise.
const IRREGULAR: &[&str] = &[
    "begun", "bound", "broken", "built", "chosen", "cut", "done", "drawn", "driven", "fed", "found", "frozen", "given",
    "held", "hidden", "kept", "known", "left", "lost", "made", "met", "overridden", "overwritten", "paid", "put", "read",
    "rebuilt", "run", "seen", "sent", "set", "shown", "shut", "split", "spent", "stolen", "taken", "thrown", "told",
    "undone", "withdrawn", "written",
];

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    for sentence in view.requirement.body.iter().filter(|sentence| sentence.is_english()) {
        for range in passives(sentence) {
            let message = format!("`{}` does not say who does it", sentence.written(&range));
            view.report(sink, sentence, &range, message, "say who: `The system SHALL …`");
        }
    }
}

/// From the modal to the participle.
fn passives(sentence: &Sentence) -> Vec<Range<usize>> {
    let words: Vec<Word<'_>> = sentence.words().collect();
    let skip = |mut at: usize| {
        while words.get(at).is_some_and(|word| BETWEEN.contains(&word.word) || word.word.ends_with("ly")) {
            at += 1;
        }
        at
    };
    let mut found = Vec::new();
    for range in sentence.imperatives() {
        let Some(modal) = words.binary_search_by_key(&range.start, |word| word.range.start).ok().filter(|at| words[*at].range == range) else { continue };
        let be = skip(modal + 1);
        let participle = skip(be + 1);
        let (Some(be), Some(last)) = (words.get(be), words.get(participle)) else { continue };
        let is_done_by = words[participle..].iter().any(|word| word.word == "by");
        // A mark between them parts them.
        let is_one = sentence.said_at(&(range.start..last.range.end)).chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '*' | '-'));
        if be.word == "be" && is_participle(sentence, last) && !is_done_by && is_one {
            found.push(range.start..last.range.end);
        }
    }
    found
}

fn is_participle(sentence: &Sentence, word: &Word<'_>) -> bool {
    let is_regular = word.word.len() > 4 && word.word.ends_with("ed") && !NONE.contains(&word.word);
    is_regular
        || IRREGULAR.contains(&word.word)
        || sentence.of(List::Participle).any(|hit| hit.range == word.range)
}
