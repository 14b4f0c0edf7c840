//! What stands inside one requirement: its body, its scenarios, its normative keyword.
//!
//! All functions take the lines after the requirement's header as one string.

use std::collections::HashMap;

use memchr::memmem;

use super::heading::{is_scenario, scenario_name, section_break};
use super::js;
use super::text::FenceTracker;

/// A requirement as it stands in a file, from its header to the last line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Name after `Requirement:`, as the merge compares it.
    pub name: String,
    /// 0-based line of the header.
    pub line: usize,
    /// The block's bytes in [`super::text::Text::content`], trimmed at the end.
    pub raw: std::ops::Range<usize>,
}

/// What follows the header line of a raw block.
pub fn after_header(raw: &str) -> &str {
    raw.split_once('\n').map_or("", |(_, body)| body)
}

/// The requirement's own words: unfenced lines up to the first heading, trimmed, blank ones skipped.
///
/// Lines of the form `**Key**: …` are metadata and only count when nothing else is there. Empty when there is no body.
pub fn body_text(body: &str) -> String {
    let mut fences = FenceTracker::default();
    let mut captured = String::new();
    let mut metadata = String::new();
    for line in body.split('\n') {
        if fences.feed(line) {
            continue;
        }
        if section_break(line).is_some() {
            break;
        }
        let trimmed = js::trim(line);
        if trimmed.is_empty() {
            continue;
        }
        let target = if is_metadata(trimmed) { &mut metadata } else { &mut captured };
        if !target.is_empty() {
            target.push('\n');
        }
        target.push_str(trimmed);
    }
    if captured.is_empty() { metadata } else { captured }
}

/// `**Key**:` at the start of a line.
fn is_metadata(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("**") else { return false };
    let Some(end) = rest.find('*') else { return false };
    end > 0 && rest[end..].starts_with("**:")
}

/// Whether SHALL or MUST stands in the text as a whole word, in capitals.
pub fn has_normative_keyword(text: &str) -> bool {
    has_word(text, "SHALL") || has_word(text, "MUST")
}

fn has_word(text: &str, word: &str) -> bool {
    let bytes = text.as_bytes();
    let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    memmem::find_iter(bytes, word).any(|at| {
        !is_word(at.checked_sub(1).and_then(|before| bytes.get(before))) && !is_word(bytes.get(at + word.len()))
    })
}

/// How many scenarios a requirement has.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ScenarioCount {
    /// Scenarios with something under their header.
    pub with_body: usize,
    /// Scenario headers with nothing under them.
    pub empty: usize,
}

/// Counts `####` headings outside fences; a body runs to the next heading of level 1 to 4.
pub fn count_scenarios(body: &str) -> ScenarioCount {
    let mut fences = FenceTracker::default();
    let mut count = ScenarioCount::default();
    let mut open = None;
    let close = |open: &mut Option<bool>, count: &mut ScenarioCount| match open.take() {
        Some(true) => count.with_body += 1,
        Some(false) => count.empty += 1,
        None => {}
    };
    for line in body.split('\n') {
        let fenced = fences.feed(line);
        if !fenced && section_break(line).is_some_and(|level| level <= 4) {
            close(&mut open, &mut count);
            if is_scenario(line) {
                open = Some(false);
            }
        } else if let Some(has_body) = &mut open {
            *has_body = *has_body || !js::trim(line).is_empty();
        }
    }
    close(&mut open, &mut count);
    count
}

/// Names of all `####` headings outside fences, in order, repeated ones repeated.
pub fn scenario_names(raw: &str) -> Vec<&str> {
    let mut fences = FenceTracker::default();
    raw.split('\n').filter(|line| !fences.feed(line) && is_scenario(line)).map(scenario_name).collect()
}

/// Names in `current` that `incoming` does not have, counted: two in one and one in the other leaves one.
pub fn missing_scenarios<'a>(current: &'a str, incoming: &str) -> Vec<&'a str> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for name in scenario_names(incoming) {
        *left.entry(name).or_default() += 1;
    }
    let mut missing = scenario_names(current);
    missing.retain(|name| match left.get_mut(*name) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_counts_only_alone() {
        assert_eq!(body_text("**ID**: R1\nThe system\nSHALL x.\n\n#### Scenario: a"), "The system\nSHALL x.");
        assert_eq!(body_text("**ID**: R1\n"), "**ID**: R1");
        assert_eq!(body_text("```\nx\n```\n#### S"), "");
    }

    #[test]
    fn keywords_are_whole_words() {
        assert!(has_normative_keyword("it MUST."));
        assert!(!has_normative_keyword("MUSTARD SHALLOW must _MUST"));
    }

    #[test]
    fn scenarios_need_a_body() {
        let count = count_scenarios("text\n#### Scenario: a\n\n#### Scenario: b\n- x\n##### c\n");
        assert_eq!(count, ScenarioCount { with_body: 1, empty: 1 });
    }

    #[test]
    fn scenario_names_are_counted() {
        assert_eq!(missing_scenarios("#### A\n#### A\n#### B", "#### a\n#### A\n"), ["A", "B"]);
    }
}
