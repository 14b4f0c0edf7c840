//! Requirements and scenarios as prose.

use std::ops::Range;

use super::cut::Paragraph;
use super::language::Language;
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
    /// The sentences of its body: paragraphs and entries of lists. No tables, quotations, code.
    pub body: Vec<Sentence>,
    /// Its scenarios, in document order.
    pub scenarios: Vec<ScenarioProse>,
}

/// A scenario.
#[derive(Debug)]
pub struct ScenarioProse {
    /// What is known of its form.
    pub form: Scenario,
    /// The sentences of its steps.
    pub steps: Vec<Sentence>,
}

impl RequirementProse {
    /// Whether its words are in a language with full word lists and a parser for its sentences.
    pub fn is_english(&self) -> bool {
        self.language == Language::English
    }

    /// The sentences of the body and of all steps.
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.body.iter().chain(self.scenarios.iter().flat_map(|scenario| &scenario.steps))
    }

    /// The sentences that demand something: those of the body with a word that demands, entries of its lists, and what
    /// scenarios expect. What only explains or describes a situation is left out.
    pub fn demands(&self) -> impl Iterator<Item = &Sentence> {
        // Chinese and Japanese often demand by a plain statement.
        let is_plain = matches!(self.language, Language::Chinese | Language::Japanese);
        let demands = move |sentence: &&Sentence| {
            is_plain
                || sentence.kind == Kind::Entry
                || sentence.hits.iter().any(|hit| hit.is(List::Imperative) || hit.is(List::Weak))
        };
        self.body.iter().filter(demands).chain(self.scenarios.iter().flat_map(ScenarioProse::outcomes))
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
        let language = Language::of(&drafts.iter().map(|draft| draft.said.as_str()).collect::<Vec<_>>().join("\n"));
        Self { requirements: drafts.into_iter().map(|draft| draft.finish(language)).collect(), language }
    }
}

struct Reader<'a> {
    text: &'a Text,
    /// Lines of HTML comments.
    hidden: &'a [bool],
    map: &'a ScenarioMap,
}

/// A requirement whose language is not told yet.
struct Draft<'a> {
    name: String,
    lines: Range<usize>,
    body: Vec<Paragraph>,
    scenarios: Vec<(&'a Scenario, Vec<Paragraph>)>,
    /// All that is said in it.
    said: String,
}

impl Draft<'_> {
    fn finish(self, file: Language) -> RequirementProse {
        let own = Language::of(&self.said);
        // A text too short to tell by itself is in the language of its file.
        let language = if own == Language::Unknown && fits_file(&self.body, file) { file } else { own };
        let lexicon = language.lexicon();
        let cut = |paragraphs: Vec<Paragraph>| -> Vec<Sentence> {
            paragraphs.into_iter().flat_map(|paragraph| paragraph.sentences(lexicon)).collect()
        };
        let scenarios = self
            .scenarios
            .into_iter()
            .map(|(scenario, steps)| ScenarioProse { form: scenario.clone(), steps: cut(steps) })
            .collect();
        RequirementProse { name: self.name, lines: self.lines, language, body: cut(self.body), scenarios }
    }
}

/// Whether words are in the file's script, and few enough not to tell their language.
fn fits_file(body: &[Paragraph], file: Language) -> bool {
    let words: usize = body.iter().map(|paragraph| paragraph.text().split(' ').count()).sum();
    let is_latin = body.iter().all(|paragraph| paragraph.text().chars().all(|c| !c.is_alphabetic() || c.is_ascii()));
    let file_is_latin = !matches!(file, Language::Chinese | Language::Japanese);
    words <= 12 && is_latin == file_is_latin
}

impl<'a> Reader<'a> {
    fn draft(&self, name: String, lines: Range<usize>) -> Draft<'a> {
        let body_end = (lines.start + 1..lines.end)
            .find(|line| !self.text.fenced(*line) && section_break(self.text.line(*line)).is_some())
            .unwrap_or(lines.end);
        let mut body = self.paragraphs(lines.start + 1..body_end);
        let groups = self.map.groups.iter().filter(|group| lines.contains(&group.line));
        let mut scenarios: Vec<(&Scenario, Vec<Paragraph>)> = groups
            .flat_map(|group| &group.scenarios)
            .map(|scenario| (scenario, self.steps(scenario, lines.end)))
            .collect();
        let mut said = String::new();
        for paragraph in body.iter_mut().chain(scenarios.iter_mut().flat_map(|(_, steps)| steps)) {
            said.push_str(paragraph.close());
            said.push('\n');
        }
        Draft { name, lines, body, scenarios, said }
    }

    /// The paragraphs and list entries of a requirement's body.
    fn paragraphs(&self, lines: Range<usize>) -> Vec<Paragraph> {
        let mut found: Vec<Paragraph> = Vec::new();
        let mut is_open = false;
        for line in lines {
            let written = self.text.line(line);
            let trimmed = js::trim_start(written);
            let indent = written.len() - trimmed.len();
            let is_skipped = self.text.fenced(line)
                || self.hidden.get(line).copied().unwrap_or_default()
                || trimmed.starts_with(['|', '>'])
                || is_metadata(trimmed);
            if is_skipped || trimmed.is_empty() {
                is_open = false;
                continue;
            }
            let start = match without_marker(trimmed) {
                Some(entry) => {
                    found.push(Paragraph::new(Kind::Entry));
                    indent + trimmed.len() - entry.len()
                }
                None => {
                    if !is_open {
                        found.push(Paragraph::new(Kind::Statement));
                    }
                    indent
                }
            };
            is_open = true;
            if let Some(paragraph) = found.last_mut() {
                paragraph.push(self.text, line, start..written.len());
            }
        }
        found
    }

    /// The steps of a scenario, without their keywords, each with the lines that go on from it.
    fn steps(&self, scenario: &Scenario, end: usize) -> Vec<Paragraph> {
        let mut found = Vec::new();
        for (at, step) in scenario.steps.iter().enumerate() {
            let next = scenario.steps.get(at + 1).map_or(end, |next| next.line);
            let mut paragraph = Paragraph::new(Kind::Step(step.kind));
            for line in step.line..next.max(step.line + 1).min(end) {
                let written = self.text.line(line);
                let ends = line > step.line
                    && (js::trim(written).is_empty()
                        || self.text.fenced(line)
                        || section_break(written).is_some()
                        || without_marker(js::trim_start(written)).is_some()
                        || js::trim_start(written).starts_with(['|', '>']));
                if ends {
                    break;
                }
                let start = if line == step.line { step_words(written) } else { 0 };
                paragraph.push(self.text, line, start..written.len());
            }
            found.push(paragraph);
        }
        found
    }
}

/// `**Key**: …` and `**Key:** …`, which say something about the requirement.
fn is_metadata(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("**") else { return false };
    let Some(end) = rest.find("**") else { return false };
    let key = &rest[..end];
    let is_key = key.ends_with(':') || rest[end + 2..].starts_with(':');
    // `**FR-001**: The system SHALL …` is a label, not metadata.
    is_key && !key.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openspec::scenario::StepKind;

    fn spec(content: &str) -> FileProse {
        let spec = Spec::parse(content.as_bytes().to_vec());
        let map = ScenarioMap::of_spec(&spec);
        FileProse::of_spec(&spec, &map)
    }

    #[test]
    fn bodies_and_steps() {
        let prose = spec(
            "## Purpose\nx\n## Requirements\n### Requirement: A\n**Priority**: high\nThe system SHALL keep\nwhat it has. It is\nnot lost:\n- one\n  more\n- two\n\n| a | b |\n```\ncode\n```\n<!-- note -->\n\
             #### Scenario: S\n- **WHEN** the user\n  waits\n- **THEN** it ends. Now\n  - deep\n### Requirement: B\nThe end of it.\n",
        );
        let a = &prose.requirements[0];
        let texts: Vec<(&str, Kind)> = a.body.iter().map(|sentence| (sentence.text.as_str(), sentence.kind)).collect();
        assert_eq!(
            texts,
            [
                ("The system SHALL keep what it has.", Kind::Statement),
                ("It is not lost:", Kind::Statement),
                ("one more", Kind::Entry),
                ("two", Kind::Entry)
            ]
        );
        let steps: Vec<(&str, Kind)> =
            a.scenarios[0].steps.iter().map(|sentence| (sentence.text.as_str(), sentence.kind)).collect();
        assert_eq!(
            steps,
            [
                ("the user waits", Kind::Step(StepKind::When)),
                ("it ends.", Kind::Step(StepKind::Then)),
                ("Now", Kind::Step(StepKind::Then))
            ]
        );
        assert_eq!(a.body[1].start().line, 6);
        assert_eq!((a.language, prose.requirements.len()), (Language::English, 2));
    }
}
