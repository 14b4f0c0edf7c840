//! Claude Code: hooks in its settings, and a command.

use super::own::{Comment, OwnFile};
use super::profile::{Instructions, Profile, Settings};

/// Claude Code.
pub const PROFILE: Profile = Profile {
    signs: &["CLAUDE.md", ".claude"],
    instructions: Instructions::plain("CLAUDE.md"),
    settings: Some(Settings { path: ".claude/settings.json", template: include_str!("templates/claude.json") }),
    files: &[OwnFile {
        path: ".claude/commands/specward.md",
        text: include_str!("templates/claude-command.md"),
        comment: Comment::Html,
        is_executable: false,
    }],
    person: "start `claude` in this folder and trust it: hooks run only in folders that are trusted",
};
