//! Lines of a source that would be read as the structure of a spec are written so that they are not.

use crate::openspec::heading::section_break;
use crate::openspec::text::FenceTracker;

/// Joins lines: headings become bold, an open fence is closed, an open comment is made visible.
pub fn text<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> String {
    let mut fences = FenceTracker::default();
    let mut written = String::new();
    let mut opener = String::new();
    for line in lines {
        let line = line.as_ref().trim_end();
        let was_open = fences.is_open();
        let is_fenced = fences.feed(line);
        if fences.is_open() && !was_open {
            opener = marker(line);
        }
        // An indented one is code to Markdown, and looks like a heading to whoever reads the file.
        let blanks = line.len() - line.trim_start().len();
        let (indent, bare) = line.split_at(blanks);
        match section_break(bare).filter(|_| !is_fenced) {
            Some(level) => {
                let title = bare[level..].trim().trim_end_matches('#').trim_end().replace("**", "");
                if !title.is_empty() {
                    written.push_str(&format!("{indent}**{title}**"));
                }
            }
            None => written.push_str(line),
        }
        written.push('\n');
    }
    if fences.is_open() {
        written.push_str(&opener);
        written.push('\n');
    }
    comments(written.trim_end())
}

/// What a comment begins with that tells this program something. Nobody who wrote for another tool meant that.
const DIRECTIVE: &str = "specward";

/// A text in which a comment that is never closed is no comment, since it would hide what follows, and none is an order.
pub fn comments(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        written.push_str(&rest[..start]);
        let after = &rest[start + 4..];
        match after.find("-->") {
            Some(end) if !after[..end].trim_start().starts_with(DIRECTIVE) => {
                written.push_str(&rest[start..start + 4 + end + 3]);
                rest = &after[end + 3..];
            }
            _ => {
                written.push_str("&lt;!--");
                rest = after;
            }
        }
    }
    written.push_str(rest);
    written
}

/// A name on one line, without what ends a heading.
pub fn name(text: &str) -> String {
    let words = text.replace("**", "").split_whitespace().collect::<Vec<_>>().join(" ");
    comments(words.trim_end_matches(['#', ' ']))
}

/// The blanks and the run of marks that close the fence a line opens.
fn marker(line: &str) -> String {
    let trimmed = line.trim_start();
    let first = trimmed.chars().next().unwrap_or('`');
    let run: String = trimmed.chars().take_while(|c| *c == first).collect();
    format!("{}{run}", &line[..line.len() - trimmed.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structure_is_taken_out_of_text() {
        assert_eq!(text(["## A ##", "b", "#### ", "#tag"]), "**A**\nb\n####\n#tag");
        assert_eq!(text(["```", "# a", "```", "# b"]), "```\n# a\n```\n**b**");
        assert_eq!(text(["  ~~~~ x", "# a"]), "  ~~~~ x\n# a\n  ~~~~");
        assert_eq!(text(["a <!-- b"]), "a &lt;!-- b");
        assert_eq!(text(["<!-- specward: allow x -->"]), "&lt;!-- specward: allow x -->");
        assert_eq!(text(["<!--", "b", "-->"]), "<!--\nb\n-->");
        assert_eq!(text(["--> a <!-- b"]), "--> a &lt;!-- b");
        assert_eq!(name("  a **b**\n c ##"), "a b c");
    }
}
