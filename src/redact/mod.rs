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
struct Family {
    /// Words without which a line has none of its secrets, whatever their case.
    triggers: &'static [&'static str],
    /// Adds what it finds.
    find: fn(&str, &mut Vec<Span>),
}

/// All of them.
const FAMILIES: [Family; 4] = [
    Family { triggers: tokens::TRIGGERS, find: tokens::find },
    Family { triggers: headers::TRIGGERS, find: headers::find },
    Family { triggers: urls::TRIGGERS, find: urls::find },
    Family { triggers: named::TRIGGERS, find: named::find },
];

/// Takes out the secrets of a text. Text that was redacted already stays as it is.
///
/// Takes time in proportion to the text's length.
pub fn redact(text: &str) -> Redacted<'_> {
    let mut result = Redacted { text: Cow::Borrowed(text), count: 0, has_private_key: false };
    for pass in 0..MAX_PASSES {
        let blocks = blocks::find(&result.text);
        result.has_private_key |= blocks.keys > 0;
        let count = blocks.keys + blocks.scalars;
        result.count += count;
        if let Some((text, _)) = replaced(&result.text, blocks.spans) {
            result.text = Cow::Owned(text);
        }
        // Lines were gone through until nothing was left; only what blocks changed since can show more.
        if pass > 0 && count == 0 {
            break;
        }
        let Some((text, count)) = lines(&result.text) else { break };
        result.text = Cow::Owned(text);
        result.count += count;
    }
    result
}

/// Finds the lines to look at in one pass over the text.
static TRIGGERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| any_of(FAMILIES.iter().flat_map(|family| family.triggers).copied()));

/// Tells for each family whether a line is worth a look.
static TRIGGERS_OF_FAMILIES: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| FAMILIES.iter().map(|family| any_of(family.triggers.iter().copied())).collect());

fn any_of<'a>(words: impl Iterator<Item = &'a str>) -> Option<Regex> {
    let words: Vec<String> = words.map(regex::escape).collect();
    compiled(&format!("(?i-u:{})", words.join("|")))
}

/// A pattern of a table. They are constants, and a test compiles each.
fn compiled(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// The text without what the families find in its lines, and how many that were; none when they find nothing.
fn lines(text: &str) -> Option<(String, usize)> {
    let triggers = TRIGGERS.as_ref()?;
    let (mut out, mut copied, mut count) = (String::new(), 0, 0);
    let mut from = 0;
    while let Some(trigger) = triggers.find_at(text, from) {
        let start = text[from..trigger.start()].rfind('\n').map_or(from, |at| from + at + 1);
        let end = memchr::memchr(b'\n', &text.as_bytes()[trigger.end()..]).map_or(text.len(), |at| trigger.end() + at);
        if let Some((line, found)) = line(&text[start..end]) {
            out.push_str(&text[copied..start]);
            out.push_str(&line);
            (copied, count) = (end, count + found);
        }
        from = end;
    }
    out.push_str(&text[copied..]);
    (count > 0).then_some((out, count))
}

/// A line without its secrets, when it has any.
fn line(text: &str) -> Option<(String, usize)> {
    let mut result: Option<(String, usize)> = None;
    for _ in 0..MAX_PASSES {
        let line = result.as_ref().map_or(text, |(line, _)| line);
        let mut spans = Vec::new();
        for (family, triggers) in FAMILIES.iter().zip(TRIGGERS_OF_FAMILIES.iter()) {
            if triggers.as_ref().is_some_and(|triggers| triggers.is_match(line)) {
                (family.find)(line, &mut spans);
            }
        }
        let Some((line, count)) = replaced(line, spans) else { break };
        result = Some((line, count + result.map_or(0, |(_, count)| count)));
    }
    result
}

/// The text with each span replaced, and how many there were; none when there is nothing to replace. What overlaps is
/// one secret; what begins with a mark was taken out before.
fn replaced(text: &str, mut spans: Vec<Span>) -> Option<(String, usize)> {
    spans.retain(|span| !span.is_empty() && !text[span.clone()].starts_with(MARK));
    if spans.is_empty() {
        return None;
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
    Some((out, merged.len()))
}

#[cfg(test)]
mod tests;
