//! What a demand lost that was cut short: a number with what it counts, or its last words.

use std::collections::HashSet;
use std::ops::Range;

use super::demand::{self, words};
use super::parts::Unit;
use super::script::is_ideographic;
use super::words::Words;

/// Words before a number that is a name.
const NAMES: &[&str] = &[
    "http",
    "https",
    "status",
    "code",
    "codes",
    "exit",
    "version",
    "phase",
    "step",
    "section",
    "level",
    "page",
    "rfc",
    "port",
    "error",
    "table",
    "figure",
    "item",
    "chapter",
    "line",
    "iso",
    "issue",
    "ticket",
    "part",
    "tier",
    "stage",
    "layer",
    "option",
    "v",
    "node",
    "python",
    "java",
    "ipv",
    "task",
    "requirement",
    "scenario",
    "all",
    "the",
    "these",
    "those",
    "both",
    "of",
];

const NUMBERS: &[&str] = &["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twice", "thrice"];

/// Numbers of a sentence with the words they count: `3 times`. Those in a condition and those in names are none.
fn quantities(text: &str) -> Vec<String> {
    let plain = text.split('`').step_by(2).collect::<Vec<_>>().join(" ").replace('*', "").to_lowercase();
    let tokens: Vec<&str> = plain.split_whitespace().collect();
    let bare = |token: &str| token.trim_matches(|c: char| !c.is_alphanumeric() && c != '%').to_owned();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let number = bare(token);
        let is_number = number.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.contains(&number.as_str());
        let before = at.checked_sub(1).map(|before| bare(tokens[before])).unwrap_or_default();
        if !is_number || token.starts_with(['(', '[', '"', '#']) || NAMES.contains(&before.as_str()) {
            continue;
        }
        if demand::is_conditional(&tokens[..at].join(" ")) {
            continue;
        }
        let is_whole = number.chars().any(char::is_alphabetic) || number.ends_with('%');
        let ends = token.ends_with([',', '.', ';', ':', ')']);
        match tokens.get(at + 1).map(|next| bare(next)) {
            _ if is_whole => found.push(number),
            Some(next) if !ends && next.chars().all(char::is_alphabetic) && !next.is_empty() => {
                found.push(format!("{number} {next}"));
            }
            _ => {}
        }
    }
    found
}

/// A number that a sentence no longer sets, when it says nothing else instead.
pub fn quantity(old: &Unit, new: &Unit, others: &Words) -> Option<String> {
    let has_number = new.text.chars().any(char::is_numeric)
        || words(&new.text.to_lowercase()).any(|word| word == "one" || word == "once" || NUMBERS.contains(&word));
    if has_number {
        return None;
    }
    quantities(&old.text).into_iter().find(|quantity| {
        let rest = Words::of(&old.text.to_lowercase().replace(['*', '`'], "").replace(quantity.as_str(), " "));
        !rest.is_empty()
            && rest.kept_in(&new.words) >= 0.99
            && new.words.len() <= rest.len() + 1
            && Words::of(quantity).kept_in(others) < 0.6
    })
}

/// The words of a sentence that a shorter one leaves out without saying anything else. `others` is what the other
/// sentences say: a demand that was divided in two is not shorter.
pub fn shortened(old: &Unit, new: &Unit, others: &Words) -> Option<String> {
    if new.words.len() < 2 || new.words.kept_in(&old.words) < 1.0 || new.words.len() + 2 > old.words.len() {
        return None;
    }
    // A name that is not the old one is a change, not a cut.
    let codes = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<HashSet<_>>();
    if !codes(&new.text).is_subset(&codes(&old.text)) {
        return None;
    }
    let (one, two) = (spans(&old.text), spans(&new.text));
    let meaning = |text: &str, span: &Range<usize>| Words::of_meaning(&text[span.clone()]);
    // What is left stands in its order; an article may have changed.
    let mut rest = two.iter().map(|span| meaning(&new.text, span)).filter(|word| !word.is_empty()).peekable();
    let mut runs: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    for span in one {
        if rest.peek().is_some_and(|next| *next == meaning(&old.text, &span)) {
            rest.next();
            runs.push(Vec::new());
        } else if let Some(run) = runs.last_mut() {
            run.push(span);
        }
    }
    if rest.peek().is_some() {
        return None;
    }
    runs.into_iter().find_map(|run| {
        let all = old.text.get(run.first()?.start..run.last()?.end)?;
        let said = Words::of_meaning(all);
        let is_demand = said.len() >= 2
            && said.kept_in(others) < 0.5
            && !words(&all.to_lowercase()).any(|word| NO_DEMAND.contains(&word));
        is_demand.then(|| excerpt(all))
    })
}

/// A part of a sentence, fit to be quoted.
fn excerpt(text: &str) -> String {
    const MOST: usize = 80;
    let plain = text.replace('`', "");
    match plain.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", plain[..end].trim_end()),
        None => plain,
    }
}

/// Where the words of a sentence are, apart from those in brackets, which explain.
fn spans(text: &str) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut depth = 0_usize;
    let mut goes_on = false;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_word = c.is_alphanumeric() && depth == 0;
        let end = at + c.len_utf8();
        match spans.last_mut() {
            Some(last) if is_word && goes_on && !is_ideographic(c) => last.end = end,
            _ if is_word => spans.push(at..end),
            _ => {}
        }
        goes_on = is_word && !is_ideographic(c);
    }
    spans
}

/// Words of what narrows a demand or explains it: without them it demands no less.
const NO_DEMAND: &[&str] = &[
    "if",
    "when",
    "whenever",
    "unless",
    "after",
    "once",
    "where",
    "until",
    "while",
    "only",
    "not",
    "except",
    "without",
    "but",
    "because",
    "since",
    "so",
    "e",
    "i",
    "g",
    "eg",
    "ie",
    "example",
    "like",
    "such",
    "may",
    "can",
    "could",
    "should",
    "optionally",
    "might",
    "see",
    "via",
    "using",
    "through",
    "during",
    "before",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_count() {
        assert_eq!(quantities("It SHALL retry **3 times**."), ["3 times"]);
        assert_eq!(quantities("It SHALL keep three copies, 90% of them in 2 regions."), ["three", "90%", "2 regions"]);
        for text in [
            "It SHALL return 404.",
            "It SHALL return HTTP 404 errors",
            "When 3 attempts fail, it SHALL stop.",
            "`3 times`",
        ] {
            assert_eq!(quantities(text), [""; 0], "{text}");
        }
    }
}
