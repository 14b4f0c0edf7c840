//! Whether two texts say the same in the same structure. Line ends, white space at the end of lines, blank lines, line
//! breaks inside a paragraph, the kind of bullet, the width of indents and of a table's columns make no difference: a
//! formatter changes those.

use std::borrow::Cow;

use super::js;
use super::text::FenceTracker;

/// A piece of a document that means the same however its prose is wrapped.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Unit {
    /// A line that is kept as it stands: a heading, a line of a table, of code, of a quotation.
    Line(String),
    /// Prose, with the bullet and indent it begins with, all words joined by single blanks.
    Prose { lead: String, words: String },
}

/// Whether only line ends differ.
pub fn differs_in_line_ends(one: &[u8], other: &[u8]) -> bool {
    without_carriage_returns(one) == without_carriage_returns(other)
}

fn without_carriage_returns(bytes: &[u8]) -> Cow<'_, [u8]> {
    use bstr::ByteSlice;
    if bytes.contains_str("\r\n") { Cow::Owned(bytes.replace("\r\n", "\n")) } else { Cow::Borrowed(bytes) }
}

/// Whether two Markdown texts have the same words in the same order and structure.
pub fn is_same(one: &str, other: &str) -> bool {
    units(one) == units(other)
}

/// The pieces of a text.
fn units(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut fences = FenceTracker::default();
    // Whether the next line of prose goes on with the last unit.
    let mut open = false;
    // Indents of the list items we are in. How deep an item is matters, how wide its indent is does not.
    let mut items: Vec<usize> = Vec::new();
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if fences.feed(line) {
            units.push(Unit::Line(line.to_owned()));
            open = false;
            continue;
        }
        let trimmed = line.trim_end_matches([' ', '\t']);
        if trimmed.is_empty() {
            open = false;
            continue;
        }
        let body = trimmed.trim_start_matches([' ', '\t']);
        let indent = &trimmed[..trimmed.len() - body.len()];
        if is_kept(body) || !open && items.is_empty() && is_code_indent(indent) {
            units.push(Unit::Line(kept(line, trimmed)));
            open = false;
            if indent.is_empty() {
                items.clear();
            }
            continue;
        }
        // A quotation is prose with a mark before each line.
        let quoted = body.strip_prefix('>').map(|rest| rest.trim_start_matches([' ', '\t']));
        let (body, is_quoted) = quoted.map_or((body, false), |rest| (rest, true));
        let marker = if is_quoted { "" } else { bullet(body).unwrap_or_default() };
        let goes_on = matches!(units.last(), Some(Unit::Prose { lead, .. }) if lead.ends_with('>') == is_quoted);
        open &= goes_on;
        if let (true, true, Some(Unit::Prose { words, .. })) = (open, marker.is_empty(), units.last_mut()) {
            append(words, body);
            continue;
        }
        let width = indent.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
        items.retain(|item| *item < width);
        let depth = items.len();
        if !marker.is_empty() {
            items.push(width);
        }
        // Bullets come to the same, numbers do not.
        let kind = if is_quoted {
            ">"
        } else if marker.starts_with(['-', '*', '+']) {
            "-"
        } else {
            marker
        };
        let mut words = String::new();
        append(&mut words, &body[marker.len()..]);
        units.push(Unit::Prose { lead: format!("{depth}{kind}"), words });
        open = true;
    }
    units
}

/// A line that is kept as it stands, but for the widths of a table's columns.
fn kept(line: &str, trimmed: &str) -> String {
    if !trimmed.starts_with('|') {
        // Hashes alone mean something else when blanks follow.
        let is_bare = trimmed.bytes().all(|byte| byte == b'#');
        return if is_bare { line } else { trimmed }.to_owned();
    }
    let cells = trimmed.split('|').map(|cell| {
        let cell = cell.trim_matches([' ', '\t']);
        let is_rule = cell.contains('-') && cell.bytes().all(|byte| matches!(byte, b'-' | b':'));
        let colon = |end: bool| if end { ":" } else { "" };
        if is_rule {
            format!("{}-{}", colon(cell.starts_with(':')), colon(cell.ends_with(':')))
        } else {
            cell.to_owned()
        }
    });
    cells.collect::<Vec<_>>().join("|")
}

/// Adds a line's words. Chinese and Japanese are wrapped without a blank.
fn append(words: &mut String, line: &str) {
    for (at, word) in line.split([' ', '\t']).filter(|word| !word.is_empty()).enumerate() {
        let is_joined =
            at == 0 && words.chars().next_back().is_some_and(is_wide) && word.chars().next().is_some_and(is_wide);
        if !words.is_empty() && !is_joined {
            words.push(' ');
        }
        words.push_str(word);
    }
}

/// Characters that are written without blanks between words.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}

/// A line that is never part of a paragraph that may be wrapped otherwise. Rather one too many: such a line then has to
/// stay as it is.
fn is_kept(body: &str) -> bool {
    let first = body.as_bytes().first();
    let quoted = body.strip_prefix('>').map(|rest| rest.trim_start_matches([' ', '\t']));
    matches!(first, Some(b'#' | b'|' | b'<' | b'=' | b':'))
        // What is more than prose inside a quotation.
        || quoted.is_some_and(|rest| rest.is_empty() || rest.starts_with('>') || is_kept(rest) || bullet(rest).is_some())
        || body.starts_with('[') && body.contains("]:")
        // `**Key**: …` and steps without a bullet.
        || body.starts_with("**")
        || body.starts_with("__")
        || body.starts_with('｜')
        // A rule, or the line below a heading.
        || body.len() >= 3 && body.bytes().all(|byte| matches!(byte, b'-' | b'*' | b'_' | b' '))
        // A special character at the start may be looked at by somebody.
        || body.chars().next().is_some_and(|c| c.is_control() || js::is_space(c))
}

fn is_code_indent(indent: &str) -> bool {
    indent.contains('\t') || indent.len() >= 4
}

/// The bullet or number a list item begins with, its checkbox included.
fn bullet(body: &str) -> Option<&str> {
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let end = match body.as_bytes().get(digits) {
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        _ => return None,
    };
    let rest = &body[end..];
    let text = rest.trim_start_matches([' ', '\t']);
    if text.len() == rest.len() && !rest.is_empty() {
        // `-[x]` is a task to the reference; `*emphasis*` and `-5` are words.
        return (body.as_bytes()[0] != b'*' && rest.starts_with('[')).then_some(&body[..end]);
    }
    Some(&body[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_otherwise() {
        for (one, other) in [
            ("a b c\nd", "a\nb c d"),
            ("a\r\nb\r\n", "a b"),
            ("a  \nb\n\n\n", "a\nb"),
            ("# T\ntext one\n- item two\n  three\n", "# T\n\ntext\none\n- item\n  two three"),
            ("1. one two\n2. b", "1. one\n   two\n2. b"),
            ("这是一个\n很长的句子。", "这是一个很长的\n句子。"),
            ("*emphasis* here", "*emphasis*\nhere"),
            ("> a b\n> c", "> a\n> b c"),
            ("- a\n  - b\n- c", "* a\n\n    * b\n\n* c"),
            ("- a\n\n  more\n", "- a\n\n    more\n"),
            ("| a | b |\n|---|:--|\n| c | d |", "| a   | b |\n| --- | :- |\n| c   | d |"),
        ] {
            assert!(is_same(one, other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn another_structure_or_other_words() {
        for (one, other) in [
            ("a b", "a c"),
            ("a b", "b a"),
            ("a\n# b", "a # b"),
            ("a\n- b", "a - b"),
            ("a\n\nb", "a b"),
            ("- a\n- b", "- a b"),
            ("- a\n\nb", "- a\nb"),
            ("> a\n> - b", "> a - b"),
            ("> a\nb", "> a\n> b"),
            ("> a", "a"),
            ("- a\n- b", "- a\n  - b"),
            ("- a", "1. a"),
            ("1. a", "2. a"),
            ("| a | b |", "| ab | |"),
            ("- a", "    - a"),
            ("- [ ] a", "- [x] a"),
            ("```\na b\n```", "```\na\nb\n```"),
            ("| a | b |\n| c |", "| a | b | | c |"),
            ("### Requirement: A", "####  Requirement: A"),
            ("### Requirement: A", "   ### Requirement: A"),
            ("### Requirement: A", "### Requirement:  A"),
            ("### Requirement: A\nb", "```\n### Requirement: A\nb"),
            ("x **Note**: y", "x\n**Note**: y"),
            ("a b", "a\u{200b} b"),
            ("within 1 second", "within"),
            ("a\n    code", "a\n\n    code"),
        ] {
            assert!(!is_same(one, other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn line_ends() {
        assert!(differs_in_line_ends(b"a\r\nb\n", b"a\nb\r\n"));
        assert!(!differs_in_line_ends(b"a\rb", b"a\nb"));
        assert!(!differs_in_line_ends(b"a\n", b"a"));
    }
}
