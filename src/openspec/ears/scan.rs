//! Cuts a text into tokens, in one pass.

use std::collections::HashMap;

use super::sentence::ABBREVIATIONS;
use super::tokens::{Kind, Token};

/// A quote in single marks is this long at most. Beyond it the mark is an apostrophe.
const MAX_SINGLE_QUOTE: usize = 80;

/// A tag or placeholder in `<>` is this long at most.
const MAX_TAG: usize = 200;

/// So many signs behind a full stop may belong to it.
const MAX_CLOSING: usize = 8;

/// The tokens of a text. What stands in brackets belongs to the token before.
pub(super) fn scan(text: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner { text, at: 0, tokens: Vec::new(), brackets: Vec::new(), missing: Vec::new() };
    let code = code_spans(text);
    while let Some(c) = text[scanner.at..].chars().next() {
        scanner.step(c, &code);
    }
    without_asides(scanner.tokens, &scanner.brackets)
}

struct Scanner<'s> {
    text: &'s str,
    at: usize,
    tokens: Vec<Token<'s>>,
    /// Opening and closing brackets: how many tokens stand before, where it ends, and which it is.
    brackets: Vec<Bracket>,
    /// Closing quotes known to be in the text no more.
    missing: Vec<char>,
}

struct Bracket {
    sign: char,
    /// How many tokens stand before.
    token: usize,
    /// Where the bracket ends.
    end: usize,
    /// Whether `]` goes on as the target of a link.
    is_link: bool,
}

impl<'s> Scanner<'s> {
    fn step(&mut self, c: char, code: &HashMap<usize, usize>) {
        let start = self.at;
        let next = start + c.len_utf8();
        match c {
            '\\' => {
                let escaped = self.text[next..].chars().next().filter(char::is_ascii_punctuation);
                self.at = next + escaped.map_or(0, char::len_utf8);
            }
            '`' => match code.get(&start) {
                Some(end) => self.push(Kind::Literal, *end),
                None => self.at = next,
            },
            '"' | '“' | '„' | '«' | '\'' | '‘' => match self.quote_end(c, next) {
                Some(end) => self.push(Kind::Literal, end),
                None => self.at = next,
            },
            '<' => match self.tag_end(next) {
                Some(end) => self.push(Kind::Literal, end),
                None => self.push(Kind::Symbol, next),
            },
            '(' | '[' | '{' | ')' | ']' | '}' => {
                let is_link = c == ']' && self.text[next..].starts_with(['(', '[']);
                self.brackets.push(Bracket { sign: c, token: self.tokens.len(), end: next, is_link });
                self.at = next;
            }
            ',' => self.push(Kind::Comma, next),
            ';' => self.push(Kind::Semicolon, next),
            ':' => self.push(Kind::Colon, next),
            '.' | '!' | '?' => {
                if self.ends_sentence(next) {
                    self.push(Kind::Stop, next)
                } else {
                    self.at = next
                }
            }
            '–' | '—' => self.push(Kind::Dash, next),
            '-' => {
                let is_free = self.text[next..].starts_with([' ', '-']);
                if is_free { self.push(Kind::Dash, next) } else { self.at = next }
            }
            '*' | '_' | '~' | '”' | '’' | '»' => self.at = next,
            _ if c.is_alphanumeric() => {
                let end = self.word_end(start);
                self.push(Kind::Word, end);
            }
            _ if c.is_whitespace() || c.is_control() || is_invisible(c) => self.at = next,
            _ => self.push(Kind::Symbol, next),
        }
    }

    fn push(&mut self, kind: Kind, end: usize) {
        let word = if kind == Kind::Word { &self.text[self.at..end] } else { "" };
        self.tokens.push(Token { kind, start: self.at, end, tail: end, word });
        self.at = end;
    }

    /// A word goes on over signs between two letters: `user's`, `e-mail`, `a.b/c`, `snake_case`.
    fn word_end(&self, start: usize) -> usize {
        let mut end = start;
        let mut joint = false;
        for (at, c) in self.text[start..].char_indices() {
            if c.is_alphanumeric() {
                joint = false;
                end = start + at + c.len_utf8();
            } else if joint || !matches!(c, '\'' | '’' | '-' | '_' | '.' | '/' | '@' | '#' | '&' | '+') {
                break;
            } else {
                joint = true;
            }
        }
        end
    }

    fn quote_end(&mut self, open: char, from: usize) -> Option<usize> {
        let before = self.text[..self.at].chars().next_back();
        if before.is_some_and(char::is_alphanumeric) || self.text[from..].starts_with(char::is_whitespace) {
            return None;
        }
        let close = match open {
            '“' | '„' => '”',
            '«' => '»',
            '\'' => return self.single_end(from, '\''),
            '‘' => return self.single_end(from, '’'),
            same => same,
        };
        if self.missing.contains(&close) {
            return None;
        }
        let found = self.text[from..].find(close);
        if found.is_none() {
            self.missing.push(close);
        }
        found.map(|at| from + at + close.len_utf8())
    }

    fn single_end(&self, from: usize, close: char) -> Option<usize> {
        let mut before = ' ';
        let mut chars = self.text[from..].char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if at > MAX_SINGLE_QUOTE {
                return None;
            }
            let is_end = !chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
            if c == close && is_end && !before.is_whitespace() {
                return Some(from + at + c.len_utf8());
            }
            before = c;
        }
        None
    }

    fn tag_end(&self, from: usize) -> Option<usize> {
        if !self.text[from..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            return None;
        }
        let inside = self.text[from..].char_indices().take_while(|(at, c)| *at < MAX_TAG && !matches!(c, '<' | '\n'));
        inside.into_iter().find(|(_, c)| *c == '>').map(|(at, _)| from + at + 1)
    }

    /// Whether a full stop that ends at `next` ends a sentence.
    fn ends_sentence(&self, next: usize) -> bool {
        let is_closing = |c: &char| matches!(c, '*' | '_' | ')' | '"' | '”' | '\'' | '’' | '.' | '!' | '?');
        let closing: usize =
            self.text[next..].chars().take(MAX_CLOSING).take_while(is_closing).map(char::len_utf8).sum();
        let rest = &self.text[next + closing..];
        let is_end = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let last = self.tokens.last().filter(|token| token.end == self.at).map_or("", |token| token.word);
        let is_short =
            ABBREVIATIONS.iter().any(|short| short.strip_suffix('.').is_some_and(|s| s.eq_ignore_ascii_case(last)));
        let goes_on = rest.trim_start().starts_with(char::is_lowercase);
        is_end && !goes_on && (!is_short || rest.trim_start().is_empty())
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}')
}

/// Where each span of code begins and ends.
fn code_spans(text: &str) -> HashMap<usize, usize> {
    let bytes = text.as_bytes();
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + found;
        at = start + bytes[start..].iter().take_while(|byte| **byte == b'`').count();
        runs.push(start..at);
    }
    // From the end, so that every run knows the next one of its length.
    let mut next_of = HashMap::new();
    let mut spans = HashMap::new();
    for run in runs.iter().rev() {
        if let Some(end) = next_of.insert(run.len(), run.end) {
            spans.insert(run.start, end);
        }
    }
    spans
}

/// Leaves out the tokens in brackets. Words of a link's text stay.
fn without_asides<'s>(tokens: Vec<Token<'s>>, brackets: &[Bracket]) -> Vec<Token<'s>> {
    let (mut round, mut square, mut curly) = (Vec::new(), Vec::new(), Vec::new());
    let mut asides: Vec<(usize, usize, usize)> = Vec::new();
    // Where texts of links begin and end, as steps up and down.
    let mut link_starts = vec![0usize; tokens.len() + 1];
    let mut link_ends = link_starts.clone();
    for bracket in brackets {
        let open = match bracket.sign {
            '(' | ')' => &mut round,
            '[' | ']' => &mut square,
            _ => &mut curly,
        };
        if matches!(bracket.sign, '(' | '[' | '{') {
            open.push(bracket.token);
        } else if let Some(start) = open.pop() {
            if bracket.is_link {
                link_starts[start] += 1;
                link_ends[bracket.token] += 1;
            } else {
                asides.push((start, bracket.token, bracket.end));
            }
        }
    }
    asides.sort_unstable_by_key(|aside| (aside.0, std::cmp::Reverse(aside.1)));
    let mut kept: Vec<Token<'s>> = Vec::with_capacity(tokens.len());
    let mut asides = asides.into_iter().peekable();
    let (mut skip_to, mut open_links) = (0, 0);
    for (index, token) in tokens.into_iter().enumerate() {
        take_asides(&mut asides, index, &mut skip_to, &mut kept);
        open_links = open_links + link_starts[index] - link_ends[index];
        let is_said = open_links == 0 || matches!(token.kind, Kind::Word | Kind::Literal);
        if index >= skip_to && is_said {
            kept.push(token);
        }
    }
    take_asides(&mut asides, usize::MAX, &mut skip_to, &mut kept);
    kept
}

/// Takes the asides that begin at or before a token.
fn take_asides(
    asides: &mut std::iter::Peekable<std::vec::IntoIter<(usize, usize, usize)>>,
    index: usize,
    skip_to: &mut usize,
    kept: &mut [Token<'_>],
) {
    while let Some((start, until, end)) = asides.next_if(|aside| aside.0 <= index) {
        if start < *skip_to {
            continue;
        }
        *skip_to = until;
        if let Some(last) = kept.last_mut() {
            last.tail = last.tail.max(end);
        }
    }
}
