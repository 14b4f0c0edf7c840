//! Names that REMOVED and RENAMED list.

use std::ops::Range;

use super::{Removal, Rename, Unpaired};
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::text::Text;

pub(super) fn removals(text: &Text, body: Range<usize>) -> Vec<Removal> {
    body.filter(|line| !text.fenced(*line))
        .filter_map(|line| {
            let written = text.line(line);
            let name = heading::requirement_name(written).or_else(|| bulleted_name(written))?;
            Some(Removal { name: name.to_owned(), line })
        })
        .collect()
}

/// `- ### Requirement: X`, with `-`, `*` or `+`, backticks optional.
fn bulleted_name(line: &str) -> Option<&str> {
    let rest = js::trim_start(line).strip_prefix(['-', '*', '+'])?;
    quoted_header(js::trim_start(rest))
}

/// `` `### Requirement: X` ``, backticks optional, keyword as written.
fn quoted_header(text: &str) -> Option<&str> {
    let text = text.strip_prefix('`').unwrap_or(text);
    let rest = js::trim_start(text.strip_prefix("###")?).strip_prefix("Requirement:")?;
    let captured = js::trim_start(rest);
    // The name must have a character that is no line separator; trailing white space and one backtick are not part.
    let tail = js::trim_end(captured);
    if tail.is_empty() {
        return (rest.chars().any(|c| !js::is_line_terminator(c))).then_some("");
    }
    if tail.contains(js::is_line_terminator) {
        return None;
    }
    let name = match tail.strip_suffix('`') {
        Some(inner) if !inner.is_empty() => inner,
        _ => tail,
    };
    Some(heading::normalise_name(name))
}

pub(super) fn renames(text: &Text, body: Range<usize>, renamed: &mut Vec<Rename>, unpaired: &mut Vec<Unpaired>) {
    let mut pending: Option<(String, usize)> = None;
    let lone_from = |(name, line)| Unpaired { is_from: true, name, line };
    for line in body {
        if text.fenced(line) {
            continue;
        }
        let written = text.line(line);
        if let Some(from) = labelled_name(written, "FROM:") {
            unpaired.extend(pending.replace((from.to_owned(), line)).map(lone_from));
        } else if let Some(to) = labelled_name(written, "TO:") {
            match pending.take() {
                Some((from, from_line)) => renamed.push(Rename { from, to: to.to_owned(), from_line, to_line: line }),
                None => unpaired.push(Unpaired { is_from: false, name: to.to_owned(), line }),
            }
        }
    }
    unpaired.extend(pending.map(lone_from));
}

/// Whether a line would be FROM or TO of a rename.
pub(in crate::openspec) fn is_rename_line(line: &str) -> bool {
    labelled_name(line, "FROM:").or_else(|| labelled_name(line, "TO:")).is_some()
}

/// The name that a line would remove or rename in a section that does so.
pub(in crate::openspec) fn listed_name(line: &str) -> Option<&str> {
    bulleted_name(line).or_else(|| labelled_name(line, "FROM:"))
}

/// `FROM:` or `TO:` with an optional bullet before and a header, optionally in backticks, after.
fn labelled_name<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let rest = js::trim_start(line);
    let rest = rest.strip_prefix(['-', '*', '+']).unwrap_or(rest);
    let rest = js::trim_start(rest).strip_prefix(label)?;
    quoted_header(js::trim_start(rest))
}

#[cfg(test)]
mod tests {
    use super::super::Delta;

    fn delta(content: &str) -> Delta {
        Delta::parse(content.as_bytes().to_vec())
    }

    #[test]
    fn removals_by_header_and_bullet() {
        let delta = delta(
            "## REMOVED Requirements\n### Requirement: A\n- `### Requirement: B`\n+ ### Requirement: C\n-### requirement: D\n",
        );
        assert_eq!(delta.removed.iter().map(|removal| removal.name.as_str()).collect::<Vec<_>>(), ["A", "B", "C"]);
    }

    #[test]
    fn renames_pair_in_order() {
        let delta = delta(
            "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n* FROM: ### Requirement: C\nFROM: ### Requirement: D\nTO: ### Requirement: E\nTO: ### Requirement: F\n",
        );
        assert_eq!(delta.renamed.len(), 2);
        assert_eq!((delta.renamed[1].from.as_str(), delta.renamed[1].to.as_str()), ("D", "E"));
        assert_eq!(delta.unpaired.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["C", "F"]);
    }
}
