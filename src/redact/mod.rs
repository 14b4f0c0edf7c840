//! Takes secrets out of text before it is stored, printed or handed on.
//!
//! What is a secret is told by its shape (tokens of known providers, keys in PEM armour), by where it stands (a URL, a
//! header), or by the name before it (`password=…`). Names stay, values become [`MARK`]. One file per way of telling.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

mod blocks;
mod headers;
mod named;
mod ordinary;
mod tokens;
mod urls;
mod values;

/// What a secret is replaced with.
pub const MARK: &str = "[REDACTED]";

/// Taking one secret out can uncover another (a word boundary where there was none), so text is gone through until
/// nothing is found. Two or three times is what it takes; the limit only bounds text made to take longer.
const MAX_PASSES: usize = 8;

/// Text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text. It has as many lines as before.
    pub text: Cow<'a, str>,
    /// How many secrets were taken out.
    pub count: usize,
    /// Whether one of them was a private key.
    pub has_private_key: bool,
}

/// Part of a text that is a secret, in bytes.
type Span = Range<usize>;

/// A way of telling secrets within one line.
type Family = fn(&str, &mut Vec<Span>);

/// All of them.
const FAMILIES: [Family; 4] = [tokens::find, headers::find, urls::find, named::find];

/// Takes out the secrets of a text. Text that was redacted already stays as it is.
///
/// Takes time in proportion to the text's length.
pub fn redact(text: &str) -> Redacted<'_> {
    let mut result = Redacted { text: Cow::Borrowed(text), count: 0, has_private_key: false };
    for _ in 0..MAX_PASSES {
        let blocks = blocks::find(&result.text);
        result.has_private_key |= !blocks.keys.is_empty();
        let mut found = blocks.keys.len() + blocks.scalars;
        if let Some(text) = replaced(&result.text, blocks.spans).0 {
            result.text = Cow::Owned(text);
        }
        let (text, count) = replaced(&result.text, in_lines(&result.text));
        found += count;
        if let Some(text) = text {
            result.text = Cow::Owned(text);
        }
        if found == 0 {
            break;
        }
        result.count += found;
    }
    result
}

/// Words without which no line has a secret, whatever their case. One pass over the text finds the lines to look at.
static TRIGGERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = tokens::TRIGGERS.iter().chain(headers::TRIGGERS).chain(urls::TRIGGERS).chain(named::TRIGGERS);
    let words: Vec<String> = words.map(|word| regex::escape(word)).collect();
    compiled(&format!("(?i-u:{})", words.join("|")))
});

/// A pattern of a table. They are constants, and a test compiles each.
fn compiled(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// What the families find in the lines that have a trigger.
fn in_lines(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let Some(triggers) = TRIGGERS.as_ref() else { return spans };
    let mut from = 0;
    let mut in_line = Vec::new();
    while let Some(trigger) = triggers.find_at(text, from) {
        let start = text[from..trigger.start()].rfind('\n').map_or(from, |at| from + at + 1);
        let end = memchr::memchr(b'\n', &text.as_bytes()[trigger.end()..]).map_or(text.len(), |at| trigger.end() + at);
        let line = &text[start..end];
        for family in FAMILIES {
            family(line, &mut in_line);
        }
        spans.extend(in_line.drain(..).map(|span| start + span.start..start + span.end));
        from = end;
    }
    spans
}

/// The text with each span replaced, none when there is nothing to replace, and how many there were. What overlaps is
/// one secret; what begins with a mark was taken out before.
fn replaced(text: &str, mut spans: Vec<Span>) -> (Option<String>, usize) {
    spans.retain(|span| !span.is_empty() && !text[span.clone()].starts_with(MARK));
    if spans.is_empty() {
        return (None, 0);
    }
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for span in &merged {
        out.push_str(&text[from..span.start]);
        out.push_str(MARK);
        from = span.end;
    }
    out.push_str(&text[from..]);
    (Some(out), merged.len())
}

#[cfg(test)]
mod tests;
