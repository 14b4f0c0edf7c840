//! Accounts for every line of a delta: what the merge applies, what explains that, and what is left over.
//!
//! The invariant: each line that is not blank is claimed or lies in a [`Leftover`]. Rules report the leftovers, each its
//! kind.

use std::ops::Range;

use super::comments;
use super::delta::{Delta, Operation, is_rename_line};
use super::fences;
use super::heading;
use super::js;
use super::near_forms::{
    Flaw, NearHeader, NearSection, names_operation, near_rename, near_requirement, near_section, says_nothing,
    strip_marker,
};
use super::text::Text;

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Nothing stands on it.
    Blank,
    /// The merge applies it.
    Applied,
    /// It explains what the merge applies, to whoever reads the change.
    Explains,
    /// Titles, the introduction, rules between sections.
    Frame,
    /// A comment outside of what is applied.
    Hidden,
    /// Nobody takes it.
    Left,
}

/// Lines that do not do what their author may think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// 0-based lines.
    pub lines: Range<usize>,
    /// What they are.
    pub reason: Reason,
}

/// Kinds of [`Leftover`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A delta section with content of which nothing is read.
    EmptySection(Operation, String),
    /// A level-3 heading inside a written requirement: it is merged and cuts the requirement in two.
    StrayHeading {
        /// The heading's text.
        title: String,
        /// The requirement it stands in.
        inside: String,
    },
    /// A heading and what stands under it before the first requirement of a section: one of level 3, or a scenario.
    DroppedHeading {
        /// The heading's text.
        title: String,
        /// Whether scenarios stand under it.
        has_scenario: bool,
    },
    /// Something that was meant as a requirement header.
    NearHeader {
        /// The name it gives.
        name: String,
        /// What keeps it from being one.
        flaw: Flaw,
        /// The requirement it becomes a part of.
        inside: Option<String>,
    },
    /// Something that was meant as a delta section's title.
    NearSection(Operation, String),
    /// Requirements, scenarios or renames outside of the delta sections.
    Lost {
        /// The section they stand in, none above the first.
        section: Option<String>,
        /// The first of them, as written.
        first: String,
        /// How many.
        count: usize,
    },
    /// A line of REMOVED or RENAMED that reads as an entry and is none.
    UnreadEntry(Operation, String),
    /// A line that the merge applies although it is commented out.
    Commented(String),
    /// A line that the reader takes for the start of a fence although it is inline code, with the line of the first
    /// thing it hides.
    FalseFence(Option<usize>),
    /// A fence that is never closed.
    OpenFence,
    /// An entry inside a fence, where no requirement is that it could be an example of.
    Fenced(String),
    /// A level-1 heading inside a delta section.
    TopHeading(String),
    /// Words of ADDED or MODIFIED above the first requirement.
    Prose(Operation),
    /// A section that is not a delta's, with its words. Empty for text outside of any section.
    OtherSection(String),
    /// One whose title begins with ADDED, MODIFIED, REMOVED or RENAMED.
    OperationSection(String),
    /// A `## Purpose` section. A new capability takes it over.
    Purpose,
}

/// The account of a delta.
#[derive(Debug)]
pub struct Account {
    /// One for each line.
    pub claims: Vec<Claim>,
    /// By line.
    pub leftovers: Vec<Leftover>,
}

impl Account {
    /// Accounts for a delta's lines.
    pub fn of(delta: &Delta) -> Self {
        let text = &delta.text;
        let claims =
            (0..text.len()).map(|line| if js::trim(text.line(line)).is_empty() { Claim::Blank } else { Claim::Left });
        let mut accountant = Accountant {
            delta,
            text,
            comments: comments::mask(text),
            blocks: written_blocks(delta),
            claims: claims.collect(),
            leftovers: Vec::new(),
            has_purpose: false,
        };
        accountant.run();
        accountant.leftovers.sort_by_key(|leftover| leftover.lines.start);
        Self { claims: accountant.claims, leftovers: accountant.leftovers }
    }
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

struct Accountant<'d> {
    delta: &'d Delta,
    text: &'d Text,
    comments: Vec<bool>,
    blocks: Vec<(Range<usize>, &'d str)>,
    claims: Vec<Claim>,
    leftovers: Vec<Leftover>,
    has_purpose: bool,
}

impl<'d> Accountant<'d> {
    fn run(&mut self) {
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
            let reason = if fence.is_inline { Reason::FalseFence(fence.hides) } else { Reason::OpenFence };
            self.leave(fence.line..fence.line + 1, reason);
        }
        // Whatever no rule above knows is at least said to be dropped.
        let unknown: Vec<usize> = (0..self.claims.len()).filter(|line| self.claims[*line] == Claim::Left).collect();
        let covered = self.covered();
        for range in runs(unknown.into_iter().filter(|line| !covered[*line]), self.text) {
            self.leave(range, Reason::OtherSection(String::new()));
        }
    }

    fn covered(&self) -> Vec<bool> {
        let mut covered = vec![false; self.claims.len()];
        for leftover in &self.leftovers {
            covered[leftover.lines.clone()].fill(true);
        }
        covered
    }

    fn leave(&mut self, lines: Range<usize>, reason: Reason) {
        self.leftovers.push(Leftover { lines, reason });
    }

    fn claim(&mut self, line: usize, claim: Claim) {
        if self.claims[line] != Claim::Blank {
            self.claims[line] = claim;
        }
    }

    fn claim_all(&mut self, lines: Range<usize>, claim: Claim) {
        lines.for_each(|line| self.claim(line, claim));
    }

    /// The line as it is read: nothing in a fence, nothing in a comment.
    fn shown(&self, line: usize) -> Option<&'d str> {
        (!self.text.fenced(line) && !self.comments[line]).then(|| self.text.line(line))
    }

    /// Above the first section: a title and an introduction are fine, operations are not.
    fn top(&mut self, lines: Range<usize>) {
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

    /// A line that reads as a requirement header and is none, its surroundings taken into account.
    fn near_header(&self, line: usize) -> Option<NearHeader> {
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
    fn near_title(&self, line: usize) -> Option<NearSection> {
        let written = self.text.line(line);
        near_section(written).or_else(|| near_section(&format!("# {written}")).filter(|_| self.is_underlined(line)))
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
    fn is_entry(&self, line: usize) -> bool {
        let Some(written) = self.shown(line) else { return false };
        heading::requirement_name(written).is_some()
            || is_named_scenario(written)
            || is_rename_line(written)
            || self.near_header(line).is_some()
    }

    fn has_entry(&self, lines: Range<usize>) -> bool {
        lines.into_iter().any(|line| self.is_entry(line))
    }

    fn lost(&mut self, lines: Range<usize>, section: Option<&str>) -> bool {
        let found: Vec<usize> = lines.clone().filter(|line| self.is_entry(*line)).collect();
        let Some(&first) = found.first() else { return false };
        let is_requirement = |line: &&usize| !heading::is_scenario(self.text.line(**line));
        let count = found.iter().filter(is_requirement).count();
        let shown = found.iter().find(is_requirement).unwrap_or(&first);
        let reason = Reason::Lost {
            section: section.map(str::to_owned),
            first: js::trim(self.text.line(*shown)).to_owned(),
            count: count.max(1),
        };
        let start = if section.is_some() { lines.start } else { first };
        self.leave(start..lines.end, reason);
        true
    }

    fn other_section(&mut self, title: &str, line: usize, end: usize) {
        let (lines, written) = (line..end, js::trim(self.text.line(line)).to_owned());
        if self.comments[line] {
            self.claim_all(lines.clone(), Claim::Hidden);
            self.lost(line + 1..end, Some(title));
            return;
        }
        let near = near_section(&written);
        if let Some(near) = near
            && (self.has_entry(line + 1..end) || near.is_certain && self.has_content(line + 1..end))
        {
            self.leave(lines, Reason::NearSection(near.operation, written));
        } else if let Some(near) = near_requirement(&written) {
            self.leave(lines, Reason::NearHeader { name: near.name, flaw: near.flaw, inside: None });
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

    /// Whether words stand there that no comment hides.
    fn has_content(&self, lines: Range<usize>) -> bool {
        lines.into_iter().any(|line| !self.comments[line] && has_words(self.text.line(line)))
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
        let is_note =
            content.starts_with(['(', '（', '_', '>']) && !self.has_entry(header..end) && !content.contains('\n');
        self.leave(
            header..end,
            if is_note { Reason::Prose(operation) } else { Reason::EmptySection(operation, shown) },
        );
    }

    /// ADDED and MODIFIED: blocks are applied, what stands above the first is dropped.
    fn written_section(&mut self, operation: Operation, body: Range<usize>) {
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
                self.leave(line..line + 1, Reason::NearHeader { name: near.name, flaw: near.flaw, inside: None });
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
            let reason = if let Some(near) = self.near_header(line).filter(|near| near.flaw != Flaw::Listed) {
                Reason::NearHeader { name: near.name, flaw: near.flaw, inside: Some(name.to_owned()) }
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

    /// REMOVED and RENAMED: entries are applied, the rest explains them unless it reads as an entry.
    fn listed_section(&mut self, operation: Operation, body: Range<usize>, entries: &[usize]) {
        for line in body {
            let written = self.text.line(line);
            let shown = || js::trim(written).to_owned();
            let is_entry = entries.binary_search(&line).is_ok();
            if is_entry && self.comments[line] {
                self.leave(line..line + 1, Reason::Commented(shown()));
            }
            if self.comments[line] || is_entry {
                self.claim(line, if is_entry { Claim::Applied } else { Claim::Hidden });
                continue;
            }
            self.claim(line, Claim::Explains);
            if self.text.fenced(line) {
                let is_entry = match operation {
                    Operation::Renamed => is_rename_line(written),
                    // A removed requirement may be quoted below its name.
                    _ => {
                        heading::requirement_name(written).is_some()
                            && entries.first().is_some_and(|first| line < *first)
                    }
                };
                if is_entry {
                    self.leave(line..line + 1, Reason::Fenced(shown()));
                }
                continue;
            }
            let heading = heading::heading(written);
            let is_unread = match operation {
                Operation::Renamed => near_rename(written),
                _ => self.near_header(line).is_some() || removes_scenario(written, entries.first() > Some(&line)),
            };
            if let Some(near) = self.near_title(line).filter(|near| near.is_certain) {
                self.leave(line..line + 1, Reason::NearSection(near.operation, shown()));
            } else if is_unread {
                self.leave(line..line + 1, Reason::UnreadEntry(operation, shown()));
            } else if let Some((1, _)) = heading {
                self.leave(line..line + 1, Reason::TopHeading(shown()));
            }
        }
    }
}

/// Whether a line of REMOVED asks for a scenario to go. Below a requirement's name it may be a part of what is quoted.
fn removes_scenario(line: &str, is_above: bool) -> bool {
    let text = strip_marker(js::trim_start(line)).unwrap_or(line);
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let is_scenario = js::strip_prefix_ignore_case(js::trim_start(&text[level..]), "Scenario:").is_some();
    is_scenario && (level == 3 || level == 4 && is_above)
}

/// The title of a `##` line, fenced or not; empty for any other.
fn level_two(line: &str) -> &str {
    heading::heading(line).filter(|(level, _)| *level == 2).map_or("", |(_, title)| title)
}

/// `#### Scenario`: other headings of that level may be anything where no requirement is.
fn is_named_scenario(line: &str) -> bool {
    heading::is_scenario(line) && js::strip_prefix_ignore_case(js::trim_start(&line[4..]), "Scenario").is_some()
}

fn has_words(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

/// Lines that follow each other, blank ones between them aside.
fn runs(lines: impl Iterator<Item = usize>, text: &Text) -> Vec<Range<usize>> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::openspec::requirement::Block;

    fn account(content: &str) -> Vec<(usize, Reason)> {
        let delta = Delta::parse(content.as_bytes().to_vec());
        delta.account().leftovers.iter().map(|leftover| (leftover.lines.start, leftover.reason.clone())).collect()
    }

    #[test]
    fn a_plain_delta_leaves_nothing() {
        let left = account(
            "---\nx: y\n---\n# Delta\n\nWords.\n\n## ADDED Requirements\n\n### Requirement: A\nIt SHALL.\n#### Scenario: S\n- x\n\n```md\n### Requirement: example\n```\n---\n\n## MODIFIED Requirements\n- None\n\n## REMOVED Requirements\n<!-- none -->\n### Requirement: B\n**Reason**: old -> new\n\n## RENAMED Requirements\nSee A → B.\n- FROM: `### Requirement: C`\n- TO: `### Requirement: D`\n",
        );
        assert_eq!(left, []);
    }

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

    #[test]
    fn a_title_over_sections_of_its_name() {
        assert_eq!(account("# Added Requirements\nWords.\n## ADDED Requirements\n### Requirement: A\nx\n"), []);
        let left = account("# Removed Requirements\n- A\n## ADDED Requirements\n### Requirement: A\nx\n");
        assert!(matches!(left[..], [(0, Reason::NearSection(Operation::Removed, _))]));
    }

    #[test]
    fn a_whole_file_in_a_fence() {
        let left = account("# x\n```markdown\n## ADDED Requirements\n### Requirement: A\nx\n```\n");
        assert_eq!(left, [(2, Reason::Fenced("## ADDED Requirements".to_owned()))]);
    }

    #[test]
    fn entries_that_are_none() {
        let left = account(
            "## REMOVED Requirements\n### Requirement: A\n#### Requirement: B\n## RENAMED Requirements\n- FROM: `### Requirement: C`\n- TO: `### Requirement: D`\n- from: E\n- to: F\n",
        );
        assert_eq!(left.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 6, 7]);
        assert!(left.iter().all(|(_, reason)| matches!(reason, Reason::UnreadEntry(..))));
    }

    /// Lines that say everything a delta can say, rightly and wrongly.
    const LINES: [&str; 34] = [
        "",
        "## ADDED Requirements",
        "## MODIFIED Requirements",
        "## REMOVED Requirements",
        "## RENAMED Requirements",
        "## Notes",
        "## Purpose",
        "## ADDED  Requirements",
        "## ADDED Criteria",
        "# Title",
        "# ADDED Requirements",
        "### Requirement: A",
        "### Requirement: B",
        "###Requirement: C",
        "### Stray",
        "#### Scenario: S",
        "- **WHEN** x",
        "words",
        "- FROM: `### Requirement: A`",
        "- TO: `### Requirement: B`",
        "- from: x",
        "- `### Requirement: C`",
        " ### Requirement: D",
        "**Requirement: E**",
        "## Requirement: F",
        "<!--",
        "-->",
        "<!-- x -->",
        "None",
        "## ",
        "---",
        "```",
        "```x```",
        "~~~~ md",
    ];

    fn deltas(kinds: usize) -> impl Strategy<Value = String> {
        proptest::collection::vec(0..kinds, 0..24)
            .prop_map(|lines| lines.into_iter().map(|line| LINES[line]).collect::<Vec<_>>().join("\n"))
    }

    proptest! {
        #[test]
        fn every_line_is_claimed_or_left_over(content in deltas(LINES.len())) {
            let delta = Delta::parse(content.into_bytes());
            let account = delta.account();
            for (line, claim) in account.claims.iter().enumerate() {
                let is_reported = account.leftovers.iter().any(|leftover| leftover.lines.contains(&line));
                prop_assert!(*claim != Claim::Left || is_reported, "line {}", line + 1);
            }
        }

        /// What is not called applied can go without a difference to the merge. Fences are left out: they change what
        /// other lines are.
        #[test]
        fn only_what_is_applied_matters(content in deltas(LINES.len() - 3)) {
            let delta = Delta::parse(content.into_bytes());
            let is_kept = |line: &usize| {
                matches!(delta.account().claims[*line], Claim::Applied | Claim::Blank)
                    || heading::section_break(delta.text.line(*line)) == Some(2)
            };
            let kept: Vec<&str> = (0..delta.text.len()).filter(is_kept).map(|line| delta.text.line(line)).collect();
            let again = Delta::parse(kept.join("\n").into_bytes());
            let raws = |delta: &Delta, blocks: &[Block]| {
                blocks.iter().map(|block| delta.raw(block).to_owned()).collect::<Vec<_>>()
            };
            prop_assert_eq!(raws(&delta, &delta.added), raws(&again, &again.added));
            prop_assert_eq!(raws(&delta, &delta.modified), raws(&again, &again.modified));
            let removed = |delta: &Delta| delta.removed.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
            prop_assert_eq!(removed(&delta), removed(&again));
            let renamed = |delta: &Delta| {
                delta.renamed.iter().map(|entry| (entry.from.clone(), entry.to.clone())).collect::<Vec<_>>()
            };
            prop_assert_eq!(renamed(&delta), renamed(&again));
        }
    }
}
