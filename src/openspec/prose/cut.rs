//! Cuts lines of Markdown into sentences.

use std::ops::Range;

use super::language::{Language, Signs};
use super::sentence::{Kind, Position, Sentence};
use super::shown::said;
use crate::openspec::js;
use crate::openspec::scenario::StepKind;
use crate::openspec::text::Text;

/// Words that end in a full stop and no sentence.
const ABBREVIATIONS: &[&str] = &["e.g", "i.e", "vs", "cf", "approx", "incl", "fig", "p.ej", "ex"];

/// The same for words that a sentence may end with.
const LAST_WORDS: &[&str] = &["etc", "no", "resp"];

/// A run of more bytes is parted, since its characters are counted whenever a place in it is asked for.
const LONG_RUN: usize = 256;

/// Collects words, and gives sentences.
pub(super) struct Paragraph {
    text: String,
    runs: Vec<(usize, Position)>,
    kind: Kind,
}

impl Paragraph {
    pub(super) fn new(kind: Kind) -> Self {
        Self { text: String::new(), runs: Vec::new(), kind }
    }

    /// Adds bytes of a line of a file.
    pub(super) fn push(&mut self, text: &Text, line: usize, bytes: Range<usize>) {
        let written = text.line(line);
        let (mut at, mut column) = (bytes.start, written[..bytes.start].chars().count());
        // What is between two words becomes one blank.
        while let Some(start) = written[at..bytes.end].find(|c| !js::is_space(c)).map(|found| at + found) {
            let end = written[start..bytes.end].find(js::is_space).map_or(bytes.end, |length| start + length);
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            // Behind one blank the run goes on, as long as it is short.
            let goes_on = start == at + 1
                && self
                    .runs
                    .last()
                    .is_some_and(|(from, position)| position.line == line && self.text.len() - from < LONG_RUN);
            if goes_on {
                column += 1;
            } else {
                column += written[at..start].chars().count();
                self.runs.push((self.text.len(), Position { line, column }));
            }
            column = self.push_word(&written[start..end], Position { line, column });
            at = end;
        }
    }

    /// Makes it go on with the step before.
    pub(super) fn become_step(&mut self) {
        self.kind = Kind::Step(StepKind::And);
    }

    /// The words so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Adds a word that begins at a place, and gives the column behind it.
    fn push_word(&mut self, word: &str, begin: Position) -> usize {
        let from = self.text.len();
        self.text.push_str(word);
        if word.len() < LONG_RUN {
            return begin.column + word.chars().count();
        }
        // Text without blanks may be long.
        let mut last = 0;
        for (count, (at, _)) in word.char_indices().enumerate() {
            if at - last >= LONG_RUN {
                self.runs.push((from + at, Position { line: begin.line, column: begin.column + count }));
                last = at;
            }
        }
        begin.column + word.chars().count()
    }

    /// The sentences it has, now that its words are complete.
    pub(super) fn sentences(self) -> Vec<Cut> {
        let said = said(&self.text);
        let mut found = Vec::new();
        for range in sentences(&self.text) {
            let start = self.runs.partition_point(|(at, _)| *at <= range.start).saturating_sub(1);
            let mut runs: Vec<(usize, Position)> = Vec::new();
            for (at, position) in self.runs.iter().skip(start).take_while(|(at, _)| *at < range.end) {
                let skipped = range.start.saturating_sub(*at);
                let column = position.column + self.text[*at..*at + skipped].chars().count();
                runs.push((at.saturating_sub(range.start), Position { line: position.line, column }));
            }
            // A quotation may have several sentences, so it is told before they are cut.
            let (text, said) = (self.text[range.clone()].to_owned(), said[range].to_owned());
            let signs = Signs::of(&said);
            found.push(Cut { text, said, kind: self.kind, runs, signs });
        }
        found
    }
}

/// A sentence whose language is not decided yet.
pub(super) struct Cut {
    text: String,
    said: String,
    kind: Kind,
    runs: Vec<(usize, Position)>,
    /// What it shows of its language.
    pub(super) signs: Signs,
}

impl Cut {
    /// Whether it is part of a requirement's body and says that something shall be.
    pub(super) fn demands(&self) -> bool {
        self.text.contains("SHALL") || self.text.contains("MUST")
    }

    /// The sentence, read in its own language among others.
    pub(super) fn read(self, others: Language) -> Sentence {
        let lexicon = self.signs.language_among(others).lexicon();
        Sentence::new(self.text, self.said, self.kind, self.runs, lexicon)
    }
}

/// Where the sentences of a text are. Behind `.`, `!`, `?` before a blank, behind their ideographic forms anywhere, never
/// inside code or behind an abbreviation.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut in_code) = (0, false);
    for (at, c) in text.char_indices() {
        in_code ^= c == '`';
        if !matches!(c, '.' | '!' | '?' | '。' | '！' | '？') {
            continue;
        }
        let end = at + c.len_utf8();
        let after = text[end..].trim_start_matches(['*', '_', ')', '"', '”', '’', '」']);
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                (after.is_empty() || after.starts_with(' '))
                    && !is_abbreviation(&text[start..at], text[end..].starts_with(')'), after)
            }
            _ => false,
        };
        if ends && !in_code {
            let end = text.len() - after.len();
            found.push(start..end);
            start = end;
        }
    }
    found.push(start..text.len());
    found.into_iter().map(|range| trimmed(text, range)).filter(|range| !range.is_empty()).collect()
}

/// Whether a full stop behind some words belongs to the last of them. `closes` tells that a parenthesis ends behind it.
fn is_abbreviation(before: &str, closes: bool, after: &str) -> bool {
    let word = before.rsplit([' ', '(', '*']).next().unwrap_or_default().to_lowercase();
    // `(rows, columns, etc.) SHALL …`
    let goes_on = closes || after.trim_start().starts_with(char::is_lowercase);
    ABBREVIATIONS.contains(&word.as_str())
        || (LAST_WORDS.contains(&word.as_str()) || word.ends_with("..")) && goes_on
        // `1.` begins an entry of a list inside a line.
        || !word.is_empty() && word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() == before.trim().len()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + inner.len() - inner.trim_start_matches(' ').len();
    start..start.max(range.start + inner.trim_end_matches(' ').len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(content: &str) -> Vec<(String, Position)> {
        let text = Text::from_bytes(content.as_bytes().to_vec());
        let mut paragraph = Paragraph::new(Kind::Statement);
        for line in 0..text.len() {
            paragraph.push(&text, line, 0..text.line(line).len());
        }
        let read = paragraph.sentences().into_iter().map(|cut| cut.read(Language::Unknown));
        read.map(|sentence| (sentence.text.clone(), sentence.start())).collect()
    }

    #[test]
    fn sentences_with_places() {
        let found = cut("It  SHALL go\n  (e.g. on `a. b`). Really? **Yes.** No");
        let expected =
            [("It SHALL go (e.g. on `a. b`).", 0, 0), ("Really?", 1, 20), ("**Yes.**", 1, 28), ("No", 1, 37)];
        let expected: Vec<_> = expected.map(|(text, line, column)| (text.to_owned(), Position { line, column })).into();
        assert_eq!(found, expected);
        assert_eq!(cut("系统。很好").len(), 2);
        assert_eq!(cut("").len(), 0);
        assert_eq!(cut("1. It SHALL go.").len(), 1);
        assert_eq!(cut("Rows (a, b, etc.) SHALL go. All (a, etc.). And etc. They go.").len(), 4);
        assert_eq!(cut("Calls (a, ...) SHALL go. Wait... What?").len(), 3);
    }
}
