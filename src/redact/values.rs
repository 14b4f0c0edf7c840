//! Where a named value begins and ends.

use super::MARK;

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
            // A comparison says what was expected as often as what is secret.
            ":" | "=>" | "==" | "===" => Some(Self::Colon),
            "=" if text == "=" => Some(Self::Tight),
            _ => Some(Self::Equals),
        }
    }
}

/// Most bytes of a value that are looked at to tell what it is. All of it is taken out.
const LOOKED_AT: usize = 256;

/// A value.
#[derive(Debug)]
pub struct Value<'a> {
    /// Its beginning, without a quote: all of it unless it is long.
    pub text: &'a str,
    /// Where it begins in the line.
    pub start: usize,
    /// Whether `text` is not all of it.
    pub is_long: bool,
    /// Whether quotes are around it.
    pub is_quoted: bool,
    form: Form,
}

/// How a value is written.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// In quotes, each with so many backslashes before it.
    Quoted(char, usize),
    /// Without; in the query of a URL or not.
    Bare { in_query: bool },
}

impl Form {
    /// Bytes of the value that a text begins with.
    fn length(self, text: &str) -> usize {
        match self {
            Self::Quoted(quote, slashes) => quoted(text, quote, slashes),
            Self::Bare { in_query } => bare(text, in_query),
        }
    }
}

impl Value<'_> {
    /// Where it ends in its line.
    pub fn end(&self, line: &str) -> usize {
        let length = if self.is_long { self.form.length(&line[self.start..]) } else { self.text.len() };
        self.start + length
    }
}

/// The value that begins at `start`, if one does.
pub fn scan(line: &str, start: usize, in_query: bool) -> Option<Value<'_>> {
    let rest = &line[start..];
    // `Token::Ident` and `token://` are names.
    if rest.starts_with([':', '/']) && line[..start].ends_with(':') {
        return None;
    }
    let looked_at = beginning(rest);
    let slashes = looked_at.len() - looked_at.trim_start_matches('\\').len();
    let quote = looked_at[slashes..].chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let (start, form) = match quote {
        Some(quote) => (start + slashes + 1, Form::Quoted(quote, slashes)),
        None => (start, Form::Bare { in_query }),
    };
    let looked_at = beginning(&line[start..]);
    let text = &looked_at[..form.length(looked_at)];
    let is_long = text.len() == looked_at.len() && start + text.len() < line.len();
    let is_done = text.is_empty() || text.starts_with(MARK) || text.starts_with("-----BEGIN");
    (!is_done).then_some(Value { text, start, is_long, is_quoted: quote.is_some(), form })
}

/// As much of a text as is looked at.
fn beginning(text: &str) -> &str {
    let mut end = LOOKED_AT.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The word after a value that ends at `end`, if blanks are between.
pub fn word_after(line: &str, end: usize) -> &str {
    let after = beginning(&line[end..]).trim_start_matches(['"', '\'', '`']);
    if after.starts_with(char::is_whitespace) { after.split_whitespace().next().unwrap_or_default() } else { "" }
}

/// Bytes up to the quote that ends a value, or all there are when it was cut.
fn quoted(text: &str, quote: char, slashes: usize) -> usize {
    let mut run = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            // YAML and SQL write a quote in a text twice.
            '\'' if quote == '\'' && slashes == 0 && at > 0 && chars.next_if(|(_, next)| *next == '\'').is_some() => {
                run = 0
            }
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
    let ends = text.char_indices().find(|(at, c)| match c {
        c if c.is_whitespace() => true,
        '&' if in_query => true,
        '"' | '`' => *at > 0,
        '&' | ';' | ',' if *at > 0 => {
            let next = &text[at + 1..];
            let is_last = next.chars().next().is_none_or(|c| c.is_whitespace() || "\"'`".contains(c));
            *c != '&' && is_last || begins_with_name(next)
        }
        _ => false,
    });
    ends.map_or(text.len(), |(at, _)| at)
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
