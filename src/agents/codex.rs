//! Codex CLI: hooks in a document of their own. A root key it does not know makes it drop the whole document.

use super::profile::{Instructions, Profile, SHARED, Settings};

/// Codex CLI.
pub const PROFILE: Profile = Profile {
    signs: &[".codex"],
    instructions: Instructions::plain(SHARED),
    settings: Some(Settings { path: ".codex/hooks.json", template: include_str!("templates/codex.json") }),
    files: &[],
    person: "start `codex` in this folder, trust it, open `/hooks` and trust the four hooks of specward; until then none of \
             them runs, and again after each update of theirs",
};
