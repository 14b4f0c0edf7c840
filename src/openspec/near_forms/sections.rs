//! Lines that were meant as a delta section's title and are none.

use super::headers::html_heading;
use super::{indent, strip_marker, visible};
use crate::openspec::delta::Operation;
use crate::openspec::heading;
use crate::openspec::js;
use crate::openspec::near;

/// A line that was meant as a delta section's title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearSection {
    /// What it was meant to do.
    pub operation: Operation,
    /// Whether the title is one of the four but for its form. Else only what stands below tells.
    pub is_certain: bool,
}

const STRICT: [(&str, Operation); 4] = [
    ("added", Operation::Added),
    ("modified", Operation::Modified),
    ("removed", Operation::Removed),
    ("renamed", Operation::Renamed),
];

const LOOSE: [(&str, Operation); 29] = [
    ("add", Operation::Added),
    ("adds", Operation::Added),
    ("adding", Operation::Added),
    ("addition", Operation::Added),
    ("additions", Operation::Added),
    ("additional", Operation::Added),
    ("new", Operation::Added),
    ("modify", Operation::Modified),
    ("modifies", Operation::Modified),
    ("modifying", Operation::Modified),
    ("modification", Operation::Modified),
    ("modifications", Operation::Modified),
    ("changed", Operation::Modified),
    ("updated", Operation::Modified),
    ("update", Operation::Modified),
    ("remove", Operation::Removed),
    ("removal", Operation::Removed),
    ("removals", Operation::Removed),
    ("deleted", Operation::Removed),
    ("delete", Operation::Removed),
    ("deprecated", Operation::Removed),
    ("dropped", Operation::Removed),
    ("retired", Operation::Removed),
    ("obsolete", Operation::Removed),
    ("obsoleted", Operation::Removed),
    ("deletions", Operation::Removed),
    ("deletion", Operation::Removed),
    ("renames", Operation::Renamed),
    ("rename", Operation::Renamed),
];

pub(super) fn operation_of(word: &str) -> Option<Operation> {
    STRICT.iter().chain(&LOOSE).find(|(known, _)| *known == word).map(|(_, operation)| *operation)
}

/// The operation that a word in capitals names, one of the four.
pub(super) fn strict_operation_of(word: &str) -> Option<Operation> {
    let is_shouted = word.bytes().all(|b| b.is_ascii_uppercase());
    STRICT.iter().find(|(known, _)| is_shouted && word.eq_ignore_ascii_case(known)).map(|(_, operation)| *operation)
}

/// Whether a title begins with one of the four words in capitals.
pub fn names_operation(title: &str) -> bool {
    strict_operation_of(title.split(' ').next().unwrap_or_default()).is_some()
}

/// A heading (or bold line) that reads as a delta section's title and is none.
pub fn near_section(line: &str) -> Option<NearSection> {
    if line.len() > 120
        || Operation::from_title(heading::heading(line).filter(|(level, _)| *level == 2).map_or("", |(_, title)| title))
            .is_some()
    {
        return None;
    }
    let shown = visible(line);
    let text = &shown[indent(&shown)?..];
    let hashes = text.bytes().take_while(|byte| *byte == b'#').count();
    let title = js::trim(&text[hashes..]);
    let is_bold =
        hashes == 0 && title.len() > 4 && title.starts_with("**") && title.trim_end_matches(':').ends_with("**");
    if hashes > 6 || hashes == 0 && !is_bold {
        return None;
    }
    // What stands in brackets is a note, unless the title itself is in another language and the brackets translate it.
    let outside = title.split(['(', '（', '[', '【']).next().unwrap_or_default();
    let words = words(outside);
    let is_foreign = outside.chars().any(char::is_alphabetic) && words.is_empty();
    let words = if is_foreign {
        self::words(&title[outside.len()..])
    } else if outside.chars().any(|c| c.is_alphabetic() && !c.is_ascii()) {
        return None;
    } else {
        words
    };
    let words: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| !matches!(*word, "the" | "delta" | "newly" | "spec")).collect();
    let find = |list: &[(&str, Operation)], word: &str| {
        list.iter().find(|(known, _)| *known == word).map(|(_, operation)| *operation)
    };
    // "Deleted" is a title over a list; "New" and "Update" may be any.
    let strict_or_removal = |word: &str| {
        find(&STRICT, word).or_else(|| find(&LOOSE, word).filter(|operation| *operation == Operation::Removed))
    };
    let (operation, is_certain) = match words[..] {
        [word] if hashes > 0 && hashes <= 2 => match find(&STRICT, word) {
            Some(operation) => (operation, true),
            None => (strict_or_removal(word)?, false),
        },
        [one, two] => {
            let (word, noun) = if is_requirements(two) { (one, two) } else { (two, one) };
            let strict = find(&STRICT, word);
            if is_requirements(noun) {
                (strict.or_else(|| find(&LOOSE, word).filter(|_| !is_bold))?, strict.is_some())
            } else {
                let is_noun = matches!(
                    two,
                    "capability"
                        | "capabilities"
                        | "feature"
                        | "features"
                        | "scenario"
                        | "scenarios"
                        | "behavior"
                        | "behaviour"
                        | "specs"
                );
                let word = strict_or_removal(one);
                (word.filter(|_| is_noun && hashes == 2)?, false)
            }
        }
        _ => return None,
    };
    Some(NearSection { operation, is_certain })
}

/// A line that shows as a delta section's title and is no heading for the reader: plain, quoted, in a list, indented or
/// in HTML. Only what stands below tells whether it was meant as one.
pub fn disguised_section(line: &str) -> Option<Operation> {
    if line.len() > 120 {
        return None;
    }
    let shown = visible(line);
    let mut text = js::trim(&shown);
    while let Some(item) = strip_marker(text) {
        text = item;
    }
    let html = html_heading(text).map(|inner| inner.split('<').next().unwrap_or_default());
    let bold = || {
        ["b", "strong"].iter().find_map(|tag| {
            text.strip_prefix(&format!("<{tag}>"))?.trim_end_matches([':', '：']).strip_suffix(&format!("</{tag}>"))
        })
    };
    let html = html.or_else(bold);
    let title = html.unwrap_or(text);
    let bare = js::trim(title).trim_start_matches('#').trim_matches(['*', '_', ' ', ':', '：']);
    let is_marked = html.is_some() || bare.len() + 1 < js::trim(title).trim_end_matches([':', '：']).len();
    let (word, noun) = bare.split_once(' ')?;
    let is_operation = is_marked || names_operation(word);
    let operation =
        STRICT.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map(|(_, operation)| *operation)?;
    (is_operation && !noun.contains(' ') && is_requirements(&noun.to_ascii_lowercase())).then_some(operation)
}

/// Words of ASCII letters, in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    parts.map(str::to_ascii_lowercase).collect()
}

/// `requirements`, or a slip of it.
fn is_requirements(word: &str) -> bool {
    word.starts_with("req") && (word == "reqs" || word == "req" || near::distance(word, "requirements") <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_in_disguise() {
        for line in [
            "REMOVED Requirements",
            "REMOVED Requirements:",
            "<h2>Removed Requirements</h2>",
            "__REMOVED Requirements__",
            "<b>REMOVED Requirements</b>",
            "> ## REMOVED Requirements",
            "- ## REMOVED Requirements",
            "\t## REMOVED Requirements",
        ] {
            assert_eq!(disguised_section(line), Some(Operation::Removed), "{line}");
        }
        for line in ["Removed requirements", "- `## REMOVED Requirements`", "REMOVED Requirements stay", "REMOVED"] {
            assert_eq!(disguised_section(line), None, "{line}");
        }
    }

    #[test]
    fn titles() {
        let certain = |line| near_section(line).is_some_and(|near| near.is_certain);
        for line in [
            "## ADDED  Requirements",
            "## Added Requirement",
            "# ADDED Requirements",
            "### ADDED Requirements",
            "## ADDED Requirements:",
            "##ADDED Requirements",
            " ## MODIFIED Requirements",
            "## **REMOVED Requirements**",
            "**RENAMED Requirements**",
            "## Requirements Added",
            "## ADDED Requirments",
            "## ADDED",
            "## ADDED Requirements (new)",
            "## 新增需求（ADDED Requirements）",
            "## 1. ADDED Requirements",
        ] {
            assert!(certain(line), "{line}");
        }
        for line in ["## New Requirements", "## Removed Capabilities", "## Deleted", "## Retired Requirements"] {
            assert!(near_section(line).is_some_and(|near| !near.is_certain), "{line}");
        }
        for line in [
            "## ADDED Requirements",
            "## added requirements ",
            "## Testing Requirements",
            "## Requirements",
            "## Notes on ADDED Requirements",
            "## Changes",
            "ADDED Requirements",
            "- **ADDED Requirements** stay",
        ] {
            assert_eq!(near_section(line), None, "{line}");
        }
    }
}
