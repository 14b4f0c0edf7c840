//! What a main spec holds besides its title, its purpose and its requirements.
//!
//! A change that removes a capability's last requirement may delete the file, but only when nothing in it would go that
//! nobody named: the reference refuses to retire a spec with such content, and so this is its reading of it.

use std::collections::HashSet;

use crate::openspec::js;
use crate::openspec::requirement::Block;
use crate::openspec::spec::{Spec, requirements_range};
use crate::openspec::text::FenceTracker;

/// A line that belongs to no part of a spec the merge knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unnamed {
    /// 0-based line in the main spec.
    pub line: usize,
    /// The line, trimmed.
    pub text: String,
}

/// Content that would be lost with the file. The same text is told once.
pub fn unnamed_content(spec: &Spec) -> Vec<Unnamed> {
    let text = &spec.text;
    let mut found = Vec::new();
    let section = requirements_range(text);
    let head_end = section.as_ref().map_or(text.len(), |range| range.start - 1);
    above_requirements(spec, head_end, &mut found);
    if let Some(range) = section {
        let first_block = spec.blocks.first().map_or(range.end, |block| block.line);
        for line in (range.start..first_block).chain(range.end..text.len()) {
            push(&mut found, line, text.line(line));
        }
    }
    for block in &spec.blocks {
        inside_block(spec, block, &mut found);
    }
    let mut seen = HashSet::new();
    found.retain(|unnamed| seen.insert(unnamed.text.clone()));
    found
}

fn push(found: &mut Vec<Unnamed>, line: usize, text: &str) {
    let text = js::trim(text);
    if !text.is_empty() {
        found.push(Unnamed { line, text: text.to_owned() });
    }
}

/// Everything above the requirements but the first title and the purpose.
fn above_requirements(spec: &Spec, end: usize, found: &mut Vec<Unnamed>) {
    let (mut in_purpose, mut has_title) = (false, false);
    let mut previous: Option<usize> = None;
    let mut fences = FenceTracker::default();
    for line in 0..end {
        let written = spec.text.line(line);
        let is_fenced = fences.feed(written);
        let before = previous.replace(line);
        if js::trim(written).is_empty() {
            previous = None;
            continue;
        }
        if is_fenced {
            if !in_purpose {
                push(found, line, written);
            }
            continue;
        }
        let inner = after_indent(written);
        let (level, title) = inner.map_or((0, ""), hashes);
        let underlined = before.filter(|_| in_purpose && inner.is_some_and(is_underline));
        match (level, underlined) {
            (2, _) if !title.is_empty() => {
                in_purpose = title.eq_ignore_ascii_case("purpose");
                if !in_purpose {
                    push(found, line, written);
                }
            }
            (_, Some(heading)) => {
                push(found, heading, spec.text.line(heading));
                in_purpose = false;
            }
            _ if inner.is_some_and(is_html_heading) => {
                push(found, line, written);
                in_purpose = false;
            }
            (1, _) if !title.is_empty() => {
                if has_title || in_purpose {
                    push(found, line, written);
                    in_purpose = false;
                } else {
                    has_title = true;
                }
            }
            _ if in_purpose => {}
            _ => push(found, line, written),
        }
    }
}

/// Follows list items and scenarios through a requirement's lines.
#[derive(Default)]
struct InBlock {
    has_scenario: bool,
    /// Directly below a scenario's heading, until a blank line after bullets.
    in_steps: bool,
    has_steps: bool,
    /// Column at which the content of the open list item starts.
    item_column: Option<usize>,
    /// Whether the item's paragraph is open, so that an unindented line goes on with it.
    in_paragraph: bool,
}

/// What stands in a requirement besides its statement and the bullets of its scenarios: tables, prose after them.
fn inside_block(spec: &Spec, block: &Block, found: &mut Vec<Unnamed>) {
    let lines: Vec<&str> = spec.raw(block).split('\n').collect();
    if let Some(at) = foreign_heading(&lines) {
        push(found, block.line + at, lines[at]);
    }
    let mut fences = FenceTracker::default();
    let mut state = InBlock::default();
    for (at, line) in lines.iter().enumerate() {
        let is_fenced = fences.feed(line);
        if js::trim(line).is_empty() {
            state.in_steps &= !state.has_steps;
            state.item_column = None;
            state.in_paragraph = false;
            continue;
        }
        if at == 0 {
            continue;
        }
        let before = lines[at - 1];
        if let Some(leftover) = state.feed(line, is_fenced, at > 1 && !js::trim(before).is_empty()) {
            let at = if leftover == Leftover::LineBefore { at - 1 } else { at };
            push(found, block.line + at, lines[at]);
        }
    }
}

#[derive(PartialEq, Eq)]
enum Leftover {
    Line,
    LineBefore,
}

impl InBlock {
    fn feed(&mut self, line: &str, is_fenced: bool, has_line_before: bool) -> Option<Leftover> {
        let indent = column(line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')));
        let item = self.item_column.filter(|column| indent >= *column);
        let within = item.map_or(line, |column| without_columns(line, column));
        let inner = after_indent(within);
        if is_fenced {
            self.item_column = item;
            self.in_paragraph = false;
            return None;
        }
        if has_line_before && inner.is_some_and(is_underline) {
            self.item_column = None;
            self.in_paragraph = false;
            return Some(Leftover::LineBefore);
        }
        let interrupts = interrupts_paragraph(within);
        let goes_on = item.is_some() || self.in_paragraph && self.in_steps && !interrupts;
        let is_heading = inner.is_some_and(|inner| heading_level(inner) > 0) || is_html_heading(js::trim_start(within));
        if goes_on && !is_heading {
            self.in_paragraph = !interrupts;
            return None;
        }
        let bullet = list_item(line);
        self.item_column = bullet.map(|prefix| column(prefix.chars().map(|c| if c == '\t' { b'\t' } else { b' ' })));
        self.in_paragraph = bullet.is_some();
        if is_scenario(line) {
            self.has_scenario = true;
            self.in_steps = true;
            self.has_steps = false;
            return None;
        }
        if bullet.is_some() {
            self.has_steps |= self.in_steps;
            return (!self.in_steps && self.has_scenario).then_some(Leftover::Line);
        }
        // Prose above the first scenario is the statement; a table or HTML is not.
        let is_statement = !self.has_scenario && !js::trim_start(line).starts_with(['|', '<']);
        (!is_statement).then_some(Leftover::Line)
    }
}

/// Index of the first heading of level 1 to 3 after the block's own.
fn foreign_heading(lines: &[&str]) -> Option<usize> {
    let mut fences = FenceTracker::default();
    lines.iter().enumerate().position(|(at, line)| {
        let is_fenced = fences.feed(line);
        at > 0 && !is_fenced && after_indent(line).is_some_and(|inner| (1..=3).contains(&heading_level(inner)))
    })
}

/// The line without its blanks, when these are at most three.
fn after_indent(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

/// Number of `#` before white space, and what follows it, trimmed.
fn hashes(line: &str) -> (usize, &str) {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    if level > 0 && rest.starts_with(js::is_space) { (level, js::trim(rest)) } else { (0, "") }
}

/// Level of a heading as CommonMark has it, 0 when the line is none.
fn heading_level(line: &str) -> usize {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    if level <= 6 && (rest.is_empty() || rest.starts_with([' ', '\t'])) { level } else { 0 }
}

/// A line of `=` or of `-`, which makes a heading of the one above it.
fn is_underline(line: &str) -> bool {
    let line = js::trim_end(line);
    !line.is_empty() && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'))
}

/// `<h1` to `<h6` as a whole word.
fn is_html_heading(line: &str) -> bool {
    let bytes = line.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    matches!(bytes, [b'<', b'h' | b'H', b'1'..=b'6', ..]) && !bytes.get(3).is_some_and(is_word)
}

/// Blanks, `####`, white space, `Scenario:`.
fn is_scenario(line: &str) -> bool {
    let Some(rest) = after_indent(line).and_then(|line| line.strip_prefix("####")) else { return false };
    let name = js::trim_start(rest);
    name.len() < rest.len() && js::strip_prefix_ignore_case(name, "Scenario:").is_some()
}

/// Whether a line begins a block of its own although a paragraph is open.
fn interrupts_paragraph(line: &str) -> bool {
    let Some(line) = after_indent(line) else { return false };
    if line.starts_with(['>', '<', '|']) {
        return true;
    }
    let marks = line.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    let is_rule = line.starts_with(['-', '*', '_']) && marks.clone().all(|mark| b"-*_".contains(&mark));
    if is_rule && marks.count() >= 3 {
        return true;
    }
    marker_length(line).is_some_and(|length| line[length..].is_empty() || line[length..].starts_with([' ', '\t']))
}

/// Length of a list marker: `-`, `*`, `+`, or up to nine digits and `.` or `)`.
fn marker_length(line: &str) -> Option<usize> {
    if line.starts_with(['-', '*', '+']) {
        return Some(1);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    ((1..=9).contains(&digits) && line[digits..].starts_with(['.', ')'])).then_some(digits + 1)
}

/// What stands before the content of a list item.
fn list_item(line: &str) -> Option<&str> {
    let marker = js::trim_start(line);
    let rest = &marker[marker_length(marker)?..];
    let content = js::trim_start(rest);
    (content.len() < rest.len()).then(|| &line[..line.len() - content.len()])
}

/// Column after some blanks and tabs; a tab goes to the next multiple of four.
fn column(bytes: impl Iterator<Item = u8>) -> usize {
    bytes.fold(0, |column, byte| column + if byte == b'\t' { 4 - column % 4 } else { 1 })
}

/// The line without its first `columns` columns of white space.
fn without_columns(line: &str, columns: usize) -> &str {
    let mut at = 0;
    let length = line
        .bytes()
        .take_while(|byte| {
            let is_dropped = at < columns && matches!(byte, b' ' | b'\t');
            at += if *byte == b'\t' { 4 - at % 4 } else { 1 };
            is_dropped
        })
        .count();
    &line[length..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unnamed(content: &str) -> Vec<(usize, String)> {
        let spec = Spec::parse(content.as_bytes().to_vec());
        unnamed_content(&spec).into_iter().map(|unnamed| (unnamed.line, unnamed.text)).collect()
    }

    #[test]
    fn a_plain_spec_has_nothing_else() {
        let plain = "# T\n\n## Purpose\np\n- q\n\n## Requirements\n\n### Requirement: A\nx\n- y\n  z\n\n#### Scenario: s\n- **WHEN** a\n  b\nlazy\n- **THEN** c\n\n```\ncode\n```\n";
        assert_eq!(unnamed(plain), []);
    }

    #[test]
    fn what_is_named() {
        let found = unnamed(
            "intro\n# T\n# U\n## Purpose\np\n<h2>X</h2>\n## Requirements\nnote\n### Requirement: A\nx\n| t |\n#### Scenario: s\n- a\n\n- note\n### Notes\nend\n## More\nm\n",
        );
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            texts,
            ["intro", "# U", "<h2>X</h2>", "note", "## More", "m", "### Notes", "| t |", "- note", "end"]
        );
    }
}
