//! The main spec of a new capability before its requirements: title and purpose.

use super::Names;
use crate::openspec::delta::Delta;
use crate::openspec::heading::is_top_level_section;
use crate::openspec::js;
use crate::openspec::spec::Spec;
use crate::openspec::text::{FenceTracker, Text};

/// The spec a new capability starts with. Its purpose is the delta's when that leaves a spec that can be read, else a
/// sentence that asks for one.
pub(super) fn skeleton(delta: &Delta, names: Names<'_>) -> Spec {
    let with =
        |purpose: &str| format!("# {} Specification\n\n## Purpose\n{purpose}\n\n## Requirements\n", names.capability);
    let carried = purpose_section(&delta.text).map(|purpose| with(&purpose)).filter(|skeleton| {
        // A comment could hide the headings below it from a reader and not from the merge.
        !skeleton.contains("<!--")
    });
    if let Some(skeleton) = carried {
        let spec = Spec::parse(skeleton.into_bytes());
        if spec.structure.is_empty() && spec.is_readable() {
            return spec;
        }
    }
    let generated = format!("TBD - created by archiving change {}. Update Purpose after archive.", names.change);
    Spec::parse(with(&generated).into_bytes())
}

/// What stands under `## Purpose`, unless that is nothing but comments and code. Headings in comments and code do not
/// count, neither to begin nor to end the section.
pub fn purpose_section(text: &Text) -> Option<String> {
    let masked = without_comments(text.content());
    let mut fences = FenceTracker::default();
    let lines: Vec<(&str, bool)> = masked.split('\n').map(|line| (line, fences.feed(line))).collect();
    // The reference reads the delta here without dropping its byte-order mark.
    let first = usize::from(text.had_bom());
    let is_purpose = |(line, is_fenced): &(&str, bool)| {
        !is_fenced && is_top_level_section(line) && js::trim(&line[2..]).eq_ignore_ascii_case("purpose")
    };
    let start = first + lines.iter().skip(first).position(is_purpose)? + 1;
    let is_end = |(line, is_fenced): &(&str, bool)| !is_fenced && is_top_level_section(line);
    let end = lines[start..].iter().position(is_end).map_or(lines.len(), |at| start + at);
    let has_prose = lines[start..end].iter().any(|(line, is_fenced)| !is_fenced && !js::trim(line).is_empty());
    let body = js::trim(text.lines(start..end));
    (has_prose && !body.is_empty()).then(|| body.to_owned())
}

/// The text with HTML comments replaced by blanks, line by line. One that is not closed runs to the end.
fn without_comments(content: &str) -> String {
    let mut kept = String::with_capacity(content.len());
    let mut rest = content;
    while let Some(open) = rest.find("<!--") {
        kept.push_str(&rest[..open]);
        let comment = &rest[open..];
        let inner = &comment[4..];
        let ends = [("-->", 3), ("--!>", 4)].iter().filter_map(|(mark, length)| Some(inner.find(mark)? + 4 + length));
        let end = ends.min().unwrap_or(comment.len());
        kept.extend(comment[..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &comment[end..];
    }
    kept.push_str(rest);
    kept
}
