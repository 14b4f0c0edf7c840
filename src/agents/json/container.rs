//! An object or a list in a text: what is appended to it, and how that is taken out again to the byte.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object};
use jsonc_parser::common::Ranged;

use super::layout::{Layout, indent_at};

/// What stands behind the bracket of a list that was there and empty, so that it stays when ours goes.
const WAS_EMPTY: &str = " ";

/// A replacement of some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    pub at: Range<usize>,
    pub text: String,
}

/// A text with replacements, none of which overlaps another. Those at one place stand in the order they are given in.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| (splice.at.start, splice.at.end));
    let mut written = String::with_capacity(text.len());
    let mut from = 0;
    for splice in splices {
        written.push_str(&text[from..splice.at.start]);
        written.push_str(&splice.text);
        from = splice.at.end;
    }
    written.push_str(&text[from..]);
    written
}

/// What is appended: what stands before a value, and the value.
pub(super) struct Item {
    pub key: Option<String>,
    pub value: serde_json::Value,
}

impl Item {
    fn render(&self, layout: &Layout, indent: &str, is_wide: bool) -> String {
        let value = super::layout::render(&self.value, layout, indent, is_wide);
        match &self.key {
            Some(key) if is_wide => format!("{}: {value}", serde_json::Value::from(key.as_str())),
            Some(key) => format!("{}:{value}", serde_json::Value::from(key.as_str())),
            None => value,
        }
    }
}

/// The brackets of an object or a list, and what is between them.
#[derive(Debug, Clone)]
pub(super) struct Container {
    open: usize,
    close: usize,
    children: Vec<Range<usize>>,
}

impl Container {
    pub fn of_object(object: &Object<'_>) -> Self {
        let children = object.properties.iter().map(|child| child.range.start..child.range.end).collect();
        Self { open: object.range.start, close: object.range.end - 1, children }
    }

    pub fn of_array(array: &Array<'_>) -> Self {
        let range = |child: &jsonc_parser::ast::Value<'_>| child.range().start..child.range().end;
        let children = array.elements.iter().map(range).collect();
        Self { open: array.range.start, close: array.range.end - 1, children }
    }

    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// Where the first child begins.
    pub fn first(&self) -> Option<usize> {
        self.children.first().map(|child| child.start)
    }

    /// Whether it was there and empty before ours was put into it.
    pub fn was_empty(&self, text: &str) -> bool {
        self.first() == Some(self.open + 1 + WAS_EMPTY.len()) && text[self.open + 1..].starts_with(WAS_EMPTY)
    }

    /// Whether a comment stands between the children.
    pub fn has_comment(&self, text: &str) -> bool {
        let starts = self.children.iter().map(|child| child.start).chain([self.close]);
        let ends = [self.open + 1].into_iter().chain(self.children.iter().map(|child| child.end));
        ends.zip(starts).any(|(end, start)| text[end..start].contains('/'))
    }

    /// Whether a comment stands before any child. One behind the last may have been there in an empty container.
    pub fn has_comment_before_last(&self, text: &str) -> bool {
        let ends = [self.open + 1].into_iter().chain(self.children.iter().map(|child| child.end));
        ends.zip(&self.children).any(|(end, child)| text[end..child.start].contains('/'))
    }

    /// Whether each child begins on a line of its own.
    pub fn is_one_a_line(&self, text: &str) -> bool {
        let ends = [self.open + 1].into_iter().chain(self.children.iter().map(|child| child.end));
        ends.zip(&self.children).all(|(end, child)| text[end..child.start].contains('\n'))
    }

    /// Puts items behind the last child. `is_beside` puts them on its line whatever the layout.
    pub fn append(&self, text: &str, layout: &Layout, items: &[Item], is_beside: bool) -> Vec<Splice> {
        let Some(last) = self.children.last() else { return self.fill(text, layout, items) };
        let is_wide = text[self.open..self.children[0].start].contains('\n');
        let comma = comma_after(text, last.end, self.close);
        let (at, is_line_comment) = end_of_comments(text, comma.map_or(last.end, |comma| comma + 1), self.close);
        let indent = indent_at(text, last.start).to_owned();
        let own_line = format!("{}{indent}", layout.newline);
        let gap = if is_line_comment || is_wide && !is_beside { own_line.as_str() } else { " " };
        let mut splices = Vec::new();
        if comma.is_none() {
            splices.push(Splice { at: last.end..last.end, text: ",".to_owned() });
        }
        let mut written = String::new();
        for (index, item) in items.iter().enumerate() {
            let before = if index == 0 { "" } else { "," };
            written.push_str(&format!("{before}{gap}{}", item.render(layout, &indent, is_wide)));
        }
        if comma.is_some() {
            written.push(',');
        }
        splices.push(Splice { at: at..at, text: written });
        splices
    }

    /// Puts items into an empty one, before whatever blanks and comments are there.
    fn fill(&self, text: &str, layout: &Layout, items: &[Item]) -> Vec<Splice> {
        let is_wide = text.contains('\n');
        let indent = indent_at(text, self.open).to_owned();
        let items: Vec<String> = items.iter().map(|item| item.render(layout, &indent, is_wide)).collect();
        let written = format!("{WAS_EMPTY}{}", items.join(", "));
        vec![Splice { at: self.open + 1..self.open + 1, text: written }]
    }

    /// Takes children out. When none is left, the container stays as it was before they were put in.
    pub fn remove(&self, text: &str, is_ours: impl Fn(usize) -> bool) -> Vec<Splice> {
        let ours: Vec<usize> = (0..self.children.len()).filter(|index| is_ours(*index)).collect();
        let Some(last_kept) = (0..self.children.len()).rev().find(|index| !is_ours(*index)) else {
            return self.remove_all(text);
        };
        let mut splices = Vec::new();
        for index in ours {
            let child = &self.children[index];
            let start = before_gap(text, child);
            let comma = comma_after(text, child.end, self.close);
            splices.push(Splice { at: start..comma.map_or(child.end, |comma| comma + 1), text: String::new() });
            // The last child keeps the comma it had only if the list ended in one.
            if index > last_kept && index + 1 == self.children.len() && comma.is_none() {
                let kept = comma_after(text, self.children[last_kept].end, self.close);
                splices.extend(kept.map(|comma| Splice { at: comma..comma + 1, text: String::new() }));
            }
        }
        splices
    }

    fn remove_all(&self, text: &str) -> Vec<Splice> {
        let Some(last) = self.children.last() else { return Vec::new() };
        let end = comma_after(text, last.end, self.close).map_or(last.end, |comma| comma + 1);
        if self.was_empty(text) {
            return vec![Splice { at: self.open + 1..end, text: String::new() }];
        }
        if self.has_comment(text) {
            let child = |child: &Range<usize>| {
                let end = comma_after(text, child.end, self.close).map_or(child.end, |comma| comma + 1);
                Splice { at: before_gap(text, child)..end, text: String::new() }
            };
            return self.children.iter().map(child).collect();
        }
        vec![Splice { at: self.open + 1..self.close, text: String::new() }]
    }
}

/// Where the gap before a child begins that was put in with it: a line end and blanks, or blanks.
fn before_gap(text: &str, child: &Range<usize>) -> usize {
    let before = text[..child.start].trim_end_matches([' ', '\t']);
    // Whatever stood there ends in no line end itself, not even a comment.
    let before = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')).unwrap_or(before);
    before.len()
}

/// The comma behind a child, if there is one before an offset.
fn comma_after(text: &str, from: usize, to: usize) -> Option<usize> {
    let mut rest = &text[from..to];
    loop {
        rest = rest.trim_start();
        let end = if rest.starts_with("//") {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return rest.starts_with(',').then(|| to - rest.len());
        };
        rest = &rest[end..];
    }
}

/// Where the comments end that stand behind an offset on its line, and whether the last takes the rest of the line.
fn end_of_comments(text: &str, from: usize, to: usize) -> (usize, bool) {
    let mut end = from;
    loop {
        let rest = text[end..to].trim_start_matches(|c: char| c.is_whitespace() && c != '\n' && c != '\r');
        let start = to - rest.len();
        if rest.starts_with("//") {
            return (start + rest.find(['\n', '\r']).unwrap_or(rest.len()), true);
        }
        match rest.find("*/").map(|close| close + 2).filter(|_| rest.starts_with("/*")) {
            Some(close) if !rest[..close].contains(['\n', '\r']) => end = start + close,
            _ => return (end, false),
        }
    }
}
