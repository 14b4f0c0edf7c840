//! Gemini CLI: hooks in its settings, with time-outs in milliseconds.

use super::profile::{Instructions, Profile, Settings};

/// Gemini CLI.
pub const PROFILE: Profile = Profile {
    signs: &["GEMINI.md", ".gemini"],
    instructions: Instructions::plain("GEMINI.md"),
    settings: Some(Settings { path: ".gemini/settings.json", template: include_str!("templates/gemini.json") }),
    files: &[],
    person: "start `gemini` in this folder and trust it: hooks run only in folders that are trusted",
};
