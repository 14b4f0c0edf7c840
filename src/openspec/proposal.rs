//! A change's proposal: its title, the sections it must have, and the deltas its prose names.

use std::sync::LazyLock;

use regex::Regex;

use super::delta::Operation;
use super::js;
use super::spec::Outline;
use super::text::Text;

/// A level-1 heading as the reference looks for a title: in the raw file, fences and byte-order mark included. Its
/// white space may run over line ends, so a bare `#` takes its title from a later line.
static TITLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const SPACE: &str = r"[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]";
    const LINE_END: &str = r"\n\r\x{2028}\x{2029}";
    Regex::new(&format!(r"(?:\A|[{LINE_END}])#{SPACE}+(?:(?i:Change:){SPACE}+)?([^{LINE_END}]+)")).ok()
});

/// A parsed `proposal.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its title; none when it has none, or one that names the document rather than the change.
    pub title: Option<String>,
    /// First section called "Why", any level; none when it is empty.
    pub why: Option<String>,
    /// First section called "What Changes", any level; none when it is empty.
    pub what_changes: Option<String>,
}

/// A delta that stands in a proposal's prose: `- **capability:** what happens to it`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProseDelta {
    /// The capability.
    pub capability: String,
    /// Guessed from the words.
    pub operation: Operation,
    /// The words.
    pub description: String,
}

impl Proposal {
    /// Parses a file's bytes.
    pub fn parse(bytes: Vec<u8>) -> Self {
        let title = title(&String::from_utf8_lossy(&bytes)).map(str::to_owned);
        let text = Text::from_bytes(bytes);
        let outline = Outline::new(&text);
        let content = |title| {
            let section = outline.section(outline.find(title)?);
            Some(&text.content()[section.content]).filter(|content| !content.is_empty()).map(str::to_owned)
        };
        Self { title, why: content("why"), what_changes: content("what changes") }
    }

    /// The deltas its prose names. They count only while no spec file of the change has a delta section.
    pub fn deltas(&self) -> Vec<ProseDelta> {
        self.what_changes.iter().flat_map(|content| content.split('\n')).filter_map(prose_delta).collect()
    }
}

fn title(raw: &str) -> Option<&str> {
    let title = js::trim(TITLE.as_ref()?.captures(raw)?.get(1)?.as_str());
    (!title.is_empty() && !title.eq_ignore_ascii_case("proposal")).then_some(title)
}

fn prose_delta(line: &str) -> Option<ProseDelta> {
    let bullet = js::trim_start(line).strip_prefix('-')?;
    let bold = js::trim_start(bullet).strip_prefix("**")?;
    let (capability, rest) = bold.split_at(bold.find(['*', ':']).filter(|end| *end > 0)?);
    let after = rest.strip_prefix(":**").or_else(|| rest.strip_prefix("**:"))?;
    let description = js::trim_start(after);
    if description.is_empty() {
        // White space alone is a description too, as long as it does not end the line for JavaScript.
        after.chars().next_back().filter(|c| !js::is_line_terminator(*c))?;
    } else if description.contains(js::is_line_terminator) {
        return None;
    }
    let description = js::trim(description).to_owned();
    Some(ProseDelta { capability: js::trim(capability).to_owned(), operation: operation(&description), description })
}

/// What a description says is done: the first of renaming, adding, removing that it mentions, else modifying.
///
/// The odd spellings are what the reference's patterns amount to; "renaming" itself is not among them.
fn operation(description: &str) -> Operation {
    const WORDS: [(Operation, &[&str]); 3] = [
        (Operation::Renamed, &["rename", "renames", "renamed", "renameing"]),
        (Operation::Added, &["add", "adds", "added", "adding", "create", "creates", "created", "createing", "new"]),
        (
            Operation::Removed,
            &["remove", "removes", "removed", "removeing", "delete", "deletes", "deleted", "deleteing"],
        ),
    ];
    let lower = description.to_lowercase();
    let mentions = |words: &[&str]| {
        lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| words.contains(&word))
    };
    WORDS.iter().find(|(_, words)| mentions(words)).map_or(Operation::Modified, |(operation, _)| *operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        assert_eq!(title("intro\r\n# Change: Add x \r\n"), Some("Add x"));
        assert_eq!(title("# change:Add x"), Some("change:Add x"));
        assert_eq!(title("## Why\n#\n\n Later\n"), Some("Later"));
        assert_eq!(title("# Change:\n\n## Why\n"), Some("## Why"));
        assert_eq!(title("# Change:\n"), Some("Change:"));
        assert_eq!(title("# PROPOSAL\n# Other"), None);
        assert_eq!(title("\u{feff}# First"), None);
        assert_eq!(title("```\n# comment\n```\n"), Some("comment"));
    }

    #[test]
    fn sections() {
        let proposal =
            Proposal::parse(b"# T\n## why\n\nBecause.\n### more\nx\n## What Changes\n\n## Impact\ny".to_vec());
        assert_eq!(proposal.why.as_deref(), Some("Because.\n### more\nx"));
        assert_eq!(proposal.what_changes, None);
    }

    #[test]
    fn prose() {
        let read = |line| prose_delta(line).map(|delta| (delta.capability, delta.operation, delta.description));
        let delta = |name: &str, operation, words: &str| Some((name.to_owned(), operation, words.to_owned()));
        assert_eq!(read("- **auth:** Add login"), delta("auth", Operation::Added, "Add login"));
        assert_eq!(read(" -** auth **: address it "), delta("auth", Operation::Modified, "address it"));
        assert_eq!(read("- **a:** add, then RENAME"), delta("a", Operation::Renamed, "add, then RENAME"));
        assert_eq!(read("- **a:** drop: deletes x"), delta("a", Operation::Removed, "drop: deletes x"));
        assert_eq!(read("- **a:** "), delta("a", Operation::Modified, ""));
        assert_eq!(read("- **a:**"), None);
        assert_eq!(read("* **a:** b"), None);
        assert_eq!(read("- **a: b** c"), None);
    }
}
