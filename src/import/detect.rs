//! Tells which tool a source was written for, and reads it.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::leftover;
use super::lines::{Line, lines};
use super::model::{Document, Mark, Note, Piece, Requirement};
use super::{kiro, speckit};
use crate::openspec::text::Text;

/// Sources above this size are refused: nobody wrote them.
pub const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// A tool whose requirements can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Kiro's `requirements.md`.
    Kiro,
    /// Spec Kit's `spec.md`.
    #[value(name = "speckit", alias = "spec-kit")]
    SpecKit,
}

impl Kind {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kiro => "Kiro",
            Self::SpecKit => "Spec Kit",
        }
    }

    /// What of it was looked for in a source.
    fn looked_for(self) -> &'static str {
        match self {
            Self::Kiro => "a heading such as `### Requirement 1: …` with `#### Acceptance Criteria` below it",
            Self::SpecKit => "`- **FR-001**: …`, or `### User Story 1 - …` with acceptance scenarios below it",
        }
    }

    /// Whether a file of that name is written for it.
    fn is_named(self, path: &str) -> bool {
        let path = path.replace('\\', "/");
        match self {
            Self::Kiro => path.contains(".kiro/") || path.ends_with("requirements.md"),
            Self::SpecKit => path.contains(".specify/") || path == "spec.md" || path.ends_with("/spec.md"),
        }
    }
}

/// Why a source cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRead {
    /// Some bytes are not UTF-8; the 1-based line of the first.
    #[error("line {0} is not UTF-8")]
    NotUtf8(usize),
    /// A NUL byte, which no spec may have; its 1-based line.
    #[error("there is a NUL byte on line {0}")]
    Nul(usize),
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It is of neither kind.
    #[error("this is neither Kiro's requirements nor a Spec Kit spec: there is neither {}, nor {}", Kind::Kiro.looked_for(), Kind::SpecKit.looked_for())]
    Neither,
    /// It is not of the kind that was asked for.
    #[error("nothing in it is of {}: {} was looked for", .0.name(), .0.looked_for())]
    NotOf(Kind),
}

/// Reads a source. Without a kind, the one of which there is more in it is taken; its name decides when that is even.
///
/// # Errors
/// When it is empty, not UTF-8, or holds no requirement of that kind.
pub fn read(bytes: Vec<u8>, path: &str, kind: Option<Kind>) -> Result<Document, NotRead> {
    if let Err(error) = std::str::from_utf8(&bytes) {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        return Err(NotRead::NotUtf8(before.iter().filter(|byte| **byte == b'\n').count() + 1));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(NotRead::Nul(bytes.iter().take(at).filter(|byte| **byte == b'\n').count() + 1));
    }
    let text = Text::from_bytes(bytes);
    if text.content().trim().is_empty() {
        return Err(NotRead::Empty);
    }
    let one = |wanted: Kind| {
        let (document, is_signed) = match wanted {
            Kind::Kiro => (kiro::read(&text), true),
            Kind::SpecKit => speckit::read(&text),
        };
        // Acceptance criteria alone are enough where the name says whose they are, unless they are plainly another's.
        let is_named = kind == Some(wanted) || kind.is_none() && wanted.is_named(path);
        let is_it = is_signed || is_named && kiro::read(&text).requirements.is_empty();
        (is_it && !document.requirements.is_empty()).then_some(document)
    };
    let found = match kind {
        Some(kind) => one(kind).ok_or(NotRead::NotOf(kind))?,
        None => {
            let weight = |document: &Document| {
                let named = usize::from(document.kind.is_named(path));
                (document.criteria(), document.requirements.len(), named)
            };
            let both = [Kind::Kiro, Kind::SpecKit].into_iter().filter_map(one);
            both.max_by_key(weight).ok_or(NotRead::Neither)?
        }
    };
    Ok(completed(found, &text))
}

/// The last touches that are the same for all kinds.
fn completed(mut document: Document, text: &Text) -> Document {
    trim(&mut document.purpose);
    for note in &mut document.notes {
        trim(&mut note.lines);
    }
    let (empty, full): (Vec<Note>, Vec<Note>) =
        std::mem::take(&mut document.notes).into_iter().partition(|note| note.lines.is_empty());
    document.headings.extend(empty.into_iter().map(|note| note.heading).filter(|heading| !heading.is_empty()));
    document.notes = full;
    let (empty, full): (Vec<Requirement>, Vec<Requirement>) =
        std::mem::take(&mut document.requirements).into_iter().partition(Requirement::is_empty);
    document.empty = empty.into_iter().map(|empty| Mark { line: empty.line, text: empty.id }).collect();
    document.requirements = full;
    for requirement in &mut document.requirements {
        let is_blank = |piece: &Piece| matches!(piece, Piece::Text(text) if text.trim().is_empty());
        while requirement.body.last().is_some_and(is_blank) {
            requirement.body.pop();
        }
        while requirement.body.first().is_some_and(is_blank) {
            requirement.body.remove(0);
        }
        requirement.body.dedup_by(|one, other| is_blank(one) && is_blank(other));
    }
    document.marks = marks(text);
    leftover::rescue(&mut document, text);
    document
}

fn trim(lines: &mut Vec<String>) {
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !line.trim().is_empty()).unwrap_or(lines.len());
    lines.drain(..first);
}

static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\[\s*NEEDS?[ _-]CLARIFICATION[^\]]*\]?").ok());

fn marks(text: &Text) -> Vec<Mark> {
    let Some(pattern) = MARK.as_ref() else { return Vec::new() };
    let of_line = |line: Line<'_>| {
        let mark = |found: regex::Match<'_>| Mark { line: line.number, text: found.as_str().to_owned() };
        pattern.find_iter(line.text).map(mark).collect::<Vec<_>>()
    };
    lines(text).into_iter().filter(|line| !line.fenced).flat_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIRO: &str = "### Requirement 1\n#### Acceptance Criteria\n1. WHEN a THEN the system SHALL b\n";
    const SPEC_KIT: &str = "## Requirements\n- **FR-001**: System MUST a [NEEDS CLARIFICATION: b?]\n";

    fn kind(source: &str, path: &str) -> Result<Kind, NotRead> {
        read(source.as_bytes().to_vec(), path, None).map(|document| document.kind)
    }

    #[test]
    fn what_is_in_a_file_tells_its_kind() {
        assert_eq!(kind(KIRO, "x.md"), Ok(Kind::Kiro));
        assert_eq!(kind(SPEC_KIT, "requirements.md"), Ok(Kind::SpecKit));
        assert_eq!(kind("# Readme\n\nWords.\n", "x.md"), Err(NotRead::Neither));
        assert_eq!(kind(" \n", "x.md"), Err(NotRead::Empty));
        assert_eq!(read(b"a\n\xff".to_vec(), "x.md", None), Err(NotRead::NotUtf8(2)));
        assert_eq!(read(b"a\0".to_vec(), "x.md", None), Err(NotRead::Nul(1)));
        assert_eq!(read(KIRO.into(), "x.md", Some(Kind::SpecKit)).map(|_| ()), Err(NotRead::NotOf(Kind::SpecKit)));
    }

    #[test]
    fn marks_are_found_with_their_lines() {
        let document = read(SPEC_KIT.into(), "x.md", None);
        let marks = document.map(|document| document.marks).unwrap_or_default();
        assert_eq!(marks, [Mark { line: 2, text: "[NEEDS CLARIFICATION: b?]".to_owned() }]);
    }
}
