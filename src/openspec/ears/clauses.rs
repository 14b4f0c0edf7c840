//! The conditions in front of the system.

use std::ops::Range;

use super::tokens::{Kind, Tokens};
use super::words::DETERMINERS;
use super::{Clause, Keyword, Shape};

/// A clause in tokens.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) keyword: Keyword,
    pub(super) at: usize,
    pub(super) body: Range<usize>,
    /// Whether "and" or "or" joins it to the clause before.
    pub(super) is_joined: bool,
    /// Whether "then" follows.
    pub(super) has_then: bool,
}

impl Found {
    pub(super) fn shown(&self, tokens: &Tokens<'_>) -> Clause {
        let keyword_span = tokens.get(self.at).map_or(0..0, |token| token.start..token.end);
        Clause { keyword: self.keyword, keyword_span, body_span: tokens.span(self.body.clone()) }
    }
}

/// The keyword a word is. "Unless" is none: EARS has no such clause.
pub(super) fn keyword(word: &str) -> Option<Keyword> {
    let is = |known: &str| word.eq_ignore_ascii_case(known);
    match () {
        () if is("while") => Some(Keyword::While),
        () if is("where") => Some(Keyword::Where),
        () if is("when") => Some(Keyword::When),
        () if is("if") => Some(Keyword::If),
        () => None,
    }
}

/// The shape clauses make. None for an "if" without "then".
pub(super) fn shape(clauses: &[Found]) -> Option<Shape> {
    if lacks_then(clauses).is_some() {
        return None;
    }
    Some(match clauses {
        [] => Shape::Ubiquitous,
        [one] => match one.keyword {
            Keyword::While => Shape::State,
            Keyword::Where => Shape::Optional,
            Keyword::When => Shape::Event,
            Keyword::If => Shape::Unwanted,
            Keyword::Unless => return None,
        },
        _ => Shape::Complex,
    })
}

/// The first "if" no "then" follows.
pub(super) fn lacks_then(clauses: &[Found]) -> Option<&Found> {
    let first = clauses.iter().position(|clause| clause.keyword == Keyword::If)?;
    let rest = &clauses[first..];
    rest.first().filter(|_| !rest.iter().any(|clause| clause.has_then))
}

/// Whether the word at `index` ends a clause as "then": not "and then", and not in the midst of what happens.
pub(super) fn is_then(tokens: &Tokens<'_>, index: usize) -> bool {
    if !tokens.is_in(index, &["then"]) || index == 0 || tokens.is_in(index - 1, &["and", "or", "but"]) {
        return false;
    }
    let goes_on = |next: usize| {
        tokens.is(next, Kind::Literal) || tokens.is_in(next, DETERMINERS) || keyword(tokens.word(next)).is_some()
    };
    tokens.is_upper(index) || tokens.is(index - 1, Kind::Comma) || goes_on(index + 1)
}

/// The clauses in a range that ends where the system begins.
pub(super) fn read(tokens: &Tokens<'_>, range: Range<usize>) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut at = range.start;
    let mut is_joined = false;
    while at < range.end {
        let Some(keyword) = keyword(tokens.word(at)) else {
            is_joined = tokens.is_in(at, &["and", "or"]);
            let is_last = found.last_mut().filter(|_| is_then(tokens, at));
            if let Some(last) = is_last {
                last.has_then = true;
            }
            at += 1;
            continue;
        };
        let end = end_of(tokens, at + 1, &range, keyword);
        let body = tokens.trimmed(at + 1..end);
        match found.last_mut().filter(|last| is_joined && last.keyword == keyword) {
            // "When a and when b" is one trigger of two parts.
            Some(last) if last.body.end > last.body.start => last.body.end = body.end,
            _ => found.push(Found { keyword, at, body, is_joined, has_then: false }),
        }
        is_joined = false;
        at = end;
    }
    found
}

/// Where the clause ends whose body begins at `from`: before the comma or "then" the next clause or the system follows.
fn end_of(tokens: &Tokens<'_>, from: usize, range: &Range<usize>, keyword_of: Keyword) -> usize {
    let is_loud = tokens.is_upper(from - 1);
    let mut at = from;
    while at < range.end {
        if is_then(tokens, at) {
            return at;
        }
        // "WHILE a WHEN b THE SYSTEM SHALL"
        if at > from
            && is_loud
            && tokens.is_upper(at)
            && keyword(tokens.word(at)).is_some_and(|other| other != keyword_of)
        {
            return if tokens.is_in(at - 1, &["and", "or"]) { at - 1 } else { at };
        }
        if tokens.is_break(at) && begins_clause(tokens, at + 1, range.end) {
            return at;
        }
        at += 1;
    }
    range.end
}

fn begins_clause(tokens: &Tokens<'_>, from: usize, end: usize) -> bool {
    let mut at = from;
    while at < end && tokens.is_in(at, &["and", "or", "but", "then", "only", "even"]) {
        at += 1;
    }
    keyword(tokens.word(at)).is_some()
}
