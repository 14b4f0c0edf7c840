//! A main spec: its purpose, its requirements as the reader sees them and as the merge sees them.

use std::collections::HashMap;
use std::ops::Range;

use super::heading::{self, Heading};
use super::js;
use super::requirement::{self, Block};
use super::text::Text;

/// A parsed `openspec/specs/<id>/spec.md`.
#[derive(Debug)]
pub struct Spec {
    /// The file.
    pub text: Text,
    /// First heading called "Purpose", any level.
    pub purpose: Option<Section>,
    /// First heading called "Requirements", any level.
    pub requirements_section: Option<Section>,
    /// Every heading directly below [`Spec::requirements_section`], whatever it is called.
    pub requirements: Vec<Requirement>,
    /// `### Requirement:` blocks of the first `## Requirements`: what a delta can address.
    pub blocks: Vec<Block>,
    /// Delta headers, stray and repeated requirement headers.
    pub structure: Vec<StructureIssue>,
}

/// A heading and what stands under it.
#[derive(Debug, Clone)]
pub struct Section {
    /// 0-based line of the heading.
    pub line: usize,
    /// The heading's text.
    pub title: String,
    /// Bytes of the trimmed content up to the next heading of the same or a higher level.
    pub content: Range<usize>,
}

/// A requirement as the reader of main specs sees it.
#[derive(Debug)]
pub struct Requirement {
    /// Its heading and content.
    pub section: Section,
    /// Headings directly below it. One without content is no scenario.
    pub scenarios: Vec<Section>,
}

impl Requirement {
    /// Its name: the heading without `Requirement:`.
    pub fn name(&self) -> &str {
        let title = self.section.title.as_str();
        js::strip_prefix_ignore_case(title, "Requirement:").map_or(title, heading::normalise_name)
    }

    /// Scenarios that count: those with content.
    pub fn scenarios_with_content(&self) -> impl Iterator<Item = &Section> {
        self.scenarios.iter().filter(|scenario| !scenario.content.is_empty())
    }
}

/// Something in a main spec that hides requirements from every reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructureIssue {
    /// What is wrong.
    pub kind: StructureKind,
    /// 0-based line.
    pub line: usize,
    /// The header as written, trimmed.
    pub header: String,
}

/// Kinds of [`StructureIssue`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StructureKind {
    /// `## ADDED Requirements` and its like in a main spec.
    DeltaHeader,
    /// `### Requirement:` outside `## Requirements`.
    RequirementOutside,
    /// A name that stands twice; the 0-based line of the first.
    Duplicate {
        /// 0-based line of the first requirement of that name.
        first: usize,
    },
}

impl Spec {
    /// Parses a file's bytes.
    pub fn parse(bytes: Vec<u8>) -> Self {
        Self::from_text(Text::from_bytes(bytes))
    }

    /// Parses a text.
    pub fn from_text(text: Text) -> Self {
        let outline = Outline::new(&text);
        let purpose = outline.find("purpose").map(|at| outline.section(at));
        let requirements_at = outline.find("requirements");
        let requirements_section = requirements_at.map(|at| outline.section(at));
        let requirements = requirements_at.map_or_else(Vec::new, |at| outline.children(at));
        let blocks = requirements_range(&text).map_or_else(Vec::new, |range| blocks_in(&text, range));
        let structure = structure_issues(&text);
        Self { purpose, requirements_section, requirements, blocks, structure, text }
    }

    /// The trimmed content of a section.
    pub fn content(&self, section: &Section) -> &str {
        &self.text.content()[section.content.clone()]
    }

    /// The purpose, when there is one that is not empty.
    pub fn purpose_text(&self) -> Option<&str> {
        self.purpose.as_ref().map(|section| self.content(section)).filter(|content| !content.is_empty())
    }

    /// A requirement's words, or its heading when it has none.
    pub fn requirement_text(&self, requirement: &Requirement) -> String {
        let body = requirement::body_text(self.content(&requirement.section));
        if body.is_empty() { requirement.section.title.clone() } else { body }
    }

    /// A block as it stands in the file.
    pub fn raw(&self, block: &Block) -> &str {
        &self.text.content()[block.raw.clone()]
    }

    /// Whether the reader gets anything out of this spec: a purpose and a requirements section.
    pub fn is_readable(&self) -> bool {
        self.purpose_text().is_some() && self.requirements_section.is_some()
    }
}

/// All headings of a text, with what ends their sections.
pub(super) struct Outline<'t> {
    text: &'t Text,
    pub(super) headings: Vec<Heading<'t>>,
    /// Lines that end a section, with their level: headings, and hashes without a title.
    breaks: Vec<(usize, usize)>,
}

impl<'t> Outline<'t> {
    pub(super) fn new(text: &'t Text) -> Self {
        let mut headings = Vec::new();
        let mut breaks = Vec::new();
        for line in text.hash_lines() {
            let Some(level) = heading::section_break(text.line(line)) else { continue };
            breaks.push((line, level));
            if let Some((level, title)) = heading::heading(text.line(line)) {
                headings.push(Heading { line, level, title });
            }
        }
        Self { text, headings, breaks }
    }

    /// Index of the first heading of that name, whatever its level and case.
    pub(super) fn find(&self, title: &str) -> Option<usize> {
        self.headings.iter().position(|heading| heading.title.eq_ignore_ascii_case(title))
    }

    /// The section a heading opens.
    pub(super) fn section(&self, at: usize) -> Section {
        let Heading { line, level, title } = self.headings[at];
        let next = self.breaks.partition_point(|(other, _)| *other <= line);
        let end =
            self.breaks[next..].iter().find(|(_, other)| *other <= level).map_or(self.text.len(), |(line, _)| *line);
        Section { line, title: title.to_owned(), content: trimmed_range(self.text, line + 1..end) }
    }

    /// The headings directly below one, each with those directly below it.
    pub(super) fn children(&self, at: usize) -> Vec<Requirement> {
        let top = self.headings[at].level;
        let mut requirements: Vec<Requirement> = Vec::new();
        // Levels of the open headings below the section; a heading's parent is the nearest shallower one still open.
        let mut open: Vec<usize> = Vec::new();
        for index in at + 1..self.headings.len() {
            let level = self.headings[index].level;
            if level <= top {
                break;
            }
            while open.last().is_some_and(|parent| *parent >= level) {
                open.pop();
            }
            match (open.len(), requirements.last_mut()) {
                (1, Some(parent)) => parent.scenarios.push(self.section(index)),
                (0, _) => requirements.push(Requirement { section: self.section(index), scenarios: Vec::new() }),
                _ => {}
            }
            open.push(level);
        }
        requirements
    }
}

/// The bytes of some lines without the white space around them. Empty ranges keep their place.
fn trimmed_range(text: &Text, lines: Range<usize>) -> Range<usize> {
    let slice = text.lines(lines.clone());
    if slice.is_empty() {
        let at = if lines.start < text.len() { text.offset(lines.start) } else { text.content().len() };
        return at..at;
    }
    let start = text.offset(lines.start);
    let trimmed = js::trim_start(slice);
    let start = start + (slice.len() - trimmed.len());
    start..start + js::trim_end(trimmed).len()
}

/// Whether a line is `## Requirements`.
pub fn is_requirements_header(line: &str) -> bool {
    heading::is_top_level_section(line) && js::trim(&line[2..]).eq_ignore_ascii_case("requirements")
}

/// Lines of the first `## Requirements`, without its header.
pub fn requirements_range(text: &Text) -> Option<Range<usize>> {
    let mut sections = text.hash_lines().filter(|line| heading::is_top_level_section(text.line(*line)));
    let header = sections.by_ref().find(|line| is_requirements_header(text.line(*line)))?;
    Some(header + 1..sections.next().unwrap_or(text.len()))
}

/// Requirement blocks in a range of lines that holds no top-level section.
pub fn blocks_in(text: &Text, range: Range<usize>) -> Vec<Block> {
    let mut headers: Vec<(usize, &str)> = Vec::new();
    for line in range.clone() {
        if !text.fenced(line)
            && let Some(name) = heading::requirement_name(text.line(line))
        {
            headers.push((line, name));
        }
    }
    let ends = headers.iter().skip(1).map(|(line, _)| *line).chain([range.end]);
    headers.iter().zip(ends).map(|(&(line, name), end)| block(text, name, line..end)).collect()
}

/// One block from its header line to `lines.end`, trimmed at the end.
pub fn block(text: &Text, name: &str, lines: Range<usize>) -> Block {
    let start = text.offset(lines.start);
    let raw = js::trim_end(text.lines(lines.clone()));
    Block { name: name.to_owned(), line: lines.start, raw: start..start + raw.len() }
}

fn structure_issues(text: &Text) -> Vec<StructureIssue> {
    // The structure check, alone among the readers, does not drop a byte-order mark: line 1 then has no header.
    let lines = || text.hash_lines().filter(|line| !(text.had_bom() && *line == 0));
    let header = lines().find(|line| is_requirements_header(text.line(*line)));
    let inside = header.map(|header| {
        let end = lines().find(|line| *line > header && heading::is_top_level_section(text.line(*line)));
        header + 1..end.unwrap_or(text.len())
    });
    let mut issues = Vec::new();
    let mut first_lines: HashMap<&str, usize> = HashMap::new();
    for line in lines() {
        let written = text.line(line);
        let issue = |kind| StructureIssue { kind, line, header: js::trim(written).to_owned() };
        if is_delta_header(written) {
            issues.push(issue(StructureKind::DeltaHeader));
        } else if let Some(name) = heading::spaced_requirement_name(written) {
            if !inside.as_ref().is_some_and(|inside| inside.contains(&line)) {
                issues.push(issue(StructureKind::RequirementOutside));
            } else if let Some(first) = first_lines.get(name) {
                issues.push(issue(StructureKind::Duplicate { first: *first }));
            } else {
                first_lines.insert(name, line);
            }
        }
    }
    issues
}

/// Whether a line is `## ADDED|MODIFIED|REMOVED|RENAMED Requirements`.
fn is_delta_header(line: &str) -> bool {
    if !heading::is_top_level_section(line) {
        return false;
    }
    let Some((operation, rest)) = js::trim(&line[2..]).split_once(js::is_space) else { return false };
    js::trim(rest).eq_ignore_ascii_case("requirements")
        && ["added", "modified", "removed", "renamed"].iter().any(|known| operation.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(content: &str) -> Spec {
        Spec::parse(content.as_bytes().to_vec())
    }

    #[test]
    fn every_child_heading_is_a_requirement() {
        let spec = spec(
            "# T\n## Purpose\nx\n## Requirements\n#### loose\n### Requirement: A\ntext\n#### S\n- a\n##### deep\n#### E\n",
        );
        assert_eq!(spec.requirements.len(), 2);
        assert_eq!(spec.requirements[1].scenarios.len(), 2);
        assert_eq!(spec.requirements[1].scenarios_with_content().count(), 1);
        assert_eq!(spec.blocks.len(), 1);
        assert_eq!(spec.raw(&spec.blocks[0]).lines().next(), Some("### Requirement: A"));
    }

    #[test]
    fn sections_are_found_at_any_level_in_document_order() {
        let spec = spec("### purpose\na\n# Requirements\nb\n## Purpose\nc\n");
        assert_eq!(spec.purpose_text(), Some("a"));
        assert!(spec.requirements_section.is_some());
        assert!(spec.blocks.is_empty());
    }

    #[test]
    fn structure() {
        let spec = spec(
            "### Requirement: out\n## Requirements\n### Requirement: a\n### Requirement: a\n##  added  Requirements \n### Requirement: b",
        );
        let kinds: Vec<_> = spec.structure.iter().map(|issue| (issue.line, issue.kind.clone())).collect();
        assert_eq!(
            kinds,
            [
                (0, StructureKind::RequirementOutside),
                (3, StructureKind::Duplicate { first: 2 }),
                (4, StructureKind::DeltaHeader),
                (5, StructureKind::RequirementOutside)
            ]
        );
    }
}
