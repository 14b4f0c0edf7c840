//! Reads Spec Kit's `spec.md`: user stories with acceptance scenarios, functional requirements, success criteria.

use std::collections::HashSet;

use self::ending::{finish_item, is_item};
use self::items::{Item, item};
use self::stories::{listed_story, metadata, story};
use super::criteria_list::{CriteriaList, finish};
use super::detect::Kind;
use super::lines::{BOLD, Line, lines, marker, plain};
use super::model::{Criterion, Document, Note, Piece, Requirement};
use super::steps;
use super::vocabulary::{is_acceptance, is_introduction, is_requirements, is_success, subject};
use crate::openspec::text::Text;

mod ending;
mod items;
mod stories;

pub(super) use ending::entitle;

/// The id of acceptance criteria that belong to no story.
const OF_ALL: &str = "AC";

/// Where a line belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Below the title, before any section.
    Top,
    Introduction,
    /// A section that may hold requirements; what is none is a note.
    Section,
    /// Words of a user story.
    Story,
    /// Acceptance scenarios of a story, and the level of the heading above them.
    Scenarios(usize),
    /// Below a requirement with an id, and how far that is indented.
    Item(usize),
}

struct Reader {
    document: Document,
    place: Place,
    /// Level of the open section's heading.
    section: usize,
    /// Whether the open section is one of requirements or success criteria.
    is_demanding: bool,
    /// Level of the open story's heading.
    story: usize,
    used: HashSet<String>,
    input: Vec<String>,
    is_input: bool,
    /// Whether there is anything that only Spec Kit writes.
    is_signed: bool,
}

/// Reads a source, and tells whether it has what only Spec Kit writes: a user story's heading, or a sentence with an id.
pub(super) fn read(text: &Text) -> (Document, bool) {
    let lines = lines(text);
    let document = Document::new(Kind::SpecKit);
    let mut reader = Reader {
        document,
        place: Place::Top,
        section: 0,
        is_demanding: false,
        story: 0,
        used: HashSet::new(),
        input: Vec::new(),
        is_input: false,
        is_signed: false,
    };
    let mut at = front_matter(&lines, &mut reader.document);
    while at < lines.len() {
        at = reader.take(&lines, at);
    }
    let is_signed = reader.is_signed;
    (reader.finish(), is_signed)
}

/// YAML between `---` at the top goes to the notes as it is. The line behind it.
pub(super) fn front_matter(lines: &[Line<'_>], document: &mut Document) -> usize {
    if lines.first().is_none_or(|line| line.text.trim_end() != "---") {
        return 0;
    }
    let Some(end) = lines[1..].iter().position(|line| line.text.trim_end() == "---") else { return 0 };
    let kept = lines[1..=end].iter().map(|line| line.text.trim_end().to_owned()).collect();
    document.notes.push(Note { heading: String::new(), lines: kept });
    end + 2
}

/// Whether a list of scenarios begins at a line, without a heading above it.
fn begins_scenarios(line: &Line<'_>) -> bool {
    let words = marker(line.text).map_or(line.text.trim(), |found| found.rest);
    !line.fenced && line.heading().is_none() && steps::begins_as_criterion(words)
}

impl Reader {
    /// Takes the line at `at`, with those after it that belong together, and tells where to go on.
    fn take(&mut self, lines: &[Line<'_>], at: usize) -> usize {
        let line = &lines[at];
        if let Some((level, title)) = line.heading()
            && self.heading(line, level, title)
        {
            return at + 1;
        }
        if let Some(found) = self.item(line) {
            self.begin_item(line, found);
            return at + 1;
        }
        match self.place {
            Place::Scenarios(_) => return self.scenarios(lines, at),
            Place::Story if begins_scenarios(line) => {
                self.place = Place::Scenarios(BOLD);
                return self.scenarios(lines, at);
            }
            Place::Story => self.text(line),
            Place::Item(indent) => self.below_item(line, indent),
            Place::Top => self.top(line),
            Place::Introduction if line.is_comment => self.document.remark(line.text),
            Place::Introduction => self.document.purpose.push(line.text.trim_end().to_owned()),
            Place::Section => self.section(line),
        }
        at + 1
    }

    /// All lines of a list of scenarios, up to a heading that ends it.
    fn scenarios(&mut self, lines: &[Line<'_>], at: usize) -> usize {
        let Place::Scenarios(label) = self.place else { return at + 1 };
        let level = self.story;
        let is_end = |line: &Line<'_>| match line.heading() {
            Some((deep, title)) => {
                story(&plain(title)).is_some() || is_acceptance(title) || deep <= level || deep <= label && deep < BOLD
            }
            None => self.item(line).is_some(),
        };
        let end = lines[at..].iter().position(is_end).map_or(lines.len(), |index| at + index);
        let Some(requirement) = self.document.requirements.last_mut() else { return at + 1 };
        let mut list = CriteriaList::of(requirement);
        lines[at..end].iter().for_each(|line| list.feed(line));
        end.max(at + 1)
    }

    /// Takes a heading. Tells whether it was one for us.
    fn heading(&mut self, line: &Line<'_>, level: usize, title: &str) -> bool {
        let bare = plain(title);
        let is_in_story = matches!(self.place, Place::Story | Place::Scenarios(_));
        if let Some(found) = items::heading(&bare).filter(|_| !is_in_story || level <= self.story) {
            self.begin_item(line, found);
            return true;
        }
        if let Some((id, title)) = story(&bare).filter(|_| level < BOLD || !is_in_story || self.story == BOLD) {
            self.is_signed = true;
            self.begin_story(line, level, id, title);
            return true;
        }
        if is_acceptance(title) {
            return self.acceptance(line, level, title);
        }
        if is_in_story && level > self.story {
            if level == BOLD {
                return false;
            }
            self.place = Place::Story;
            self.push(Piece::Text(format!("**{bare}**")));
            return true;
        }
        if level == BOLD {
            // Bold text groups what stands below it; above requirements it says no more than a heading does.
            if self.is_demanding && !matches!(self.place, Place::Story | Place::Scenarios(_)) {
                self.note(&bare);
                return true;
            }
            return false;
        }
        if level == 1 && self.document.title.is_empty() && self.document.headings.is_empty() {
            self.document.title = subject(title).to_owned();
            self.document.headings.push(title.to_owned());
        } else if is_introduction(title) && self.document.requirements.is_empty() {
            self.place = Place::Introduction;
            self.document.headings.push(title.to_owned());
        } else {
            let is_below = self.is_demanding && level > self.section;
            self.is_demanding = is_below || is_requirements(title) || is_success(title);
            if !is_below {
                self.section = level;
            }
            self.note(title);
        }
        self.is_input = false;
        true
    }

    /// The heading of a list of acceptance scenarios: of the open story, or of the feature as a whole.
    fn acceptance(&mut self, line: &Line<'_>, level: usize, title: &str) -> bool {
        let is_in_story = matches!(self.place, Place::Story | Place::Scenarios(_));
        let last_is_story = self.document.requirements.last().is_some_and(|last| last.id.starts_with("US"));
        if !is_in_story && !last_is_story {
            if level == BOLD && !self.is_demanding && self.place != Place::Section {
                return false;
            }
            self.begin_story(line, level, Some(OF_ALL.to_owned()), plain(title));
            self.place = Place::Scenarios(level);
            return true;
        } else if level < BOLD && level < self.story {
            self.story = level;
        }
        self.place = Place::Scenarios(level);
        self.push(Piece::Text(format!("**{}:**", plain(title))));
        true
    }

    fn begin_story(&mut self, line: &Line<'_>, level: usize, id: Option<String>, title: String) {
        let (title, more) = metadata(&title);
        let body = more.map(Piece::Text).into_iter().collect();
        let stories = self.document.requirements.iter().filter(|known| known.id.starts_with("US")).count();
        let known = id.as_ref().and_then(|id| self.document.requirements.iter().position(|known| known.id == *id));
        // Named in a list before, and told here.
        if let Some(at) = known.filter(|at| self.document.requirements[*at].title.is_empty()) {
            let mut story = self.document.requirements.remove(at);
            story.title = title;
            story.body.extend(body);
            self.document.requirements.push(story);
        } else {
            let id = self.unique(id.unwrap_or_else(|| format!("US{}", stories + 1)));
            let requirement = Requirement { id, title, line: line.number, body, ..Requirement::default() };
            self.document.requirements.push(requirement);
        }
        (self.place, self.story, self.is_demanding) = (Place::Story, level, false);
    }

    /// A requirement with an id, where one may stand.
    fn item<'t>(&self, line: &Line<'t>) -> Option<Item<'t>> {
        let found = if line.fenced { None } else { item(line.text) }?;
        let is_demand = found.is_demand();
        let is_here = match self.place {
            Place::Story | Place::Scenarios(_) => is_demand && line.indent() == 0,
            Place::Top | Place::Introduction => is_demand,
            Place::Section | Place::Item(_) => is_demand || self.is_demanding,
        };
        is_here.then_some(found)
    }

    fn begin_item(&mut self, line: &Line<'_>, found: Item<'_>) {
        self.is_signed = true;
        let id = self.unique(found.id.clone());
        let mut requirement = Requirement { id: id.clone(), line: line.number, ..Requirement::default() };
        requirement.title = found.title.to_owned();
        let criterion = Criterion { id, line: line.number, lines: vec![found.text.to_owned()], ..Criterion::default() };
        requirement.criteria.push(criterion);
        self.document.requirements.push(requirement);
        self.place = Place::Item(line.indent());
    }

    /// What stands below a requirement with an id: its own when it is indented or follows at once.
    fn below_item(&mut self, line: &Line<'_>, indent: usize) {
        if line.is_comment && line.indent() <= indent {
            self.section(line);
            return;
        }
        let is_blank = line.is_blank() && !line.fenced;
        let Some(criterion) = self.document.requirements.last_mut().and_then(|last| last.criteria.last_mut()) else {
            return;
        };
        let is_empty = criterion.lines.iter().all(|line| line.trim().is_empty());
        let was_blank = !is_empty && criterion.lines.last().is_some_and(String::is_empty);
        let is_table = line.text.trim_start().starts_with('|');
        let is_list = super::lines::marker(line.text).is_some();
        if is_blank
            || line.fenced
            || is_empty
            || line.indent() > indent
            || !was_blank && !is_table && !is_list && !line.is_rule()
        {
            let text = line.text.trim();
            let deeper = line.indent().saturating_sub(indent).max(2);
            criterion.lines.push(if is_blank { String::new() } else { format!("{}{text}", " ".repeat(deeper)) });
            return;
        }
        self.place = Place::Section;
        self.section(line);
    }

    fn section(&mut self, line: &Line<'_>) {
        if let Some((id, title)) = listed_story(line) {
            self.is_signed = true;
            self.begin_story(line, BOLD, Some(id), String::new());
            self.push(Piece::Text(title));
            self.place = Place::Section;
            return;
        }
        if line.is_rule() {
            return;
        }
        if self.document.notes.is_empty() {
            self.document.notes.push(Note::default());
        }
        if let Some(note) = self.document.notes.last_mut() {
            note.lines.push(line.text.trim_end().to_owned());
        }
    }

    /// Lines below the title: what was asked for tells what the feature is for, the rest is about the document.
    fn top(&mut self, line: &Line<'_>) {
        let text = line.text.trim_end().to_owned();
        if stories::is_metadata(&text) {
            self.is_input = stories::is_input(&text);
        }
        if self.is_input {
            self.input.push(text);
        } else {
            self.section(line);
        }
    }

    fn note(&mut self, heading: &str) {
        self.document.notes.push(Note { heading: heading.to_owned(), lines: Vec::new() });
        self.place = Place::Section;
    }

    fn text(&mut self, line: &Line<'_>) {
        if !line.is_rule() {
            self.push(Piece::Text(line.text.trim_end().to_owned()));
        }
    }

    fn push(&mut self, piece: Piece) {
        if let Some(requirement) = self.document.requirements.last_mut() {
            requirement.body.push(piece);
        }
    }

    fn unique(&mut self, id: String) -> String {
        let first = id.clone();
        let (mut id, mut again) = (id, 1);
        while !self.used.insert(id.to_lowercase()) {
            again += 1;
            id = format!("{first}-{again}");
        }
        id
    }

    fn finish(self) -> Document {
        let mut document = self.document;
        let has_purpose = document.purpose.iter().any(|line| !line.trim().is_empty());
        if has_purpose {
            document.notes.insert(0, Note { heading: String::new(), lines: self.input });
        } else {
            document.purpose = self.input;
        }
        for requirement in &mut document.requirements {
            if is_item(requirement) {
                finish_item(requirement);
            } else {
                finish(requirement);
                let number = requirement.id.trim_start_matches("US");
                requirement.sentence = Some(match requirement.id.as_str() {
                    OF_ALL => "The system MUST satisfy these acceptance criteria.".to_owned(),
                    _ => format!("The system MUST satisfy the acceptance scenarios of user story {number}."),
                });
                entitle(requirement);
            }
        }
        document
    }
}

#[cfg(test)]
mod tests;
