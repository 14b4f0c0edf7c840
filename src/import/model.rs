//! What a source says, whatever tool it was written for.

use super::detect::Kind;

/// A source as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Which tool it was written for.
    pub kind: Kind,
    /// What it is about; empty when its title only says what kind of document it is.
    pub title: String,
    /// What it is for: the lines of its introduction.
    pub purpose: Vec<String>,
    /// What it demands, in order. No two have the same id.
    pub requirements: Vec<Requirement>,
    /// What has no place in a spec, in order.
    pub notes: Vec<Note>,
    /// Headings that only told what stands below them.
    pub headings: Vec<String>,
    /// Places where the source says that something is still to be decided.
    pub marks: Vec<Mark>,
    /// Ids that stand alone: nothing is demanded behind them.
    pub empty: Vec<Mark>,
}

impl Document {
    /// A source of which nothing is read yet.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            title: String::new(),
            purpose: Vec::new(),
            requirements: Vec::new(),
            notes: Vec::new(),
            headings: Vec::new(),
            marks: Vec::new(),
            empty: Vec::new(),
        }
    }

    /// Keeps a line that says nothing about the subject: it goes to the notes.
    pub fn remark(&mut self, line: &str) {
        if self.notes.first().is_none_or(|note| !note.heading.is_empty()) {
            self.notes.insert(0, Note::default());
        }
        if let Some(note) = self.notes.first_mut() {
            note.lines.push(line.trim_end().to_owned());
        }
    }

    /// How many criteria there are in all.
    pub fn criteria(&self) -> usize {
        self.requirements.iter().map(|requirement| requirement.criteria.len()).sum()
    }

    /// How many lines have no place in a spec. Headings and empty lines do not count.
    pub fn noted_lines(&self) -> usize {
        self.notes.iter().flat_map(|note| &note.lines).filter(|line| !line.trim().is_empty()).count()
    }
}

/// Something a source demands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requirement {
    /// As the source has it: `REQ 1`, `FR-001`, `US1`.
    pub id: String,
    /// Its title without the id; may be empty.
    pub title: String,
    /// 1-based line of the source.
    pub line: usize,
    /// Its words, in order.
    pub body: Vec<Piece>,
    /// A sentence with MUST that the source lacks, for a requirement that only has criteria.
    pub sentence: Option<String>,
    /// What is demanded in detail.
    pub criteria: Vec<Criterion>,
}

impl Requirement {
    /// Whether it is an id with a criterion of its own and no word.
    pub fn is_empty(&self) -> bool {
        let is_bare = |criterion: &Criterion| criterion.id == self.id && criterion.sentence.is_empty();
        self.title.is_empty() && self.criteria.iter().any(is_bare)
    }
}

/// A part of a requirement's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A line.
    Text(String),
    /// A criterion, by its place in [`Requirement::criteria`].
    Criterion(usize),
}

/// Something that can be seen to hold or not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Criterion {
    /// As the source has it: `REQ 1.2`, `US1.2`, `FR-001`.
    pub id: String,
    /// A few words for a heading.
    pub name: String,
    /// Its sentence on one line.
    pub sentence: String,
    /// The lines of the source without the list's mark, those below indented.
    pub lines: Vec<String>,
    /// Its sentence in steps.
    pub steps: Vec<Step>,
    /// 1-based line of the source.
    pub line: usize,
}

/// A step of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// GIVEN, WHEN, THEN or AND.
    pub keyword: &'static str,
    /// What follows.
    pub text: String,
}

/// Lines that have no place in a spec.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Note {
    /// The heading above them; empty when there is none.
    pub heading: String,
    /// The lines.
    pub lines: Vec<String>,
}

/// A place where something is still to be decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// 1-based line of the source.
    pub line: usize,
    /// The mark with its brackets, as far as it stands on that line; the id of a requirement without words.
    pub text: String,
}
