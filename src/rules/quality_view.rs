//! What rules about quality get to see.

use std::ops::Range;

use super::sink::Sink;
use crate::openspec::prose::{FileProse, Position, RequirementProse, Sentence};
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
