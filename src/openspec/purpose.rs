//! Tells a purpose somebody wrote from one that still waits to be written.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::js;
use super::spec::Spec;
use super::text::FenceTracker;

/// What `archive` of the reference writes as purpose of a new capability, around the change's name.
const GENERATED: (&str, &str) = ("TBD - created by archiving change ", ". Update Purpose after archive.");

/// Anything that continues a word, so that "TODOs" is no marker.
static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{N}\p{M}_]").ok());

/// 0-based line of the placeholder when a spec's purpose is one.
///
/// A placeholder is `TBD` or `TODO` opening the purpose (in capitals, or in any case when punctuation or the line's
/// end follows), or the sentence the reference's archive writes.
pub fn placeholder_line(spec: &Spec) -> Option<usize> {
    let section = spec.purpose.as_ref()?;
    let prose = unfenced(spec.content(section));
    let leading = has_leading_marker(js::trim(&prose));
    if !leading && generated_at(&prose).is_none() {
        return None;
    }
    let content = first_purpose(spec).unwrap_or(spec.text.line_at(section.content.start)..spec.text.len());
    let mut lines = content.filter(|line| !spec.text.fenced(*line));
    let found = if leading {
        lines.find(|line| !js::trim(spec.text.line(*line)).is_empty())
    } else {
        lines.find(|line| spec.text.line(*line).contains(GENERATED.0.trim_end()))
    };
    Some(found.unwrap_or(section.line))
}

/// Lines below the first `## Purpose`, up to the next section. The reference looks for the line there, even where
/// another heading was read as the purpose.
fn first_purpose(spec: &Spec) -> Option<Range<usize>> {
    let text = &spec.text;
    let mut lines = (0..text.len()).filter(|line| !text.fenced(*line));
    let is_purpose = |line: &usize| {
        level_and_title(text.line(*line))
            .is_some_and(|(level, title)| level == 2 && title.eq_ignore_ascii_case("purpose"))
    };
    let header = lines.by_ref().find(is_purpose)?;
    let end = lines.find(|line| level_and_title(text.line(*line)).is_some_and(|(level, _)| level <= 2));
    Some(header + 1..end.unwrap_or(text.len()))
}

/// A heading as CommonMark has it: up to three blanks before, a blank after.
fn level_and_title(line: &str) -> Option<(usize, &str)> {
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    let rest = line.get(indent..).filter(|_| indent <= 3)?;
    let level = rest.bytes().take_while(|byte| *byte == b'#').count();
    let title = &rest[level..];
    (level > 0 && title.starts_with([' ', '\t'])).then(|| (level, title.trim_matches([' ', '\t'])))
}

fn unfenced(content: &str) -> String {
    let mut fences = FenceTracker::default();
    content.split('\n').filter(|line| !fences.feed(line)).collect::<Vec<_>>().join("\n")
}

fn has_leading_marker(prose: &str) -> bool {
    ["TBD", "TODO"].iter().any(|marker| {
        let Some(rest) = js::strip_prefix_ignore_case(prose, marker) else { return false };
        if WORD.as_ref().is_some_and(|word| word.is_match(rest)) {
            return false;
        }
        prose.starts_with(marker) || {
            let next = rest.trim_start_matches([' ', '\t']).chars().next();
            next.is_none_or(|c| "\n:-–—.,;()[]{}".contains(c))
        }
    })
}

/// Where the generated sentence begins, whatever stands between its two halves.
fn generated_at(text: &str) -> Option<usize> {
    text.match_indices(GENERATED.1).find_map(|(end, _)| text[..end].rfind(GENERATED.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(purpose: &str) -> Option<usize> {
        placeholder_line(&Spec::parse(format!("## Purpose\n{purpose}\n## Requirements\n").into_bytes()))
    }

    #[test]
    fn markers() {
        assert_eq!(line("TBD"), Some(1));
        assert_eq!(line("\nTODO write this"), Some(2));
        assert_eq!(line("todo: x"), Some(1));
        assert_eq!(line("todo lists are kept"), None);
        assert_eq!(line("TODOs are kept"), None);
        assert_eq!(line("x\nTBD - created by archiving change c1. Update Purpose after archive."), Some(2));
    }
}
