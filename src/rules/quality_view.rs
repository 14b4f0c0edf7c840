//! What rules about quality get to see.

use std::ops::Range;

use super::sink::Sink;
use crate::openspec::ears::{Ears, Fault, FaultKind};
use crate::openspec::lexicon::{Hit, List};
use crate::openspec::prose::{FileProse, Position, RequirementProse, Sentence, imperatives, said};
use crate::openspec::text::Text;
use crate::report::Finding;

/// A requirement under judgement.
#[derive(Debug)]
pub struct QualityView<'a> {
    /// The requirement.
    pub requirement: &'a RequirementProse,
    /// All requirements of its file.
    pub file: &'a FileProse,
    /// Its file.
    pub text: &'a Text,
}

impl QualityView<'_> {
    /// Reports what a list has in sentences that demand something: the words, and what is to be said of them.
    pub fn report_demanded(
        &self,
        sink: &mut Sink<'_>,
        list: List,
        (why, fix): (&str, &str),
        is_meant: impl Fn(&Sentence, &Hit) -> bool,
    ) {
        for sentence in self.requirement.demands() {
            for hit in sentence.of(list).filter(|hit| is_meant(sentence, hit)) {
                self.report_hit(sink, sentence, hit, why, fix);
            }
        }
    }

    /// Reports a phrase of a list, and what is to be said of it.
    pub fn report_hit(&self, sink: &mut Sink<'_>, sentence: &Sentence, hit: &Hit, why: &str, fix: &str) {
        let message = format!("`{}` {why}", sentence.written(&hit.range));
        self.report(sink, sentence, &hit.range, message, fix);
    }

    /// Whether something demands that is shown and no sentence of the body: in a table, a block quote, the header, or
    /// below a heading that is no scenario's.
    pub fn demands_elsewhere(&self) -> bool {
        let requirement = self.requirement;
        let demands = |sentence: &Sentence| sentence.of(List::Imperative).next().is_some();
        if requirement.scenarios.iter().flat_map(|scenario| &scenario.notes).any(demands) {
            return true;
        }
        let is_shown = |line: &usize| !self.text.fenced(*line) && !self.is_hidden(*line);
        let lines = std::iter::once(requirement.lines.start).chain(self.body_lines());
        let demand = |line| match requirement.language.lexicon() {
            Some(lexicon) => lexicon.hits(&said(self.text.line(line))).iter().any(|hit| hit.is(List::Imperative)),
            None => shown_imperative(self.text.line(line)),
        };
        lines.filter(is_shown).any(demand)
    }

    /// Whether a line is hidden in a comment.
    pub fn is_hidden(&self, line: usize) -> bool {
        self.file.hidden.get(line).copied().unwrap_or_default()
    }

    /// The lines of its body.
    pub fn body_lines(&self) -> Range<usize> {
        let lines = &self.requirement.lines;
        let end = self.requirement.scenarios.iter().map(|scenario| scenario.form.line).min().unwrap_or(lines.end);
        lines.start + 1..end.max(lines.start + 1)
    }

    /// The English sentences of the body that demand something in capitals, and how each reads after EARS.
    pub fn readings(&self) -> impl Iterator<Item = (&Sentence, &Ears)> {
        self.requirement
            .body
            .iter()
            .filter_map(|sentence| Some((sentence, sentence.ears().filter(|ears| ears.modal.is_upper)?)))
    }

    /// Faults of some kinds in these sentences.
    pub fn faults(&self, kinds: &[FaultKind]) -> impl Iterator<Item = (&Sentence, &Fault)> {
        let is_wanted = move |fault: &&Fault| kinds.contains(&fault.kind);
        self.readings()
            .flat_map(move |(sentence, ears)| ears.faults.iter().filter(is_wanted).map(move |fault| (sentence, fault)))
    }

    /// Reports some words of a sentence.
    pub fn report<'f>(
        &self,
        sink: &'f mut Sink<'_>,
        sentence: &Sentence,
        range: &Range<usize>,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> &'f mut Finding {
        let width = sentence.written(range).chars().count();
        self.report_at(sink, sentence.position(range.start), width, message, fix)
    }

    /// Reports the requirement as a whole, at its header.
    pub fn report_header<'f>(
        &self,
        sink: &'f mut Sink<'_>,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> &'f mut Finding {
        self.report_at(sink, Position { line: self.requirement.lines.start, column: 0 }, 0, message, fix)
    }

    /// Reports some characters of a line; all of them when `width` is 0.
    pub fn report_at<'f>(
        &self,
        sink: &'f mut Sink<'_>,
        at: Position,
        width: usize,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> &'f mut Finding {
        sink.report(at.line, "quality", message, fix).at_column(at.column, width).about(&self.requirement.name)
    }
}

/// Whether SHALL or MUST are said on a line.
fn shown_imperative(line: &str) -> bool {
    let said = said(line);
    imperatives(line).any(|word| said.get(word).is_some_and(|said| !said.trim().is_empty()))
}
