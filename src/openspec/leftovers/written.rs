//! Sections that write requirements out: ADDED and MODIFIED.

use std::ops::Range;

use super::accountant::Accountant;
use super::lines::{has_words, is_named_scenario, runs};
use super::{Claim, Reason};
use crate::openspec::delta::Operation;
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::near_forms::Flaw;

impl Accountant<'_> {
    /// ADDED and MODIFIED: blocks are applied, what stands above the first is dropped.
    pub(super) fn written_section(&mut self, operation: Operation, body: Range<usize>) {
        let mut dropped: Option<usize> = None;
        let mut prose = Vec::new();
        let mut line = body.start;
        while line < body.end {
            if let Ok(at) = self.blocks.binary_search_by_key(&line, |(lines, _)| lines.start) {
                let (lines, name) = self.blocks[at].clone();
                if let Some(start) = dropped.take() {
                    self.dropped_heading(start, line);
                }
                self.block(lines.clone(), name);
                line = lines.end;
                continue;
            }
            let written = self.text.line(line);
            if self.comments[line] {
                self.claim(line, Claim::Hidden);
            } else if self.text.fenced(line) {
                let end = (line..body.end).find(|line| !self.text.fenced(*line)).unwrap_or(body.end);
                let mut lines = (line..end).map(|line| self.text.line(line));
                match lines.find(|line| heading::requirement_name(line).is_some()) {
                    Some(header) => self.leave(line..end, Reason::Fenced(js::trim(header).to_owned())),
                    None => prose.extend((line..end).filter(|line| !js::trim(self.text.line(*line)).is_empty())),
                }
                line = end;
                continue;
            } else if let Some(near) = self.near_header(line) {
                self.leave(
                    line..line + 1,
                    Reason::NearHeader { name: near.name, flaw: near.flaw, operation: near.operation, inside: None },
                );
            } else if let Some(near) = self.near_title(line) {
                self.leave(line..line + 1, Reason::NearSection(near.operation, js::trim(written).to_owned()));
            } else if heading::heading(written).is_some_and(|(level, _)| level == 3)
                || dropped.is_none() && is_named_scenario(written)
            {
                if let Some(start) = dropped.replace(line) {
                    self.dropped_heading(start, line);
                }
            } else if heading::heading(written).is_some_and(|(level, _)| level == 1) {
                self.leave(line..line + 1, Reason::TopHeading(js::trim(written).to_owned()));
            } else if has_words(written) && dropped.is_none() {
                prose.push(line);
            } else if dropped.is_none() {
                self.claim(line, Claim::Frame);
            }
            line += 1;
        }
        if let Some(start) = dropped {
            self.dropped_heading(start, body.end);
        }
        for range in runs(prose.into_iter(), self.text) {
            self.leave(range, Reason::Prose(operation));
        }
    }

    fn dropped_heading(&mut self, start: usize, end: usize) {
        let title = js::trim(self.text.line(start)).to_owned();
        let has_scenario = (start..end).any(|line| self.shown(line).is_some_and(heading::is_scenario));
        self.leave(start..end, Reason::DroppedHeading { title, has_scenario });
    }

    /// A requirement that is written out: all of it is merged, but not all of it does what it looks like.
    fn block(&mut self, lines: Range<usize>, name: &str) {
        self.claim_all(lines.clone(), Claim::Applied);
        for line in lines.clone() {
            if self.text.fenced(line) {
                continue;
            }
            let written = self.text.line(line);
            let shown = || js::trim(written).to_owned();
            let is_header = heading::requirement_name(written).is_some();
            if self.comments[line] {
                if is_header || heading::is_scenario(written) {
                    self.leave(line..line + 1, Reason::Commented(shown()));
                }
                continue;
            }
            if is_header {
                continue;
            }
            let near = self.near_header(line).filter(|near| near.flaw != Flaw::Listed);
            let near = near.or_else(|| self.bare_header(line, lines.clone()));
            let reason = if let Some(near) = near {
                Reason::NearHeader {
                    name: near.name,
                    flaw: near.flaw,
                    operation: near.operation,
                    inside: Some(name.to_owned()),
                }
            } else if let Some(near) = self
                .near_title(line)
                .filter(|near| near.is_certain || heading::heading(written).is_some_and(|(level, _)| level <= 3))
            {
                Reason::NearSection(near.operation, shown())
            } else {
                match heading::heading(written) {
                    Some((1, _)) => Reason::TopHeading(shown()),
                    Some((3, _)) => Reason::StrayHeading { title: shown(), inside: name.to_owned() },
                    _ => continue,
                }
            };
            self.leave(line..line + 1, reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::account;
    use super::*;

    #[test]
    fn words_above_the_first_requirement() {
        let left = account("## ADDED Requirements\nAll of it SHALL.\n\n- more\n### Note\nx\n### Requirement: A\nx\n");
        assert_eq!(left[0], (1, Reason::Prose(Operation::Added)));
        assert_eq!(left[1].0, 4);
        assert_eq!(left.len(), 2);
    }

    #[test]
    fn comments_hide_nothing_from_the_merge() {
        let left = account(
            "## ADDED Requirements\n<!--\n### Requirement: A\nx\n-->\n### Requirement: B\nx\n<!-- fine -->\n<!--\n#### Scenario: C\n-->\n",
        );
        let commented = |line: &str| Reason::Commented(line.to_owned());
        assert_eq!(left, [(2, commented("### Requirement: A")), (9, commented("#### Scenario: C"))]);
    }
}
