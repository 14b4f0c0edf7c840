//! Goes through a delta section by section and sees to it that no line is left without an account.

use std::ops::Range;

use super::lines::{has_words, runs};
use super::{Account, Claim, Leftover, Reason};
use crate::openspec::comments;
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::fences::{self, FaultKind};
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::near_forms::{ARROWS, demands, says_nothing, strip_marker};
use crate::openspec::text::Text;

pub(super) struct Accountant<'d> {
    pub(super) delta: &'d Delta,
    pub(super) text: &'d Text,
    pub(super) comments: Vec<bool>,
    pub(super) blocks: Vec<(Range<usize>, &'d str)>,
    claims: Vec<Claim>,
    leftovers: Vec<Leftover>,
    pub(super) has_purpose: bool,
}

impl<'d> Accountant<'d> {
    pub(super) fn new(delta: &'d Delta) -> Self {
        let text = &delta.text;
        let claims =
            (0..text.len()).map(|line| if js::trim(text.line(line)).is_empty() { Claim::Blank } else { Claim::Left });
        Self {
            delta,
            text,
            comments: comments::mask(text),
            blocks: written_blocks(delta),
            claims: claims.collect(),
            leftovers: Vec::new(),
            has_purpose: false,
        }
    }

    pub(super) fn run(mut self) -> Account {
        let titles: Vec<(usize, &'d str)> = self
            .text
            .hash_lines()
            .filter_map(|line| match heading::heading(self.text.line(line)) {
                Some((2, title)) => Some((line, title)),
                _ => None,
            })
            .collect();
        self.top(0..titles.first().map_or(self.text.len(), |(line, _)| *line));
        for (at, (line, title)) in titles.iter().enumerate() {
            let end = titles.get(at + 1).map_or(self.text.len(), |(next, _)| *next);
            match Operation::from_title(title) {
                Some(operation) => self.delta_section(operation, *line, end),
                None => self.other_section(title, *line, end),
            }
        }
        for fence in fences::faults(self.text) {
            let reason = match fence.kind {
                FaultKind::Inline => Reason::FalseFence(fence.hides),
                FaultKind::Item => Reason::ItemFence,
                FaultKind::Open => Reason::OpenFence,
            };
            self.leave(fence.line..fence.line + 1, reason);
        }
        // Whatever no rule above knows is at least said to be dropped.
        let unknown: Vec<usize> = (0..self.claims.len()).filter(|line| self.claims[*line] == Claim::Left).collect();
        let covered = self.covered();
        for range in runs(unknown.into_iter().filter(|line| !covered[*line]), self.text) {
            self.leave(range, Reason::OtherSection(String::new()));
        }
        self.leftovers.sort_by_key(|leftover| leftover.lines.start);
        Account { claims: self.claims, leftovers: self.leftovers }
    }

    fn covered(&self) -> Vec<bool> {
        let mut covered = vec![false; self.claims.len()];
        for leftover in &self.leftovers {
            covered[leftover.lines.clone()].fill(true);
        }
        covered
    }

    pub(super) fn leave(&mut self, lines: Range<usize>, reason: Reason) {
        self.leftovers.push(Leftover { lines, reason });
    }

    pub(super) fn claim(&mut self, line: usize, claim: Claim) {
        if self.claims[line] != Claim::Blank {
            self.claims[line] = claim;
        }
    }

    pub(super) fn claim_all(&mut self, lines: Range<usize>, claim: Claim) {
        lines.for_each(|line| self.claim(line, claim));
    }

    /// The line as it is read: nothing in a fence, nothing in a comment.
    pub(super) fn shown(&self, line: usize) -> Option<&'d str> {
        (!self.text.fenced(line) && !self.comments[line]).then(|| self.text.line(line))
    }

    fn delta_section(&mut self, operation: Operation, header: usize, end: usize) {
        if self.comments[header] {
            self.leave(header..header + 1, Reason::Commented(js::trim(self.text.line(header)).to_owned()));
        }
        self.claim(header, Claim::Frame);
        let body = header + 1..end;
        let entries = self.entry_lines(operation, body.clone());
        if entries.is_empty() {
            self.empty_section(operation, header, end);
            return;
        }
        match operation {
            Operation::Added | Operation::Modified => self.written_section(operation, body),
            Operation::Removed | Operation::Renamed => self.listed_section(operation, body, &entries),
        }
    }

    fn entry_lines(&self, operation: Operation, body: Range<usize>) -> Vec<usize> {
        fn within<T>(entries: &[T], body: &Range<usize>, line: impl Fn(&T) -> usize) -> Vec<usize> {
            let from = entries.partition_point(|entry| line(entry) < body.start);
            entries[from..].iter().map(line).take_while(|line| *line < body.end).collect()
        }
        let delta = self.delta;
        match operation {
            Operation::Added => within(&delta.added, &body, |block| block.line),
            Operation::Modified => within(&delta.modified, &body, |block| block.line),
            Operation::Removed => within(&delta.removed, &body, |entry| entry.line),
            Operation::Renamed => {
                let mut lines = within(&delta.renamed, &body, |rename| rename.from_line);
                lines.extend(within(&delta.renamed, &body, |rename| rename.to_line));
                lines.extend(within(&delta.unpaired, &body, |entry| entry.line));
                lines.sort_unstable();
                lines
            }
        }
    }

    fn empty_section(&mut self, operation: Operation, header: usize, end: usize) {
        let words: Vec<usize> =
            (header + 1..end).filter(|line| !self.comments[*line] && has_words(self.text.line(*line))).collect();
        let content = words.iter().map(|line| js::trim(self.text.line(*line))).collect::<Vec<_>>().join("\n");
        let Some(first) = words.first().filter(|_| !says_nothing(&content)) else {
            self.claim_all(header..end, Claim::Frame);
            return;
        };
        let shown = js::trim(self.text.line(*first)).to_owned();
        let is_remark = !self.has_entry(header..end) && is_remark(&content);
        self.leave(
            header..end,
            if is_remark { Reason::Remark(operation, shown) } else { Reason::EmptySection(operation, shown) },
        );
    }
}

/// Whether words are a sentence about a section rather than what it was to hold: one line or two, no list, no code, no
/// demand.
fn is_remark(content: &str) -> bool {
    let is_plain = |line: &str| {
        line.len() <= 240 && (line.starts_with('>') || strip_marker(line).is_none()) && !line.starts_with('#')
    };
    let names = ["Requirement:", "requirement:", "FROM", "Scenario", "`", "|", "："];
    content.lines().count() <= 2
        && content.lines().all(is_plain)
        && !names.iter().any(|sign| content.contains(sign))
        && !ARROWS.iter().any(|arrow| content.contains(arrow))
        && !demands(content)
}

/// Lines and names of the blocks of ADDED and MODIFIED, in the order of the file.
fn written_blocks(delta: &Delta) -> Vec<(Range<usize>, &str)> {
    let lines = |raw: &Range<usize>| {
        let last = raw.end.saturating_sub(1).max(raw.start);
        delta.text.line_at(raw.start)..delta.text.line_at(last) + 1
    };
    let mut blocks: Vec<(Range<usize>, &str)> =
        delta.added.iter().chain(&delta.modified).map(|block| (lines(&block.raw), block.name.as_str())).collect();
    blocks.sort_by_key(|(lines, _)| lines.start);
    blocks
}
