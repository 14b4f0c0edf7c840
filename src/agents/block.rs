//! The block of instructions between two marks, in a file whose every other byte is somebody else's.
//!
//! What stands around the block says what was there before: a blank line is put before it, and a file without a final
//! line end gets none behind the block.

use std::ops::Range;

use crate::agents::json::newline_of;
use crate::agents::problem::{Problem, line_at};

/// The block, marks included, with a final line end.
pub const BLOCK: &str = include_str!("templates/block.md");

const START: &str = "<!-- specward:start -->";
const END: &str = "<!-- specward:end -->";
const BOM: char = '\u{feff}';

/// A text with the block in it, brought up to date where it is and else added at the end.
///
/// # Errors
/// When the marks are not one pair, or the end of the text is inside of code or a comment.
pub fn install(text: &str) -> Result<String, Problem> {
    match find(text)? {
        Some(range) => {
            let block = in_lines_of(&text[range.clone()], BLOCK);
            Ok(format!("{}{}{}", &text[..range.start], block.trim_end(), &text[range.end..]))
        }
        None => {
            let block = in_lines_of(text, BLOCK);
            let newline = newline_of(text);
            let is_ended = text.is_empty() || text.ends_with('\n');
            let (before, after) = if is_ended { (newline.to_owned(), newline) } else { (newline.repeat(2), "") };
            Ok(format!("{text}{before}{}{after}", block.trim_end()))
        }
    }
}

/// A text without the block. None when nothing is left of a file that was made for it, with a head above it.
///
/// # Errors
/// When the marks are not one pair.
pub fn uninstall(text: &str, head: &str) -> Result<Option<String>, Problem> {
    let Some(range) = find(text)? else { return Ok(Some(text.to_owned())) };
    let newline = newline_of(&text[range.clone()]);
    let (before, after) = (&text[..range.start], &text[range.end..]);
    if before.replace("\r\n", "\n") == head && after == newline {
        return Ok(None);
    }
    let (before, after) = if after.is_empty() {
        let once = before.strip_suffix(newline).unwrap_or(before);
        (once.strip_suffix(newline).unwrap_or(once), after)
    } else {
        (before.strip_suffix(newline).unwrap_or(before), after.strip_prefix(newline).unwrap_or(after))
    };
    Ok(Some(format!("{before}{after}")))
}

/// The version that a block says it is of.
pub fn version(block: &str) -> Option<u32> {
    let after = block.split_once("<!-- specward:block v")?.1;
    after[..after.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}

/// Where the block is, without the line end behind it.
///
/// # Errors
/// When the marks are not one pair.
pub fn find(text: &str) -> Result<Option<Range<usize>>, Problem> {
    let mut open: Option<Range<usize>> = None;
    let mut found: Option<Range<usize>> = None;
    let mut fence = Fence::default();
    let mut comment: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_start_matches(BOM).trim();
        let is_mark = bare == START || bare == END;
        if comment.is_some() {
            if bare.contains("-->") {
                comment = None;
            }
            if !is_mark {
                continue;
            }
        } else if fence.feed(bare) {
            // Code that shows a block is no block.
            continue;
        } else if bare.starts_with("<!--") && !bare.contains("-->") {
            comment = Some(start);
        }
        let number = line_at(text, start);
        let from = start + line.len() - line.trim_start_matches(BOM).trim_start_matches([' ', '\t']).len();
        if bare == START {
            if let Some(first) = &open {
                let message =
                    format!("a block begins here inside of the one that begins at line {}", line_at(text, first.start));
                return Err(Problem::at(number, message, FIX));
            }
            if let Some(first) = &found {
                let message =
                    format!("a second block begins here; the first is at line {}", line_at(text, first.start));
                return Err(Problem::at(number, message, "delete one of the two; nothing was written"));
            }
            open = Some(from..from);
        } else if bare == END {
            let Some(first) = open.take() else {
                return Err(Problem::at(number, format!("`{END}` without `{START}` above it"), FIX));
            };
            found = Some(first.start..start + line.trim_end().len());
        }
    }
    if let Some(first) = open {
        let message = format!("`{START}` without `{END}` below it");
        return Err(Problem::at(line_at(text, first.start), message, FIX));
    }
    if found.is_none() {
        fence.demand_closed(text)?;
        demand_closed_comment(text, comment)?;
    }
    Ok(found)
}

const FIX: &str = "delete the mark, or both marks and what is between them; nothing was written";

fn in_lines_of(text: &str, block: &str) -> String {
    block.replace('\n', newline_of(text))
}

/// Follows code fences line by line.
#[derive(Debug, Default)]
struct Fence {
    open: Option<(char, usize)>,
    seen: usize,
    opened: usize,
}

impl Fence {
    /// Takes a line without blanks around it and tells whether it is code or a fence.
    fn feed(&mut self, line: &str) -> bool {
        self.seen += 1;
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let run = mark.map_or(0, |mark| line.chars().take_while(|c| *c == mark).count());
        match (self.open, mark) {
            // Inline code, which ends where it begins.
            (None, Some('`')) if line[run..].contains('`') => false,
            (None, Some(mark)) if run >= 3 => {
                (self.open, self.opened) = (Some((mark, run)), self.seen);
                true
            }
            (None, _) => false,
            (Some((open, length)), mark) => {
                if mark == Some(open) && run >= length && run == line.len() {
                    self.open = None;
                }
                true
            }
        }
    }

    fn demand_closed(&self, text: &str) -> Result<(), Problem> {
        if self.open.is_none() {
            return Ok(());
        }
        let line = self.opened.min(text.lines().count());
        let message = "code begins here that never ends, and would take in what is added below";
        Err(Problem::at(line, message, "close the fence; nothing was written"))
    }
}

fn demand_closed_comment(text: &str, open: Option<usize>) -> Result<(), Problem> {
    let Some(at) = open else { return Ok(()) };
    let message = "a comment begins here that never ends, and would take in what is added below";
    Err(Problem::at(line_at(text, at), message, "close the comment with `-->`; nothing was written"))
}

#[cfg(test)]
mod tests;
