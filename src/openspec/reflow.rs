//! Whether two texts say the same in the same structure. Line ends, white space at the end of lines, blank lines, line
//! breaks inside a paragraph, the kind of bullet, the width of indents and of a table's columns, `_a_` for `*a*` and `~~~`
//! for three backticks make no difference: a formatter changes those.

use std::borrow::Cow;

use super::emphasis::as_stars;
use super::text::{FenceTracker, fence_run};
use super::{html, js, tasks};

/// What a piece of a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A line that is kept as it stands: a heading, a line of a table, of a quotation.
    Line,
    /// A line of code, fenced or indented.
    Code,
    /// Prose, all words joined by single blanks.
    Prose,
}

/// A piece of a document that means the same however its prose is wrapped.
#[derive(Debug, Clone)]
pub struct Piece {
    /// 0-based line it begins at.
    pub line: usize,
    /// What it is.
    pub form: Form,
    /// The bullet it begins with, its depth before it.
    pub lead: String,
    /// What it says.
    pub words: String,
    /// The list item it belongs to, as an index.
    pub parent: Option<usize>,
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        (self.form, &self.lead, &self.words) == (other.form, &other.lead, &other.words)
    }
}

/// Whether only line ends differ.
pub fn differs_in_line_ends(one: &[u8], other: &[u8]) -> bool {
    without_carriage_returns(one) == without_carriage_returns(other)
}

fn without_carriage_returns(bytes: &[u8]) -> Cow<'_, [u8]> {
    use bstr::ByteSlice;
    if bytes.contains_str("\r\n") { Cow::Owned(bytes.replace("\r\n", "\n")) } else { Cow::Borrowed(bytes) }
}

/// Whether two Markdown texts have the same words in the same order and structure.
pub fn is_same(one: &str, other: &str) -> bool {
    pieces(one) == pieces(other)
}

/// The pieces of a text.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut reader = Reader::default();
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).peekable();
    while let Some(line) = lines.next() {
        let is_above_rule = lines.peek().is_some_and(|next| is_table_rule(next.trim()));
        reader.line(line, is_above_rule);
        reader.at += 1;
    }
    for piece in reader.pieces.iter_mut().filter(|piece| piece.form != Form::Code && !piece.words.starts_with('#')) {
        piece.words = as_stars(&piece.words);
    }
    reader.pieces
}

/// A list item we are in.
struct Item {
    /// The column its text begins at; what is indented less is no part of it.
    content: usize,
    piece: usize,
}

/// What the lines up to the next blank one belong to.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Block {
    #[default]
    Any,
    Table,
    Html,
}

#[derive(Default)]
struct Reader {
    at: usize,
    pieces: Vec<Piece>,
    fences: FenceTracker,
    /// Whether the next line of prose goes on with the last piece.
    open: bool,
    /// How deep an item is matters, how wide its indent is does not.
    items: Vec<Item>,
    block: Block,
    /// Whether a table ended at a blank line.
    is_below_table: bool,
}

impl Reader {
    fn line(&mut self, line: &str, is_above_rule: bool) {
        let was_open = self.fences.is_open();
        if self.fences.feed(line) {
            let indent = &line[..line.len() - line.trim_start().len()];
            if !was_open {
                self.leave(columns(indent));
            }
            // Which fence it is does not matter.
            let (lead, words) = match fence_run(line) {
                Some((_, _, info)) if !was_open && !info.contains('`') => {
                    ("begins", format!("{indent}{}", info.trim()))
                }
                Some(_) if was_open && !self.fences.is_open() => ("ends", indent.to_owned()),
                _ => ("", line.to_owned()),
            };
            self.push(Form::Code, words);
            if let Some(piece) = self.pieces.last_mut() {
                piece.lead = lead.to_owned();
            }
            return;
        }
        let trimmed = line.trim_end_matches([' ', '\t']);
        if trimmed.is_empty() {
            self.is_below_table |= self.block == Block::Table;
            (self.open, self.block) = (false, Block::Any);
            return;
        }
        let body = trimmed.trim_start_matches([' ', '\t']);
        let width = columns(&trimmed[..trimmed.len() - body.len()]);
        let is_inside = self.items.last().is_none_or(|item| item.content <= width);
        let inner = self.items.iter().rev().map(|item| item.content).find(|content| *content <= width);
        let is_far = width - inner.unwrap_or_default() >= 4;
        if !self.open && is_far && self.block == Block::Any {
            self.leave(width);
            return self.push(Form::Code, trimmed.to_owned());
        }
        if self.open && is_inside && (body.bytes().all(|byte| byte == b'=') || body.bytes().all(|byte| byte == b'-')) {
            return self.push(Form::Line, format!("below {}", &body[..1]));
        }
        if self.block == Block::Any {
            if is_above_rule && body.contains('|') {
                self.block = Block::Table;
                if std::mem::take(&mut self.is_below_table) {
                    self.push(Form::Line, String::new());
                }
            } else if html::begins_block(body, self.open) {
                self.leave(width);
                self.block = Block::Html;
            }
        }
        match self.block {
            Block::Html => return self.push(Form::Line, format!("html {trimmed}")),
            Block::Table => return self.push(Form::Line, row(within_pipes(body))),
            Block::Any => {}
        }
        let is_row = body.starts_with('|');
        if is_row && std::mem::take(&mut self.is_below_table) {
            self.push(Form::Line, String::new());
        }
        self.is_below_table = false;
        let is_marked = is_far && bullet(body).is_some();
        if is_kept(body, self.open) || is_marked {
            self.leave(width);
            let words = if self.at > 0 && is_rule(body) { "rule".to_owned() } else { kept(line, trimmed) };
            return self.push(Form::Line, words);
        }
        self.prose(body, width);
    }

    fn prose(&mut self, body: &str, width: usize) {
        // A quotation is prose with a mark before each line.
        let quoted = body.strip_prefix('>').map(|rest| rest.trim_start_matches([' ', '\t']));
        let (body, is_quoted) = quoted.map_or((body, false), |rest| (rest, true));
        let marker = if is_quoted { "" } else { bullet(body).unwrap_or_default() };
        let last = self.pieces.last_mut().filter(|last| self.open && last.form == Form::Prose);
        let mut is_odd = false;
        if let Some(last) = last.filter(|last| last.lead.ends_with('>') == is_quoted) {
            if marker.is_empty() {
                return append(&mut last.words, body);
            }
            // Only a 1 may follow a paragraph without a blank line.
            is_odd = last.lead.bytes().all(|byte| byte.is_ascii_digit())
                && marker.starts_with(|c: char| c.is_ascii_digit())
                && !matches!(marker, "1." | "1)");
        }
        self.leave(width);
        // Bullets come to the same, numbers do not.
        let kind = if is_quoted {
            ">"
        } else if marker.starts_with(['-', '*', '+']) {
            "-"
        } else {
            marker
        };
        let odd = if is_odd { "below " } else { "" };
        let lead = format!("{odd}{}{kind}", self.items.len());
        let mut words = String::new();
        append(&mut words, &body[marker.len()..]);
        self.push(Form::Prose, words);
        let piece = self.pieces.len() - 1;
        self.pieces[piece].lead = lead;
        if !marker.is_empty() {
            let rest = &body[marker.len()..];
            let blanks = columns(&rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]);
            let blanks = if (1..=4).contains(&blanks) { blanks } else { 1 };
            self.items.push(Item { content: width + marker.len() + blanks, piece });
        }
        self.open = true;
    }

    /// Leaves the items whose text begins further right.
    fn leave(&mut self, width: usize) {
        self.items.retain(|item| item.content <= width);
    }

    fn push(&mut self, form: Form, words: String) {
        let parent = self.items.last().map(|item| item.piece);
        self.pieces.push(Piece { line: self.at, form, lead: String::new(), words, parent });
        self.open = false;
    }
}

/// How many columns white space takes.
fn columns(indent: &str) -> usize {
    indent.chars().fold(0, |width, c| if c == '\t' { width / 4 * 4 + 4 } else { width + 1 })
}

/// The line below a table's heading.
fn is_table_rule(line: &str) -> bool {
    line.contains('-')
        && line.contains(['|', ':'])
        && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// A line that is kept as it stands, but for the widths of a table's columns.
fn kept(line: &str, trimmed: &str) -> String {
    if trimmed.starts_with('|') {
        return row(trimmed);
    }
    // Hashes alone mean something else when blanks follow.
    let is_bare = trimmed.bytes().all(|byte| byte == b'#');
    if is_bare { line } else { trimmed }.to_owned()
}

/// A row of a table without the pipes around it, which may be left out.
fn within_pipes(body: &str) -> &str {
    let inner = body.strip_prefix('|').unwrap_or(body);
    inner.strip_suffix('|').filter(|inner| !inner.ends_with('\\')).unwrap_or(inner)
}

/// A row of a table without the widths of its columns.
fn row(trimmed: &str) -> String {
    let cells = trimmed.split('|').map(|cell| {
        let cell = cell.trim_matches([' ', '\t']);
        let is_rule = cell.contains('-') && cell.bytes().all(|byte| matches!(byte, b'-' | b':'));
        let colon = |end: bool| if end { ":" } else { "" };
        if is_rule {
            format!("{}-{}", colon(cell.starts_with(':')), colon(cell.ends_with(':')))
        } else {
            cell.to_owned()
        }
    });
    cells.collect::<Vec<_>>().join("|")
}

/// Adds a line's words. Chinese and Japanese are wrapped without a blank.
fn append(words: &mut String, line: &str) {
    for (at, word) in line.split([' ', '\t']).filter(|word| !word.is_empty()).enumerate() {
        let is_joined =
            at == 0 && words.chars().next_back().is_some_and(is_wide) && word.chars().next().is_some_and(is_wide);
        if !words.is_empty() && !is_joined {
            words.push(' ');
        }
        words.push_str(word);
    }
}

/// Characters that are written without blanks between words.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}

/// A line that is never part of a paragraph that may be wrapped otherwise. Rather one too many: such a line then has to
/// stay as it is. `open`: whether it stands directly below prose.
fn is_kept(body: &str, open: bool) -> bool {
    let first = body.as_bytes().first();
    let quoted = body.strip_prefix('>').map(|rest| rest.trim_start_matches([' ', '\t']));
    matches!(first, Some(b'#' | b'|' | b'=' | b':'))
        // What is more than prose inside a quotation.
        || quoted.is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(['>', '<', '[']) || is_kept(rest, false) || bullet(rest).is_some()
        })
        // Below prose this is no definition.
        || body.starts_with('[') && body.contains("]:") && (!open || body.starts_with("[^"))
        || is_named(body)
        || is_rename(body)
        || body.starts_with('｜')
        || is_rule(body)
        // A special character at the start may be looked at by somebody.
        || body.chars().next().is_some_and(|c| c.is_control() || js::is_space(c))
}

/// `***`, `- - -`, `___`
fn is_rule(body: &str) -> bool {
    let mut marks = body.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    let first = marks.next();
    matches!(first, Some(b'-' | b'*' | b'_')) && body.len() >= 3 && {
        let (mut count, mut is_one) = (1, true);
        marks.for_each(|byte| {
            count += 1;
            is_one &= Some(byte) == first;
        });
        is_one && count >= 3
    }
}

/// `**Key**: …`, and steps without a bullet. A removal's reason and migration are sentences.
fn is_named(body: &str) -> bool {
    let Some((mark, rest)) = ["**", "__"].iter().find_map(|mark| Some((*mark, body.strip_prefix(mark)?))) else {
        return false;
    };
    let Some((inner, after)) = rest.split_once(mark) else { return true };
    let name = inner.trim_end_matches([':', '：']);
    if ["Reason", "Migration"].contains(&name) {
        return false;
    }
    let is_key = name.len() < inner.len() || after.trim_start().starts_with([':', '：']);
    is_key || ["GIVEN", "WHEN", "THEN", "AND", "BUT"].iter().any(|step| name.eq_ignore_ascii_case(step))
}

/// Half of a renaming, which is read by lines.
fn is_rename(body: &str) -> bool {
    let is = |word: &str| body.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    is("FROM:") || is("TO:")
}

/// The bullet or number a list item begins with, its checkbox included.
fn bullet(body: &str) -> Option<&str> {
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let end = match body.as_bytes().get(digits) {
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        _ => return None,
    };
    let rest = &body[end..];
    let text = rest.trim_start_matches([' ', '\t']);
    if text.len() == rest.len() && !rest.is_empty() {
        // `-[x]` is a task to the reference; `*emphasis*` and `-5` are words.
        let is_task = rest.starts_with('[') && (body.as_bytes()[0] != b'*' || tasks::task(body).is_some());
        return is_task.then_some(&body[..end]);
    }
    Some(&body[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_otherwise() {
        for (one, other) in [
            ("a b c\nd", "a\nb c d"),
            ("a\r\nb\r\n", "a b"),
            ("a  \nb\n\n\n", "a\nb"),
            ("# T\ntext one\n- item two\n  three\n", "# T\n\ntext\none\n- item\n  two three"),
            ("1. one two\n2. b", "1. one\n   two\n2. b"),
            ("这是一个\n很长的句子。", "这是一个很长的\n句子。"),
            ("*emphasis* here", "*emphasis*\nhere"),
            ("> a b\n> c", "> a\n> b c"),
            ("- a\n  - b\n- c", "* a\n\n    * b\n\n* c"),
            ("- a\n\n  more\n", "- a\n\n    more\n"),
            ("| a | b |\n|---|:--|\n| c | d |", "| a   | b |\n| --- | :- |\n| c   | d |"),
            ("a | b\n--- | ---\nc | d", "a  |  b\n---|---\nc|d"),
            ("a | b\n--- | ---\nc | d", "| a | b |\n|---|---|\n| c | d |"),
            // Below prose these begin nothing.
            ("an **account** is", "an\n**account** is"),
            ("an <id> is", "an\n<id> is"),
            ("see [x]: there", "see\n[x]: there"),
            ("**Reason**: gone\n**Migration**: none", "**Reason**: gone **Migration**: none"),
            ("an *a b* c __d__", "an _a b_ c **d**"),
            ("| _a_ | b |\n|---|---|", "| *a* | b |\n|---|---|"),
            ("~~~js\na\n~~~", "```js\na\n```"),
            ("a\n\n***\nb", "a\n\n---\n\nb"),
            ("- a\n---\nb", "- a\n\n---\n\nb"),
            ("a | b c", "a |\nb c"),
        ] {
            assert!(is_same(one, other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn another_structure_or_other_words() {
        for (one, other) in [
            ("a b", "a c"),
            ("a b", "b a"),
            ("a\n# b", "a # b"),
            ("a\n- b", "a - b"),
            ("a\n\nb", "a b"),
            ("- a\n- b", "- a b"),
            ("- a\n\nb", "- a\nb"),
            ("> a\n> - b", "> a - b"),
            ("> a\nb", "> a\n> b"),
            ("> a", "a"),
            ("- a\n- b", "- a\n  - b"),
            ("- a", "1. a"),
            ("1. a", "2. a"),
            ("| a | b |", "| ab | |"),
            ("- a", "    - a"),
            ("- [ ] a", "- [x] a"),
            ("```\na b\n```", "```\na\nb\n```"),
            ("| a | b |\n| c |", "| a | b | | c |"),
            ("### Requirement: A", "####  Requirement: A"),
            ("### Requirement: A", "   ### Requirement: A"),
            ("### Requirement: A", "### Requirement:  A"),
            ("### Requirement: A\nb", "```\n### Requirement: A\nb"),
            ("x **Note**: y", "x\n**Note**: y"),
            ("a b", "a\u{200b} b"),
            ("within 1 second", "within"),
            ("a | b\n--- | ---\nc | d\ne | f", "a | b\n--- | ---\nc | d e | f"),
            ("a | b\n--- | ---\nc | d\ne", "a | b\n--- | ---\nc | d\n\ne"),
            ("| a |\n|---|\n| b |\n| c |", "| a |\n|---|\n| b |\n\n| c |"),
            ("|a|b|\n|-|-|\n|c|d|", "|a|b|\n|-|-|\n||c|d|"),
            ("|a|b|\n|-|-|\n|c|d|", "|a|b|\n|-|-|\n|c|d\\|"),
            ("| a", "| a |"),
            ("- a\n\n  more", "- a\n\n          more"),
            ("- a\n  - b", "- a\n      - b"),
            ("- a\n  - b", "- a\n - b"),
            ("a\n\n---", "a\n---"),
            ("a\n\n===", "a\n==="),
            ("- a\n\n  ---", "- a\n  ---"),
            ("FROM: a\nTO: b", "FROM: a TO: b"),
            ("**WHEN** a\n**THEN** b", "**WHEN** a **THEN** b"),
            ("**ID**: a\nb", "**ID**: a b"),
            ("a\n<details> b", "a <details> b"),
            ("<div>\na", "<div>\n\na"),
            ("<id>\na", "<id> a"),
            ("a `_b_`", "a `*b*`"),
            ("a\n2. b", "a\n\n2. b"),
            ("### Requirement: _A_", "### Requirement: *A*"),
            ("~~~\n```\n~~~", "```\n```\n```"),
            ("a\n    code", "a\n\n    code"),
        ] {
            assert!(!is_same(one, other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn line_ends() {
        assert!(differs_in_line_ends(b"a\r\nb\n", b"a\nb\r\n"));
        assert!(!differs_in_line_ends(b"a\rb", b"a\nb"));
        assert!(!differs_in_line_ends(b"a\n", b"a"));
    }
}
