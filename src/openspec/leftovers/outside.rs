//! What stands outside of the delta sections: above the first, and in sections that are none.

use std::ops::Range;

use super::accountant::Accountant;
use super::{Claim, Reason};
use crate::openspec::delta::{Operation, listed_name};
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::near_forms::{names_operation, near_requirement, near_section, strip_marker};

impl Accountant<'_> {
    /// Above the first section: a title and an introduction are fine, operations are not.
    pub(super) fn top(&mut self, lines: Range<usize>) {
        // A title over sections of the same name is none of them.
        let is_item =
            |line: usize| self.shown(line).is_some_and(|written| strip_marker(js::trim_start(written)).is_some());
        let has_entry = self.has_entry(lines.clone());
        let has_item = lines.clone().any(is_item);
        let near = lines.clone().find_map(|line| {
            let near = self.shown(line).and_then(|_| self.near_title(line))?;
            (has_entry || near.is_certain && has_item).then_some((line, near))
        });
        let end = near.map_or(lines.end, |(line, _)| line);
        if let Some((line, near)) = near {
            self.leave(line..lines.end, Reason::NearSection(near.operation, js::trim(self.text.line(line)).to_owned()));
            self.lost(lines.start..end, None);
        } else {
            self.lost(lines.clone(), None);
        }
        for line in lines {
            if self.text.fenced(line) && Operation::from_title(level_two(self.text.line(line))).is_some() {
                self.leave(line..line + 1, Reason::Fenced(js::trim(self.text.line(line)).to_owned()));
            }
            if line < end {
                self.claim(line, Claim::Frame);
            }
        }
    }

    pub(super) fn other_section(&mut self, title: &str, line: usize, end: usize) {
        let (lines, written) = (line..end, js::trim(self.text.line(line)).to_owned());
        if self.comments[line] {
            self.claim_all(lines.clone(), Claim::Hidden);
            self.lost(line + 1..end, Some(title));
            return;
        }
        let near = near_section(&written);
        if is_scenario_title(title) {
            self.leave(lines, Reason::ScenarioSection(title.to_owned()));
        } else if let Some(near) = near
            && (self.has_entry(line + 1..end)
                || near.is_certain && self.has_content(line + 1..end)
                || self.lists_header(line + 1..end))
        {
            self.leave(lines, Reason::NearSection(near.operation, written));
        } else if let Some(near) = near_requirement(&written) {
            self.leave(
                lines,
                Reason::NearHeader { name: near.name, flaw: near.flaw, operation: near.operation, inside: None },
            );
        } else if !self.lost(lines.clone(), Some(title)) {
            // A second one is read by nobody.
            if title.eq_ignore_ascii_case("Purpose") && !std::mem::replace(&mut self.has_purpose, true) {
                self.leave(lines, Reason::Purpose);
            } else if self.has_content(line + 1..end) && names_operation(title) {
                self.leave(lines, Reason::OperationSection(title.to_owned()));
            } else if self.has_content(line + 1..end) {
                self.leave(lines, Reason::OtherSection(title.to_owned()));
            } else {
                self.claim_all(lines, Claim::Frame);
            }
        }
    }

    /// Whether a bullet holds the header of a requirement that no section of the delta speaks of.
    fn lists_header(&self, lines: Range<usize>) -> bool {
        let names = lines.into_iter().filter_map(|line| listed_name(self.shown(line)?));
        names.into_iter().any(|name| !self.delta.speaks_of(name))
    }

    fn lost(&mut self, lines: Range<usize>, section: Option<&str>) -> bool {
        let found: Vec<usize> = lines.clone().filter(|line| self.is_entry(*line)).collect();
        let Some(&first) = found.first() else { return false };
        let is_requirement = |line: &&usize| !heading::is_scenario(self.text.line(**line));
        // A scenario below a requirement goes with it.
        let end = found.iter().position(|line| is_requirement(&line)).map_or(found.len(), |at| at + 1);
        let (above, below) = found.split_at(end);
        let entries = above.iter().chain(below.iter().filter(is_requirement)).copied().collect();
        let reason = Reason::Lost { section: section.map(str::to_owned), entries };
        let start = if section.is_some() { lines.start } else { first };
        self.leave(start..lines.end, reason);
        true
    }
}

/// `Scenario: <name>`, which needs two more hashes.
fn is_scenario_title(title: &str) -> bool {
    const WORDS: [&str; 12] = [
        "Scenario",
        "场景",
        "情景",
        "場景",
        "シナリオ",
        "시나리오",
        "Cenário",
        "Escenario",
        "Scénario",
        "Szenario",
        "Сценарий",
        "Scenariusz",
    ];
    let title = title.trim_start_matches(['*', '_']);
    WORDS
        .iter()
        .filter_map(|word| title.strip_prefix(word).or_else(|| js::strip_prefix_ignore_case(title, word)))
        .any(|rest| js::trim_start(rest.trim_start_matches(['*', '_'])).starts_with([':', '：']))
}

/// The title of a `##` line, fenced or not; empty for any other.
fn level_two(line: &str) -> &str {
    heading::heading(line).filter(|(level, _)| *level == 2).map_or("", |(_, title)| title)
}

#[cfg(test)]
mod tests {
    use super::super::tests::account;
    use super::*;

    #[test]
    fn a_title_over_sections_of_its_name() {
        assert_eq!(account("# Added Requirements\nWords.\n## ADDED Requirements\n### Requirement: A\nx\n"), []);
        let left = account("# Removed Requirements\n- A\n## ADDED Requirements\n### Requirement: A\nx\n");
        assert!(matches!(left[..], [(0, Reason::NearSection(Operation::Removed, _))]));
    }

    #[test]
    fn a_scenario_as_a_section() {
        let block = "## ADDED Requirements\n### Requirement: A\nx\n";
        for title in ["Scenario: P", "**Scenario**: P", "scenario：P", "场景：P"] {
            let left = account(&format!("{block}## {title}\n- x\n"));
            assert_eq!(left, [(3, Reason::ScenarioSection(title.to_owned()))]);
        }
        for title in ["Scenarios", "Scenario overview"] {
            let left = account(&format!("{block}## {title}\n- x\n"));
            assert_eq!(left, [(3, Reason::OtherSection(title.to_owned()))]);
        }
    }

    #[test]
    fn a_whole_file_in_a_fence() {
        let left = account("# x\n```markdown\n## ADDED Requirements\n### Requirement: A\nx\n```\n");
        assert_eq!(left, [(2, Reason::Fenced("## ADDED Requirements".to_owned()))]);
    }
}
