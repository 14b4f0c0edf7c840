//! Cursor: hooks in a document of their own, and a rule.

use super::profile::{Instructions, Profile, Settings};

/// Cursor.
pub const PROFILE: Profile = Profile {
    signs: &[".cursor", ".cursorrules"],
    instructions: Instructions {
        path: ".cursor/rules/specward.mdc",
        head: "---\ndescription: Specs are frozen, and work is verified with specward\nglobs:\nalwaysApply: true\n---\n\n",
        instead: &[],
    },
    settings: Some(Settings { path: ".cursor/hooks.json", template: include_str!("templates/cursor.json") }),
    files: &[],
    person: "open this folder in Cursor and trust it; the hooks are listed in its settings under Hooks",
};
