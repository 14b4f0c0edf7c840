//! The sentence a requirement stands for, and its shape after EARS (Easy Approach to Requirements Syntax).

use super::js;
use super::requirement::{body_text, has_normative_keyword};
use super::units::{sentences, without_marker};

/// Words that end in a full stop and no sentence.
const ABBREVIATIONS: &[&str] = &["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "incl.", "resp.", "no.", "fig."];

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

/// The shape of a sentence by the keywords it begins with: `state` (While), `event` (When), `optional` (Where),
/// `unwanted` (If … then), `complex` for several of them, `ubiquitous` for none. None when it demands nothing, or has an
/// "if" without "then".
pub fn pattern(sentence: &str) -> Option<&'static str> {
    let words = words(sentence);
    let demand = words.iter().position(|(word, _)| matches!(word.as_str(), "shall" | "must"))?;
    let before = &words[..demand];
    // A keyword opens a clause where the sentence begins or a comma has ended the clause before.
    let mut shapes = Vec::new();
    let mut is_start = true;
    for (word, ends_clause) in before {
        let shape = match word.as_str() {
            "while" => Some("state"),
            "when" => Some("event"),
            "where" => Some("optional"),
            "if" => Some("unwanted"),
            _ => None,
        };
        shapes.extend(shape.filter(|_| is_start));
        // "If …, then when …"
        is_start = *ends_clause || is_start && matches!(word.as_str(), "then" | "and" | "or");
    }
    let starts_with_keyword =
        words.first().is_some_and(|(word, _)| ["while", "when", "where", "if"].contains(&word.as_str()));
    if !starts_with_keyword {
        return Some("ubiquitous");
    }
    if shapes.contains(&"unwanted") && !before.iter().any(|(word, _)| word == "then") {
        return None;
    }
    match shapes.as_slice() {
        [one] => Some(one),
        _ => Some("complex"),
    }
}

/// Words in small letters, and whether a comma, colon or semicolon follows. Marks around them are left out.
fn words(sentence: &str) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    for written in sentence.split(js::is_space) {
        let ends_clause = written.trim_end_matches(['*', '_', ')']).ends_with([',', ':', ';']);
        let word = written.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        match found.last_mut().filter(|_| word.is_empty()) {
            Some(last) => last.1 |= ends_clause,
            None if word.is_empty() => {}
            None => found.push((word, ends_clause)),
        }
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

    #[test]
    fn shapes() {
        for (sentence, expected) in [
            ("The system SHALL paint.", Some("ubiquitous")),
            ("The system shall retry when a request fails.", Some("ubiquitous")),
            ("**WHEN** a request fails, the system SHALL retry.", Some("event")),
            ("While idle, the system must sleep.", Some("state")),
            ("Where a printer is there, the system SHALL print.", Some("optional")),
            ("If the file is missing, then the system SHALL stop.", Some("unwanted")),
            ("If the file is missing, the system SHALL stop.", None),
            ("While idle, when a key is hit, the system SHALL wake.", Some("complex")),
            ("When the file where it stood is gone, the system SHALL stop.", Some("event")),
            ("Whenever a request fails, the system SHALL retry.", Some("ubiquitous")),
            ("When a request fails, it is retried.", None),
            ("It paints; mustard shallow.", None),
            ("", None),
        ] {
            assert_eq!(pattern(sentence), expected, "{sentence}");
        }
    }
}
