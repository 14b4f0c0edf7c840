//! The name a heading was meant to give a requirement.

use super::sections::{operation_of, strict_operation_of};
use crate::openspec::delta::Operation;
use crate::openspec::heading;
use crate::openspec::js;

/// What a heading that is no requirement header was meant to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meant<'t> {
    /// The requirement's name.
    pub name: &'t str,
    /// Whether it is struck out, or says that it is removed.
    pub is_removed: bool,
}

/// Takes a heading's title apart: `~~Requirement: x~~ REMOVED`, `ADDED: x`, `[REMOVED] x`, `Requirement：x`.
pub fn meant(title: &str) -> Meant<'_> {
    let mut name = js::trim(heading::strip_closing_hashes(title));
    let mut is_removed = false;
    // Each turn takes one layer off; a title has few.
    loop {
        let before = name.len();
        if let Some((operation, rest)) = lead(name) {
            is_removed |= operation == Operation::Removed;
            name = rest;
        }
        if let Some((inner, after)) = name.strip_prefix("~~").and_then(|rest| rest.split_once("~~")) {
            // Words behind what is struck out that are no note take its place.
            is_removed = true;
            name = if is_note(after) { inner } else { after };
        }
        if let Some((rest, operation)) = tail(name) {
            is_removed |= operation == Operation::Removed;
            name = rest;
        }
        let rest = js::strip_prefix_ignore_case(name, "Requirement").map(js::trim_start);
        if let Some(rest) = rest.and_then(|rest| rest.strip_prefix([':', '：'])) {
            name = rest;
        }
        name = js::trim(name);
        if name.len() == before {
            break;
        }
    }
    // A title of nothing else keeps its words.
    Meant { name: if name.is_empty() { js::trim(title) } else { name }, is_removed }
}

/// `ADDED: x`, `New: x`, `[REMOVED] x`, `**MODIFIED** x`, `REMOVED x`: the operation, and what follows.
fn lead(name: &str) -> Option<(Operation, &str)> {
    let bare = name.trim_start_matches(['[', '(', '（', '【', '*', '_', '`']);
    let end = bare.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(bare.len());
    let (word, rest) = bare.split_at(end);
    let after = rest.trim_start_matches([']', ')', '）', '】', '*', '_', '`']);
    let is_marked = bare.len() < name.len() && after.len() < rest.len();
    let after = js::trim_start(after);
    let is_set_off =
        after.starts_with([':', '：', '-', '–', '—']) && (after.len() < rest.len() || !rest.starts_with('-'));
    let operation = operation_of(&word.to_ascii_lowercase())?;
    let is_shouted = strict_operation_of(word).is_some() && rest.starts_with([' ', '\t']);
    let after = after.trim_start_matches([':', '：', '-', '–', '—']);
    (is_marked || is_set_off || is_shouted)
        .then_some((operation, after))
        .filter(|(_, after)| !js::trim(after).is_empty())
}

/// `x REMOVED`, `x (removed)`, `x - DEPRECATED`: what is before it, and the operation.
fn tail(name: &str) -> Option<(&str, Operation)> {
    let bare = name.trim_end_matches([']', ')', '）', '】', '*', '_', '`']);
    let start = bare
        .rfind(|c: char| !c.is_ascii_alphabetic())
        .map_or(0, |at| at + bare[at..].chars().next().map_or(1, char::len_utf8));
    let (before, word) = bare.split_at(start);
    let cut = before.trim_end_matches(['[', '(', '（', '【', '*', '_', '`']);
    let is_marked = cut.len() < before.len() && bare.len() < name.len();
    let operation = operation_of(&word.to_ascii_lowercase())?;
    let is_shouted = strict_operation_of(word).is_some() && before.ends_with([' ', '\t']);
    let cut = js::trim_end(cut).trim_end_matches([':', '：', '-', '–', '—']);
    (is_marked || is_shouted).then_some((js::trim_end(cut), operation)).filter(|(cut, _)| !cut.is_empty())
}

/// Whether words behind something struck out only comment on it: nothing, brackets, one of the four words.
fn is_note(after: &str) -> bool {
    let after = js::trim(after).trim_start_matches([':', '：', '-', '–', '—', ' ', '*', '_']);
    after.is_empty() || after.starts_with(['(', '（', '[', '【']) || {
        let word = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        operation_of(&word.to_ascii_lowercase()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (title, name, is_removed) in [
            ("Sign in", "Sign in", false),
            ("~~Requirement: Sign in~~ REMOVED", "Sign in", true),
            ("~~Requirement: 面包屑~~（已移除）", "面包屑", true),
            ("~~Sign in~~ Log in", "Log in", true),
            ("REMOVED: Sign in", "Sign in", true),
            ("Removed: Sign in", "Sign in", true),
            ("ADDED: Sign in", "Sign in", false),
            ("ADDED Sign in", "Sign in", false),
            ("New: Sign in", "Sign in", false),
            ("New sign in", "New sign in", false),
            ("Sign in (REMOVED)", "Sign in", true),
            ("Sign in (ADDED)", "Sign in", false),
            ("**MODIFIED** Sign in", "Sign in", false),
            ("[REMOVED] Sign in", "Sign in", true),
            ("MODIFIED Requirement: Sign in", "Sign in", false),
            ("Requirement：登录", "登录", false),
            ("ADDED", "ADDED", false),
            ("Add-on pages", "Add-on pages", false),
            ("Remove", "Remove", false),
            ("", "", false),
        ] {
            assert_eq!(meant(title), Meant { name, is_removed }, "{title}");
        }
    }
}
