//! What a line reads as, its surroundings taken into account.

use std::ops::Range;

use super::accountant::Accountant;
use crate::openspec::delta::{is_rename_line, listed_name};
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::near_forms::{
    Flaw, NearHeader, NearSection, bare_requirement, demands, disguised_section, labelled, near_requirement,
    near_section, strip_marker,
};
use crate::openspec::text::Text;

impl Accountant<'_> {
    /// A line that reads as a requirement header and is none, its surroundings taken into account.
    pub(super) fn near_header(&self, line: usize) -> Option<NearHeader> {
        let written = self.text.line(line);
        if let Some(near) = near_requirement(written) {
            return Some(near);
        }
        if self.is_underlined(line) {
            return near_requirement(&format!("## {written}")).map(|near| NearHeader { flaw: Flaw::Level(0), ..near });
        }
        // Four blanks are code, except where they go on with a list item.
        let trimmed = js::trim_start(written);
        if !trimmed.starts_with('#') || trimmed.len() == written.len() || !self.goes_on_with_item(line) {
            return None;
        }
        near_requirement(&format!(" {trimmed}"))
    }

    /// As [`Accountant::near_header`], for the title of a delta section.
    pub(super) fn near_title(&self, line: usize) -> Option<NearSection> {
        let written = self.text.line(line);
        near_section(written)
            .filter(|near| near.is_certain)
            .or_else(|| near_section(&format!("# {written}")).filter(|_| self.is_underlined(line)))
            .or_else(|| {
                let operation = disguised_section(written).filter(|_| self.is_over_entries(line))?;
                Some(NearSection { operation, is_certain: true })
            })
            .or_else(|| near_section(written))
    }

    /// Whether the next words are an entry or a list, and no code where this line is none.
    fn is_over_entries(&self, line: usize) -> bool {
        let below = (line + 1..self.text.len()).find(|below| !js::trim(self.text.line(*below)).is_empty());
        below.is_some_and(|below| {
            let written = self.text.line(below);
            let is_list = strip_marker(js::trim_start(written)).is_some();
            let is_code = |line: &str| line.starts_with("    ") || line.starts_with('\t');
            self.shown(below).is_some()
                && !(is_code(self.text.line(line)) && is_code(written))
                && (is_list || self.is_entry(below) || listed_name(written).is_some())
        })
    }

    /// Whether a requirement without a header begins here: its name, below it a demand or a scenario of its own, and
    /// above it those of the requirement that the block is for.
    pub(super) fn bare_header(&self, line: usize, block: Range<usize>) -> Option<NearHeader> {
        let near = bare_requirement(self.text.line(line))?;
        let end = block.end;
        let mut above = (block.start + 1..line).filter_map(|above| self.shown(above));
        if !above.any(|line| is_named_scenario(line) || demands(line)) {
            return None;
        }
        let starts = line == 0 || js::trim(self.text.line(line - 1)).is_empty();
        let below = (line + 1..end).filter_map(|below| self.shown(below)).find(|line| !js::trim(line).is_empty())?;
        let is_body = heading::is_scenario(below) || demands(below) && labelled(below).is_none();
        let has_scenario = (line + 1..end).any(|line| self.shown(line).is_some_and(is_named_scenario));
        (starts && is_body && has_scenario).then_some(near)
    }

    /// Whether a line is a heading by the line of dashes or equals signs below it.
    fn is_underlined(&self, line: usize) -> bool {
        let starts = line == 0 || js::trim(self.text.line(line - 1)).is_empty();
        let Some(below) = (line + 1 < self.text.len()).then(|| js::trim(self.text.line(line + 1))) else {
            return false;
        };
        let is_rule = below.len() >= 3 && (below.bytes().all(|b| b == b'-') || below.bytes().all(|b| b == b'='));
        starts && is_rule && has_words(self.text.line(line))
    }

    /// Whether an indented line goes on with the list item above it, and not so deep that it is code there.
    fn goes_on_with_item(&self, line: usize) -> bool {
        let above = (0..line).rev().map(|above| self.text.line(above)).find(|above| !js::trim(above).is_empty());
        let Some(above) = above else { return false };
        let Some(content) = strip_marker(js::trim_start(above)) else { return false };
        let blanks = self.text.line(line).chars().take_while(|c| js::is_space(*c));
        let depth: usize = blanks.map(|blank| if blank == '\t' { 4 } else { 1 }).sum();
        depth <= above.len() - content.len() + 3
    }

    /// A line that only makes sense in a delta section.
    pub(super) fn is_entry(&self, line: usize) -> bool {
        let Some(written) = self.shown(line) else { return false };
        heading::requirement_name(written).is_some()
            || is_named_scenario(written)
            || is_rename_line(written)
            || self.near_header(line).is_some()
    }

    pub(super) fn has_entry(&self, lines: Range<usize>) -> bool {
        lines.into_iter().any(|line| self.is_entry(line))
    }

    /// Whether words stand there that no comment hides.
    pub(super) fn has_content(&self, lines: Range<usize>) -> bool {
        lines.into_iter().any(|line| !self.comments[line] && has_words(self.text.line(line)))
    }
}

/// `#### Scenario`: other headings of that level may be anything where no requirement is.
pub(super) fn is_named_scenario(line: &str) -> bool {
    heading::is_scenario(line) && js::strip_prefix_ignore_case(js::trim_start(&line[4..]), "Scenario").is_some()
}

pub(super) fn has_words(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

/// Lines that follow each other, blank ones between them aside.
pub(super) fn runs(lines: impl Iterator<Item = usize>, text: &Text) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some(last) if (last.end..line).all(|between| js::trim(text.line(between)).is_empty()) => {
                last.end = line + 1
            }
            _ => runs.push(line..line + 1),
        }
    }
    runs
}
