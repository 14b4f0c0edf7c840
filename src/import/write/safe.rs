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
        match section_break(line).filter(|_| !is_fenced) {
            Some(level) => {
                let title = line[level..].trim().trim_end_matches('#').trim_end().replace("**", "");
                if !title.is_empty() {
                    written.push_str(&format!("**{title}**"));
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
    // A comment that is never closed would hide what follows.
    if written.matches("<!--").count() != written.matches("-->").count() {
        written = written.replace("<!--", "&lt;!--");
    }
    written.trim_end().to_owned()
}

/// A name on one line, without what ends a heading.
pub fn name(text: &str) -> String {
    let words = text.replace("**", "").split_whitespace().collect::<Vec<_>>().join(" ");
    words.trim_end_matches(['#', ' ']).to_owned()
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
        assert_eq!(text(["<!--", "b", "-->"]), "<!--\nb\n-->");
        assert_eq!(name("  a **b**\n c ##"), "a b c");
    }
}
