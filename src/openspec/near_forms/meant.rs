//! The name a heading was meant to give a requirement.

use super::near_requirement;
use super::sections::strict_operation_of;
use crate::openspec::delta::Operation;
use crate::openspec::heading;
use crate::openspec::js;

/// What a heading that is no requirement header was meant to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The requirement's name.
    pub name: String,
    /// Whether it is struck out, or says that it is removed.
    pub is_removed: bool,
}

/// Words that say what was done with a requirement. `Delete` and the like are left out: a heading may be about deleting.
const DONE: [(&str, bool); 9] = [
    ("added", false),
    ("modified", false),
    ("removed", true),
    ("renamed", false),
    ("new", false),
    ("changed", false),
    ("updated", false),
    ("deleted", true),
    ("deprecated", true),
];

const OPENING: [char; 4] = ['[', '(', '（', '【'];
const CLOSING: [char; 4] = [']', ')', '）', '】'];
const EMPHASIS: [char; 3] = ['*', '_', '`'];
const DASHES: [char; 5] = [':', '：', '-', '–', '—'];

/// Takes a heading's title apart: `~~Requirement: x~~ REMOVED`, `ADDED: x`, `[REMOVED] x`, `Requirement：x`.
pub fn meant(title: &str) -> Meant {
    if let Some(near) = near_requirement(&format!("### {title}")) {
        return Meant { name: near.name, is_removed: near.operation == Some(Operation::Removed) };
    }
    let mut name = js::trim(heading::strip_closing_hashes(title));
    let mut is_removed = false;
    // Each turn takes one layer off; a title has few.
    loop {
        let before = name.len();
        if let Some((rest, removes)) = lead(name).or_else(|| tail(name)) {
            is_removed |= removes;
            name = rest;
        }
        if let Some((inner, after)) = name.strip_prefix("~~").and_then(|rest| rest.split_once("~~")) {
            // Words behind what is struck out that are no note take its place.
            let is_replaced = !is_note(after);
            is_removed |= !is_replaced;
            name = if is_replaced { after } else { inner };
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
    let name = if name.is_empty() { js::trim(title) } else { name };
    Meant { name: name.to_owned(), is_removed }
}

/// `ADDED: x`, `New: x`, `[REMOVED] x`, `**MODIFIED** x`, `REMOVED x`: what follows, and whether it is removed.
fn lead(name: &str) -> Option<(&str, bool)> {
    let bare = name.trim_start_matches(EMPHASIS).trim_start_matches(OPENING);
    let end = bare.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(bare.len());
    let (word, rest) = bare.split_at(end);
    let removes = done(word)?;
    let after = js::trim_start(rest.trim_start_matches(CLOSING).trim_start_matches(EMPHASIS));
    let is_in_brackets = rest.starts_with(CLOSING);
    // `Added-value` is one word.
    let is_set_off = after.starts_with(DASHES) && !rest.starts_with('-');
    let is_shouted =
        strict_operation_of(word).is_some() && !rest.starts_with(char::is_alphanumeric) && !rest.starts_with('-');
    let after = js::trim_start(after.trim_start_matches(DASHES));
    let is_label = is_in_brackets || is_set_off || is_shouted;
    (is_label && !after.is_empty()).then_some((after, removes))
}

/// `x REMOVED`, `x (removed)`, `x - DEPRECATED`: what is before it, and whether it is removed.
fn tail(name: &str) -> Option<(&str, bool)> {
    let bare = name.trim_end_matches(EMPHASIS).trim_end_matches(CLOSING);
    let before = bare.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let word = &bare[before.len()..];
    let removes = done(word)?;
    let is_in_brackets = before.ends_with(OPENING);
    let is_shouted = strict_operation_of(word).is_some() && before.ends_with([' ', '\t', '*', '_', '`']);
    let before = js::trim_end(before.trim_end_matches(OPENING).trim_end_matches(EMPHASIS)).trim_end_matches(DASHES);
    let before = js::trim_end(before);
    ((is_in_brackets || is_shouted) && !before.is_empty()).then_some((before, removes))
}

fn done(word: &str) -> Option<bool> {
    DONE.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map(|(_, removes)| *removes)
}

/// Whether words behind something struck out only comment on it: nothing, brackets, one of the four words.
fn is_note(after: &str) -> bool {
    let after = js::trim(after).trim_start_matches([':', '：', '-', '–', '—', ' ', '*', '_']);
    after.is_empty() || after.starts_with(['(', '（', '[', '【']) || {
        let word = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        done(word).is_some()
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
            ("~~Sign in~~ Log in", "Log in", false),
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
            ("Delete: endpoint", "Delete: endpoint", false),
            ("What gets **removed**", "What gets **removed**", false),
            ("Added-value tax", "Added-value tax", false),
            ("New Requirement: Sign in", "Sign in", false),
            ("Requirement 3: Sign in", "Sign in", false),
            ("Sign in - REMOVED", "Sign in", true),
            ("Sign in **(REMOVED)**", "Sign in", true),
            ("Add-on pages", "Add-on pages", false),
            ("Remove", "Remove", false),
            ("", "", false),
        ] {
            assert_eq!(meant(title), Meant { name: name.to_owned(), is_removed }, "{title}");
        }
    }
}
