//! `_a_` and `*a*` are the same to a reader of the rendered file; formatters turn one into the other.

use std::collections::HashSet;

/// The text with underscores that mark emphasis as stars. Code, links' targets and `snake_case` stay.
pub fn as_stars(text: &str) -> String {
    if !text.contains('_') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut stars = bytes.to_vec();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut missing = Missing::default();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'`' => {
                let length = run(&bytes[at..]);
                at = missing.code_end(bytes, at + length, length).unwrap_or(at + length);
            }
            b']' if bytes.get(at + 1) == Some(&b'(') => at = missing.skip_to(bytes, at, b')'),
            b'<' => at = missing.skip_to(bytes, at, b'>'),
            b'_' => {
                let length = run(&bytes[at..]);
                let before = text[..at].chars().next_back();
                let after = text[at + length..].chars().next();
                let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                let is_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
                let closes = !is_blank(before) && !is_word(after);
                match open.last() {
                    Some((start, same)) if closes && *same == length => {
                        stars[*start..*start + length].fill(b'*');
                        stars[at..at + length].fill(b'*');
                        open.pop();
                    }
                    _ if !is_blank(after) && !is_word(before) => open.push((at, length)),
                    _ => {}
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    String::from_utf8(stars).unwrap_or_else(|_| text.to_owned())
}

/// How often the first byte is repeated.
fn run(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| Some(*byte) == bytes.first()).count()
}

/// What was looked for in vain, and is not looked for again.
#[derive(Default)]
struct Missing {
    signs: Vec<u8>,
    /// Lengths of runs of backticks.
    runs: HashSet<usize>,
}

impl Missing {
    /// Where a code span ends that was opened by that many backticks.
    fn code_end(&mut self, bytes: &[u8], from: usize, length: usize) -> Option<usize> {
        if self.runs.contains(&length) {
            return None;
        }
        let mut at = from;
        while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
            let seen = run(&bytes[at + found..]);
            at += found + seen;
            if seen == length {
                return Some(at);
            }
        }
        self.runs.insert(length);
        None
    }

    /// Behind the next `end`, or one byte on.
    fn skip_to(&mut self, bytes: &[u8], at: usize, end: u8) -> usize {
        if self.signs.contains(&end) {
            return at + 1;
        }
        let found = memchr::memchr(end, &bytes[at..]);
        if found.is_none() {
            self.signs.push(end);
        }
        found.map_or(at + 1, |length| at + length + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emphasis() {
        for (written, wanted) in [
            ("an _a b_ c", "an *a b* c"),
            ("__a__ (_b_), ___c___.", "**a** (*b*), ***c***."),
            ("snake_case _private a _ b", "snake_case _private a _ b"),
            ("`_a_` and ``_b_ ` c`` \\_d_", "`_a_` and ``_b_ ` c`` \\_d_"),
            ("[x](_a_) <_b_> _这_", "[x](_a_) <_b_> *这*"),
            ("*a*", "*a*"),
            ("__a_ `", "__a_ `"),
        ] {
            assert_eq!(as_stars(written), wanted);
        }
    }
}
