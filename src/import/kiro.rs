//! Reads Kiro's `requirements.md`: requirements with a user story and numbered acceptance criteria in EARS.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::criteria_list::{CriteriaList, finish};
use super::detect::Kind;
use super::lines::{BOLD, Line, lines, marker, plain};
use super::model::{Document, Note, Piece, Requirement};
use super::speckit::{entitle, front_matter};
use super::steps;
use super::vocabulary::{is_acceptance, is_introduction, subject};
use crate::openspec::text::Text;

/// Words for "requirement", and the id they stand for.
const WORDS: &str = concat!(
    r"non[- ]functional\s+requirement|nfr|(?:functional\s+)?requirement|req|r|requisito(?:\s+funcional)?|requerimiento",
    r"|需求|要件|要求|요구사항|요구\s*사항|exigence|anforderung|requisito|vereiste|wymaganie|требование|вимога|gereksinim|yêu\s+cầu|persyaratan"
);

/// `Requirement 1: Title` in many words, and `1. Title`.
static REQUIREMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)^(?:({WORDS})\s*[-#№]?\s*([A-Z]{{0,6}}-?\d+(?:[.\-]\d+)*[a-z]?)?\s*(?:[:：.)、\-–—|]\s*(.*)|\s+(\S.*)|[（(].*)?)$"
    ))
    .ok()
});

static NUMBERED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^(\d+(?:\.\d+)*)[.)、:：]?\s+(\S.*)$").ok());

/// Where a line belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Below the title, before any section.
    Top,
    Introduction,
    Note,
    /// Words of a requirement.
    Body,
    /// Criteria of a requirement, and the level of the heading above them.
    Criteria(usize),
}

struct Reader {
    document: Document,
    place: Place,
    /// Level of the open requirement's heading.
    level: usize,
    used: HashSet<String>,
    labels: HashSet<String>,
}

/// Reads a source.
pub(super) fn read(text: &Text) -> Document {
    let lines = lines(text);
    let document = Document::new(Kind::Kiro);
    let (used, labels) = (HashSet::new(), HashSet::new());
    let mut reader = Reader { document, place: Place::Top, level: 0, used, labels };
    let mut at = front_matter(&lines, &mut reader.document);
    while at < lines.len() {
        at = reader.take(&lines, at);
    }
    let mut document = reader.document;
    for requirement in &mut document.requirements {
        finish(requirement);
        entitle(requirement);
    }
    document
}

impl Reader {
    /// Takes the line at `at`, with those after it that belong together, and tells where to go on.
    fn take(&mut self, lines: &[Line<'_>], at: usize) -> usize {
        let line = &lines[at];
        if let Some((level, title)) = line.heading()
            && self.heading(lines, at, level, title)
        {
            return at + 1;
        }
        match self.place {
            Place::Criteria(_) => return self.criteria(lines, at),
            Place::Body => {
                if self.begins_criteria(line) {
                    self.place = Place::Criteria(BOLD);
                    return self.criteria(lines, at);
                }
                if self.is_plain_label(line) {
                    self.label(line.text.trim(), BOLD);
                } else {
                    self.body(line);
                }
            }
            Place::Top | Place::Introduction if line.is_comment => self.document.remark(line.text),
            Place::Top | Place::Introduction => push(&mut self.document.purpose, line),
            Place::Note => {
                if let Some(note) = self.document.notes.last_mut() {
                    push(&mut note.lines, line);
                }
            }
        }
        at + 1
    }

    /// All lines of a list of criteria, up to a heading that ends it.
    fn criteria(&mut self, lines: &[Line<'_>], at: usize) -> usize {
        let Place::Criteria(label) = self.place else { return at + 1 };
        let level = self.level;
        let is_end = |(index, line): (usize, &Line<'_>)| {
            let (deep, title) = line.heading()?;
            let is_requirement = self.requirement(lines, at + index, deep, title).is_some();
            (is_requirement || is_acceptance(title) || deep <= level || deep <= label && deep < BOLD).then_some(index)
        };
        let end = lines[at..].iter().enumerate().find_map(is_end).map_or(lines.len(), |index| at + index);
        let Some(requirement) = self.document.requirements.last_mut() else { return at + 1 };
        let mut list = CriteriaList::of(requirement);
        lines[at..end].iter().for_each(|line| list.feed(line));
        end.max(at + 1)
    }

    /// Takes a heading. Tells whether it was one for us.
    fn heading(&mut self, lines: &[Line<'_>], at: usize, level: usize, title: &str) -> bool {
        if let Some((id, title, label)) = self.requirement(lines, at, level, title) {
            self.begin(lines[at].number, level, id, title, label);
            return true;
        }
        let is_inside = matches!(self.place, Place::Body | Place::Criteria(_));
        if is_inside && is_acceptance(title) {
            self.label(title, level);
            return true;
        }
        if is_inside && level > self.level {
            if level == BOLD {
                return false;
            }
            self.place = Place::Body;
            self.text(format!("**{}**", plain(title)));
            return true;
        }
        if level == BOLD {
            return false;
        }
        if level == 1 && self.place == Place::Top && self.document.title.is_empty() && self.document.headings.is_empty()
        {
            self.document.title = subject(title).to_owned();
            self.document.headings.push(title.to_owned());
        } else if is_introduction(title) && self.document.requirements.is_empty() {
            self.place = Place::Introduction;
            self.document.headings.push(title.to_owned());
        } else {
            self.place = Place::Note;
            self.document.notes.push(Note { heading: title.to_owned(), lines: Vec::new() });
        }
        true
    }

    /// Id, title and word for "requirement" when a heading is that of one.
    fn requirement(
        &self,
        lines: &[Line<'_>],
        at: usize,
        level: usize,
        title: &str,
    ) -> Option<(Option<String>, String, String)> {
        let bare = plain(title);
        // Bold text is no heading below real headings of requirements.
        if level == BOLD && self.level < BOLD && !self.document.requirements.is_empty() && self.place != Place::Note {
            return None;
        }
        if let Some(found) = REQUIREMENT.as_ref().and_then(|pattern| pattern.captures(&bare)) {
            let word = found[1].to_owned();
            let number = found.get(2).map(|number| number.as_str().to_owned());
            let title = found.get(3).or(found.get(4)).map_or("", |title| title.as_str()).trim().to_owned();
            let is_numbered = number.is_some();
            let is_section = !is_numbered && (title.is_empty() || !has_criteria(lines, at));
            if !is_section {
                let is_quality = word.to_lowercase().starts_with('n');
                let id = number.map(|number| format!("{} {number}", if is_quality { "NFR" } else { "REQ" }));
                return Some((id, title, word));
            }
        }
        let found = NUMBERED.as_ref()?.captures(&bare)?;
        let is_it = level < BOLD && !is_acceptance(&found[2]) && has_criteria(lines, at);
        is_it.then(|| (Some(format!("REQ {}", &found[1])), found[2].to_owned(), String::new()))
    }

    fn begin(&mut self, line: usize, level: usize, id: Option<String>, title: String, label: String) {
        let next = self.document.requirements.len() + 1;
        let mut id = id.unwrap_or_else(|| format!("REQ {next}"));
        let first = id.clone();
        let mut again = 1;
        while !self.used.insert(id.to_lowercase()) {
            again += 1;
            id = format!("{first}-{again}");
        }
        let is_known = ["", "requirement", "req", "nfr"].contains(&label.to_lowercase().as_str());
        if !is_known && self.labels.insert(label.to_lowercase()) {
            self.document.headings.push(label);
        }
        self.document.requirements.push(Requirement { id, title, line, ..Requirement::default() });
        (self.place, self.level) = (Place::Body, level);
    }

    /// The heading of a list of criteria.
    fn label(&mut self, title: &str, level: usize) {
        self.place = Place::Criteria(level);
        self.text(format!("**{}:**", plain(title)));
    }

    /// A line that is nothing but the words for "acceptance criteria".
    fn is_plain_label(&self, line: &Line<'_>) -> bool {
        let text = line.text.trim();
        !line.fenced && text.ends_with([':', '：']) && text.chars().count() < 40 && is_acceptance(text)
    }

    /// Whether a list of criteria begins without a heading.
    fn begins_criteria(&self, line: &Line<'_>) -> bool {
        let found = if line.fenced { None } else { marker(line.text) };
        found.is_some_and(|found| found.is_numbered && steps::begins_as_criterion(found.rest))
            || !line.fenced && line.heading().is_none() && steps::begins_as_criterion(line.text.trim())
    }

    fn body(&mut self, line: &Line<'_>) {
        if line.is_rule() {
            return;
        }
        self.text(line.text.trim_end().to_owned());
    }

    fn text(&mut self, text: String) {
        if let Some(requirement) = self.document.requirements.last_mut() {
            requirement.body.push(Piece::Text(text));
        }
    }
}

/// Whether there are acceptance criteria between this heading and the next that has a number.
fn has_criteria(lines: &[Line<'_>], at: usize) -> bool {
    let Some((level, _)) = lines[at].heading() else { return false };
    for line in &lines[at + 1..] {
        if let Some((deep, title)) = line.heading() {
            if is_acceptance(title) && deep > level {
                return true;
            }
            let is_next =
                deep < BOLD && (deep <= level || NUMBERED.as_ref().is_some_and(|found| found.is_match(&plain(title))));
            if is_next {
                return false;
            }
        } else if !line.fenced && is_acceptance(line.text) && line.text.trim().ends_with([':', '：']) {
            return true;
        }
    }
    false
}

/// Whether a word is one for "requirement" with its number and nothing else, as `要件1`.
pub(super) fn is_numbered_word(word: &str) -> bool {
    let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
    bare.len() < word.len() && !bare.is_ascii() && REQUIREMENT.as_ref().is_some_and(|pattern| pattern.is_match(word))
}

fn push(target: &mut Vec<String>, line: &Line<'_>) {
    if !line.is_rule() {
        target.push(line.text.trim_end().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        let document = read(&Text::from_bytes(source.as_bytes().to_vec()));
        let one = |requirement: &Requirement| {
            let criteria: Vec<&str> = requirement.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
            format!("{} {}: {}", requirement.id, requirement.title, criteria.join(", "))
        };
        document.requirements.iter().map(one).collect()
    }

    #[test]
    fn headings_of_requirements() {
        let criteria = "**User Story:** x\n\n#### Acceptance Criteria\n\n1. WHEN a THEN the system SHALL b\n";
        for (heading, expected) in [
            ("### Requirement 1: Sign in", "REQ 1 Sign in: REQ 1.1"),
            ("### Requirement 1", "REQ 1 : REQ 1.1"),
            ("## Requirement 2 - Sign in", "REQ 2 Sign in: REQ 2.1"),
            ("### 1. Sign in", "REQ 1 Sign in: REQ 1.1"),
            ("### REQ-1", "REQ 1 : REQ 1.1"),
            ("### REQ-001: Sign in", "REQ 001 Sign in: REQ 001.1"),
            ("**Requirement 1: Sign in**", "REQ 1 Sign in: REQ 1.1"),
            ("### 需求 1：登录", "REQ 1 登录: REQ 1.1"),
            ("### 要件1", "REQ 1 : REQ 1.1"),
            ("### Requisito 3: Entrar", "REQ 3 Entrar: REQ 3.1"),
            ("### Requirement: Sign in", "REQ 1 Sign in: REQ 1.1"),
            ("### NFR 1: Speed", "NFR 1 Speed: NFR 1.1"),
            ("### R3: Sign in", "REQ 3 Sign in: REQ 3.1"),
        ] {
            assert_eq!(found(&format!("# T\n\n## Requirements\n\n{heading}\n\n{criteria}")), [expected], "{heading}");
        }
    }

    #[test]
    fn labels_in_other_words() {
        for label in
            ["**Acceptance Criteria:**", "Acceptance Criteria:", "#### 验收标准", "##### Critérios de Aceitação"]
        {
            assert_eq!(found(&format!("## Requirement 1\n{label}\n1. a\n2. b\n")), ["REQ 1 : REQ 1.1, REQ 1.2"]);
        }
        assert_eq!(found("### Requirement 1\n1. WHEN a THEN the system SHALL b\n2. c\n"), ["REQ 1 : REQ 1.1, REQ 1.2"]);
    }

    #[test]
    fn sections_that_are_no_requirements() {
        let source = "# Requirements Document\n\nTop.\n\n## Introduction\n\nIntro.\n\n## Glossary\n\n- **A**: b\n\n## Requirements\n\n### Requirement 1\n\n#### Acceptance Criteria\n\n1. a\n\n## Out of Scope\n\n- c\n";
        let document = read(&Text::from_bytes(source.as_bytes().to_vec()));
        assert_eq!(document.purpose.join(" ").split_whitespace().collect::<Vec<_>>(), ["Top.", "Intro."]);
        let notes: Vec<&str> = document.notes.iter().map(|note| note.heading.as_str()).collect();
        assert_eq!(notes, ["Glossary", "Requirements", "Out of Scope"]);
        assert_eq!(document.noted_lines(), 2);
    }

    #[test]
    fn the_same_number_twice() {
        let source =
            "### Requirement 1\n#### Acceptance Criteria\n1. a\n### Requirement 1\n#### Acceptance Criteria\n1. b\n";
        assert_eq!(found(source), ["REQ 1 : REQ 1.1", "REQ 1-2 : REQ 1-2.1"]);
    }

    #[test]
    fn code_is_no_structure() {
        let source = "### Requirement 1\n```md\n### Requirement 2\n```\n#### Acceptance Criteria\n1. a\n   ```\n   2. b\n   ```\n";
        assert_eq!(found(source), ["REQ 1 : REQ 1.1"]);
    }
}
