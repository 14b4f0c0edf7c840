//! A sentence as tokens: what markup hides is one literal or is gone.

use std::ops::Range;

use super::Span;
use super::scan::scan;
use super::words::has;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind,
    /// Where it begins.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// Where an aside in brackets ends that follows it.
    pub(super) tail: usize,
    /// Its text, for words.
    pub(super) word: &'s str,
}

/// Kinds of [`Token`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// Code, a quote, a tag: stands for a noun, whatever is in it.
    Literal,
    Comma,
    Semicolon,
    Colon,
    /// A dash between words.
    Dash,
    /// The end of a sentence.
    Stop,
    /// Any other sign.
    Symbol,
}

/// The tokens of one text, or a run of them.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'s> {
    text: &'s str,
    list: Vec<Token<'s>>,
    /// How many tokens of the text stand before these.
    skipped: usize,
}

impl<'s> Tokens<'s> {
    pub(super) fn of(text: &'s str) -> Self {
        Self { text, list: scan(text), skipped: 0 }
    }

    /// The sentence that has the token at `index`, without its full stop.
    pub(super) fn sentence_around(&self, index: usize) -> Self {
        let is_stop = |token: &Token<'_>| token.kind == Kind::Stop;
        let (before, after) = self.list.split_at(index.min(self.list.len()));
        let start = before.iter().rposition(is_stop).map_or(0, |stop| stop + 1);
        let end = after.iter().position(is_stop).map_or(self.list.len(), |stop| index + stop);
        Self { text: self.text, list: self.list[start..end].to_vec(), skipped: self.skipped + start }
    }

    /// How many tokens of `whole` stand before these.
    pub(super) fn offset(&self, whole: &Self) -> usize {
        self.skipped - whole.skipped
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Token<'s>> {
        self.list.iter()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Token<'s>> {
        self.list.get(index)
    }

    pub(super) fn is(&self, index: usize, kind: Kind) -> bool {
        self.get(index).is_some_and(|token| token.kind == kind)
    }

    /// The word at `index`, empty for everything else.
    pub(super) fn word(&self, index: usize) -> &'s str {
        self.get(index).map_or("", |token| token.word)
    }

    /// The word before `index`.
    pub(super) fn word_before(&self, index: usize) -> &'s str {
        index.checked_sub(1).map_or("", |before| self.word(before))
    }

    /// Whether the word at `index` is in the list, whatever its letters' case.
    pub(super) fn is_in(&self, index: usize, list: &[&str]) -> bool {
        let word = self.word(index);
        !word.is_empty() && has(list, word)
    }

    /// Whether the word at `index` is written in capitals.
    pub(super) fn is_upper(&self, index: usize) -> bool {
        is_upper(self.word(index))
    }

    /// Whether a comma, semicolon, colon or dash stands at `index`.
    pub(super) fn is_break(&self, index: usize) -> bool {
        self.get(index)
            .is_some_and(|token| matches!(token.kind, Kind::Comma | Kind::Semicolon | Kind::Colon | Kind::Dash))
    }

    /// Whether the token at `index` says something.
    pub(super) fn is_content(&self, index: usize) -> bool {
        self.get(index).is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Literal | Kind::Symbol))
    }

    /// The range without breaks at its ends.
    pub(super) fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = range;
        while start < end && self.is_break(start) {
            start += 1;
        }
        while start < end && self.is_break(end - 1) {
            end -= 1;
        }
        start..end
    }

    /// The bytes of a range of tokens. Empty, at the end of what stands before, for an empty range.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let Some(last) = range.end.checked_sub(1).filter(|last| *last >= range.start).and_then(|at| self.get(at))
        else {
            let at = range.start.checked_sub(1).and_then(|before| self.get(before)).map_or(0, |token| token.end);
            return at..at;
        };
        let start = self.get(range.start).map_or(last.start, |token| token.start);
        self.with_emphasis(start..last.tail)
    }

    /// What is written from the first to the last token of a range.
    pub(super) fn text(&self, range: &Range<usize>) -> &'s str {
        let (first, last) = (self.get(range.start), range.end.checked_sub(1).and_then(|last| self.get(last)));
        first.zip(last).and_then(|(first, last)| self.text.get(first.start..last.end)).unwrap_or_default()
    }

    /// With the marks at its ends that belong to marks inside.
    fn with_emphasis(&self, span: Span) -> Span {
        let marks = |text: &str, from_end: bool| {
            let is_mark = |byte: &u8| matches!(byte, b'*' | b'_');
            let bytes = text.as_bytes().iter();
            if from_end {
                bytes.rev().take_while(|b| is_mark(b)).count()
            } else {
                bytes.take_while(|b| is_mark(b)).count()
            }
        };
        let Some(inside) = self.text.get(span.clone()) else { return span };
        if self.text[..span.start].ends_with('[') && inside.contains("](") {
            return span.start - 1..span.end;
        }
        let after = marks(&self.text[span.end..], false);
        if after > 0 && inside.matches(&self.text[span.end..span.end + after]).count() % 2 == 1 {
            return span.start..span.end + after;
        }
        let before = marks(&self.text[..span.start], true);
        if before > 0 && inside.matches(&self.text[span.start - before..span.start]).count() % 2 == 1 {
            return span.start - before..span.end;
        }
        span
    }
}

/// Whether a word has two letters or more and all are capitals.
pub(super) fn is_upper(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| !c.is_lowercase()) && word.chars().any(char::is_uppercase)
}
