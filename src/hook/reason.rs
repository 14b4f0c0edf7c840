//! Words for an agent: short enough to be read, and nothing in them but text.

use std::borrow::Cow;

use crate::report::visible;

/// Most characters of a reason, with the note that some of it was cut.
pub const MAX_CHARS: usize = 4_000;

/// Room for the note.
const NOTE_CHARS: usize = 60;

/// A reason as it is given: control characters made visible, cut at the end of a line when it is too long.
pub fn told(reason: &str) -> String {
    let lines: Vec<String> = reason
        .trim_end_matches([' ', '\t', '\r', '\n'])
        .lines()
        .map(|line| visible(&line.replace('\t', "    ")))
        .collect();
    let whole = lines.join("\n");
    if whole.chars().count() <= MAX_CHARS {
        return whole;
    }
    let room = MAX_CHARS - NOTE_CHARS;
    let mut kept: Vec<Cow<'_, str>> = Vec::new();
    let mut length = 0;
    for line in &lines {
        let chars = line.chars().count() + 1;
        if length + chars > room {
            break;
        }
        length += chars;
        kept.push(line.into());
    }
    // A first line that is too long alone says more when it is cut than when it is left out.
    if kept.is_empty()
        && let Some(first) = lines.first()
    {
        kept.push(first.chars().take(room).chain(['…']).collect());
    }
    let left_out = lines.len() - kept.len();
    if left_out > 0 {
        kept.push(format!("({left_out} more lines were cut)").into());
    }
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_ones_stay() {
        assert_eq!(told("one\n  two\n"), "one\n  two");
    }

    #[test]
    fn control_characters_are_seen() {
        assert_eq!(told("a\u{1b}[31mb\r\nc\u{202e}d\te"), "a\\u{1b}[31mb\nc\\u{202e}d    e");
    }

    #[test]
    fn long_ones_end_with_a_line() {
        let long = "0123456789".repeat(9);
        let text = format!("{long}\n").repeat(100);
        let told = told(&text);
        let (body, note) = told.rsplit_once('\n').expect("a note");
        assert!(body.lines().all(|line| line == long));
        assert_eq!(note, format!("({} more lines were cut)", 100 - body.lines().count()));
        assert!(told.chars().count() <= MAX_CHARS && told.chars().count() > MAX_CHARS - 200);
    }

    #[test]
    fn one_line_without_end() {
        let told = told(&"é".repeat(10_000));
        assert!(told.ends_with("é…") && told.chars().count() < MAX_CHARS);
    }

    proptest! {
        #[test]
        fn never_too_long_and_nothing_hidden(text in "(\\PC|\\pC|\n){0,100}", times in 1..200usize) {
            let told = told(&text.repeat(times));
            prop_assert!(told.chars().count() <= MAX_CHARS);
            prop_assert!(told.chars().all(|c| c == '\n' || !c.is_control()));
        }
    }
}
