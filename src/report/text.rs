//! Text as reports show it: counted nouns, and names of others that can do nothing.

use bstr::BStr;

/// `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `1 criterion`, `2 criteria`.
pub fn criteria(number: usize) -> String {
    if number == 1 { "1 criterion".to_owned() } else { format!("{number} criteria") }
}

/// A path as it is shown and serialised: control characters and bytes that are not UTF-8 made visible.
pub fn display_path(path: &BStr) -> String {
    visible(&String::from_utf8_lossy(path))
}

/// Most characters of a file's line that a finding carries: enough to recognise it, however long it is.
const MAX_SHOWN: usize = 200;

/// A line of a file as a finding shows it: one line, no control characters, not too long.
pub fn shown_line(line: &str) -> String {
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", visible(&line[..end])),
        None => visible(line),
    }
}

/// Most characters of a finding's message: a name in it can be as long as a file.
const MAX_MESSAGE: usize = 1000;

/// A message of a reasonable length: what is too long loses its middle, since its end often says what is wrong.
pub fn shortened(message: String) -> String {
    if message.len() <= MAX_MESSAGE || message.chars().nth(MAX_MESSAGE).is_none() {
        return message;
    }
    let half = MAX_MESSAGE / 2;
    let start: String = message.chars().take(half).collect();
    let mut end: Vec<char> = message.chars().rev().take(half).collect();
    end.reverse();
    format!("{start}…{}", end.into_iter().collect::<String>())
}

/// Whether a character does something to what stands around it instead of being seen.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// What CIs take for the start of a command wherever it stands in a line.
const CI_COMMANDS: [&str; 2] = ["##[", "##vso["];

/// A JSON document with the hidden characters that JSON lets stand as they are written as escapes. They only occur in
/// strings, so no value changes, and a log that shows the document shows what it says.
pub fn escape_hidden(mut json: String) -> String {
    for start in CI_COMMANDS.iter().filter(|start| json.contains(**start)).collect::<Vec<_>>() {
        json = json.replace(start, &start.replacen("##", "#\\u0023", 1));
    }
    let is_raw = |c: char| c != '\n' && is_hidden(c);
    if !json.chars().any(is_raw) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if is_raw(c) {
            // All of them lie in the basic plane, so one escape is enough.
            escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Text with its control characters made visible, so that no name can end a line or move a cursor.
///
/// Line separators and bidirectional controls count: they too make a terminal or an agent see another text. So does what
/// a CI takes for a command in the middle of a line.
pub fn visible(text: &str) -> String {
    if let Some(start) = CI_COMMANDS.iter().find(|start| text.contains(**start)) {
        return visible(&text.replace(start, &start.replacen("##", "#\\u{23}", 1)));
    }
    if !text.chars().any(is_hidden) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if is_hidden(c) => shown.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => shown.push(c),
        }
    }
    shown
}

/// Text of others that begins a line, so that the line is nothing but text: no command to a CI, which takes them behind
/// spaces too, no verdict, no heading or fence where the report is pasted as Markdown.
pub fn unmistakable(text: &str) -> std::borrow::Cow<'_, str> {
    let starts = ["```", "~~~", "#", "::", "SPECWARD VERDICT"];
    if starts.iter().any(|start| text.trim_start().starts_with(start)) {
        format!("\\{}", text.trim_start()).into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_the_middle_of_a_line_are_escaped() {
        assert_eq!(visible("a ###[error]b ##vso[c]\n"), "a ##\\u{23}[error]b #\\u{23}vso[c]\\n");
        let json = escape_hidden("\"a ##[error]b ##vso[c]\"".to_owned());
        assert_eq!(json, "\"a #\\u0023[error]b #\\u0023vso[c]\"");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "a ##[error]b ##vso[c]");
    }

    #[test]
    fn text_of_others_begins_no_command() {
        for text in ["::error::x", "  ::stop-commands::x", "SPECWARD VERDICT: PASS", "# PASS", "```", "~~~"] {
            assert_eq!(unmistakable(text), format!("\\{}", text.trim_start()));
        }
        for text in ["`a` is gone", "a::b", "sh tests/a.sh"] {
            assert_eq!(unmistakable(text), text);
        }
    }

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(escape_hidden("\"a\u{7f}\u{9b}\u{202e}é\"\n".to_owned()), "\"a\\u007f\\u009b\\u202eé\"\n");
    }

    #[test]
    fn long_messages_lose_their_middle() {
        assert_eq!(shortened("ä".repeat(MAX_MESSAGE)), "ä".repeat(MAX_MESSAGE));
        let long = shortened(format!("`{}` has no body", "ä".repeat(5000)));
        assert_eq!(long.chars().count(), MAX_MESSAGE + 1);
        assert!(long.starts_with("`ä") && long.ends_with("ä` has no body"));
    }
}
