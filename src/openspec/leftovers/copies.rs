//! Tells what stands outside of the delta sections and loses nothing there from what is lost: a copy of what the delta or
//! the main spec has.

use std::collections::HashSet;
use std::ops::Range;

use crate::openspec::delta::Delta;
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::requirement::after_header;
use crate::openspec::spec::Spec;

/// The requirements that a delta writes out and that its main spec has.
#[derive(Debug)]
pub struct Copies<'d> {
    delta: &'d Delta,
    requirements: HashSet<(String, String)>,
    scenarios: HashSet<String>,
}

impl<'d> Copies<'d> {
    /// Of a delta and the main spec it is for.
    pub fn of(delta: &'d Delta, spec: Option<&Spec>) -> Self {
        let mut copies = Self { delta, requirements: HashSet::new(), scenarios: HashSet::new() };
        for block in delta.added.iter().chain(&delta.modified).chain(&delta.removed_blocks) {
            copies.add(&block.name, delta.raw(block));
        }
        for (block, spec) in spec.iter().flat_map(|spec| spec.blocks.iter().map(move |block| (block, spec))) {
            copies.add(&block.name, spec.raw(block));
        }
        copies
    }

    fn add(&mut self, name: &str, raw: &str) {
        self.requirements.insert((heading::fold_name(name), folded(after_header(raw).lines())));
        let lines: Vec<&str> = raw.lines().collect();
        for start in (0..lines.len()).filter(|at| heading::is_scenario(lines[*at])) {
            let end = (start + 1..lines.len()).find(|at| ends_scenario(lines[*at])).unwrap_or(lines.len());
            self.scenarios.insert(folded(lines[start..end].iter().copied()));
        }
    }

    /// Whether the requirement or scenario on the first of these lines of the delta, with all that is below it, stands
    /// in a section or the main spec as well.
    pub fn has(&self, lines: Range<usize>) -> bool {
        let text = &self.delta.text;
        let header = text.line(lines.start);
        let written = |lines: Range<usize>| lines.map(|line| text.line(line));
        if let Some(name) = heading::requirement_name(header) {
            let name = heading::fold_name(name);
            let has = |end| self.requirements.contains(&(name.clone(), folded(written(lines.start + 1..end))));
            // What stands below a heading of its own may be a note to the copy.
            let mut below = lines.start + 1..lines.end;
            let note = below.find(|line| {
                !text.fenced(*line) && heading::section_break(text.line(*line)).is_some_and(|level| level <= 3)
            });
            return has(lines.end) || note.is_some_and(has);
        }
        if !heading::is_scenario(header) {
            return false;
        }
        let below = lines.start + 1..lines.end;
        let end = below.clone().find(|line| ends_scenario(text.line(*line))).unwrap_or(below.end);
        self.scenarios.contains(&folded(written(lines.start..end)))
    }
}

fn ends_scenario(line: &str) -> bool {
    heading::section_break(line).is_some_and(|level| level <= 4)
}

/// The words of some lines. Rules between sections are none.
fn folded<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let is_rule = |line: &str| {
        let line = js::trim(line);
        line.len() >= 3 && ['-', '*', '_'].iter().any(|mark| line.chars().all(|c| c == *mark))
    };
    let words: Vec<&str> = lines.filter(|line| !is_rule(line)).flat_map(str::split_whitespace).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies() {
        let delta = Delta::parse(
            b"## Context\n### Requirement: A\nIt SHALL\nwork.\n#### Scenario: S\n- x\n\n---\n### Requirement: B\nIt SHALL.\n### Requirement: C\nIt SHALL not.\n#### Scenario: S\n- x\n#### Scenario: T\n- y\n## ADDED Requirements\n### Requirement: a\nIt SHALL work.\n\n#### Scenario: S\n- x\n".to_vec(),
        );
        let spec = Spec::parse(b"## Requirements\n### Requirement: B\nIt SHALL.\n".to_vec());
        let copies = Copies::of(&delta, Some(&spec));
        assert!(copies.has(1..8));
        assert!(copies.has(8..10));
        assert!(!copies.has(10..16));
        assert!(copies.has(12..16));
        assert!(!copies.has(14..16));
        assert!(!Copies::of(&delta, None).has(8..10));
    }
}
