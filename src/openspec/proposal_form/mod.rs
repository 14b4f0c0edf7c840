//! The sections of a proposal, told by what they are called in practice, in several languages.

use std::ops::Range;

use super::comments;
use super::heading;
use super::js;
use super::placeholder::is_pending;
use super::text::Text;
use crate::repo::snapshot::ReadError;

mod entries;
mod names;

pub use entries::says_unchanged;
use entries::{listed_names, says_none};
use names::role;

/// `proposal.md` of a change.
#[derive(Debug)]
pub enum ProposalFile {
    /// There is none.
    Missing,
    /// It is there and cannot be read.
    Unreadable(ReadError),
    /// It was read.
    Read(Box<Form>),
}

/// A proposal as its sections.
#[derive(Debug)]
pub struct Form {
    /// The file.
    pub text: Text,
    /// Its headings of any level, in order.
    pub parts: Vec<Part>,
    hidden: Vec<bool>,
}

/// A heading and what stands below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// 0-based line of the heading.
    pub line: usize,
    /// Number of `#`.
    pub level: usize,
    /// Its text.
    pub title: String,
    /// What it is for, when its name tells.
    pub role: Option<(Role, Naming)>,
    /// Lines below it, up to the next heading of its level or a higher one.
    pub body: Range<usize>,
}

/// What a section of a proposal is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Why the change is made.
    Why,
    /// What it changes.
    WhatChanges,
    /// Which capabilities it touches.
    Capabilities,
    /// Any other section that the template or practice knows.
    Other,
}

/// How a section is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// As the template has it, which is what the reference looks for.
    Template,
    /// In another language, or with the template's name in brackets.
    Translated,
    /// By another English word.
    Synonym,
}

impl Form {
    /// Parses a file's bytes.
    pub fn parse(bytes: Vec<u8>) -> Self {
        let text = Text::from_bytes(bytes);
        let hidden = comments::mask(&text);
        let headings = heading::headings(&text);
        let part = |(at, heading): (usize, &heading::Heading<'_>)| {
            let end =
                headings[at + 1..].iter().find(|next| next.level <= heading.level).map_or(text.len(), |next| next.line);
            Part {
                line: heading.line,
                level: heading.level,
                title: heading.title.to_owned(),
                role: role(heading.title).filter(|(_, naming)| heading.level > 1 || *naming == Naming::Template),
                body: heading.line + 1..end,
            }
        };
        let mut parts: Vec<Part> =
            headings.iter().enumerate().filter(|(_, heading)| !hidden[heading.line]).map(part).collect();
        underlined(&text, &hidden, &mut parts);
        Self { text, parts, hidden }
    }

    /// The first section of a role, best named first.
    pub fn part(&self, role: Role) -> Option<(&Part, Naming)> {
        let found =
            |naming| self.parts.iter().find(|part| part.role == Some((role, naming))).map(|part| (part, naming));
        [Naming::Template, Naming::Translated, Naming::Synonym].into_iter().find_map(found)
    }

    /// Whether words stand in these lines, comments and headings aside.
    pub fn has_words(&self, lines: Range<usize>) -> bool {
        lines.into_iter().any(|line| {
            let written = self.text.line(line);
            !self.hidden[line]
                && (self.text.fenced(line) || heading::section_break(written).is_none())
                && without_comments(written).contains(char::is_alphanumeric)
        })
    }

    /// Whether these lines say more than that they are still to be written.
    pub fn says_something(&self, lines: Range<usize>) -> bool {
        lines.into_iter().any(|line| self.has_words(line..line + 1) && !is_pending(self.text.line(line)))
    }

    /// Whether the proposal follows a form that is known, so that a section that is not found is missing rather than
    /// called something else.
    pub fn is_known(&self) -> bool {
        let sections = || self.parts.iter().filter(|part| part.level >= 2);
        let is_foreign =
            |part: &Part| part.role.is_none() && part.title.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
        sections().next().is_none() && self.parts.len() <= 1
            || sections().any(|part| part.role.is_some()) && !sections().any(is_foreign)
    }

    /// Whether the lists of new and modified capabilities are there and say that there are none.
    pub fn names_no_capability(&self) -> bool {
        let Some((part, _)) = self.part(Role::Capabilities) else { return false };
        let (mut counts, mut found) = (false, false);
        for line in part.body.clone().filter(|line| !self.hidden[*line]) {
            let written = self.text.line(line);
            if let Some((_, title)) = heading::heading(written) {
                let title = title.to_lowercase();
                counts = title.contains("new") || title.contains("modified");
            } else if counts && without_comments(written).contains(char::is_alphanumeric) {
                if !says_none(written) {
                    return false;
                }
                found = true;
            }
        }
        found
    }

    /// Capabilities that the lists of new and modified ones name, with their 0-based lines.
    pub fn capabilities(&self) -> Option<(&Part, Vec<(usize, &str)>)> {
        let (part, _) = self.part(Role::Capabilities)?;
        let mut named = Vec::new();
        let mut counts = false;
        for line in part.body.clone().filter(|line| !self.text.fenced(*line) && !self.hidden[*line]) {
            let written = self.text.line(line);
            if let Some((_, title)) = heading::heading(written) {
                let title = title.to_lowercase();
                counts = title.contains("new") || title.contains("modified");
            } else if counts {
                named.extend(listed_names(written).into_iter().map(|name| (line, name)));
            }
        }
        Some((part, named))
    }
}

/// Takes in headings that are underlined, when their name tells what they are. The reference does not know them.
fn underlined(text: &Text, hidden: &[bool], parts: &mut Vec<Part>) {
    let is_rule = |line: usize| {
        let rule = js::trim(text.line(line));
        rule.len() >= 3 && ['-', '='].iter().any(|mark| rule.chars().all(|c| c == *mark))
    };
    let is_shown = |line: usize| !hidden[line] && !text.fenced(line);
    let names = (1..text.len()).filter(|line| is_rule(*line) && is_shown(*line - 1) && is_shown(*line));
    let found: Vec<(usize, Role)> = names
        .filter(|line| *line < 2 || js::trim(text.line(line - 2)).is_empty())
        .filter_map(|line| Some((line - 1, role(js::trim(text.line(line - 1)))?.0)))
        .filter(|(_, role)| matches!(role, Role::Why | Role::WhatChanges))
        .collect();
    for (at, (line, role)) in found.iter().enumerate() {
        let next = found.get(at + 1).map_or(text.len(), |(next, _)| *next);
        let end = parts.iter().map(|part| part.line).find(|other| other > line).map_or(next, |other| other.min(next));
        let title = js::trim(text.line(*line)).to_owned();
        let role = Some((*role, Naming::Translated));
        parts.push(Part { line: *line, level: 2, title, role, body: line + 2..end });
    }
    if !found.is_empty() {
        parts.sort_by_key(|part| part.line);
    }
}

/// What is left of a line when its comments are taken out.
fn without_comments(line: &str) -> String {
    let mut rest = line;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(content: &str) -> Form {
        Form::parse(content.as_bytes().to_vec())
    }

    #[test]
    fn roles() {
        assert_eq!(role("Why"), Some((Role::Why, Naming::Template)));
        assert_eq!(role("1. Why"), Some((Role::Why, Naming::Template)));
        assert_eq!(role("緣由 (Why)"), Some((Role::Why, Naming::Translated)));
        assert_eq!(role("Motivação"), Some((Role::Why, Naming::Translated)));
        assert_eq!(role("Motivation"), Some((Role::Why, Naming::Synonym)));
        assert_eq!(role("🎯 What changes:"), Some((Role::WhatChanges, Naming::Template)));
        assert_eq!(role("Reason"), None);
    }

    #[test]
    fn words_are_no_comments() {
        let form = form("## Why\n\n<!-- Explain\nthis -->\n## What Changes\n- x <!-- y -->\n");
        let has_words = |role| form.part(role).is_some_and(|(part, _)| form.has_words(part.body.clone()));
        assert!(!has_words(Role::Why));
        assert!(has_words(Role::WhatChanges));
    }

    #[test]
    fn placeholders_say_nothing() {
        let says = |body: &str| form(&format!("## Why\n{body}\n")).says_something(1..2);
        for body in ["TBD", "- TODO", "*To be defined.*", "...", "待定"] {
            assert!(!says(body), "{body}");
        }
        assert!(says("TODO lists are slow.") && says("- x"));
    }

    #[test]
    fn lists_that_name_none() {
        let none = |body: &str| form(&format!("## Capabilities\n### New Capabilities\n{body}\n")).names_no_capability();
        assert!(none("- None") && none("None.\n### Modified Capabilities\n- N/A (internal only)") && none("- 无"));
        assert!(!none("") && !none("- None\n### Modified Capabilities\n- billing: x") && !none("- Nonesuch"));
    }

    #[test]
    fn underlined_headings() {
        let form = form("Why\n---\n\nSlow.\n\nWhat Changes\n====\n- x\n\ntext\n---\n");
        for role in [Role::Why, Role::WhatChanges] {
            assert!(form.part(role).is_some_and(|(part, _)| form.says_something(part.body.clone())));
        }
        assert_eq!(form.parts.len(), 2);
    }

    #[test]
    fn known_forms() {
        assert!(form("just words").is_known());
        assert!(form("# T\n## Reason\n## Impact\n").is_known());
        assert!(!form("# T\n## 其他\n## Impact\n").is_known());
        assert!(!form("# T\n## Sebep\n").is_known());
        assert!(!form("# 目的\nx\n# 背景\ny\n").is_known());
    }

    #[test]
    fn entries_that_change_nothing() {
        for words in [
            ": No spec-level requirement changes; implementation fixes only.",
            ": No requirement changes; the spec already mandates it.",
            ": an additive change to locale coverage, not a requirement change.",
            ": no requirement changes (x is internal)",
            "：補充通用後處理，不納入 shared helper",
            " — spec unchanged",
        ] {
            assert!(says_unchanged(&format!("- `auth`{words}")), "{words}");
        }
        for words in [": no longer changes state", ": Changes the limit.", ": There is no limit. It changes often.", ""]
        {
            assert!(!says_unchanged(&format!("- `auth`{words}")), "{words}");
        }
    }

    #[test]
    fn listed_capabilities() {
        let form = form(
            "## Capabilities\n### New Capabilities\n- `user-auth`: x\n- **`a/b`** y\n- `d`, `e` and `f`: x, `g`\n  - `nested`\n- none\n### Related\n- `other`\n### Modified Capabilities (x)\n* `specs/c/spec.md`\n- `<capability-path>`: z\n## Impact\n- `no`\n",
        );
        let names = form.capabilities().map(|(_, names)| names.into_iter().map(|(_, name)| name).collect::<Vec<_>>());
        assert_eq!(names, Some(vec!["user-auth", "a/b", "d", "e", "f", "c"]));
    }
}
