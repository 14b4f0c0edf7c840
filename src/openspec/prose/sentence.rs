//! A sentence with the place of each of its words.

use std::ops::Range;
use std::sync::OnceLock;

use super::language::Language;
use super::shown::FILLER;
use crate::openspec::ears::{self, Ears};
use crate::openspec::lexicon::{Hit, Lexicon, List};
use crate::openspec::scenario::StepKind;

/// What a sentence is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A paragraph of a requirement's body.
    Statement,
    /// An entry of a list in a requirement's body.
    Entry,
    /// A step of a scenario, without its keyword.
    Step(StepKind),
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// 0-based.
    pub line: usize,
    /// 0-based, in characters.
    pub column: usize,
}

/// A sentence on one line.
#[derive(Debug)]
pub struct Sentence {
    /// As written, with single blanks.
    pub text: String,
    /// What it is part of.
    pub kind: Kind,
    /// What is said, in small letters, byte for byte as long as the text: code, quotations and addresses are blank.
    pub said: String,
    /// Words and phrases of the language's lists, in their order.
    pub hits: Vec<Hit>,
    /// The word lists of its language, when it has some.
    pub lexicon: Option<&'static Lexicon>,
    /// Where runs of the text come from: the offset of the first byte, and the place of it.
    runs: Vec<(usize, Position)>,
    ears: OnceLock<Option<Box<Ears>>>,
}

/// A word of what is said, in small letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'s> {
    /// The word.
    pub word: &'s str,
    /// Bytes of the sentence's text.
    pub range: Range<usize>,
}

/// Hits of one list in one sentence that are looked at: what stands near each is read, and no author writes as many.
const MOST_HITS: usize = 1000;

impl Sentence {
    pub(super) fn new(
        text: String,
        said: String,
        kind: Kind,
        runs: Vec<(usize, Position)>,
        lexicon: Option<&'static Lexicon>,
    ) -> Self {
        let hits = lexicon.map_or_else(Vec::new, |lexicon| lexicon.hits(&said));
        Self { text, kind, said, hits, lexicon, runs, ears: OnceLock::new() }
    }

    /// Where a byte of the text stands in the file.
    pub fn position(&self, at: usize) -> Position {
        let index = self.runs.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        let Some((start, position)) = self.runs.get(index) else { return Position { line: 0, column: 0 } };
        let within = self.text.get(*start..at).map_or(0, |text| text.chars().count());
        Position { line: position.line, column: position.column + within }
    }

    /// The language it is in.
    pub fn language(&self) -> Language {
        self.lexicon.map_or(Language::Unknown, |lexicon| lexicon.language)
    }

    /// Whether it is in English.
    pub fn is_english(&self) -> bool {
        self.language() == Language::English
    }

    /// How it reads after EARS, in bytes of its text. None when it demands nothing in capitals, or is not English.
    pub fn ears(&self) -> Option<&Ears> {
        let is_read = self.is_english() && (self.text.contains("SHALL") || self.text.contains("MUST"));
        let is_said = |ears: &Ears| !self.said_at(&ears.modal.span).trim().is_empty();
        let read = || if is_read { ears::parse_english(&self.text).filter(is_said).map(Box::new) } else { None };
        self.ears.get_or_init(read).as_deref()
    }

    /// Where it begins.
    pub fn start(&self) -> Position {
        self.position(0)
    }

    /// What a list found.
    pub fn of(&self, list: List) -> impl Iterator<Item = &Hit> {
        self.hits.iter().filter(move |hit| hit.is(list)).take(MOST_HITS)
    }

    /// A hit as it is written, with what is not shown of it.
    pub fn written(&self, range: &Range<usize>) -> &str {
        let is_inside = |at: &usize| !self.text.is_char_boundary(*at);
        let start = (0..=range.start).rev().find(|at| !is_inside(at)).unwrap_or_default();
        let behind = self.said.as_bytes().get(range.end..).unwrap_or_default();
        let rest = &behind[..memchr::memchr(b' ', behind).unwrap_or(behind.len())];
        // What is not shown of a word may stand anywhere in it.
        let is_masked = rest.contains(&FILLER);
        let end = range.end + if is_masked { rest.len() } else { 0 };
        let end = (end..=self.text.len()).find(|at| !is_inside(at)).unwrap_or(end);
        let written = self.text.get(start..end).unwrap_or_default();
        if is_masked { written.trim_end_matches(['.', ',', ';', ':', ')', '*']) } else { written }
    }

    /// Where SHALL and MUST stand in capitals, outside of code and quotations. Two that nothing but a mark or "or" stands
    /// between count once.
    pub fn demands(&self) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for range in self.imperatives() {
            let is_same = found.last().is_some_and(|last| is_joint(self.written(&(last.end..range.start))));
            if !is_same {
                found.push(range);
            }
        }
        found
    }

    /// Where SHALL and MUST stand in capitals, outside of code and quotations. Other scripts have no blanks around them.
    pub fn imperatives(&self) -> impl Iterator<Item = Range<usize>> {
        let said = move |range: &Range<usize>| !self.said_at(range).trim().is_empty();
        imperatives(&self.text).filter(said)
    }

    /// What is said in some bytes of the text.
    pub fn said_at(&self, range: &Range<usize>) -> &str {
        self.said.get(range.clone()).unwrap_or_default()
    }

    /// The words that are said: letters, digits, and what joins them inside a word.
    pub fn words(&self) -> impl Iterator<Item = Word<'_>> {
        words(&self.said)
    }
}

/// Where SHALL and MUST stand in capitals as words. Other scripts have no blanks around them.
pub fn imperatives(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_latin = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let whole = move |range: &Range<usize>| {
        let bytes = text.as_bytes();
        !range.start.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(is_latin)
            && !bytes.get(range.end).is_some_and(is_latin)
    };
    let mut found: Vec<Range<usize>> = ["SHALL", "MUST"]
        .iter()
        .flat_map(|word| text.match_indices(word))
        .map(|(at, word)| at..at + word.len())
        .collect();
    found.sort_by_key(|range| range.start);
    found.into_iter().filter(whole)
}

/// Whether what stands between two words makes one of them.
fn is_joint(between: &str) -> bool {
    matches!(between.trim_matches(|c: char| !c.is_alphanumeric()), "" | "or" | "and")
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’' | '%');
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text.get(rest..)?.find(is_word)?;
        let end = text[start..].find(|c| !is_word(c)).map_or(text.len(), |length| start + length);
        rest = end;
        Some(Word { word: &text[start..end], range: start..end })
    })
    .filter(|word| word.word.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openspec::prose::shown::said;

    fn sentence(text: &str) -> Sentence {
        Sentence::new(text.to_owned(), said(text), Kind::Statement, Vec::new(), Language::English.lexicon())
    }

    #[test]
    fn words_and_places() {
        let runs = vec![(0, Position { line: 3, column: 2 }), (8, Position { line: 4, column: 0 })];
        let sentence = Sentence::new("Größe a-b `x`".to_owned(), said("Größe a-b `x`"), Kind::Statement, runs, None);
        let words: Vec<_> = sentence.words().map(|word| word.word).collect();
        assert_eq!(words, ["größe", "a-b"]);
        assert_eq!(sentence.position(2), Position { line: 3, column: 4 });
        assert_eq!(sentence.position(8), Position { line: 4, column: 0 });
        assert_eq!(sentence.position(10), Position { line: 4, column: 2 });
    }

    #[test]
    fn demands() {
        for (text, expected) in [
            ("It SHALL go and MUST NOT stay.", vec!["SHALL", "MUST"]),
            ("系统SHALL记录，MUST显示。", vec!["SHALL", "MUST"]),
            ("It SHALL/MUST go (SHALL or MUST).", vec!["SHALL", "SHALL"]),
            ("`a` SHALL `go`, `b` SHALL stay.", vec!["SHALL", "SHALL"]),
            ("It **SHALL** go, `MUST` and \"SHALL\" are words, and so are MUSTER, MY_MUST and must.", vec!["SHALL"]),
            ("", vec![]),
        ] {
            let sentence = sentence(text);
            let found: Vec<&str> = sentence.demands().iter().map(|range| &text[range.clone()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn ears_are_of_the_text() {
        let of = sentence;
        let sentence = of("When it rings, the phone SHALL light up.");
        let system = sentence.ears().and_then(|ears| ears.system.clone()).unwrap_or_default();
        assert_eq!(sentence.written(&system), "the phone");
        assert!(of("It rings.").ears().is_none());
    }
}
