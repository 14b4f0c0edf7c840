//! A delta spec of a change: what it adds, modifies, removes and renames, and what it says that nobody reads.

use std::ops::Range;
use std::sync::OnceLock;

use super::heading;
use super::leftovers::Account;
use super::requirement::Block;
use super::spec::{block, blocks_in};
use super::text::Text;

mod listed;

pub(super) use listed::{is_rename_line, listed_name};
use listed::{removals, renames};

/// The four kinds of delta section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `## ADDED Requirements`
    Added,
    /// `## MODIFIED Requirements`
    Modified,
    /// `## REMOVED Requirements`
    Removed,
    /// `## RENAMED Requirements`
    Renamed,
}

impl Operation {
    /// The word as the section writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "ADDED",
            Self::Modified => "MODIFIED",
            Self::Removed => "REMOVED",
            Self::Renamed => "RENAMED",
        }
    }

    /// The operation a section title stands for, in any case.
    pub fn from_title(title: &str) -> Option<Self> {
        [Self::Added, Self::Modified, Self::Removed, Self::Renamed]
            .into_iter()
            .find(|operation| operation.title_matches(title))
    }

    fn title_matches(self, title: &str) -> bool {
        title.strip_suffix_ignore_case(" Requirements").is_some_and(|word| word.eq_ignore_ascii_case(self.word()))
    }
}

trait StripSuffix {
    fn strip_suffix_ignore_case(&self, suffix: &str) -> Option<&str>;
}

impl StripSuffix for str {
    fn strip_suffix_ignore_case(&self, suffix: &str) -> Option<&str> {
        let at = self.len().checked_sub(suffix.len())?;
        self.as_bytes()[at..].eq_ignore_ascii_case(suffix.as_bytes()).then(|| &self[..at])
    }
}

/// A parsed `changes/<id>/specs/<capability>/spec.md`.
#[derive(Debug)]
pub struct Delta {
    /// The file.
    pub text: Text,
    /// Delta sections, repeated ones repeated, in document order.
    pub sections: Vec<DeltaSection>,
    /// Blocks of all ADDED sections.
    pub added: Vec<Block>,
    /// Blocks of all MODIFIED sections.
    pub modified: Vec<Block>,
    /// Names of all REMOVED sections, from headers or bullets.
    pub removed: Vec<Removal>,
    /// Blocks of all REMOVED sections that were written as headers.
    pub removed_blocks: Vec<Block>,
    /// Complete renames.
    pub renamed: Vec<Rename>,
    /// FROM or TO lines without their partner, by line.
    pub unpaired: Vec<Unpaired>,
    /// Requirement headers outside every delta section.
    pub orphans: Vec<Orphan>,
    /// `###` headings in ADDED and MODIFIED that are no requirement headers, by line.
    pub skipped: Vec<Skipped>,
    account: OnceLock<Account>,
}

/// A `## … Requirements` section of a delta.
#[derive(Debug, Clone)]
pub struct DeltaSection {
    /// What it does.
    pub operation: Operation,
    /// The title as written.
    pub title: String,
    /// 0-based line of its header.
    pub line: usize,
    /// Its lines, without the header.
    pub body: Range<usize>,
}

/// A name to be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The requirement's name.
    pub name: String,
    /// 0-based line.
    pub line: usize,
}

/// A pair of FROM and TO.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The old name.
    pub from: String,
    /// The new name.
    pub to: String,
    /// 0-based line of FROM.
    pub from_line: usize,
    /// 0-based line of TO.
    pub to_line: usize,
}

/// A FROM or TO that has no partner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpaired {
    /// Whether it is a FROM line.
    pub is_from: bool,
    /// The name it carries.
    pub name: String,
    /// 0-based line.
    pub line: usize,
}

/// A requirement header no delta section covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orphan {
    /// The requirement's name.
    pub name: String,
    /// The section it stands in, none above the first.
    pub section: Option<String>,
    /// 0-based line.
    pub line: usize,
}

/// A level-3 heading the delta reader passes over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The heading's text.
    pub header: String,
    /// Title of the section it stands in.
    pub section: String,
    /// 0-based line.
    pub line: usize,
}

impl Delta {
    /// Parses a file's bytes.
    pub fn parse(bytes: Vec<u8>) -> Self {
        Self::from_text(Text::from_bytes(bytes))
    }

    fn from_text(text: Text) -> Self {
        let (sections, orphans) = sections(&text);
        let of = |operation| sections.iter().filter(move |section| section.operation == operation);
        // A skipped heading names its section by the first spelling of that section's title.
        let mut skipped = Vec::new();
        let mut blocks = |operation| {
            let title = of(operation).next().map_or("", |section| section.title.as_str());
            let mut blocks = Vec::new();
            for section in of(operation) {
                collect_skipped(&text, section.body.clone(), title, &mut skipped);
                blocks.append(&mut section_blocks(&text, section.body.clone()));
            }
            blocks
        };
        let added = blocks(Operation::Added);
        let modified = blocks(Operation::Modified);
        let removed = of(Operation::Removed).flat_map(|section| removals(&text, section.body.clone())).collect();
        let removed_blocks =
            of(Operation::Removed).flat_map(|section| section_blocks(&text, section.body.clone())).collect();
        let mut renamed = Vec::new();
        let mut unpaired = Vec::new();
        for section in of(Operation::Renamed) {
            renames(&text, section.body.clone(), &mut renamed, &mut unpaired);
        }
        unpaired.sort_by_key(|entry| entry.line);
        skipped.sort_by_key(|entry| entry.line);
        Self {
            added,
            modified,
            removed,
            removed_blocks,
            renamed,
            unpaired,
            orphans,
            skipped,
            sections,
            text,
            account: OnceLock::new(),
        }
    }

    /// A block as it stands in the file.
    pub fn raw(&self, block: &Block) -> &str {
        &self.text.content()[block.raw.clone()]
    }

    /// A small delta of some operations, each named by its place in the list of its kind. Its text has nothing else, and
    /// lines are still those of this file.
    #[must_use]
    pub fn excerpt(&self, picked: impl Iterator<Item = (Operation, usize)>) -> Self {
        let mut content = String::new();
        let (mut added, mut modified, mut removed, mut renamed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut copy = |block: &Block| {
            let start = content.len();
            content.push_str(self.raw(block));
            let raw = start..content.len();
            content.push_str("\n\n");
            Block { raw, ..block.clone() }
        };
        for (operation, at) in picked {
            match operation {
                Operation::Added => added.extend(self.added.get(at).map(&mut copy)),
                Operation::Modified => modified.extend(self.modified.get(at).map(&mut copy)),
                Operation::Removed => removed.extend(self.removed.get(at).cloned()),
                Operation::Renamed => renamed.extend(self.renamed.get(at).cloned()),
            }
        }
        Self {
            text: Text::from_bytes(content.into_bytes()),
            sections: Vec::new(),
            added,
            modified,
            removed,
            removed_blocks: Vec::new(),
            renamed,
            unpaired: Vec::new(),
            orphans: Vec::new(),
            skipped: Vec::new(),
            account: OnceLock::new(),
        }
    }

    /// Whether any section reads a requirement of this name.
    pub fn speaks_of(&self, name: &str) -> bool {
        let name = heading::fold_name(name);
        let mut names = self.claimed_names().chain(self.added.iter().map(|block| block.name.as_str()));
        names.any(|claimed| heading::fold_name(claimed) == name)
    }

    /// Names of the main spec that the delta modifies, removes or renames.
    pub fn claimed_names(&self) -> impl Iterator<Item = &str> {
        let removed = self.removed.iter().map(|entry| entry.name.as_str());
        let renamed = self.renamed.iter().map(|rename| rename.from.as_str());
        self.modified.iter().map(|block| block.name.as_str()).chain(removed).chain(renamed)
    }

    /// Whether anything was found that the merge can apply.
    pub fn has_entries(&self) -> bool {
        self.entry_count() > 0
    }

    /// What each line is for, and what is left over. Worked out once.
    pub fn account(&self) -> &Account {
        self.account.get_or_init(|| Account::of(self))
    }

    /// Number of operations.
    pub fn entry_count(&self) -> usize {
        self.added.len() + self.modified.len() + self.removed.len() + self.renamed.len()
    }
}

fn sections(text: &Text) -> (Vec<DeltaSection>, Vec<Orphan>) {
    let mut sections: Vec<DeltaSection> = Vec::new();
    let mut orphans = Vec::new();
    // The section we are in: none above the first, and whether it is a delta section.
    let mut current: Option<(&str, bool)> = None;
    let mut open = false;
    for line in text.hash_lines() {
        let written = text.line(line);
        if let Some((2, title)) = heading::heading(written) {
            if open && let Some(last) = sections.last_mut() {
                last.body.end = line;
            }
            let operation = Operation::from_title(title);
            open = operation.is_some();
            current = Some((title, open));
            if let Some(operation) = operation {
                sections.push(DeltaSection { operation, title: title.to_owned(), line, body: line + 1..text.len() });
            }
        } else if !current.is_some_and(|(_, is_delta)| is_delta)
            && let Some(name) = heading::requirement_name(written)
        {
            let section = current.map(|(title, _)| title.to_owned());
            orphans.push(Orphan { name: name.to_owned(), section, line });
        }
    }
    (sections, orphans)
}

/// Requirement blocks of a section. A `##` without a title is no section but still ends a block, and what follows it
/// up to the next requirement header belongs to nothing.
fn section_blocks(text: &Text, body: Range<usize>) -> Vec<Block> {
    let has_bare_section = body.clone().any(|line| is_bare_section(text, line));
    if !has_bare_section {
        return blocks_in(text, body);
    }
    let mut blocks = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for line in body.clone() {
        if text.fenced(line) {
            continue;
        }
        let name = heading::requirement_name(text.line(line));
        if name.is_some() || is_bare_section(text, line) {
            if let Some((start, name)) = open.take() {
                blocks.push(block(text, name, start..line));
            }
            open = name.map(|name| (line, name));
        }
    }
    if let Some((start, name)) = open {
        blocks.push(block(text, name, start..body.end));
    }
    blocks
}

fn is_bare_section(text: &Text, line: usize) -> bool {
    !text.fenced(line) && heading::is_top_level_section(text.line(line))
}

fn collect_skipped(text: &Text, body: Range<usize>, title: &str, skipped: &mut Vec<Skipped>) {
    for line in body {
        let written = text.line(line);
        if text.fenced(line) || heading::requirement_name(written).is_some() {
            continue;
        }
        if let Some((3, header)) = heading::heading(written) {
            skipped.push(Skipped { header: header.to_owned(), section: title.to_owned(), line });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(content: &str) -> Delta {
        Delta::parse(content.as_bytes().to_vec())
    }

    #[test]
    fn repeated_sections_are_all_read() {
        let delta = delta(
            "## ADDED Requirements\n### Requirement: A\nx\n## Notes\n### Requirement: lost\n## added requirements\n### Requirement: B\ny\n",
        );
        assert_eq!(delta.added.iter().map(|block| block.name.as_str()).collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(delta.orphans[0].section.as_deref(), Some("Notes"));
        assert_eq!(delta.raw(&delta.added[0]), "### Requirement: A\nx");
    }

    #[test]
    fn skipped_headings() {
        let delta = delta("## ADDED Requirements\n### Documentation\n### Requirement: A\nx\n### requirement:\n");
        assert_eq!(
            delta.skipped.iter().map(|entry| (entry.line, entry.header.as_str())).collect::<Vec<_>>(),
            [(1, "Documentation"), (4, "requirement:")]
        );
    }
}
