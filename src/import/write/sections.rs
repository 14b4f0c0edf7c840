//! What stands around the requirements of a spec: its title and purpose, and its notes.

use super::safe;
use crate::import::model::Document;

/// Characters below which the reference calls a purpose too brief, with room for what it does not count.
const BRIEF: usize = 60;

/// Where a document comes from and what it becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The capability.
    pub capability: String,
    /// The source's path, as it is told in what is written.
    pub source: String,
}

/// A title for people.
pub fn title(document: &Document, origin: &Origin) -> String {
    if !document.title.is_empty() {
        return safe::name(&document.title);
    }
    let words = origin.capability.rsplit('/').next().unwrap_or_default().replace('-', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What the requirements are for: what the source says, and where they come from when that is little.
pub fn purpose(document: &Document, origin: &Origin) -> String {
    let mut text = safe::text(&document.purpose);
    if text.chars().filter(|c| !c.is_whitespace()).count() < BRIEF {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        let kind = document.kind.name();
        text.push_str(&format!(
            "Requirements of `{}`, imported from `{}` as written for {kind}.",
            origin.capability, origin.source
        ));
    }
    text
}

/// Title and purpose of a main spec.
pub fn head(document: &Document, origin: &Origin) -> String {
    format!("# {}\n\n## Purpose\n{}", title(document, origin), purpose(document, origin))
}

/// The purpose that a delta gives a new capability.
pub fn delta_head(document: &Document, origin: &Origin) -> String {
    format!("## Purpose\n{}", purpose(document, origin))
}

/// What has no place in a spec, or in a delta. None when there is nothing.
///
/// A spec that others wrote keeps its own title and purpose: those of the source are noted.
pub fn notes(document: &Document, is_head_noted: bool) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if is_head_noted {
        let text = safe::text(&document.purpose);
        let title = safe::name(&document.title);
        if !title.is_empty() || !text.is_empty() {
            parts.push(format!("**{}**\n\n{text}", if title.is_empty() { "Introduction" } else { &title }));
        }
    }
    for note in &document.notes {
        let heading = safe::name(&note.heading);
        let text = safe::text(&note.lines);
        parts.push(if heading.is_empty() { text } else { format!("**{heading}**\n\n{text}") });
    }
    let headings: Vec<String> = document.headings.iter().map(|heading| safe::name(heading)).collect();
    if !headings.is_empty() {
        parts.push(format!("Headings of the source: {}", headings.join("; ")));
    }
    let text = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
    (!text.is_empty()).then_some(text)
}
