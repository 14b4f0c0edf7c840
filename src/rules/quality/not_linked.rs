//! `quality/not-linked`

use std::collections::HashSet;

use crate::openspec::prose::Sentence;
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement none of whose scenarios has a word of its name or its text. Small words do not count, and the
    /// first five letters make a word (`export`, `exported`). English only. Runs with `--pedantic`, or when its level is
    /// configured.
    ///
    /// ## Why it matters
    /// Such scenarios are about something else, or were copied from another requirement. What the requirement demands is
    /// shown nowhere.
    ///
    /// ## How to fix
    /// Write a scenario of what the requirement demands, in its words.
    "quality/not-linked", Info, Own, "No scenario is about what its requirement demands", Check::Quality(check),
    Weight::consistency("S-NOT-LINKED", 4).pedantic()
}

/// Letters that tell a word from another.
const STEM: usize = 5;

/// Words too small or too common to link anything, as far as they have four letters or more.
const COMMON: &[&str] = &[
    "shall", "must", "should", "system", "when", "then", "given", "with", "from", "that", "this", "these", "those",
    "have", "been", "were", "will", "into", "onto", "upon", "each", "such", "which", "where", "while", "after", "before",
    "them", "they", "their", "there", "only", "also", "both", "than", "other", "what", "does", "more", "most", "some",
    "being", "within", "without", "between", "whose", "requirement", "scenario",
];

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let requirement = view.requirement;
    let of_steps: HashSet<String> = requirement
        .scenarios
        .iter()
        .flat_map(|scenario| {
            std::iter::once(scenario.form.name.as_str()).chain(scenario.steps.iter().map(|step| step.text.as_str()))
        })
        .flat_map(stems)
        .collect();
    let is_english = requirement.is_english() && requirement.sentences().all(Sentence::is_english);
    if !is_english || of_steps.is_empty() {
        return;
    }
    let texts = requirement.body.iter().map(|sentence: &Sentence| sentence.text.as_str());
    let mut own = texts.chain([requirement.name.as_str()]).flat_map(stems).peekable();
    if own.peek().is_some() && !own.any(|stem| of_steps.contains(&stem)) {
        let message = format!("no scenario of `{}` has a word of it", requirement.name);
        view.report_header(sink, message, "write a scenario of what it demands, in its words");
    }
}

/// The beginnings of the words that mean something.
fn stems(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() >= 3 && !COMMON.contains(&word.as_str()))
        .map(|word| word.chars().take(STEM).collect())
}
