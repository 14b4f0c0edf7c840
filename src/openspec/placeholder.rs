//! Tells a text from the template's words that wait to be replaced.

use super::heading;
use super::js;
use super::near_forms::strip_marker;
use super::requirement::Block;
use super::text::Text;

/// What waits on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder<'t> {
    /// The whole of a name, step or statement is one.
    Whole(&'t str),
    /// A mark in the middle of words.
    Mark(&'t str),
}

/// The template's comments and what other templates have in their place, in lower case.
const TEMPLATE: [&str; 36] = [
    "requirement name",
    "requirement text",
    "requirement title",
    "requirement description",
    "requirement body",
    "scenario name",
    "scenario title",
    "scenario description",
    "condition",
    "conditions",
    "trigger",
    "precondition",
    "action",
    "condition or action",
    "event",
    "expected outcome",
    "expected result",
    "expected behavior",
    "expected behaviour",
    "outcome",
    "result",
    "additional outcome",
    "another outcome",
    "name",
    "text",
    "title",
    "description",
    "describe the required behaviour in imperative form",
    "describe the required behavior in imperative form",
    "describe the requirement",
    "existing requirement name",
    "capability name",
    "old name",
    "new name",
    "reason",
    "migration",
];

const MARKS: [&str; 5] = ["TBD", "TODO", "FIXME", "XXX", "TBC"];

/// What waits in a requirement of a file, with 0-based lines. Code fences are left alone.
pub fn placeholders<'t>(text: &'t Text, block: &Block) -> impl Iterator<Item = (usize, Placeholder<'t>)> {
    let lines = (block.line..).zip(text.content()[block.raw.clone()].split('\n'));
    let shown = lines.filter(|(line, _)| !text.fenced(*line));
    shown.filter_map(|(line, written)| Some((line, placeholder(written)?)))
}

/// The 0-based line of the first thing in a requirement that is nothing but a placeholder, and what is to be said of all
/// of them.
pub fn whole_placeholders(text: &Text, block: &Block) -> Option<(usize, String)> {
    let mut whole = placeholders(text, block).filter_map(|(line, waiting)| match waiting {
        Placeholder::Whole(found) => Some((line, found)),
        Placeholder::Mark(_) => None,
    });
    let (line, found) = whole.next()?;
    let more = match whole.count() {
        0 => String::new(),
        1 => ", and so is 1 more line of this requirement".to_owned(),
        more => format!(", and so are {more} more lines of this requirement"),
    };
    Some((line, format!("`{found}` is a placeholder{more}")))
}

/// The placeholder on a line of a requirement, if any. Whatever stands in backticks or quotes is quoted, not meant.
fn placeholder(line: &str) -> Option<Placeholder<'_>> {
    // Nearly every line has none of these.
    let may_have = line.contains(['<', '[', '{', '?', '…', '待'])
        || line.contains("...")
        || MARKS.iter().any(|mark| contains_ignore_case(line, mark));
    if !may_have {
        return None;
    }
    let (value, is_name) = value(line);
    if is_whole(value, is_name) {
        return Some(Placeholder::Whole(value));
    }
    // "The system SHALL TODO."
    let end = value.trim_end_matches(['.', '。', '…', '!', ' ']);
    if let Some((before, last)) = end.rsplit_once(' ')
        && is_mark(&last.to_lowercase())
        && ["SHALL", "MUST", "SHALL NOT", "MUST NOT"].iter().any(|verb| before.ends_with(verb))
    {
        return Some(Placeholder::Whole(value));
    }
    // "The system SHALL <requirement text>."
    for (at, _) in value.match_indices('<') {
        let Some(end) = value[at..].find('>') else { break };
        let inner = &value[at + 1..at + end];
        if inner.contains(' ') && TEMPLATE.contains(&inner.to_lowercase().as_str()) && !is_quoted(value, at, at + end) {
            return Some(Placeholder::Whole(value));
        }
    }
    mark(value).map(Placeholder::Mark)
}

/// The words of a line without its header or step keyword, and whether they are a name.
fn value(line: &str) -> (&str, bool) {
    if let Some(name) = heading::requirement_name(line) {
        return (name, true);
    }
    if heading::is_scenario(line) {
        return (heading::scenario_name(line), true);
    }
    let text = js::trim(line);
    let text = strip_marker(text).unwrap_or(text);
    // `**WHEN** x`, `WHEN x`, `**Reason**: x`
    let text = match text.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some((_, rest)) => rest.trim_start_matches([':', '：', ' ']),
        None => ["GIVEN ", "WHEN ", "THEN ", "AND "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text),
    };
    (js::trim(text), false)
}

fn is_whole(value: &str, is_name: bool) -> bool {
    if value.is_empty() {
        return false;
    }
    let known = |inner: &str| {
        let inner = inner.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        TEMPLATE.contains(&inner.as_str()) || is_mark(&inner) || inner.starts_with("new capabilities only")
    };
    let bare = js::trim(value.trim_end_matches(['.', '。']));
    if let Some(inner) = bare.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")) {
        return !inner.contains("-->") && (is_name || known(inner));
    }
    // A comment that goes on.
    if bare.starts_with("<!--") {
        return false;
    }
    if let Some(inner) = bare.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        // `<requirement text>` is none of HTML's tags, and no component's.
        let is_words = inner.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/' | ',' | '.'));
        return is_words && (known(inner) || is_name && inner.contains(' '));
    }
    for (open, close) in [("[", "]"), ("{{", "}}"), ("{", "}")] {
        if let Some(inner) = bare.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return !inner.contains(['[', ']', '{', '}', '(']) && known(inner);
        }
    }
    let lower = bare.to_lowercase();
    if is_mark(&lower) || matches!(value, "..." | "…" | "???" | "待定" | "待补充" | "待補充") {
        return true;
    }
    // `TODO — name the requirement`
    MARKS[..3].iter().any(|mark| {
        bare.strip_prefix(mark).is_some_and(|rest| {
            js::trim_start(rest).starts_with(['-', '–', '—', ':', '：']) && (is_name || *mark == "TBD")
        })
    })
}

/// A mark alone, in lower case.
fn is_mark(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    matches!(
        word,
        "tbd"
            | "todo"
            | "fixme"
            | "tbc"
            | "xxx"
            | "to be defined"
            | "to be determined"
            | "placeholder"
            | "fill me in"
            | "fill in"
    )
}

/// A mark among other words: `TBD` anywhere, the others as a label (`TODO:`, `[TODO]`, `TODO(me)`).
fn mark(value: &str) -> Option<&str> {
    let bytes = value.as_bytes();
    for mark in MARKS {
        for (at, found) in value.match_indices(mark) {
            let end = at + mark.len();
            let is_word =
                |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/'));
            if is_word(at.checked_sub(1).and_then(|before| bytes.get(before)))
                || is_word(bytes.get(end))
                || is_quoted(value, at, end)
            {
                continue;
            }
            let is_label = bytes.get(end) == Some(&b':') || at > 0 && matches!(bytes[at - 1], b'[' | b'<' | b'(');
            if mark == "TBD" || is_label && mark != "XXX" {
                return Some(found);
            }
        }
    }
    None
}

/// Whether a place lies between two backticks or quotes.
fn is_quoted(value: &str, from: usize, to: usize) -> bool {
    let count = |quote: char| value[..from].matches(quote).count();
    ['`', '"'].into_iter().any(|quote| count(quote) % 2 == 1 && value[to..].contains(quote))
        || [('“', '”'), ('「', '」'), ('‘', '’')].into_iter().any(|(open, close)| count(open) > count(close))
        || value[..from].ends_with('\'') && value[to..].starts_with('\'')
}

fn contains_ignore_case(line: &str, mark: &str) -> bool {
    line.as_bytes().windows(mark.len()).any(|window| window.eq_ignore_ascii_case(mark.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole() {
        for line in [
            "### Requirement: <!-- requirement name -->",
            "### Requirement: <name>",
            "### Requirement: TODO — name the requirement",
            "### Requirement: TBD",
            "#### Scenario: [scenario name]",
            "#### Scenario: <!-- 名称 -->",
            "<!-- requirement text -->",
            "- **WHEN** <!-- condition -->",
            "- **THEN** <expected outcome>.",
            "- THEN TODO",
            "The system SHALL TODO.",
            "The system MUST NOT tbd",
            "The system SHALL <requirement text>.",
            "[TBD]",
            "TBD: write this",
            "待定",
            "- **WHEN** ...",
        ] {
            assert!(matches!(placeholder(line), Some(Placeholder::Whole(_))), "{line}");
        }
    }

    #[test]
    fn marks() {
        for line in
            ["lock the account after TBD failed attempts", "- **THEN** it waits (TBD)", "It SHALL, TODO: say when."]
        {
            assert!(matches!(placeholder(line), Some(Placeholder::Mark(_))), "{line}");
        }
    }

    #[test]
    fn none() {
        for line in [
            "### Requirement: Watch mode for continuous TODO display",
            "displays all TODO items",
            "no placeholder `TBD` purpose remains",
            "it shows \"TODO: configure\" to the user",
            "- **THEN** <br>",
            "- **WHEN** `<name>` is given",
            "- **THEN** [the docs](x.md) are shown",
            "<!-- cspell:disable -->",
            "- [ ] open",
            "### Requirement: <App> renders",
            "### Requirement: <Suspense>",
            "todo lists are kept",
            "<!-- todo",
            "it shows `<requirement text>`",
        ] {
            assert_eq!(placeholder(line), None, "{line}");
        }
    }
}
