//! One thing found, where, and what to do.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Item, shortened, shown_line};
use crate::redact::redact;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing; never fails.
    Info,
    /// Fails under `--strict`.
    Warning,
    /// Fails.
    Error,
}

impl Level {
    /// `info`, `warning` or `error`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A finding. Made by a rule's `Sink` only.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Id of the rule.
    pub rule: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What it is about.
    pub item: Item,
    /// The path under which the reference reports it.
    pub anchor: String,
    /// File from the top of the tree, control characters made visible.
    pub path: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// Characters it is about, from the column on. 0 for the whole line.
    pub width: usize,
    /// What is wrong, on one line.
    pub message: String,
    /// What to do, on one line.
    pub fix: String,
    /// The requirement it is about.
    pub requirement: Option<String>,
    /// The line of the file it points at.
    pub source: Option<String>,
    /// Lines that show what was found, when one line of the file is not enough.
    pub evidence: Vec<String>,
    /// Says again what another finding says. Only `validate` shows it, for the reference's sake.
    pub is_echo: bool,
    /// The finding says that something could not be judged, so the item is UNVERIFIABLE rather than failed.
    pub cannot_check: bool,
}

impl Finding {
    /// Whether it keeps its item from passing.
    pub fn fails(&self, strict: bool) -> bool {
        self.level == Level::Error || strict && self.level == Level::Warning
    }

    /// What is shown of the finding: its evidence, or the line it points at.
    pub fn shown_lines(&self) -> impl Iterator<Item = &str> {
        let line = self.source.iter().filter(|_| self.evidence.is_empty());
        self.evidence.iter().chain(line).map(String::as_str)
    }

    /// Names the requirement.
    pub fn about(&mut self, requirement: &str) -> &mut Self {
        self.requirement = Some(shortened(requirement.to_owned()));
        self
    }

    /// Points at some characters of its line. `column` is 0-based.
    pub fn at_column(&mut self, column: usize, width: usize) -> &mut Self {
        (self.column, self.width) = (column + 1, width);
        self
    }

    /// Shows a line of the file it points at.
    pub fn show(&mut self, line: Option<&str>) -> &mut Self {
        self.source = line.map(shown_line);
        self
    }

    /// Shows lines that prove it.
    pub fn prove(&mut self, lines: &[String]) -> &mut Self {
        self.evidence = lines.iter().map(|line| shown_line(line)).collect();
        self
    }

    /// Takes secrets out of the lines that are shown: reports are pasted, and stored. Done once a report is made, since most
    /// findings never get into one.
    pub fn hide_secrets(&mut self) {
        for line in self.source.iter_mut().chain(&mut self.evidence) {
            if let Cow::Owned(shown) = redact(line).text {
                *line = shown;
            }
        }
    }

    /// Marks a finding that only repeats another for the reference's sake, at its own level.
    pub fn echo(&mut self, level: Level) -> &mut Self {
        self.is_echo = true;
        self.level = level;
        self
    }

    /// Marks a finding that says something could not be judged.
    pub fn unverifiable(&mut self) -> &mut Self {
        self.cannot_check = true;
        self
    }
}
