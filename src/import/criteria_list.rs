//! The list of criteria below a requirement or a user story: one entry each, over as many lines as it takes.

use std::collections::HashSet;

use super::lines::{Line, marker, plain};
use super::model::{Criterion, Piece, Requirement};
use super::steps::{self, begins_as_criterion};
use super::vocabulary::is_aside;
use crate::openspec::scenario::after_label;

/// Reads lines as criteria into a requirement. What is none goes to its body.
pub(super) struct CriteriaList<'r> {
    requirement: &'r mut Requirement,
    used: HashSet<String>,
    greatest: usize,
    open: Option<Open>,
    /// How the list's entries are marked, once the first was seen.
    base: Option<Base>,
    is_after_blank: bool,
    /// Whether what follows only explains: it stands below a heading that says so.
    is_aside: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Base {
    indent: usize,
    is_numbered: bool,
}

/// The criterion that takes the next lines.
#[derive(Debug, Clone, Copy)]
struct Open {
    at: usize,
    indent: usize,
    has_marker: bool,
    /// Whether a heading began it: then lists below are its steps.
    is_headed: bool,
}

impl<'r> CriteriaList<'r> {
    /// A list for a requirement, which may have criteria already.
    pub fn of(requirement: &'r mut Requirement) -> Self {
        let used: HashSet<String> = requirement.criteria.iter().map(|criterion| criterion.id.clone()).collect();
        let greatest = requirement.criteria.len();
        Self { requirement, used, greatest, open: None, base: None, is_after_blank: true, is_aside: false }
    }

    /// Takes the next line.
    pub fn feed(&mut self, line: &Line<'_>) {
        if line.is_comment && self.open.is_none_or(|open| line.indent() <= open.indent) {
            self.requirement.body.push(Piece::Text(line.text.trim_end().to_owned()));
            return;
        }
        if line.is_blank() && !line.fenced {
            self.is_after_blank = true;
            return;
        }
        let was_blank = std::mem::take(&mut self.is_after_blank);
        if line.is_rule() {
            self.open = None;
            return;
        }
        if line.fenced || self.is_aside && line.heading().is_none() {
            self.continue_or_text(line);
        } else if let Some((_, title)) = line.heading() {
            self.heading(line, title);
        } else if marker(line.text).is_some() {
            self.entry(line);
        } else {
            self.prose(line, was_blank);
        }
    }

    /// A heading inside of the list: of a scenario, or of a group.
    fn heading(&mut self, line: &Line<'_>, title: &str) {
        let title = plain(title);
        if after_label(&title).is_some() {
            self.start(line, &title, None, false);
            if let Some(open) = &mut self.open {
                open.is_headed = true;
            }
        } else {
            self.open = None;
            self.base = None;
            self.is_aside = is_aside(&title);
            self.requirement.body.push(Piece::Text(format!("**{title}**")));
        }
    }

    fn entry(&mut self, line: &Line<'_>) {
        let Some(found) = marker(line.text) else { return };
        let indent = line.indent();
        if let Some(open) = self.open {
            let is_inside = match self.base {
                _ if open.is_headed => true,
                Some(base) => {
                    indent > base.indent + 1
                        || base.is_numbered && !found.is_numbered
                        || !found.is_numbered && self.is_next_step(found.rest)
                }
                None => !open.has_marker && self.is_next_step(found.rest),
            };
            if is_inside {
                self.push(line);
                return;
            }
        }
        // A list of another kind behind the first: its entries are the criteria now.
        self.base = Some(match self.base {
            Some(base) if base.is_numbered == found.is_numbered => base,
            _ => Base { indent, is_numbered: found.is_numbered },
        });
        self.start(line, found.rest, found.label, true);
    }

    /// Whether an entry beside the open one is its next step: Given, When and Then as entries of one list.
    fn is_next_step(&self, text: &str) -> bool {
        let Some(open) = self.open else { return false };
        let so_far = self.requirement.criteria[open.at].lines.join("\n");
        if !steps::opens(&so_far) || steps::responds(text) && steps::opens(text) {
            return false;
        }
        steps::goes_on(text) || steps::opens(text) && !steps::responds(&so_far) && !begins_as_criterion(text)
    }

    fn prose(&mut self, line: &Line<'_>, was_blank: bool) {
        let text = line.text.trim();
        if let Some(open) = self.open {
            let is_below = line.indent() > open.indent;
            let is_own = !open.has_marker && !open.is_headed;
            let goes_on = is_own && (steps::goes_on(text) || self.is_next_step(text));
            let is_new = is_own && begins_as_criterion(text) && !goes_on;
            if open.is_headed || (is_below || !was_blank || goes_on) && !is_new {
                self.push(line);
                return;
            }
        }
        if begins_as_criterion(text) || steps::opens(text) && text.starts_with("**") {
            self.start(line, text, None, false);
        } else {
            self.open = None;
            self.requirement.body.push(Piece::Text(line.text.trim_end().to_owned()));
        }
    }

    fn continue_or_text(&mut self, line: &Line<'_>) {
        if self.open.is_some() {
            self.push(line);
        } else {
            self.requirement.body.push(Piece::Text(line.text.trim_end().to_owned()));
        }
    }

    /// Begins a criterion.
    fn start(&mut self, line: &Line<'_>, text: &str, label: Option<&str>, has_marker: bool) {
        let id = self.id(label);
        let at = self.requirement.criteria.len();
        let criterion = Criterion { id, line: line.number, lines: vec![text.to_owned()], ..Criterion::default() };
        self.requirement.criteria.push(criterion);
        self.requirement.body.push(Piece::Criterion(at));
        self.open = Some(Open { at, indent: line.indent(), has_marker, is_headed: false });
    }

    /// Adds a line to the open criterion, indented as an entry's continuation.
    fn push(&mut self, line: &Line<'_>) {
        let Some(open) = self.open else { return };
        let deeper = line.indent().saturating_sub(open.indent).max(2);
        let text = format!("{}{}", " ".repeat(deeper), line.text.trim());
        self.requirement.criteria[open.at].lines.push(text);
    }

    /// The source's number when it has a free one, else the next.
    fn id(&mut self, label: Option<&str>) -> String {
        let of_requirement = &self.requirement.id;
        let number = of_requirement.trim_start_matches(|c: char| !c.is_ascii_digit());
        let own = label.map(|label| match label.strip_prefix(number) {
            Some(rest) if rest.starts_with(['.', '-']) && rest.len() > 1 => &rest[1..],
            _ => label,
        });
        let named = |part: &str| format!("{of_requirement}.{part}");
        let mut id = own.map(named).filter(|id| !self.used.contains(id));
        if let Some(number) = own.and_then(|own| own.parse::<usize>().ok()) {
            self.greatest = self.greatest.max(number);
        }
        while id.is_none() {
            self.greatest += 1;
            id = Some(named(&self.greatest.to_string())).filter(|id| !self.used.contains(id));
        }
        let id = id.unwrap_or_default();
        self.used.insert(id.clone());
        id
    }
}

/// Takes a requirement's criteria apart, once all their lines are there.
pub(super) fn finish(requirement: &mut Requirement) {
    for criterion in &mut requirement.criteria {
        let taken = steps::take(&criterion.lines);
        criterion.sentence = taken.sentence;
        criterion.name = taken.name;
        criterion.steps = taken.steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::lines::lines;
    use crate::openspec::text::Text;

    fn read(id: &str, source: &str) -> Requirement {
        let mut requirement = Requirement { id: id.to_owned(), ..Requirement::default() };
        let text = Text::from_bytes(source.as_bytes().to_vec());
        let mut list = CriteriaList::of(&mut requirement);
        for line in lines(&text) {
            list.feed(&line);
        }
        finish(&mut requirement);
        requirement
    }

    fn ids(id: &str, source: &str) -> Vec<String> {
        read(id, source).criteria.into_iter().map(|criterion| criterion.id).collect()
    }

    #[test]
    fn numbers_of_the_source_are_kept() {
        assert_eq!(ids("REQ 1", "1. a\n2. b\n"), ["REQ 1.1", "REQ 1.2"]);
        assert_eq!(ids("REQ 2", "2.1 a b\n2.3 c d\n"), ["REQ 2.1", "REQ 2.3"]);
        assert_eq!(ids("REQ 1", "1. a\n1. b\n1. c\n"), ["REQ 1.1", "REQ 1.2", "REQ 1.3"]);
        assert_eq!(ids("REQ 1", "1. a\n2. b\n\n**More**\n\n1. c\n"), ["REQ 1.1", "REQ 1.2", "REQ 1.3"]);
        assert_eq!(ids("REQ 1", "- AC-2: a\n- b\n"), ["REQ 1.2", "REQ 1.3"]);
        assert_eq!(ids("REQ 1", "- a\n- b\n"), ["REQ 1.1", "REQ 1.2"]);
    }

    #[test]
    fn what_is_below_an_entry_stays_with_it() {
        let found =
            read("REQ 1", "1. WHEN x THEN the system SHALL:\n   - a\n   - b\n\n   more\n2. c\n- d\n```\n# e\n```\n");
        assert_eq!(found.criteria.len(), 2);
        assert_eq!(found.criteria[0].lines.len(), 4);
        assert_eq!(found.criteria[1].lines, ["c", "  - d", "  ```", "  # e", "  ```"]);
    }

    #[test]
    fn steps_as_entries_or_lines_are_one_criterion() {
        assert_eq!(
            ids("US1", "- **Given** a\n- **When** b\n- **Then** c\n- **Given** d\n- **When** e\n- **Then** f\n").len(),
            2
        );
        assert_eq!(ids("US1", "**Given** a\n**When** b\n**Then** c\n\n**Given** d\n**When** e\n**Then** f\n").len(), 2);
        assert_eq!(ids("US1", "#### Scenario 1: x\n- Given a\n- When b\n- Then c\n\n#### Scenario 2: y\n1. Given d\n2. When e\n3. Then f\n").len(), 2);
        assert_eq!(
            ids("US1", "**Given** a, **When** b, **Then** c.\n\n**Given** d, **When** e, **Then** f.\n").len(),
            2
        );
        assert_eq!(ids("US1", "1. **Given** a\n   **When** b\n   **Then** c\n").len(), 1);
        assert_eq!(
            ids("US1", "1. **Title**\n   - **Given** a\n   - **When** b\n   - **Then** c\n2. **Other**\n").len(),
            2
        );
    }

    #[test]
    fn bare_sentences_are_criteria() {
        assert_eq!(ids("REQ 1", "WHEN a THEN the system SHALL b\nWHEN c THEN the system SHALL d\n").len(), 2);
        assert_eq!(read("REQ 1", "Some words.\n").body, [Piece::Text("Some words.".to_owned())]);
    }
}
