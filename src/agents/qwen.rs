//! Qwen Code: hooks in its settings, in the shape of Claude Code's.

use super::profile::{Instructions, Profile, Settings};

/// Qwen Code.
pub const PROFILE: Profile = Profile {
    signs: &["QWEN.md", ".qwen"],
    instructions: Instructions::plain("QWEN.md"),
    settings: Some(Settings { path: ".qwen/settings.json", template: include_str!("templates/qwen.json") }),
    files: &[],
    person: "start `qwen` in this folder and trust it where folder trust is on",
};
