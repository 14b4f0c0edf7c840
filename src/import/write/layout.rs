//! A spec or a delta as it lies on disk, with the parts an import may touch.

use std::ops::Range;

use super::block::is_of;
use crate::openspec::heading::is_top_level_section;
use crate::openspec::spec::{blocks_in, requirements_range};
use crate::openspec::text::Text;

/// The heading of the notes, and the one used where others have notes of their own.
pub const NOTES: [&str; 2] = ["## Notes", "## Notes of the import"];

/// The section of a delta that adds requirements.
const ADDED: &str = "## ADDED Requirements";

/// Which file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A main spec.
    Spec,
    /// A delta.
    Delta,
}

/// A text and where its parts stand.
#[derive(Debug)]
pub struct Layout {
    content: String,
    kind: FileKind,
    head: Range<usize>,
    blocks: Vec<(String, Range<usize>)>,
    /// Where the section of requirements ends. None when there is none.
    end: Option<usize>,
    edits: Vec<(Range<usize>, String)>,
}

impl Layout {
    /// Reads a text with `\n` at the ends of its lines.
    pub fn of(content: &str, kind: FileKind) -> Self {
        let text = Text::from_bytes(content.as_bytes().to_vec());
        let range = match kind {
            FileKind::Spec => requirements_range(&text),
            FileKind::Delta => added_range(&text),
        };
        let blocks = range.clone().map(|range| blocks_in(&text, range)).unwrap_or_default();
        let blocks = blocks.into_iter().map(|block| (block.name, block.raw)).collect();
        let offset = |line: usize| if line < text.len() { text.offset(line) } else { text.content().len() };
        let head = 0..range.as_ref().map_or(0, |range| offset(range.start - 1));
        let end = range.map(|range| offset(range.end));
        Self { content: text.content().to_owned(), kind, head, blocks, end, edits: Vec::new() }
    }

    /// What stands above the requirements.
    pub fn head(&self) -> &str {
        self.content[self.head.clone()].trim()
    }

    /// The block of the requirement with an id.
    pub fn block(&self, id: &str) -> Option<&str> {
        self.blocks.iter().find(|(name, _)| is_of(name, id)).map(|(_, range)| &self.content[range.clone()])
    }

    /// The section with a heading: what stands below it.
    pub fn section(&self, heading: &str) -> Option<&str> {
        let range = self.section_range(heading)?;
        let section = &self.content[range];
        Some(section.split_once('\n').map_or("", |(_, body)| body).trim())
    }

    /// Puts another text above the requirements.
    pub fn set_head(&mut self, text: &str) {
        self.edits.push((self.head.clone(), format!("{text}\n\n")));
    }

    /// Puts another block in place of that of an id, or a new one behind the nearest of those before it.
    pub fn set_block(&mut self, id: &str, block: &str, before: &[&str]) {
        if let Some((_, range)) = self.blocks.iter().find(|(name, _)| is_of(name, id)) {
            self.edits.push((range.clone(), block.to_owned()));
            return;
        }
        let place = |id: &&str| self.blocks.iter().find(|(name, _)| is_of(name, id)).map(|(_, range)| range.end);
        let behind = before.iter().rev().find_map(place).or(self.blocks.last().map(|(_, range)| range.end));
        let at = match (behind, self.end) {
            (Some(at), _) => at,
            (None, Some(end)) => self.content[..end].trim_end().len(),
            (None, None) => self.content.len(),
        };
        // Several at one place stand in the order they are given in.
        self.edits.push((at..at, format!("\n\n{block}")));
    }

    /// Puts another text below a heading, which is added at the end when it is not there.
    pub fn set_section(&mut self, heading: &str, text: &str) {
        match self.section_range(heading) {
            Some(range) => {
                let is_last = range.end == self.content.len();
                let gap = if is_last { "\n" } else { "\n\n" };
                self.edits.push((range, format!("{heading}\n\n{text}{gap}")));
            }
            None => {
                let at = self.content.len();
                let gap = if self.content.trim().is_empty() { "" } else { "\n" };
                self.edits.push((at..at, format!("{gap}{heading}\n\n{text}\n")));
            }
        }
    }

    /// The text with all that was set.
    pub fn written(mut self) -> String {
        // An insertion at the file's end goes behind one at the end of the last block.
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = String::with_capacity(self.content.len());
        let mut from = 0;
        for (range, new) in &self.edits {
            if self.end.is_none() && new.starts_with("\n\n### ") && !text.contains(self.section_of_requirements()) {
                text.push_str(&self.content[from..range.start]);
                from = range.start;
                let gap = if text.trim().is_empty() { "" } else { "\n\n" };
                text = format!("{}{gap}{}", text.trim_end(), self.section_of_requirements());
            }
            text.push_str(&self.content[from..range.start]);
            text.push_str(new);
            from = range.end;
        }
        text.push_str(&self.content[from..]);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    fn section_of_requirements(&self) -> &'static str {
        match self.kind {
            FileKind::Spec => "## Requirements",
            FileKind::Delta => ADDED,
        }
    }

    fn section_range(&self, heading: &str) -> Option<Range<usize>> {
        let text = Text::from_bytes(self.content.as_bytes().to_vec());
        let mut sections = text.hash_lines().filter(|line| is_top_level_section(text.line(*line)));
        let line = sections.by_ref().find(|line| text.line(*line).trim_end() == heading)?;
        let end = sections.next().map_or(text.content().len(), |line| text.offset(line));
        Some(text.offset(line)..end)
    }
}

fn added_range(text: &Text) -> Option<Range<usize>> {
    let mut sections = text.hash_lines().filter(|line| is_top_level_section(text.line(*line)));
    let is_added = |line: &usize| {
        let words: Vec<&str> = text.line(*line)[2..].split_whitespace().collect();
        words.len() == 2 && words[0].eq_ignore_ascii_case("added") && words[1].eq_ignore_ascii_case("requirements")
    };
    let header = sections.by_ref().find(is_added)?;
    Some(header + 1..sections.next().unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_spec() {
        let mut layout = Layout::of("# T\n\n## Purpose\nx\n\n## Requirements\n", FileKind::Spec);
        layout.set_block("A", "### Requirement: A", &[]);
        layout.set_block("B", "### Requirement: B", &["A"]);
        layout.set_section(NOTES[0], "n");
        assert_eq!(
            layout.written(),
            "# T\n\n## Purpose\nx\n\n## Requirements\n\n### Requirement: A\n\n### Requirement: B\n\n## Notes\n\nn\n"
        );
    }

    #[test]
    fn parts_are_replaced_where_they_stand() {
        let spec = "# T\n\n## Requirements\n\n### Requirement: A x\nold\n\n### Requirement: M mine\nm\n\n## Notes\n\no\n\n## More\nz\n";
        let mut layout = Layout::of(spec, FileKind::Spec);
        assert_eq!((layout.head(), layout.section("## Notes")), ("# T", Some("o")));
        layout.set_block("A", "### Requirement: A y\nnew", &[]);
        layout.set_block("B", "### Requirement: B", &["A"]);
        layout.set_section("## Notes", "p");
        assert_eq!(
            layout.written(),
            "# T\n\n## Requirements\n\n### Requirement: A y\nnew\n\n### Requirement: B\n\n### Requirement: M mine\nm\n\n## Notes\n\np\n\n## More\nz\n"
        );
    }

    #[test]
    fn a_section_that_is_missing_is_added() {
        let mut layout = Layout::of("# T\n\nwords\n", FileKind::Spec);
        layout.set_block("A", "### Requirement: A", &[]);
        assert_eq!(layout.written(), "# T\n\nwords\n\n## Requirements\n\n### Requirement: A\n");
        let mut layout = Layout::of("", FileKind::Delta);
        layout.set_block("A", "### Requirement: A", &[]);
        assert_eq!(layout.written(), "## ADDED Requirements\n\n### Requirement: A\n");
    }
}
