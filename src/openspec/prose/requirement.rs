//! Requirements and scenarios as prose.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::cut::{Cut, Paragraph};
use super::language::{Language, Signs};
use super::lines::{has_demand, is_metadata};
use super::sentence::{Kind, Sentence};
use crate::openspec::comments;
use crate::openspec::delta::Delta;
use crate::openspec::heading::section_break;
use crate::openspec::js;
use crate::openspec::lexicon::{Hit, List};
use crate::openspec::scenario::{Scenario, ScenarioMap, StepKind, step_words};
use crate::openspec::spec::Spec;
use crate::openspec::text::Text;
use crate::openspec::units::without_marker;

/// All requirements of a main spec, or all that a delta adds and modifies.
#[derive(Debug)]
pub struct FileProse {
    /// In document order.
    pub requirements: Vec<RequirementProse>,
    /// The language most of the file is in.
    pub language: Language,
    /// Which lines of the file are hidden in a comment.
    pub hidden: Vec<bool>,
    /// Which requirements have each text.
    texts: OnceLock<HashMap<String, Vec<usize>>>,
}

/// A requirement.
#[derive(Debug)]
pub struct RequirementProse {
    /// Its name.
    pub name: String,
    /// Its lines, the header first, 0-based.
    pub lines: Range<usize>,
    /// The language it is in.
    pub language: Language,
    /// The sentences of its body: paragraphs and entries of lists, and rows and quotations that demand something. No code.
    pub body: Vec<Sentence>,
    /// Its scenarios, in document order.
    pub scenarios: Vec<ScenarioProse>,
}

/// A scenario.
#[derive(Debug)]
pub struct ScenarioProse {
    /// What is known of its form.
    pub form: Scenario,
    /// The sentences of its steps, and of what goes on with them.
    pub steps: Vec<Sentence>,
    /// The sentences in front of its steps, and below a heading without any.
    pub notes: Vec<Sentence>,
}

impl RequirementProse {
    /// Whether its words are in a language with full word lists and a parser for its sentences.
    pub fn is_english(&self) -> bool {
        self.language == Language::English
    }

    /// The sentences of the body and of all steps.
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.body.iter().chain(self.scenarios.iter().flat_map(|scenario| scenario.notes.iter().chain(&scenario.steps)))
    }

    /// The sentences that demand something: those of the body with a word that demands, entries of its lists, and what
    /// scenarios expect. What only explains or describes a situation is left out.
    pub fn demands(&self) -> impl Iterator<Item = &Sentence> {
        // Chinese and Japanese often demand by a plain statement.
        let is_plain = |sentence: &Sentence| matches!(sentence.language(), Language::Chinese | Language::Japanese);
        let demands = move |sentence: &&Sentence| {
            is_plain(sentence)
                || sentence.kind == Kind::Entry
                || sentence.hits.iter().any(|hit| hit.is(List::Imperative) || hit.is(List::Weak))
        };
        let noted = |sentence: &&Sentence| sentence.of(List::Imperative).next().is_some();
        let scenarios = self.scenarios.iter();
        let said = scenarios.flat_map(move |scenario| scenario.notes.iter().filter(noted).chain(scenario.outcomes()));
        self.body.iter().filter(demands).chain(said)
    }

    /// What a list found in the body.
    pub fn body_hits(&self, list: List) -> impl Iterator<Item = (&Sentence, &Hit)> {
        self.body.iter().flat_map(move |sentence| sentence.of(list).map(move |hit| (sentence, hit)))
    }
}

impl ScenarioProse {
    /// The sentences of what it expects: THEN, and what goes on with it.
    pub fn outcomes(&self) -> impl Iterator<Item = &Sentence> {
        let mut is_outcome = false;
        self.steps.iter().filter(move |sentence| {
            if let Kind::Step(kind) = sentence.kind
                && kind != StepKind::And
            {
                is_outcome = kind == StepKind::Then;
            }
            is_outcome
        })
    }
}

impl FileProse {
    /// The requirements with a text, as places in [`FileProse::requirements`]. All of their texts are asked for once.
    pub fn same_texts(&self, text_of: impl Fn(&RequirementProse) -> String, text: &str) -> &[usize] {
        let texts = self.texts.get_or_init(|| {
            let mut texts: HashMap<String, Vec<usize>> = HashMap::new();
            for (at, requirement) in self.requirements.iter().enumerate() {
                texts.entry(text_of(requirement)).or_default().push(at);
            }
            texts
        });
        texts.get(text).map_or(&[], Vec::as_slice)
    }

    /// Reads a main spec.
    pub fn of_spec(spec: &Spec, map: &ScenarioMap) -> Self {
        let text = &spec.text;
        let owners = spec.requirements.iter().map(|requirement| {
            let section = &requirement.section;
            let end = text.line_at(section.content.end.max(text.offset(section.line))) + 1;
            (requirement.name().to_owned(), section.line..end.max(section.line + 1))
        });
        Self::read(text, owners, map)
    }

    /// Reads what a delta adds and modifies.
    pub fn of_delta(delta: &Delta, map: &ScenarioMap) -> Self {
        let text = &delta.text;
        let mut blocks: Vec<_> = delta.added.iter().chain(&delta.modified).collect();
        blocks.sort_by_key(|block| block.line);
        let owners = blocks.into_iter().map(|block| (block.name.clone(), block.line..text.line_at(block.raw.end) + 1));
        Self::read(text, owners, map)
    }

    fn read(text: &Text, owners: impl Iterator<Item = (String, Range<usize>)>, map: &ScenarioMap) -> Self {
        let hidden = comments::mask(text);
        let reader = Reader { text, hidden: &hidden, map };
        let drafts: Vec<Draft<'_>> = owners.map(|(name, lines)| reader.draft(name, lines)).collect();
        // Headings and keywords of steps are English in a text of any language: only the words below them tell.
        let mut signs = Signs::default();
        drafts.iter().for_each(|draft| signs.add(&draft.signs));
        let requirements = drafts.into_iter().map(|draft| draft.finish(&signs)).collect();
        Self { requirements, language: Language::of_whole(&signs), hidden, texts: OnceLock::new() }
    }
}

struct Reader<'a> {
    text: &'a Text,
    /// Lines of HTML comments.
    hidden: &'a [bool],
    map: &'a ScenarioMap,
}

/// What a scenario says.
#[derive(Default)]
struct Parts {
    notes: Vec<Paragraph>,
    steps: Vec<Paragraph>,
}

/// A requirement whose language is not told yet.
struct Draft<'a> {
    name: String,
    lines: Range<usize>,
    body: Vec<Cut>,
    /// Each with its notes and steps.
    scenarios: Vec<(&'a Scenario, Vec<Cut>, Vec<Cut>)>,
    /// What all that is said in it shows of its language.
    signs: Signs,
}

impl Draft<'_> {
    fn finish(self, file: &Signs) -> RequirementProse {
        let language = demanded_in(&self.body).unwrap_or_else(|| Language::of_part(&self.signs, file));
        let read = |cuts: Vec<Cut>| -> Vec<Sentence> { cuts.into_iter().map(|cut| cut.read(language)).collect() };
        let scenarios = self
            .scenarios
            .into_iter()
            .map(|(scenario, notes, steps)| ScenarioProse {
                form: scenario.clone(),
                steps: read(steps),
                notes: read(notes),
            })
            .collect();
        RequirementProse { name: self.name, lines: self.lines, language, body: read(self.body), scenarios }
    }
}

/// English, when more of what a body demands is in English than is not.
fn demanded_in(body: &[Cut]) -> Option<Language> {
    let (mut english, mut other) = (0, 0);
    for cut in body.iter().filter(|cut| cut.demands()) {
        *(if cut.signs.is_english_demand() { &mut english } else { &mut other }) += cut.signs.letters();
    }
    (english > other).then_some(Language::English)
}

impl<'a> Reader<'a> {
    fn draft(&self, name: String, lines: Range<usize>) -> Draft<'a> {
        let body_end = self.end(lines.start + 1, lines.end);
        let body = cut(self.paragraphs(lines.start + 1..body_end));
        // They stand in the order of their lines.
        let groups = &self.map.groups;
        let first = groups.partition_point(|group| group.line < lines.start);
        let groups = groups[first..].iter().take_while(|group| group.line < lines.end);
        let scenarios: Vec<(&Scenario, Vec<Cut>, Vec<Cut>)> = groups
            .flat_map(|group| &group.scenarios)
            .map(|scenario| {
                let Parts { notes, steps } = self.parts(scenario, self.end(scenario.line + 1, lines.end));
                (scenario, cut(notes), cut(steps))
            })
            .collect();
        let mut signs = Signs::default();
        let parts = scenarios.iter().flat_map(|(_, notes, steps)| notes.iter().chain(steps));
        body.iter().chain(parts).for_each(|cut| signs.add(&cut.signs));
        Draft { name, lines, body, scenarios, signs }
    }

    /// Where what begins at a line ends: at a heading of a scenario or above, or what only looks like one.
    fn end(&self, from: usize, end: usize) -> usize {
        let is_heading = |line: &usize| {
            !self.text.fenced(*line) && section_break(self.text.line(*line)).is_some_and(|level| level <= 4)
        };
        let heading = (from..end).find(is_heading).unwrap_or(end);
        let lookalikes = self.map.lookalikes.iter().map(|lookalike| lookalike.line);
        lookalikes.filter(|line| (from..heading).contains(line)).min().unwrap_or(heading)
    }

    /// The paragraphs and list entries of some lines.
    fn paragraphs(&self, lines: Range<usize>) -> Vec<Paragraph> {
        let mut found: Vec<Paragraph> = Vec::new();
        let mut block = Block::None;
        for line in lines.clone() {
            let written = self.text.line(line);
            let trimmed = js::trim_start(written);
            let indent = written.len() - trimmed.len();
            if trimmed.is_empty() || self.is_hidden(line) || section_break(written).is_some() || is_metadata(trimmed) {
                block = Block::None;
                continue;
            }
            if trimmed.starts_with('|') {
                block = Block::None;
                self.cells(line, &mut found);
                continue;
            }
            if trimmed.starts_with('>') {
                // A quotation is read as a whole or not at all.
                if !matches!(block, Block::Quote(_)) {
                    block = Block::Quote(self.quote_demands(line, lines.end));
                    found.push(Paragraph::new(Kind::Statement));
                }
                let start = written.len() - trimmed.trim_start_matches(['>', ' ']).len();
                if block == Block::Quote(true)
                    && let Some(paragraph) = found.last_mut()
                {
                    paragraph.push(self.text, line, start..written.len());
                }
                continue;
            }
            let start = match without_marker(trimmed) {
                Some(entry) => {
                    found.push(Paragraph::new(Kind::Entry));
                    indent + trimmed.len() - entry.len()
                }
                None => {
                    if block != Block::Open {
                        found.push(Paragraph::new(Kind::Statement));
                    }
                    indent
                }
            };
            block = Block::Open;
            if let Some(paragraph) = found.last_mut() {
                paragraph.push(self.text, line, start..written.len());
            }
        }
        found.retain(|paragraph| !paragraph.text().is_empty());
        found
    }

    /// Lines that are code or hidden in a comment.
    fn is_hidden(&self, line: usize) -> bool {
        self.text.fenced(line) || self.hidden.get(line).copied().unwrap_or_default()
    }

    /// Whether the block quote that begins at a line demands something.
    fn quote_demands(&self, from: usize, end: usize) -> bool {
        let lines = (from..end).map(|line| self.text.line(line));
        lines.take_while(|line| js::trim_start(line).starts_with('>')).any(has_demand)
    }

    /// The cells of a row that demand something, each of them an entry.
    fn cells(&self, line: usize, found: &mut Vec<Paragraph>) {
        let written = self.text.line(line);
        if !has_demand(written) {
            return;
        }
        let mut start = 0;
        for cell in written.split('|') {
            if has_demand(cell) {
                let mut paragraph = Paragraph::new(Kind::Entry);
                paragraph.push(self.text, line, start..start + cell.len());
                found.push(paragraph);
            }
            start += cell.len() + 1;
        }
    }

    /// What a scenario says: its steps without their keywords, each with the lines that go on from it, and the rest.
    fn parts(&self, scenario: &Scenario, end: usize) -> Parts {
        let first = scenario.steps.first().map_or(end, |step| step.line.min(end));
        let mut parts = Parts { notes: self.paragraphs(scenario.line + 1..first), steps: Vec::new() };
        for (at, step) in scenario.steps.iter().enumerate() {
            let next = scenario.steps.get(at + 1).map_or(end, |next| next.line.min(end));
            let own = self.step_end(step.line, next);
            let mut paragraph = Paragraph::new(Kind::Step(step.kind));
            for line in step.line..own {
                let start = if line == step.line { step_words(self.text.line(line)) } else { 0 };
                paragraph.push(self.text, line, start..self.text.line(line).len());
            }
            parts.steps.push(paragraph);
            // Whatever stands below a step belongs to it.
            let mut below = self.paragraphs(own..next);
            below.iter_mut().for_each(|paragraph| paragraph.become_step());
            parts.steps.append(&mut below);
        }
        parts
    }

    /// Where the lines end that go on from a step's first one.
    fn step_end(&self, from: usize, end: usize) -> usize {
        let ends = |line: &usize| {
            let written = self.text.line(*line);
            let trimmed = js::trim_start(written);
            trimmed.is_empty()
                || self.is_hidden(*line)
                || section_break(written).is_some()
                || without_marker(trimmed).is_some()
                || trimmed.starts_with(['|', '>'])
        };
        (from + 1..end).find(ends).unwrap_or(end.max(from + 1))
    }
}

/// What the line before belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    None,
    /// A paragraph or an entry.
    Open,
    /// A block quote, and whether it is read.
    Quote(bool),
}

fn cut(paragraphs: Vec<Paragraph>) -> Vec<Cut> {
    paragraphs.into_iter().flat_map(Paragraph::sentences).collect()
}

#[cfg(test)]
mod tests;
