//! Text of others in Markdown: it is seen, and nothing else. No markup, no link, nobody who is mentioned.

use crate::report::{unmistakable, visible};

/// Written after what would begin a mention or a reference: nobody sees it, and it ends the word.
const BREAK: &str = "&#8203;";

/// A sentence with names in backticks: these become code, everything else is text.
pub(super) fn inline(text: &str) -> String {
    let text = visible(text);
    let parts: Vec<&str> = text.split('`').collect();
    // An odd number of marks is no pair, and two together hold no name: then all of them are text.
    if parts.len().is_multiple_of(2) || text.contains("``") {
        return beginning(&text);
    }
    let part = |(index, part): (usize, &&str)| match index {
        0 => beginning(part),
        _ if index % 2 == 1 => code(part),
        _ => plain(part),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Text that may stand at the start of a line, where it begins no list and no rule.
fn beginning(text: &str) -> String {
    let is_number = text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')']);
    match text.chars().next() {
        Some(c @ ('-' | '+' | '=' | ' ' | '0'..='9')) if is_number || !c.is_ascii_digit() => {
            format!("&#{};{}", u32::from(c), plain(&text[1..]))
        }
        _ => plain(text),
    }
}

/// Text in which no mark means anything.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = [' '; 2];
    for (at, c) in text.char_indices() {
        match c {
            '@' | '#' => out.push_str(&format!("&#{};{BREAK}", u32::from(c))),
            // `https://` and `www.` become links, and `GH-1` a reference.
            ':' if text[at..].starts_with("://") => out.push_str(&format!("&#58;{BREAK}")),
            '.' if before[1] == 'w' => out.push_str(&format!(".{BREAK}")),
            '-' if before == ['g', 'h'] => out.push_str(&format!("-{BREAK}")),
            '&' | '<' | '>' | '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                out.push_str(&format!("&#{};", u32::from(c)));
            }
            c => out.push(c),
        }
        before = [before[1], c.to_ascii_lowercase()];
    }
    out
}

/// A name as code, also in a table. HTML and not backticks: these cannot hold a `|` there.
pub(super) fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<code>{}</code>", html(text)) }
}

/// Text inside an HTML element of one line, where Markdown is read too.
pub(super) fn html(text: &str) -> String {
    plain(&visible(text))
}

/// Lines in a fence that none of them ends. Nothing when there is no line. None begins a command of a CI, in whose log it
/// may stand.
pub(super) fn fenced<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let is_command = |line: &str| line.trim_start().starts_with("::");
    let shown = |line: &str| if is_command(line) { unmistakable(&visible(line)).into_owned() } else { visible(line) };
    let lines: Vec<String> = lines.map(shown).collect();
    if lines.is_empty() {
        return String::new();
    }
    let longest = lines.iter().flat_map(|line| line.split(|c| c != '`').map(str::len)).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_backticks_are_code() {
        assert_eq!(inline("`a|b` is gone"), "<code>a&#124;b</code> is gone");
        assert_eq!(inline("a ` b"), "a &#96; b");
        assert_eq!(inline("a ```` b"), "a &#96;&#96;&#96;&#96; b");
        assert_eq!(inline("a\nb"), "a&#92;nb");
        let starts = ["- a", "1. a", "    a", "12 files", "a"].map(inline);
        assert_eq!(starts, ["&#45; a", "&#49;. a", "&#32;   a", "12 files", "a"]);
    }

    #[test]
    fn no_mark_means_anything() {
        let text = plain("@user #12 GH-1 https://a.b www.a.b [x](y) ![i](j) <b> a|b *b* _i_ ~s~ $x$ \\ o/r#1 a@b.c");
        for mark in ["@u", "#1 ", "GH-1", "://", "www.a", "](", "<b>", "|", "*", "_", "~", "$", "\\", "@b"] {
            assert!(!text.contains(mark), "{mark}: {text}");
        }
    }

    #[test]
    fn a_fence_is_longer_than_any_in_it() {
        assert_eq!(fenced(["a", "````` b"].into_iter()), "``````text\na\n````` b\n``````\n\n");
        assert_eq!(fenced(["a"].into_iter()), "```text\na\n```\n\n");
        assert_eq!(fenced([].into_iter()), "");
        assert_eq!(fenced([" ::error::x"].into_iter()), "```text\n\\::error::x\n```\n\n");
    }
}
