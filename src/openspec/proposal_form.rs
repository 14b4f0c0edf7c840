//! The sections of a proposal, told by what they are called in practice, in several languages.

use std::ops::Range;

use super::comments;
use super::heading;
use super::js;
use super::placeholder::is_pending;
use super::text::Text;
use crate::repo::snapshot::ReadError;

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

const NAMES: [(Role, Naming, &[&str]); 9] = [
    (Role::Why, Naming::Template, &["why"]),
    (Role::WhatChanges, Naming::Template, &["what changes"]),
    (Role::Capabilities, Naming::Template, &["capabilities"]),
    (
        Role::Other,
        Naming::Template,
        &[
            "impact",
            "non-goals",
            "new capabilities",
            "modified capabilities",
            "success criteria",
            "acceptance criteria",
        ],
    ),
    (
        Role::Why,
        Naming::Translated,
        &[
            "为什么",
            "為什麼",
            "为何",
            "背景",
            "动机",
            "動機",
            "緣由",
            "缘由",
            "原因",
            "问题",
            "問題",
            "目的",
            "目標",
            "目标",
            "概要",
            "概述",
            "理由",
            "なぜ",
            "課題",
            "왜",
            "배경",
            "이유",
            "동기",
            "목적",
            "por que",
            "por quê",
            "porque",
            "porquê",
            "por qué",
            "¿por qué",
            "motivação",
            "motivacao",
            "motivación",
            "motivacion",
            "contexto",
            "problema",
            "pourquoi",
            "contexte",
            "warum",
            "hintergrund",
            "perché",
            "почему",
            "зачем",
            "мотивация",
            "контекст",
            "проблема",
        ],
    ),
    (
        Role::WhatChanges,
        Naming::Translated,
        &[
            "变更内容",
            "變更內容",
            "変更内容",
            "变更",
            "變更",
            "変更",
            "变更范围",
            "变更说明",
            "提议",
            "提案",
            "方案",
            "解决方案",
            "内容",
            "改动",
            "修改内容",
            "范围",
            "範圍",
            "何が変わるか",
            "変更点",
            "변경 사항",
            "변경사항",
            "변경 내용",
            "o que muda",
            "mudanças",
            "mudancas",
            "alterações",
            "alteracoes",
            "qué cambia",
            "que cambia",
            "cambios",
            "ce qui change",
            "changements",
            "was sich ändert",
            "änderungen",
            "cosa cambia",
            "что меняется",
            "изменения",
        ],
    ),
    (
        Role::Capabilities,
        Naming::Translated,
        &["能力範圍", "能力范围", "能力", "機能", "capacidades", "capacités", "fähigkeiten"],
    ),
    (
        Role::Why,
        Naming::Synonym,
        &[
            "motivation",
            "what and why",
            "why and what",
            "problem",
            "problem statement",
            "the problem",
            "background",
            "rationale",
            "summary",
            "overview",
            "context",
            "purpose",
            "intent",
            "introduction",
            "description",
            "root cause",
            "why now",
            "why this change",
            "user impact",
            "problem & motivation",
            "problem and motivation",
        ],
    ),
    (
        Role::WhatChanges,
        Naming::Synonym,
        &[
            "goal",
            "goals",
            "objective",
            "objectives",
            "proposed solution",
            "solution",
            "proposed changes",
            "proposed change",
            "changes",
            "change",
            "scope",
            "approach",
            "proposal",
            "what",
            "what will change",
            "implementation",
            "implementation approach",
            "implementation scope",
            "design",
            "technical approach",
            "plan",
            "details",
            "in scope",
            "the change",
            "requirements",
        ],
    ),
];

/// The role of a title, and how it is named. Numbers, emoji and a closing colon do not count.
fn role(title: &str) -> Option<(Role, Naming)> {
    let plain = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric() && c != '¿').to_lowercase();
    let without_number = title.trim_start_matches(|c: char| !c.is_alphabetic() && c != '¿');
    let whole = plain(without_number);
    let find =
        |name: &str| NAMES.iter().find(|(_, _, names)| names.contains(&name)).map(|(role, naming, _)| (*role, *naming));
    if let Some(found) = find(&whole) {
        return Some(found);
    }
    // `緣由 (Why)`, `Why / Motivation`, `Why: something`
    let mut parts = without_number.split(['(', '（', '/', '／', ':', '：', '—', '–', '|', '&']);
    parts
        .find_map(|part| find(&plain(part)))
        .map(|(role, naming)| (role, if naming == Naming::Template { Naming::Translated } else { naming }))
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

/// Whether the words behind a listed capability say that its spec stays as it is, so that it needs no delta.
pub fn says_unchanged(entry: &str) -> bool {
    const PHRASES: [&str; 41] = [
        "unchanged",
        "unaffected",
        "not affected",
        "not touched",
        "untouched",
        "implementation only",
        "implementation-only",
        "out of scope",
        "no spec",
        "no delta",
        "不納入",
        "不纳入",
        "不變",
        "不变",
        "无变",
        "無變",
        "没有变",
        "沒有變",
        "无需",
        "無需",
        "不修改",
        "不变更",
        "不變更",
        "不涉及",
        "不影响",
        "不影響",
        "変更なし",
        "変更は不要",
        "影響なし",
        "변경 없음",
        "변경없음",
        "sem alteraç",
        "sem mudança",
        "sin cambios",
        "aucun changement",
        "inchangé",
        "keine änderung",
        "unverändert",
        "nessuna modifica",
        "без изменений",
        "sem impacto",
    ];
    const CHANGES: [&str; 8] =
        ["change", "changes", "changed", "delta", "deltas", "modification", "modifications", "impact"];
    // How many words may stand between "no" and "changes".
    const BETWEEN: usize = 4;
    let after = entry.splitn(3, '`').nth(2).unwrap_or_default().to_lowercase();
    if PHRASES.iter().any(|phrase| after.contains(phrase)) {
        return true;
    }
    // "no spec-level requirement changes", "not a requirement change", but not "no longer changes". A sentence ends it.
    after.split(['.', ';', '—', '(']).any(|sentence| {
        let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        words.iter().enumerate().any(|(at, word)| {
            let rest = words.iter().skip(at + 1).take(BETWEEN + 1);
            matches!(*word, "no" | "not" | "without") && words.get(at + 1) != Some(&"longer") && {
                rest.into_iter().any(|next| CHANGES.contains(next))
            }
        })
    })
}

/// Whether a line, its list marker aside, says that there is none.
fn says_none(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let first = bare.split(['.', ',', ';', ':', '(', '（', '。', '—', '–']).next().unwrap_or_default().trim_end();
    matches!(
        first,
        "none"
            | "n/a"
            | "no"
            | "nothing"
            | "无"
            | "無"
            | "なし"
            | "nenhuma"
            | "nenhum"
            | "ninguna"
            | "ninguno"
            | "keine"
            | "aucune"
    )
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

/// The names of `` - `name`: … `` and `` - `one`, `two` and `three`: … ``, without `specs/` before and `/spec.md`
/// behind.
fn listed_names(line: &str) -> Vec<&str> {
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    let bullet = line[indent..].strip_prefix(['-', '*', '+']).filter(|_| indent <= 1);
    let Some(bullet) = bullet else { return Vec::new() };
    let mut rest = js::trim_start(bullet);
    let mut names = Vec::new();
    while let Some((name, after)) = rest.trim_start_matches('*').strip_prefix('`').and_then(|rest| rest.split_once('`'))
    {
        let name = name.trim_start_matches("openspec/").trim_start_matches("specs/");
        let name = name.strip_suffix("/spec.md").unwrap_or(name).trim_matches('/');
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/')) {
            break;
        }
        names.push(name);
        // What else stands in backquotes is no capability unless it goes on with the list.
        let after = after.trim_start_matches(['*', ' ']);
        let next = [",", "，", "、", "and ", "&", "+"].iter().find_map(|mark| after.strip_prefix(mark));
        let Some(next) = next.map(|next| js::trim_start(next).trim_start_matches("and ")) else { break };
        rest = js::trim_start(next);
    }
    names
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
