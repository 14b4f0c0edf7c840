//! The sentence a requirement stands for.

use crate::openspec::js;
use crate::openspec::requirement::{body_text, has_normative_keyword};
use crate::openspec::units::{sentences, without_marker};

/// Words that end in a full stop and no sentence.
pub(super) const ABBREVIATIONS: &[&str] =
    &["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "incl.", "resp.", "no.", "fig."];

/// The first sentence of a requirement's body that has SHALL or MUST, else the first one, on one line. Emphasis stays.
/// None when there is no body.
///
/// `body` is what follows the requirement's header.
pub fn normative_sentence(body: &str) -> Option<String> {
    let text = body_text(body);
    let mut pieces: Vec<String> = Vec::new();
    for line in text.split('\n') {
        // An entry of a list is no part of the sentence before it.
        match (without_marker(line), pieces.last_mut()) {
            (None, Some(piece)) => {
                piece.push(' ');
                piece.push_str(line);
            }
            (entry, _) => pieces.push(entry.unwrap_or(line).to_owned()),
        }
    }
    let all: Vec<String> = pieces.iter().flat_map(|piece| whole_sentences(piece)).collect();
    let normative = all.iter().find(|sentence| has_normative_keyword(sentence));
    normative.or(all.first()).cloned()
}

fn whole_sentences(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_open = false;
    for sentence in sentences(text) {
        let sentence = sentence.split(js::is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let last = sentence.rsplit(' ').next().unwrap_or_default().trim_start_matches(['(', '*', '_']).to_lowercase();
        let ends_open = ABBREVIATIONS.contains(&last.as_str());
        match found.last_mut().filter(|_| is_open) {
            Some(open) => {
                open.push(' ');
                open.push_str(&sentence);
            }
            None => found.push(sentence),
        }
        is_open = ends_open;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_that_demands() {
        for (body, expected) in [
            (
                "Users wait. The system **SHALL** answer\nwithin 1 second. It is fast.\n#### Scenario: S\n",
                "The system **SHALL** answer within 1 second.",
            ),
            ("Users wait. They like it.\n", "Users wait."),
            ("The system MUST keep (e.g. on disk) all. And more.", "The system MUST keep (e.g. on disk) all."),
            ("The system SHALL have:\n- one\n- two MUST\n", "The system SHALL have:"),
            ("Why.\n1. It MUST go.\n- It MUST stay.\n", "It MUST go."),
            ("系统必须。系统 MUST 记录。", "系统 MUST 记录。"),
            ("**ID**: R1\n\nIt SHALL go", "It SHALL go"),
        ] {
            assert_eq!(normative_sentence(body).as_deref(), Some(expected), "{body}");
        }
        assert_eq!(normative_sentence("\n#### Scenario: S\n- SHALL\n"), None);
    }
}
