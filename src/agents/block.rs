//! The block of instructions between two marks, in a file whose every other byte is somebody else's.
//!
//! What stands around the block says what was there before: a blank line is put before it, and a file without a final
//! line end gets none behind the block. Below a text that is a head and nothing else there are two blank lines, since
//! one is what a file has that was made for the block.

use std::ops::Range;

use crate::agents::json::newline_of;
use crate::agents::problem::{Problem, line_at};

mod markdown;

use markdown::{Kind, Reader, Swallow};

/// The block, marks included, with a final line end.
pub const BLOCK: &str = include_str!("templates/block.md");

/// The line the block begins with.
pub const START: &str = "<!-- specward:start -->";
/// What each mark begins with.
pub const MARK: &str = "<!-- specward:";
const END: &str = "<!-- specward:end -->";
const BOM: char = '\u{feff}';
const FIX: &str = "delete the mark, or both marks and what is between them; nothing was written";

/// A text with the block in it, brought up to date where it is and else added at the end. `head` is what stands above
/// the block in a file that is made for it.
///
/// # Errors
/// When the marks are not one pair, or the end of the text is inside of code or a comment.
pub fn install(text: &str, head: &str) -> Result<String, Problem> {
    let found = look(text)?;
    if let Some(range) = found.block {
        let block = in_lines_of(&text[range.clone()], BLOCK);
        return Ok(format!("{}{}{}", &text[..range.start], block.trim_end(), &text[range.end..]));
    }
    found.swallow.map_or(Ok(()), |swallow| Err(swallowed(text, swallow)))?;
    let block = in_lines_of(text, BLOCK);
    let newline = newline_of(text);
    let is_ended = text.is_empty() || text.ends_with('\n');
    let lines = 1 + usize::from(!is_ended) + usize::from(is_head(text, head));
    Ok(format!("{text}{}{}{}", newline.repeat(lines), block.trim_end(), if is_ended { newline } else { "" }))
}

/// A text without the block. None when nothing is left of a file that was made for it, whatever blanks a formatter made
/// of those in its head.
///
/// # Errors
/// When the marks are not one pair, or are inside of code or a comment that never ends.
pub fn uninstall(text: &str, head: &str) -> Result<Option<String>, Problem> {
    let found = look(text)?;
    let Some(range) = found.block else {
        // What is not ours is not ours to complain about.
        let swallow = found.swallow.filter(|(_, at)| text[*at..].lines().any(|line| line.trim() == START));
        return swallow.map_or(Ok(Some(text.to_owned())), |swallow| Err(swallowed(text, swallow)));
    };
    let newline = newline_of(&text[range.clone()]);
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let is_made = head.is_empty() && before.is_empty() || is_head(before, head) && !ends_in(before, newline, 3);
    if is_made && after.trim().is_empty() {
        return Ok(None);
    }
    // Where the text goes on, only the line end of the block itself goes, and a blank line where there are two.
    let rest = after.strip_prefix(newline).or_else(|| after.strip_prefix('\n')).unwrap_or(after);
    let is_last = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let is_below_head = after.trim().is_empty() && is_head(before, head);
    let mut ours = if after.is_empty() { 2 } else { 1 } + usize::from(is_below_head);
    let mut before = before;
    while let Some(less) = before.strip_suffix(newline).filter(|_| ours > 0 && is_last) {
        // The line end of a line of theirs stays as long as anything follows.
        if !after.is_empty() && !is_blank_line_after(less) {
            break;
        }
        before = less;
        ours -= 1;
    }
    Ok(Some(format!("{before}{rest}")))
}

/// The version that a block says it is of.
pub fn version(block: &str) -> Option<u32> {
    let after = block.split_once("<!-- specward:block v")?.1;
    after[..after.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}

/// Where the block is, in whole lines, without the line end behind it.
///
/// # Errors
/// When the marks are not one pair.
pub fn find(text: &str) -> Result<Option<Range<usize>>, Problem> {
    look(text).map(|found| found.block)
}

struct Found {
    block: Option<Range<usize>>,
    swallow: Option<(Swallow, usize)>,
}

fn look(text: &str) -> Result<Found, Problem> {
    let problem = |at: usize, message: String, fix: &str| Err(Problem::at(line_at(text, at), message, fix));
    let mut open: Option<usize> = None;
    let mut block: Option<Range<usize>> = None;
    let mut reader = Reader::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let skipped = if at == 0 { line.len() - line.trim_start_matches(BOM).len() } else { 0 };
        let start = at + skipped;
        at += line.len();
        let whole = line[skipped..].strip_suffix('\n').unwrap_or(&line[skipped..]);
        let whole = whole.strip_suffix('\r').unwrap_or(whole);
        // Markdown knows line ends that nobody else does.
        let kinds = whole.split('\r').fold(Kind::Text, |_, line| reader.feed(line, start));
        let mark = whole.trim();
        if kinds == Kind::Code || mark != START && mark != END {
            continue;
        }
        if mark == START {
            if let Some(first) = open {
                let first = line_at(text, first);
                return problem(
                    start,
                    format!("a block begins here inside of the one that begins at line {first}"),
                    FIX,
                );
            }
            if let Some(first) = &block {
                let message =
                    format!("a second block begins here; the first is at line {}", line_at(text, first.start));
                return problem(start, message, "delete one of the two; nothing was written");
            }
            open = Some(start);
        } else {
            let Some(first) = open.take() else {
                return problem(start, format!("`{END}` without `{START}` above it"), FIX);
            };
            block = Some(first..start + whole.len());
        }
    }
    if let Some(first) = open {
        return problem(first, format!("`{START}` without `{END}` below it"), FIX);
    }
    Ok(Found { block, swallow: reader.swallow() })
}

fn swallowed(text: &str, (swallow, at): (Swallow, usize)) -> Problem {
    let (what, fix) = match swallow {
        Swallow::Fence => ("code", "close the fence"),
        Swallow::Comment => ("a comment", "close the comment with `-->`"),
        Swallow::Html => ("HTML", "write its end"),
    };
    let message = format!("{what} begins here that never ends, and would take in what is added below");
    Problem::at(line_at(text, at), message, format!("{fix}; nothing was written"))
}

/// Whether a text is a head, with whatever blanks between its words.
fn is_head(text: &str, head: &str) -> bool {
    !head.is_empty() && text.trim_start_matches(BOM).split_whitespace().eq(head.split_whitespace())
}

/// Whether a line end that follows a text would be a blank line.
fn is_blank_line_after(text: &str) -> bool {
    let text = text.trim_start_matches(BOM);
    text.is_empty() || text.ends_with('\n')
}

fn ends_in(text: &str, newline: &str, times: usize) -> bool {
    text.ends_with(&newline.repeat(times))
}

fn in_lines_of(text: &str, block: &str) -> String {
    block.replace('\n', newline_of(text))
}

#[cfg(test)]
mod tests;
