//! Bytes of a client as text that a JSON reader takes.

use std::borrow::Cow;

/// The text without a byte-order mark, with a replacement character for what is no text: bytes that are no UTF-8, and
/// halves of a surrogate pair, which JavaScript writes and no other language reads.
pub(super) fn readable(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    match whole_pairs(&text) {
        Some(text) => Cow::Owned(text),
        None => text,
    }
}

/// The text with `\ufffd` for each half of a pair that stands alone. None: there is none.
fn whole_pairs(text: &str) -> Option<String> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return None;
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match unit(escape) {
            Some(0xd800..=0xdbff) if matches!(escape.get(6..).and_then(unit), Some(0xdc00..=0xdfff)) => 12,
            Some(0xd800..=0xdfff) => {
                whole.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            _ => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        let (kept, after) = escape.split_at(length);
        whole.push_str(kept);
        rest = after;
    }
    whole.push_str(rest);
    Some(whole)
}

/// What `\uXXXX` at the beginning stands for.
fn unit(escape: &str) -> Option<u32> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
