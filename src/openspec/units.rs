//! A requirement cut into headings, steps, sentences, table rows and lines of code, to tell what one version of it says
//! and another does not. Wrapping, list markers, emphasis and white space do not count.

use std::collections::HashMap;

use super::emphasis::as_stars;
use super::heading::{is_scenario, scenario_name, section_break};
use super::js;
use super::requirement::after_header;
use super::text::FenceTracker;

/// A shorter text than this stands in many sentences by accident.
const MIN_GROWING: usize = 12;

/// One thing a requirement says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// As written.
    pub shown: String,
    /// As compared.
    key: String,
}

/// What a version of a requirement says, its own heading left out.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Units(Vec<Unit>);

impl Units {
    /// Cuts a block as it stands in a file, header line first.
    pub fn of(raw: &str) -> Self {
        let mut cutter = Cutter::default();
        let mut fences = FenceTracker::default();
        for line in after_header(raw).split('\n') {
            let trimmed = js::trim(line);
            if fences.feed(line) {
                cutter.flush();
                cutter.push(trimmed, trimmed);
            } else if trimmed.is_empty() {
                cutter.flush();
            } else if section_break(line).is_some() {
                cutter.flush();
                // As archiving compares scenarios: `Scenario:` and closing hashes are no part of the name.
                let name = if is_scenario(line) { scenario_name(line) } else { trimmed.trim_start_matches('#') };
                cutter.push(trimmed, &format!("# {name}"));
            } else if trimmed.starts_with('|') {
                cutter.flush();
                cutter.row(trimmed);
            } else {
                cutter.text(trimmed);
            }
        }
        cutter.flush();
        Self(cutter.units)
    }

    /// Adds what another block says.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Whether both say the same in the same order.
    pub fn same_as(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(one, other)| one.key == other.key)
    }

    /// What this version says, `before` did not, and `after` does not: what came in and goes again. Counted, so that
    /// a step added to two scenarios has to stay in both.
    pub fn lost(&self, before: &Self, after: &Self) -> Vec<Unit> {
        let count = |units: &Self| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for unit in &units.0 {
                *counts.entry(unit.key.clone()).or_default() += 1;
            }
            counts
        };
        let (mut old, mut kept) = (count(before), count(after));
        let take = |counts: &mut HashMap<String, usize>, key: &str| match counts.get_mut(key) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        };
        let mut text = None;
        let mut lost = Vec::new();
        for unit in &self.0 {
            let (was_there, is_there) = (take(&mut old, &unit.key), take(&mut kept, &unit.key));
            if was_there || is_there {
                continue;
            }
            // A sentence may have become part of a longer one.
            let may_grow = unit.key.len() >= MIN_GROWING && !unit.key.starts_with('#');
            let grew = may_grow
                && !after.0.iter().any(|other| other.key == unit.key)
                && text.get_or_insert_with(|| after.joined()).contains(unit.key.as_str());
            if !grew {
                lost.push(unit.clone());
            }
        }
        lost
    }

    /// What this version says, `now` no longer does, and `after` says again.
    pub fn brought_back(&self, now: &Self, after: &Self) -> Vec<Unit> {
        let has = |units: &Self, unit: &Unit| units.0.iter().any(|other| other.key == unit.key);
        self.0.iter().filter(|unit| !has(now, unit) && has(after, unit)).cloned().collect()
    }

    fn joined(&self) -> String {
        self.0.iter().map(|unit| unit.key.as_str()).collect::<Vec<_>>().join(" ")
    }
}

#[derive(Default)]
struct Cutter {
    units: Vec<Unit>,
    /// Lines of the paragraph or list item at hand, the first one with its marker.
    open: Vec<String>,
}

impl Cutter {
    fn push(&mut self, shown: &str, compared: &str) {
        let key = normalised(compared);
        if !key.is_empty() {
            self.units.push(Unit { shown: shown.to_owned(), key });
        }
    }

    fn row(&mut self, line: &str) {
        let is_rule = line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'));
        if !is_rule {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(js::trim).collect();
            self.push(line, &cells.join(" | "));
        }
    }

    fn text(&mut self, line: &str) {
        if without_marker(line).is_some() {
            self.flush();
        }
        self.open.push(line.to_owned());
    }

    fn flush(&mut self) {
        let lines = std::mem::take(&mut self.open);
        let Some(first) = lines.first() else { return };
        let marker = first.len() - without_marker(first).unwrap_or(first).len();
        let joined = lines.join(" ");
        let sentences = sentences(&joined[marker..]);
        let is_one = sentences.len() == 1;
        for sentence in sentences {
            self.push(if is_one { &joined } else { js::trim(sentence) }, sentence);
        }
    }
}

/// What follows `- `, `* `, `+ `, `1. ` or `1) `.
pub(super) fn without_marker(line: &str) -> Option<&str> {
    let rest = match line.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            if !(1..=9).contains(&digits) {
                return None;
            }
            line[digits..].strip_prefix(['.', ')'])?
        }
    };
    rest.starts_with(js::is_space).then(|| js::trim_start(rest))
}

/// Cuts behind `.`, `!` or `?` before white space, and behind their ideographic forms anywhere.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next_is_space = characters.peek().is_none_or(|(_, next)| js::is_space(*next));
        let ends = matches!(c, '。' | '！' | '？') || matches!(c, '.' | '!' | '?') && next_is_space;
        if ends {
            found.push(&text[start..at + c.len_utf8()]);
            start = at + c.len_utf8();
        }
    }
    found.push(&text[start..]);
    found.retain(|sentence| !js::trim(sentence).is_empty());
    found
}

/// Without emphasis, code marks and the full stop, white space as single spaces.
fn normalised(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    for word in as_stars(text).split(js::is_space) {
        let word: String = word.chars().filter(|c| !matches!(c, '*' | '`')).collect();
        if !word.is_empty() {
            if !key.is_empty() {
                key.push(' ');
            }
            key.push_str(&word);
        }
    }
    let end = key.trim_end_matches(['.', '。']).len();
    key.truncate(end);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(now: &str, before: &str, after: &str) -> Vec<String> {
        let units = |text: &str| Units::of(&format!("### Requirement: R\n{text}"));
        units(now).lost(&units(before), &units(after)).into_iter().map(|unit| unit.shown).collect()
    }

    #[test]
    fn what_came_in_and_goes() {
        let before = "The system SHALL paint.\n#### Scenario: One\n- **WHEN** a\n- **THEN** b\n";
        let now =
            "The system SHALL paint. It MUST NOT\nleak.\n#### Scenario: One\n- **WHEN** a\n- **THEN** b\n- **AND** c\n";
        assert_eq!(lost(now, before, before), ["It MUST NOT leak.", "- **AND** c"]);
        assert_eq!(lost(now, before, now), Vec::<String>::new());
        assert_eq!(lost(now, now, before), Vec::<String>::new());
    }

    #[test]
    fn form_does_not_count() {
        let now = "It SHALL go\nfar.\n\n* __WHEN__ a `b`\n1. **c**\n| x | y |\n|---|---|\n#### Scenario: S ##\nz\n";
        let after = "It SHALL go far\n- WHEN a b\n\n2) c\n|x|y|\n#### S\nz\n";
        assert_eq!(lost(now, "", after), Vec::<String>::new());
        assert_eq!(lost("It SHALL _go on_ now.", "", "It SHALL *go on* now."), Vec::<String>::new());
        assert_eq!(lost("系统应当。必须记录。", "系统应当。", "系统应当"), ["必须记录。"]);
    }

    #[test]
    fn repeated_steps_are_counted() {
        let now = "#### A\n- x\n#### B\n- x\n";
        assert_eq!(lost(now, "#### A\n#### B\n", "#### A\n- x\n#### B\n- y\n"), ["- x"]);
    }

    #[test]
    fn a_sentence_may_grow() {
        assert_eq!(lost("It SHALL always go.", "", "It SHALL always go and stay."), Vec::<String>::new());
    }

    #[test]
    fn code_counts() {
        assert_eq!(lost("```json\n{\"a\": 1}\n```\n", "", "```json\n{\"a\": 2}\n```\n"), ["{\"a\": 1}"]);
    }
}
