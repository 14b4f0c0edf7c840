//! Tells a text from the template's words that wait to be replaced.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::{memchr_iter, memchr3_iter, memmem};

use super::heading;
use super::js;
use super::near_forms::strip_marker;
use super::requirement::Block;
use super::text::Text;

mod marks;
mod quoted;

use marks::{MARKS, PHRASES, mark};
pub(super) use quoted::visible as blank_quoted;
use quoted::visible;

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

/// How a prompt in brackets begins, in lower case.
const PROMPTS: [&str; 16] = [
    "describe",
    "what ",
    "expected ",
    "insert ",
    "your ",
    "something",
    "do something",
    "fill in",
    "enter ",
    "specify ",
    "write ",
    "add ",
    "some ",
    "the expected",
    "placeholder",
    "explain",
];

/// Words after which a statement says what it demands.
const VERBS: [&str; 12] =
    ["SHALL", "MUST", "SHALL NOT", "MUST NOT", "DEVE", "DEBE", "DOIT", "MUSS", "必须", "必須", "应", "應"];

/// HTML elements that can stand alone on a line with words inside their brackets.
const TAGS: [&str; 8] = ["details", "dialog", "input", "video", "audio", "option", "script", "br"];

/// What waits in a requirement of a file, with 0-based lines. Code fences are left alone.
pub fn placeholders<'t>(text: &'t Text, block: &Block) -> impl Iterator<Item = (usize, Placeholder<'t>)> {
    let raw = &text.content()[block.raw.clone()];
    let mut signs = signs(raw).into_iter().peekable();
    let mut end = 0;
    let lines = (block.line..).zip(raw.split('\n')).filter(move |(_, written)| {
        let start = end;
        end = start + written.len() + 1;
        while signs.next_if(|at| *at < start).is_some() {}
        signs.peek().is_some_and(|at| *at < end)
    });
    let shown = lines.filter(|(line, _)| !text.fenced(*line));
    shown.filter_map(|(line, written)| Some((line, placeholder(written)?)))
}

/// Where something stands in a text without which no line of it has a placeholder, in order. Nearly every line has none,
/// and looking for all of them at once is fast.
fn signs(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found: Vec<usize> = memchr3_iter(b'<', b'[', b'{', bytes).chain(memchr_iter(b'?', bytes)).collect();
    for dots in ["...", "…"] {
        found.extend(memmem::find_iter(bytes, dots));
    }
    match FINDER.as_ref() {
        Some(finder) => found.extend(finder.find_iter(text).map(|mark| mark.start())),
        // Without a finder, which our own words always make, each line is looked at.
        None => found.extend(0..bytes.len()),
    }
    found.sort_unstable();
    found
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
    let (value, is_name) = value(line);
    if is_whole(value, is_name) {
        return Some(Placeholder::Whole(value));
    }
    let visible = visible(value);
    if is_demand_of_nothing(&visible) || has_template(&visible) || is_filler(&visible) {
        return Some(Placeholder::Whole(value));
    }
    mark(&visible).and_then(|at| value.get(at)).map(Placeholder::Mark)
}

/// Whether a requirement's or scenario's name is one.
pub fn is_placeholder_name(name: &str) -> bool {
    is_whole(js::trim(name), true)
}

/// Whether a line, its list marker aside, says only that something is to be written.
pub fn is_pending(line: &str) -> bool {
    let text = js::trim(line);
    let text = strip_marker(text).unwrap_or(text);
    is_mark(&text.to_lowercase()) || matches!(text, "..." | "…" | "???")
}

/// `The system SHALL TODO.`, `The system SHALL ...`, `The system SHALL <do something>.`
fn is_demand_of_nothing(visible: &str) -> bool {
    let verb = VERBS.iter().filter_map(|verb| Some((visible.rfind(verb)?, *verb))).max();
    let Some((at, verb)) = verb else { return false };
    let rest = &visible[at + verb.len()..];
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if is_word(visible[..at].chars().next_back()) || is_word(rest.chars().next()) {
        return false;
    }
    let rest = js::trim(rest.trim_start_matches(['*', '_']));
    let rest = js::trim_start(rest.strip_prefix("NOT ").unwrap_or(rest));
    if ["...", "…"].iter().any(|dots| rest.strip_prefix(dots).is_some_and(|end| end.trim_matches('.').is_empty())) {
        return true;
    }
    let bare = rest.trim_end_matches(['.', '。', '…', '!', ' ']);
    let in_brackets = [('<', '>'), ('[', ']'), ('{', '}')].iter().find_map(|(open, close)| {
        bare.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close)).filter(|inner| {
            !inner.contains([*open, *close, '=', '"', '`', '/', '^']) && inner.contains(char::is_alphabetic)
        })
    });
    in_brackets.is_some_and(|inner| !TAGS.contains(&inner)) || is_mark(&bare.to_lowercase())
}

/// `The system SHALL keep <requirement text>.`
fn has_template(visible: &str) -> bool {
    let mut open = None;
    for (at, c) in visible.char_indices() {
        match c {
            '<' => open = Some(at + 1),
            '>' => {
                let inner = open.take().map(|from| &visible[from..at]).unwrap_or_default();
                // The longest of them has fewer bytes.
                if inner.contains(' ') && inner.len() < 80 && TEMPLATE.contains(&inner.to_lowercase().as_str()) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// `Lorem ipsum dolor …`
fn is_filler(visible: &str) -> bool {
    let folded = visible.to_ascii_lowercase();
    folded.starts_with("lorem ipsum")
        || folded.contains("lorem ipsum dolor")
        || folded.contains("shall lorem ipsum")
        || folded.contains("must lorem ipsum")
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
        let is_tag = || TAGS.contains(&inner.split(' ').next().unwrap_or_default());
        return is_words && (known(inner) || inner.contains(' ') && !is_tag());
    }
    for (open, close) in [("[", "]"), ("{{", "}}"), ("{", "}")] {
        if let Some(inner) = bare.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            let folded = inner.to_lowercase();
            let asks = open != "[" || !folded.contains('^');
            let asks = asks && PROMPTS.iter().any(|prompt| folded.starts_with(prompt));
            return !inner.contains(['[', ']', '{', '}', '(', ':', '=', '`']) && (known(inner) || asks);
        }
    }
    let lower = bare.to_lowercase();
    if is_mark(&lower) || matches!(value, "..." | "…" | "???") {
        return true;
    }
    // `TODO — name the requirement`
    MARKS[..3].iter().any(|mark| {
        bare.strip_prefix(mark).is_some_and(|rest| {
            let is_apart = rest.starts_with(['–', '—', ':', '：']) || rest.starts_with(char::is_whitespace);
            let is_label = js::trim_start(rest).starts_with(['-', '–', '—', ':', '：']);
            is_apart && is_label && (is_name || *mark == "TBD")
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
            | "tktk"
            | "needs clarification"
            | "placeholder"
            | "fill me in"
            | "fill in"
    ) || PHRASES.contains(&word)
}

/// Finds marks and phrases in any case.
static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let marks = MARKS.iter().chain(&PHRASES).chain(&["lorem"]);
    AhoCorasick::builder().ascii_case_insensitive(true).build(marks).ok()
});

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
            "The system SHALL ...",
            "The system SHALL …",
            "系统 SHALL 待定。",
            "系统必须待定。",
            "The system SHALL <do something>",
            "The system SHALL [describe behavior]",
            "The system MUST NOT {describe}.",
            "- **THEN** <what is expected>",
            "- **THEN** [describe the outcome]",
            "Lorem ipsum dolor sit amet.",
            "The system SHALL lorem ipsum.",
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
    fn long_lines_take_no_longer_than_long_lines_do() {
        for piece in ["<a b ", "\"TBD ", "`TODO ", "[TBD ", "‘", "'a ", "TODO ", "SHALL <a "] {
            let start = std::time::Instant::now();
            _ = placeholder(&format!("SHALL {}>", piece.repeat(50_000)));
            assert!(start.elapsed().as_secs() < 5, "{piece}");
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
            "### Requirement: TODO-app sync",
            "### Requirement: TBD Purpose detection",
            "The system SHALL [show it](x.md).",
            "It SHALL stop ... then go on",
            "It SHALL show \"lorem ipsum dolor\"",
            "- **THEN** [the docs]",
            "<details open>",
            "It SHALL read TODO: as a prefix",
        ] {
            assert_eq!(placeholder(line), None, "{line}");
        }
    }
}
