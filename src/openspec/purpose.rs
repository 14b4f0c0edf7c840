//! Tells a purpose somebody wrote from one that still waits to be written.

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
    let first = spec.text.line_at(section.content.start);
    let last = spec.text.line_at(section.content.end);
    let mut lines = (first..=last).filter(|line| !spec.text.fenced(*line));
    let found = if leading {
        lines.find(|line| !js::trim(spec.text.line(*line)).is_empty())
    } else {
        lines.find(|line| spec.text.line(*line).contains(GENERATED.0.trim_end()))
    };
    Some(found.unwrap_or(section.line))
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
