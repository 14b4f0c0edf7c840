//! A requirement block cut into what it demands: sentences, tables, scenarios with steps, notes.

use super::demand::is_normative;
use super::script::is_ideographic;
use super::sentences;
use super::words::Words;
use crate::openspec::heading::{heading, is_scenario, scenario_name, section_break};
use crate::openspec::js;
use crate::openspec::text::FenceTracker;

/// One thing a block says.
#[derive(Debug, Clone)]
pub struct Unit {
    /// 0-based line, counted from the block's header.
    pub line: usize,
    /// As written, on one line, without the list marker.
    pub text: String,
    /// Its words.
    pub words: Words,
    /// What part of a scenario it is.
    pub class: Class,
    /// Whether it demands something, or is an item of a list that does.
    pub is_normative: bool,
}

impl Unit {
    fn new(line: usize, text: String, class: Class, is_normative: bool) -> Self {
        Self { line, words: Words::of(&text), text, class, is_normative }
    }
}

/// The part a step plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Before it starts.
    Given,
    /// What happens.
    When,
    /// What must come of it.
    Then,
    /// Not told in a language we know.
    Unknown,
}

/// A `####` of a block.
#[derive(Debug)]
pub struct Scenario {
    /// Its name, as the merge compares it.
    pub name: String,
    /// 0-based line, counted from the block's header.
    pub line: usize,
    /// Its steps, or its paragraphs when it has none.
    pub steps: Vec<Unit>,
}

/// Rows of one table, without its rule.
#[derive(Debug)]
pub struct Table {
    /// The scenario it stands in, by its place among the scenarios.
    pub scenario: Option<usize>,
    /// The rows.
    pub rows: Vec<Unit>,
}

/// A block, cut.
#[derive(Debug, Default)]
pub struct Parts {
    /// Sentences and list items before the first scenario.
    pub body: Vec<Unit>,
    /// Tables anywhere.
    pub tables: Vec<Table>,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
    /// What stands behind a scenario's steps, or under a heading that is neither requirement nor scenario.
    pub notes: Vec<Unit>,
}

impl Parts {
    /// Cuts a block.
    pub fn of(raw: &str) -> Self {
        let mut cutter = Cutter::default();
        let mut fences = FenceTracker::default();
        let mut in_comment = false;
        for (line, written) in raw.split('\n').enumerate().skip(1) {
            if !in_comment && fences.feed(written) {
                cutter.flush();
                continue;
            }
            let visible = without_comments(written, &mut in_comment);
            cutter.line(line, &visible);
        }
        cutter.flush();
        cutter.parts
    }

    /// Everything but scenario names.
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        let steps = self.scenarios.iter().flat_map(|scenario| &scenario.steps);
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        self.body.iter().chain(steps).chain(&self.notes).chain(rows)
    }
}

/// Drops `<!-- … -->`, over several lines too: what is in it is read by nobody.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let (mut visible, mut rest) = (String::new(), line);
    loop {
        let mark = if *in_comment { "-->" } else { "<!--" };
        let Some(at) = rest.find(mark) else { break };
        if !*in_comment {
            visible.push_str(&rest[..at]);
        }
        rest = &rest[at + mark.len()..];
        *in_comment = !*in_comment;
    }
    if !*in_comment {
        visible.push_str(rest);
    }
    visible
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Area {
    #[default]
    Body,
    Scenario,
    /// Below a heading that is no part of a requirement.
    Foreign,
}

/// A paragraph or list item that may go on.
#[derive(Debug)]
struct Open {
    line: usize,
    text: String,
    is_item: bool,
    is_step: bool,
    is_indented: bool,
}

#[derive(Default)]
struct Cutter {
    parts: Parts,
    area: Area,
    open: Option<Open>,
    is_after_blank: bool,
    in_table: bool,
    /// Whether the paragraph before a list demands something and ends with a colon.
    introduces: bool,
    class: Option<Class>,
}

impl Cutter {
    fn line(&mut self, line: usize, written: &str) {
        let trimmed = js::trim(written);
        let was_table = std::mem::take(&mut self.in_table);
        if let Some(level) = section_break(written) {
            self.flush();
            self.heading(line, level, written);
        } else if trimmed.is_empty() || is_rule(trimmed) {
            self.flush();
            self.is_after_blank = true;
        } else if trimmed.starts_with('|') {
            self.flush();
            self.in_table = true;
            if !was_table {
                let scenario =
                    (self.area == Area::Scenario).then(|| self.parts.scenarios.len().checked_sub(1)).flatten();
                self.parts.tables.push(Table { scenario, rows: Vec::new() });
            }
            let is_text = trimmed.chars().any(char::is_alphanumeric);
            if let (true, Some(table)) = (is_text, self.parts.tables.last_mut()) {
                table.rows.push(Unit::new(line, trimmed.to_owned(), Class::Unknown, false));
            }
        } else {
            self.prose(line, written, trimmed);
        }
    }

    fn heading(&mut self, line: usize, level: usize, written: &str) {
        (self.is_after_blank, self.introduces, self.class) = (false, false, None);
        if is_scenario(written) {
            self.area = Area::Scenario;
            let name = scenario_name(written).to_owned();
            self.parts.scenarios.push(Scenario { name, line, steps: Vec::new() });
        } else if level <= 3 {
            self.area = Area::Foreign;
            let title = heading(written).map_or("", |(_, title)| title);
            if !title.is_empty() {
                self.parts.notes.push(Unit::new(line, js::trim(written).to_owned(), Class::Unknown, false));
            }
        }
    }

    fn prose(&mut self, line: usize, written: &str, trimmed: &str) {
        let quoted = js::trim_start(trimmed.trim_start_matches('>'));
        let item = without_marker(quoted);
        let text = item.unwrap_or(quoted);
        let is_step = step_class(text).is_some();
        if item.is_some() || is_step {
            self.flush();
        }
        if let Some(open) = &mut self.open {
            open.text.push(' ');
            open.text.push_str(text);
            return;
        }
        let is_indented = written.starts_with([' ', '\t']);
        self.open = Some(Open { line, text: text.to_owned(), is_item: item.is_some(), is_step, is_indented });
    }

    fn flush(&mut self) {
        let Some(open) = self.open.take() else { return };
        let is_after_blank = std::mem::take(&mut self.is_after_blank);
        match self.area {
            Area::Body => self.body(&open),
            Area::Foreign => self.parts.notes.push(Unit::new(open.line, open.text, Class::Unknown, false)),
            Area::Scenario => {
                let Some(scenario) = self.parts.scenarios.last_mut() else { return };
                let is_note =
                    is_after_blank && !(open.is_item || open.is_step || open.is_indented || scenario.steps.is_empty());
                if is_note || open.is_item && is_labelled_note(&open.text) {
                    self.parts.notes.push(Unit::new(open.line, open.text, Class::Unknown, false));
                    return;
                }
                let class = match step_class(&open.text) {
                    Some(Class::Unknown) | None => self.class.unwrap_or(Class::Unknown),
                    Some(class) => class,
                };
                self.class = Some(class);
                if open.is_item {
                    scenario.steps.push(Unit::new(open.line, open.text, class, false));
                } else {
                    // Prose instead of steps says a thing a sentence.
                    let sentences = sentences::split(&open.text).into_iter();
                    scenario.steps.extend(sentences.map(|text| Unit::new(open.line, text.to_owned(), class, false)));
                }
            }
        }
    }

    fn body(&mut self, open: &Open) {
        let is_inherited = open.is_item && self.introduces;
        let sentences = sentences::split(&open.text);
        if !open.is_item {
            let ends_with_colon = js::trim_end(&open.text).trim_end_matches(['*', '_']).ends_with([':', '：']);
            self.introduces = ends_with_colon && sentences.last().is_some_and(|last| is_normative(last));
        }
        for sentence in sentences {
            let is_normative = is_inherited || is_normative(sentence);
            self.parts.body.push(Unit::new(open.line, sentence.to_owned(), Class::Unknown, is_normative));
        }
    }
}

/// `**NOTE** …`, `Note: …`: no step, although it is a list item.
fn is_labelled_note(text: &str) -> bool {
    let bare = text.trim_start_matches(['*', '_', '`']);
    let label = ["note", "notes", "nota", "hinweis", "注意", "备注", "備註", "remarque"]
        .into_iter()
        .find(|label| bare.get(..label.len()).is_some_and(|start| start.to_lowercase() == *label));
    label.is_some_and(|label| {
        let rest = &bare[label.len()..];
        let is_emphasised = bare.len() < text.len() && rest.starts_with(['*', '_', '`']);
        is_emphasised || rest.starts_with([':', '：'])
    })
}

/// `---`, `***`, `___`, also with spaces between.
fn is_rule(line: &str) -> bool {
    ['-', '*', '_', '='].iter().any(|mark| line.chars().all(|c| c == *mark || c == ' ') && line.len() >= 3)
}

/// What follows `- `, `* `, `+ `, `1. ` or `1) `, a box of a task list included.
fn without_marker(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '+', '•', '–']).or_else(|| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&digits).then(|| line[digits..].strip_prefix(['.', ')'])).flatten()
    })?;
    let text = js::trim_start(rest);
    (text.len() < rest.len())
        .then(|| ["[ ] ", "[x] ", "[X] "].iter().find_map(|b| text.strip_prefix(b)).unwrap_or(text))
}

/// Words a step begins with, in the languages we know. `Unknown` goes on with what the step before was.
const KEYWORDS: &[(&str, Class)] = &[
    ("given", Class::Given),
    ("when", Class::When),
    ("then", Class::Then),
    ("and", Class::Unknown),
    ("but", Class::Unknown),
    ("or", Class::Unknown),
    ("dado", Class::Given),
    ("dada", Class::Given),
    ("quando", Class::When),
    ("cuando", Class::When),
    ("então", Class::Then),
    ("entonces", Class::Then),
    ("e", Class::Unknown),
    ("y", Class::Unknown),
    ("angenommen", Class::Given),
    ("wenn", Class::When),
    ("dann", Class::Then),
    ("und", Class::Unknown),
    ("quand", Class::When),
    ("alors", Class::Then),
    ("et", Class::Unknown),
    ("假设", Class::Given),
    ("假如", Class::Given),
    ("给定", Class::Given),
    ("前提", Class::Given),
    ("当", Class::When),
    ("那么", Class::Then),
    ("则", Class::Then),
    ("并且", Class::Unknown),
    ("而且", Class::Unknown),
    ("且", Class::Unknown),
];

/// The keyword a step begins with: in emphasis, or in capitals, or as a word with a capital in English.
fn step_class(text: &str) -> Option<Class> {
    let bare = text.trim_start_matches(['*', '_', '`']);
    let is_emphasised = bare.len() < text.len();
    let end = bare.find(|c: char| !c.is_alphabetic()).unwrap_or(bare.len());
    let word = &bare[..end];
    let is_known_form = is_emphasised
        || word.len() > 1 && word.chars().all(|c| c.is_uppercase())
        || matches!(word, "Given" | "When" | "Then" | "And" | "But")
        || word.chars().all(is_ideographic);
    let folded = word.to_lowercase();
    let found = KEYWORDS.iter().find(|(keyword, _)| *keyword == folded).map(|(_, class)| *class);
    found.filter(|_| is_known_form && !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(units: &[Unit]) -> Vec<&str> {
        units.iter().map(|unit| unit.text.as_str()).collect()
    }

    #[test]
    fn a_block_is_cut() {
        let parts = Parts::of(
            "### Requirement: A\nIt SHALL do\nthis. It MUST NOT:\n- fail\n- stop\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n#### Scenario: one\n- **WHEN** x\n  goes on\n- **THEN** y\n\n  more\n\n**Note:** kept.\n---\n# Other\ntext",
        );
        assert_eq!(texts(&parts.body), ["It SHALL do this.", "It MUST NOT:", "fail", "stop"]);
        assert!(parts.body.iter().all(|unit| unit.is_normative));
        assert_eq!(texts(&parts.tables[0].rows), ["| a | b |", "| 1 | 2 |"]);
        assert_eq!(texts(&parts.scenarios[0].steps), ["**WHEN** x goes on", "**THEN** y", "more"]);
        assert_eq!(texts(&parts.notes), ["**Note:** kept.", "# Other", "text"]);
    }

    #[test]
    fn steps_without_bullets() {
        let parts = Parts::of("### R\n#### S\nWHEN a\nand b\nThen c\n**当** d\nAND e");
        assert_eq!(texts(&parts.scenarios[0].steps), ["WHEN a and b", "Then c", "**当** d", "AND e"]);
        let classes: Vec<Class> = parts.scenarios[0].steps.iter().map(|step| step.class).collect();
        assert_eq!(classes, [Class::When, Class::Then, Class::When, Class::When]);
    }

    #[test]
    fn comments_and_fences_say_nothing() {
        let parts =
            Parts::of("### R\nIt SHALL a.<!-- It SHALL b.\nIt SHALL c. --> It SHALL d.\n```\nIt SHALL e.\n```\n");
        assert_eq!(texts(&parts.body), ["It SHALL a.", "It SHALL d."]);
    }
}
