//! Finds what of a source stands nowhere in its document, and keeps it as a note: whatever a reader overlooks, no word
//! is lost.

use std::collections::HashSet;

use super::model::{Document, Note};
use super::write::block;
use crate::openspec::text::Text;

/// The heading of the lines that were overlooked.
const HEADING: &str = "Other lines of the source";

/// Adds lines with words that would be written nowhere.
pub(super) fn rescue(document: &mut Document, text: &Text) {
    let mut known: HashSet<String> = HashSet::new();
    // Emphasis inside of a word makes no two of it.
    let mut learn = |text: &str| known.extend(words(&text.replace("**", "")).map(str::to_lowercase));
    learn(&document.title);
    document.purpose.iter().chain(&document.headings).for_each(|line| learn(line));
    for note in &document.notes {
        learn(&note.heading);
        note.lines.iter().for_each(|line| learn(line));
    }
    for requirement in &document.requirements {
        learn(&block::requirement(requirement));
    }
    let mut lost = Vec::new();
    for line in 0..text.len() {
        let line = text.line(line);
        let bare = line.replace("**", "");
        let missing: Vec<String> = words(&bare).map(str::to_lowercase).filter(|word| !known.contains(word)).collect();
        if missing.iter().any(|word| !is_structure(word, line)) {
            lost.push(line.trim_end().to_owned());
            known.extend(missing);
        }
    }
    if !lost.is_empty() {
        document.notes.push(Note { heading: HEADING.to_owned(), lines: lost });
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a word is only there to say what the line is: the word and number of a heading, the number of an entry.
fn is_structure(word: &str, line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '#', '*', '-', '+', '(', '（']);
    if word.chars().all(|c| c.is_ascii_digit()) {
        return line.starts_with(word);
    }
    ["requirement", "req", "nfr", "user", "story", "us"].contains(&word) || super::kiro::is_numbered_word(word)
}

#[cfg(test)]
mod tests {
    use super::super::detect::read;

    #[test]
    fn what_no_reader_takes_is_kept() {
        // A label behind a requirement's number that no pattern knows.
        let source = "# Requirements Document\n\n### Requirement 1 (draft-seven)\n#### Acceptance Criteria\n1. a\n";
        let document = read(source.into(), "x.md", None);
        let notes =
            document.map(|document| format!("{:?} {:?}", document.notes, document.requirements)).unwrap_or_default();
        assert!(notes.contains("seven"), "{notes}");
    }
}
