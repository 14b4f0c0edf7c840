//! Reads the lines of one scenario: which of them are steps, and which only may be.

use std::collections::{HashMap, HashSet};

use super::keywords::{Keyword, keywords};
use super::{Step, StepKind, is_main, prose};
use crate::openspec::js;
use crate::openspec::requirement::has_normative_keyword;
use crate::openspec::text::Text;

/// Reads one scenario.
pub(super) struct Reader<'t> {
    text: &'t Text,
    candidates: Vec<Candidate>,
    pub(super) first: [Option<usize>; 5],
    /// Emphasised words where a keyword would stand.
    pub(super) unknown_leads: usize,
    pub(super) first_fence: Option<usize>,
}

/// A line that begins with a keyword.
struct Candidate {
    line: usize,
    indent: usize,
    /// In bold, in capitals or the like: certainly meant as a keyword.
    is_marked: bool,
    keywords: Vec<Keyword>,
}

/// Where a line's own words begin.
pub(super) struct Lead<'t> {
    pub(super) indent: usize,
    is_bulleted: bool,
    pub(super) is_emphasised: bool,
    pub(super) rest: &'t str,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t Text) -> Self {
        Self { text, candidates: Vec::new(), first: [None; 5], unknown_leads: 0, first_fence: None }
    }

    pub(super) fn mention(&mut self, kind: StepKind, line: usize) {
        let first = &mut self.first[kind as usize];
        *first = Some(first.map_or(line, |known| known.min(line)));
    }

    pub(super) fn line(&mut self, line: usize, commented: &[bool]) {
        let written = self.text.line(line);
        if commented.get(line).copied().unwrap_or(false) {
            return;
        }
        if self.text.fenced(line) {
            self.first_fence = self.first_fence.or(Some(line));
            // Steps in the comments of a program are steps.
            let words = js::trim_start(written).trim_start_matches(['#', '/', ' ']);
            return self.loose(line, words, true);
        }
        if js::trim_start(written).starts_with('|') {
            for cell in written.split('|') {
                self.loose(line, cell, false);
            }
            return self.inline(line, written, false);
        }
        let lead = lead(written);
        let found = keywords(lead.rest);
        let Some(longest) = found.iter().map(|keyword| keyword.len).max() else {
            self.unknown_leads += usize::from(lead.is_emphasised && prose::is_single_word(lead.rest));
            return self.inline(line, written, false);
        };
        let is_marked = lead.is_emphasised || is_in_capitals(&lead.rest[..longest]);
        let is_lower = lead.rest.starts_with(char::is_lowercase);
        if !is_marked && is_lower && !lead.is_bulleted {
            // A sentence that goes on from the line before.
            return self.inline(line, written, false);
        }
        self.inline(line, &lead.rest[longest..], !is_marked);
        // "WHEN it rains, the system SHALL …" has its outcome in it.
        if found.iter().any(|keyword| matches!(keyword.kind, StepKind::When | StepKind::If))
            && has_normative_keyword(written)
        {
            self.mention(StepKind::Then, line);
        }
        self.candidates.push(Candidate { line, indent: lead.indent, is_marked, keywords: found });
    }

    /// A place where a step may stand but need not be one: mentions only.
    fn loose(&mut self, line: usize, written: &str, only_english: bool) {
        let lead = lead(written);
        if lead.rest.starts_with(char::is_lowercase) {
            return;
        }
        for keyword in keywords(lead.rest) {
            if !only_english || keyword.language == 0 || keyword.len > 2 {
                self.mention(keyword.kind, line);
            }
        }
    }

    /// Keywords inside a line: emphasised, in capitals, after punctuation in languages without blanks, and in a plain
    /// sentence in any way.
    fn inline(&mut self, line: usize, written: &str, is_plain: bool) {
        let mut in_code = false;
        let mut before = ' ';
        for (at, c) in written.char_indices() {
            if c == '`' {
                in_code = !in_code;
            }
            let begins_word = !in_code && c.is_alphabetic() && !before.is_alphanumeric();
            if begins_word {
                let rest = &written[at..];
                let is_emphasised = matches!(before, '*' | '_');
                let in_capitals = c.is_uppercase() && rest.chars().nth(1).is_some_and(char::is_uppercase);
                if is_emphasised || in_capitals || is_plain || !c.is_ascii() {
                    for keyword in keywords(rest) {
                        let shouted = in_capitals && is_in_capitals(&rest[..keyword.len]);
                        if is_emphasised || shouted || is_plain || keyword.unspaced {
                            self.mention(keyword.kind, line);
                        }
                    }
                }
            }
            before = c;
        }
    }

    /// Decides which language the keywords are in, and which of the candidates are steps.
    pub(super) fn steps(&mut self) -> Vec<Step> {
        let candidates = std::mem::take(&mut self.candidates);
        // By language: how many main keywords there are, and of which kinds.
        let mut votes: HashMap<usize, (usize, HashSet<StepKind>)> = HashMap::new();
        for keyword in candidates.iter().flat_map(|candidate| &candidate.keywords) {
            if is_main(keyword.kind) {
                let (count, kinds) = votes.entry(keyword.language).or_default();
                *count += 1;
                kinds.insert(keyword.kind);
            }
        }
        let count = |language: usize| votes.get(&language).map_or(0, |(count, _)| *count);
        let chosen = |candidate: &Candidate| {
            // The language with the most main keywords; the first one when they are equal.
            candidate
                .keywords
                .iter()
                .copied()
                .enumerate()
                .max_by_key(|(at, keyword)| (count(keyword.language), std::cmp::Reverse(*at)))
                .map(|(_, keyword)| keyword)
        };
        let chosen: Vec<(&Candidate, Keyword)> =
            candidates.iter().filter_map(|candidate| Some((candidate, chosen(candidate)?))).collect();
        let has_marked = chosen.iter().any(|(candidate, keyword)| candidate.is_marked && is_main(keyword.kind));
        let mut steps = Vec::new();
        for (candidate, keyword) in &chosen {
            self.mention(keyword.kind, candidate.line);
            // "When it rains, it pours" is a sentence; beside "Then …" it is a step.
            let is_sure = candidate.is_marked
                || !has_marked && votes.get(&keyword.language).is_some_and(|(_, kinds)| kinds.len() > 1);
            if is_sure {
                steps.push(Step { kind: keyword.kind, line: candidate.line, indent: candidate.indent });
            }
        }
        steps
    }
}

/// Strips quotes, bullets, numbers, boxes and emphasis.
pub(super) fn lead(line: &str) -> Lead<'_> {
    let mut rest = js::trim_start(line);
    let indent = line[..line.len() - rest.len()].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let mut is_bulleted = false;
    loop {
        let after = rest
            .strip_prefix(['-', '*', '+', '•', '>'])
            .or_else(|| {
                let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                (digits.len() < rest.len()).then(|| digits.strip_prefix(['.', ')', '、']))?
            })
            .or_else(|| ["[ ]", "[x]", "[X]"].iter().find_map(|mark| rest.strip_prefix(mark)))
            .or_else(|| rest.strip_prefix("##### ").or_else(|| rest.strip_prefix("###### ")));
        match after {
            Some(after) if after.starts_with(js::is_space) || rest.starts_with(['>', '#']) => {
                is_bulleted = true;
                rest = js::trim_start(after);
            }
            _ => break,
        }
    }
    let plain = rest.trim_start_matches(['*', '_', '`', '[', '【', '「', '~']);
    let plain = ["<b>", "<strong>"].iter().find_map(|tag| plain.strip_prefix(tag)).unwrap_or(plain);
    let is_emphasised = plain.len() < rest.len();
    Lead { indent, is_bulleted, is_emphasised, rest: if is_emphasised { js::trim_start(plain) } else { plain } }
}

/// Whether a word is written in capitals, which a single letter is not.
fn is_in_capitals(word: &str) -> bool {
    let mut capitals = 0;
    for c in word.chars().filter(|c| !c.is_whitespace()) {
        if !c.is_uppercase() {
            return false;
        }
        capitals += 1;
    }
    capitals > 1
}
