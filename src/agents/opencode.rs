//! OpenCode: its hooks are code, a plugin.

use super::own::{Comment, OwnFile};
use super::profile::{Instructions, Profile, SHARED};

/// OpenCode.
pub const PROFILE: Profile = Profile {
    signs: &[".opencode", "opencode.json", "opencode.jsonc"],
    instructions: Instructions::plain(SHARED),
    settings: None,
    files: &[OwnFile {
        path: ".opencode/plugins/specward.ts",
        text: include_str!("templates/opencode.ts"),
        comment: Comment::Slashes,
        is_executable: false,
    }],
    person: "nothing to do in its terminal and with `opencode serve`; `opencode run` ends at the first stop, so CI decides there",
};
