//! What an agent is told when a call is denied: what, why, and what to do instead.

use super::frozen::Frozen;
use crate::gate::Place;
use crate::report::display_path;
use crate::rules::Freeze;

/// Why something is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Spec,
    Change,
    Archive,
    Criteria,
    Settings,
    Protected,
    /// What specward knows of the session.
    Memory,
    /// Hooks that run specward.
    Hook,
}

/// What a place in the spec set stands for.
pub(super) fn why(place: Option<&Place>) -> Why {
    match place {
        Some(Place::Spec { .. } | Place::SpecsOther) => Why::Spec,
        Some(Place::Open { .. } | Place::ChangesOther) => Why::Change,
        Some(Place::Archived { .. }) => Why::Archive,
        Some(Place::Criteria { .. }) => Why::Criteria,
        Some(Place::Settings | Place::Gate) => Why::Settings,
        None => Why::Protected,
    }
}

/// The words for a path.
pub(super) fn words(frozen: &Frozen, why: Why) -> String {
    let path = display_path(frozen.path.as_ref());
    let shown = if path.is_empty() { "this folder".to_owned() } else { path };
    let reason = match why {
        Why::Spec => "a spec says what was agreed",
        Why::Change => "a change says what was agreed to be done",
        Why::Archive => "the archive says what was done",
        Why::Criteria => "criteria say how the work is checked",
        Why::Settings => "it decides what is checked",
        Why::Protected if frozen.place.is_none() && shown.ends_with("openspec") || shown == "this folder" => {
            "the specs are in it"
        }
        Why::Protected => "openspec/specward.yaml protects it",
        Why::Memory => {
            return format!(
                "{shown} was not written: specward keeps there what a session is compared with.\n\
                 Only a human changes that: tell them why you need it."
            );
        }
        Why::Hook => {
            return format!(
                "{shown} was not written: it runs specward, and this edit would change or end that.\n\
                 Leave the entries that call specward as they are; tell the human if they are in the way."
            );
        }
    };
    let instead = match (why, frozen.mode) {
        (Why::Spec | Why::Change, Freeze::Explained) => {
            "If the spec is wrong, tell the human, or propose a change in openspec/changes/<new-id>/."
        }
        _ => "If it is wrong, tell the human, who changes it.",
    };
    format!(
        "{shown} is frozen and was not written: {reason}.\n\
         Change the implementation instead. {instead}\n\
         An edit of it that was made already is undone by `git restore`."
    )
}

/// The words for a command of ours.
pub(super) fn of_command(command: &str) -> String {
    format!(
        "`{command}` was not run: it decides what this session is judged by, and that is for a human to do.\n\
         Run `specward verify --changed` to see how things are, and tell the human what you need."
    )
}

/// The words for a call that does more than can be looked at.
pub(super) fn too_much() -> String {
    "This was not run: it is too much to look at, and specs are frozen here.\n\
     Do it in smaller steps, or put it into a script in a file and run that."
        .to_owned()
}

/// The words for a document that is too big or too deep to be read.
pub(super) fn unread(problem: &str) -> String {
    format!(
        "This was not run: what the tool is to do cannot be looked at, for {problem}, and specs are frozen here.\n\
         Do it in smaller steps."
    )
}
