//! What a line is: a demand, or something said about the requirement.

use super::sentence::imperatives;

/// Whether SHALL or MUST stand in some text as words.
pub(super) fn has_demand(text: &str) -> bool {
    imperatives(text).next().is_some()
}

/// `**Key**: …` and `**Key:** …`, which say something about the requirement unless they demand something.
pub(super) fn is_metadata(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("**") else { return false };
    let Some(end) = rest.find("**") else { return false };
    let key = &rest[..end];
    let is_key = key.ends_with(':') || rest[end + 2..].starts_with(':');
    // `**FR-001**: The system SHALL …` is a label, not metadata.
    is_key && !key.contains(|c: char| c.is_ascii_digit()) && !has_demand(&rest[end..])
}
