//! The values of an entry, replaced in its text.

use super::super::yaml;
use super::end_of_line;

/// A value an entry gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    key: &'static str,
    /// As it is written.
    written: String,
}

impl Value {
    /// Any text.
    pub fn quoted(key: &'static str, text: &str) -> Self {
        Self { key, written: yaml::quoted(text) }
    }

    /// A text in which nothing is special, as ids are.
    pub fn plain(key: &'static str, text: &str) -> Self {
        Self { key, written: text.to_owned() }
    }
}

/// Replaces values of an entry where it has them, and nothing else.
pub(super) fn update(lines: &mut [String], values: &[Value]) {
    for Value { key, written } in values {
        let Some(at) = lines.iter().position(|line| key_at(line, key).is_some()) else { continue };
        let Some(start) = key_at(&lines[at], key) else { continue };
        let end_of = if lines[at].ends_with('\n') { end_of_line(&lines[at]) } else { "" };
        let column = start - key.len() - 1;
        let comment = trailing_comment(&lines[at][start..]);
        lines[at] = format!("{} {written}{comment}{end_of}", &lines[at][..start]);
        // A value over several lines: those that are deeper than its key.
        for line in &mut lines[at + 1..] {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            if line.trim().is_empty() || blanks <= column {
                break;
            }
            line.clear();
        }
    }
}

/// Where the value of a key begins in a line of an entry.
fn key_at(line: &str, key: &str) -> Option<usize> {
    let trimmed = line.trim_start_matches([' ', '-']);
    let rest = trimmed.strip_prefix(key)?.strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\n', '\r'])).then(|| line.len() - rest.len())
}

/// The comment behind a value on one line, with the blanks before it.
fn trailing_comment(rest: &str) -> String {
    let rest = rest.trim_end_matches(['\r', '\n']);
    let value = rest.trim_start();
    let skipped = rest.len() - value.len();
    let end = match value.chars().next() {
        Some('"') => {
            let mut is_escaped = false;
            let close = value.char_indices().skip(1).find(|(_, c)| {
                let is_end = *c == '"' && !is_escaped;
                is_escaped = *c == '\\' && !is_escaped;
                is_end
            });
            close.map(|(at, _)| at + 1)
        }
        Some('\'') => {
            // Two in a row are one quote inside.
            let bytes = value.as_bytes();
            let mut at = 1;
            loop {
                match (bytes.get(at), bytes.get(at + 1)) {
                    (Some(b'\''), Some(b'\'')) => at += 2,
                    (Some(b'\''), _) => break Some(at + 1),
                    (Some(_), _) => at += 1,
                    (None, _) => break None,
                }
            }
        }
        _ => Some(value.find(" #").unwrap_or(value.len())),
    };
    let Some(end) = end else { return String::new() };
    let tail = &rest[skipped + end..];
    if tail.trim_start().starts_with('#') { tail.to_owned() } else { String::new() }
}
