//! What of a text is said, rather than code, quoted, or the target of a link.

use super::sentence::imperatives;
pub(super) use super::unmasked::FILLER;
use super::unmasked::unmasked;
use crate::openspec::emphasis::as_stars;
use crate::openspec::placeholder::blank_quoted;

/// The text in small letters, byte for byte as long, with everything blanked out that is not the author's own words: code,
/// quotations, links, addresses, HTML tags and comments.
pub fn said(text: &str) -> String {
    let starred = text.contains('_').then(|| as_stars(text));
    let written = starred.as_deref().unwrap_or(text);
    // Other quotation marks are not plain.
    let is_quoting = !written.is_ascii() || memchr::memchr3(b'`', b'"', b'\'', written.as_bytes()).is_some();
    let shown = if is_quoting { blank_quoted(written) } else { written.to_owned() };
    let mut said = fold(&unmasked(shown));
    blank_links(&mut said, text);
    blank_between(&mut said, "<!--", "-->");
    blank_tags(&mut said);
    blank_addresses(&mut said);
    said
}

/// Small letters. A letter whose small form has another length stays as it is.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let small = |c: char| {
        if c.is_ascii() {
            return c.to_ascii_lowercase();
        }
        let mut lower = c.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(small), None) if small.len_utf8() == c.len_utf8() => small,
            _ => c,
        }
    };
    text.chars().map(small).collect()
}

/// Blanks out `[text](target)` and `[text][name]`, text and target: both are names of something else. A text that demands
/// something stays. `written` is what the text was made from, in its own letters.
fn blank_links(text: &mut String, written: &str) {
    if !text.contains("](") && !text.contains("][") {
        return;
    }
    let mut bytes = std::mem::take(text).into_bytes();
    let mut open = None;
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1), open) {
            (b'[', ..) => open = Some(at),
            (b']', Some(next @ (b'(' | b'[')), Some(start)) => {
                let close = if *next == b'(' { b')' } else { b']' };
                let end = memchr::memchr(close, &bytes[at + 2..]).map(|length| at + 2 + length);
                if let Some(end) = end {
                    let is_image = start > 0 && bytes[start - 1] == b'!';
                    let demands = || written.get(start + 1..at).is_some_and(|text| imperatives(text).next().is_some());
                    if is_image || !demands() {
                        bytes[start + 1..at].fill(b' ');
                    }
                    bytes[at + 2..end].fill(b' ');
                    at = end;
                }
                open = None;
            }
            (b']', ..) => open = None,
            _ => {}
        }
        at += 1;
    }
    *text = String::from_utf8(bytes).unwrap_or_default();
}

/// Blanks out what stands between two marks, as often as they occur. The marks stay, so that words at both sides stay apart.
fn blank_between(text: &mut String, open: &str, close: &str) {
    if !text.contains(open) {
        return;
    }
    let mut bytes = std::mem::take(text).into_bytes();
    let mut from = 0;
    while let Some(start) = memchr::memmem::find(&bytes[from..], open.as_bytes()).map(|at| from + at + open.len()) {
        let end = memchr::memmem::find(&bytes[start..], close.as_bytes()).map_or(bytes.len(), |at| start + at);
        bytes[start..end].fill(b' ');
        from = end;
    }
    *text = String::from_utf8(bytes).unwrap_or_default();
}

/// Blanks out `<tag …>` and `</tag>`. `a < b` is none.
fn blank_tags(text: &mut String) {
    if !text.contains('<') {
        return;
    }
    let mut bytes = std::mem::take(text).into_bytes();
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'<', &bytes[at..]).map(|found| at + found) {
        at = start + 1;
        let is_tag = bytes.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/');
        if let Some(end) = memchr::memchr2(b'>', b'<', &bytes[at..]).map(|found| at + found)
            && is_tag
            && bytes[end] == b'>'
        {
            bytes[start + 1..end].fill(b' ');
            at = end;
        }
    }
    *text = String::from_utf8(bytes).unwrap_or_default();
}

/// Blanks out addresses: whatever has `://` in it, to the next blank.
fn blank_addresses(text: &mut String) {
    if !text.contains("://") {
        return;
    }
    let mut bytes = std::mem::take(text).into_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&bytes[at..], b"://").map(|found| at + found) {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let start = bytes[at..found].iter().rposition(is_blank).map_or(at, |blank| at + blank + 1);
        let end = bytes[found..].iter().position(is_blank).map_or(bytes.len(), |blank| found + blank);
        bytes[start..end].fill(b' ');
        at = end;
    }
    *text = String::from_utf8(bytes).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn what_is_not_said_is_blank() {
        for (text, expected) in [
            ("The `Fast` API", "the `    ` api"),
            ("see [Quick Start](docs/fast.md) now", "see [           ](            ) now"),
            ("a [b] c [d][e] f (g)", "a [b] c [ ][ ] f (g)"),
            ("a [Fast] b [Größe][ref] c", "a [fast] b [       ][   ] c"),
            ("a](fast and so on", "a](fast and so on"),
            ("at https://x.y/fast. Then", "at                   then"),
            ("a <b>fast</b> c < d", "a < >fast<  > c < d"),
            ("x <!-- TODO fast --> y", "x <!--           --> y"),
            ("\"quick\" and “Easy”", "\"     \" and “    ”"),
            ("_Easy_ ÄÖ", "*easy* äö"),
            ("[It SHALL](x) ![It SHALL](x)", "[it shall]( ) ![        ]( )"),
        ] {
            assert_eq!(said(text), expected);
            assert_eq!(said(text).len(), text.len());
        }
    }
}
