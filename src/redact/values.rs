//! Where a named value begins and ends.

use super::{MARK, Span};

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// `=` without blanks: an assignment, whatever surrounds it.
    Tight,
    /// `=` with blanks.
    Equals,
    /// A colon or an arrow.
    Colon,
    /// Blanks after an option.
    Blank,
}

impl Separator {
    /// What a separator's text means after a name. None when it is none.
    pub fn of(text: &str, name: &str) -> Option<Self> {
        match text.trim() {
            "" => name.starts_with("--").then_some(Self::Blank),
            ":" | "=>" => Some(Self::Colon),
            "=" if text == "=" => Some(Self::Tight),
            _ => Some(Self::Equals),
        }
    }
}

/// A value.
#[derive(Debug)]
pub struct Value<'a> {
    /// Without its quotes.
    pub text: &'a str,
    /// Where it is in the line.
    pub span: Span,
    /// Whether quotes are around it.
    pub is_quoted: bool,
    /// Where what is written after it ends.
    pub rest_end: usize,
}

/// The value that begins at `start`, if one does.
pub fn scan(line: &str, start: usize, in_query: bool) -> Option<Value<'_>> {
    let rest = &line[start..];
    // `Token::Ident` and `token://` are names.
    if rest.starts_with([':', '/']) && line[..start].ends_with(':') {
        return None;
    }
    let slashes = rest.len() - rest.trim_start_matches('\\').len();
    let quote = rest[slashes..].chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let rest_end = line.trim_end().len();
    let (from, length, is_quoted) = match quote {
        Some(quote) => {
            let from = start + slashes + 1;
            (from, quoted(&line[from..], quote, slashes), true)
        }
        None => (start, bare(rest, in_query), false),
    };
    let span = from..from + length;
    let text = &line[span.clone()];
    let is_done = text.is_empty() || text.starts_with(MARK) || text.starts_with("-----BEGIN");
    (!is_done).then_some(Value { text, rest_end: rest_end.max(span.end), span, is_quoted })
}

/// Bytes up to the quote that ends a value, or all there are when it was cut.
fn quoted(text: &str, quote: char, slashes: usize) -> usize {
    let mut run = 0;
    for (at, c) in text.char_indices() {
        match c {
            '\\' => run += 1,
            c if c == quote && (slashes > 0 && run >= slashes || run % 2 == 0) => {
                return at - if slashes > 0 { run.min(slashes) } else { 0 };
            }
            _ => run = 0,
        }
    }
    text.trim_end().len()
}

/// Bytes of a value without quotes: up to a blank, or to where the next name begins.
fn bare(text: &str, in_query: bool) -> usize {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let word = &text[..end];
    let ends = word.char_indices().skip(1).find(|(at, c)| match c {
        '&' if in_query => true,
        '"' | '`' => true,
        '&' | ';' | ',' => {
            let next = &word[at + 1..];
            *c != '&' && next.is_empty() || begins_with_name(next)
        }
        _ => false,
    });
    ends.map_or(end, |(at, _)| at)
}

/// Longest name looked for after a value.
const MAX_NEXT: usize = 64;

/// Whether `name=`, `name:` or a quoted name comes next.
fn begins_with_name(text: &str) -> bool {
    let text = text.trim_start_matches(['"', '\'']);
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(byte);
    let length = text.as_bytes().iter().take(MAX_NEXT).take_while(is_part).count();
    length > 0 && text[length..].trim_start_matches(['"', '\'']).starts_with(['=', ':'])
}
