//! `quality/actor`

use crate::openspec::ears::FaultKind;
use crate::openspec::prose::{Kind, Sentence};
use crate::rules::rule::rule;
use crate::rules::{Check, QualityView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a demand without a subject (`SHALL retry`, `There SHALL be a log`), and one whose body
    /// begins with a pronoun in that place (`It SHALL retry`). Behind a sentence or a condition that names the system "it"
    /// is left alone; "this" and "that" never are. An entry of a list goes on from the words above it and is not judged.
    /// English only.
    ///
    /// ## Why it matters
    /// When several parts could do it, each one's author takes it for the other's work. "This" points at a whole sentence
    /// as easily as at a word of it. (EARS "one system name", INCOSE R2, R3 and R24.)
    ///
    /// ## Example
    /// ```markdown
    /// It SHALL retry three times.
    /// ```
    ///
    /// ## How to fix
    /// Name it: `The client SHALL retry three times.`
    "quality/actor", Warning, Own, "A demand does not say who has to meet it", Check::Quality(check),
    Weight::clarity("R-ACTOR", 8)
}

/// Pronouns that point at more than a word, wherever they stand.
const POINTING: &[&str] = &["this", "that", "these", "those"];

fn check(view: &QualityView<'_>, sink: &mut Sink<'_>) {
    let first = view.requirement.body.first().map(Sentence::start);
    for (sentence, fault) in view.faults(&[FaultKind::NoSystem, FaultKind::PronounSystem]) {
        let word = sentence.written(&fault.span);
        let is_said_before = fault.kind == FaultKind::PronounSystem
            && !POINTING.contains(&word.to_lowercase().as_str())
            && (Some(sentence.start()) != first || sentence.words().next().is_some_and(|one| one.range != fault.span));
        if sentence.kind != Kind::Statement || is_said_before {
            continue;
        }
        let message = match fault.kind {
            FaultKind::PronounSystem => format!("`{word}` does not say who has to meet this demand"),
            _ => {
                let modal = sentence.ears().map_or("SHALL", |ears| sentence.written(&ears.modal.span));
                format!("no subject before `{modal}`")
            }
        };
        view.report(sink, sentence, &fault.span, message, "name the system, or the part of it that has to");
    }
}
