//! Lines of files as evidence shows them.

use bstr::{BStr, ByteSlice};

use crate::report::{display_path, shown_line, visible};

/// Most characters of a line.
const MAX_SHOWN: usize = 200;

/// Characters that are shown of a line that has no place to cut it.
const SHOWN_OF_BLOB: usize = 20;

/// `path:line:text`, with a 1-based line.
pub(super) fn located(path: &str, line: usize, text: &[u8]) -> String {
    format!("{path}:{line}:{}", shown(text))
}

/// The first lines of a text, each with its place.
pub(super) fn first_lines(path: &str, text: &[u8], most: usize) -> String {
    let lines = text.lines().take(most).enumerate();
    lines.map(|(at, line)| located(path, at + 1, line)).collect::<Vec<_>>().join("\n")
}

/// A path in backquotes, shortened, for a message.
pub(super) fn quoted(path: &BStr) -> String {
    format!("`{}`", shown_line(&display_path(path)))
}

/// A line's text: one line, no control characters, not too long.
///
/// A long line is cut between words: secrets are looked for afterwards, and half of one would not be known for one.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
    // A tab does no harm, and code is full of them.
    let plain = |text: &str| text.split('\t').map(visible).collect::<Vec<_>>().join("\t");
    let Some((end, _)) = text.char_indices().nth(MAX_SHOWN) else { return plain(&text) };
    let is_gap =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '{' | '}' | '<' | '>');
    let kept = match text[..end].rfind(is_gap) {
        Some(gap) if !text[..gap].trim().is_empty() => &text[..gap],
        _ => text.char_indices().nth(SHOWN_OF_BLOB).map_or("", |(end, _)| &text[..end]),
    };
    format!("{}…", plain(kept))
}

/// Why a text is not looked at although it could be read: its characters are not bytes of ASCII and nothing would be
/// found in it.
pub(super) fn odd_encoding(text: &[u8]) -> Option<&'static str> {
    (text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]))
        .then_some("it is UTF-16, which is not searched")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_on_one_line() {
        assert_eq!(located("a.rs", 3, b"\tlet x = \x1b[31m1;\r"), "a.rs:3:\tlet x = \\u{1b}[31m1;");
        assert_eq!(located("a", 1, b"\xff"), "a:1:\u{fffd}");
    }

    #[test]
    fn a_long_line_is_cut_between_words() {
        let line = format!("{} token={}", "word ".repeat(36), "s".repeat(100));
        let shown = shown(line.as_bytes());
        assert!(shown.ends_with('…') && !shown.contains("token"), "{shown}");
        assert_eq!(super::shown("s".repeat(300).as_bytes()), format!("{}…", "s".repeat(20)));
        assert_eq!(super::shown("ä".repeat(200).as_bytes()), "ä".repeat(200));
    }
}
