//! Cline: one program for each event. Its end of a task can say something and hold up nothing.

use super::own::{Comment, OwnFile};
use super::profile::{Instructions, Profile};

const fn hook(path: &'static str, text: &'static str) -> OwnFile {
    OwnFile { path, text, comment: Comment::Hash, is_executable: true }
}

/// Cline.
pub const PROFILE: Profile = Profile {
    signs: &[".clinerules", ".cline"],
    instructions: Instructions { path: ".clinerules/specward.md", head: "", instead: &[".clinerules"] },
    settings: None,
    files: &[
        hook(".cline/hooks/TaskStart", include_str!("templates/cline-session-start.sh")),
        hook(".cline/hooks/PreToolUse", include_str!("templates/cline-pre-tool.sh")),
        hook(".cline/hooks/TaskComplete", include_str!("templates/cline-stop.sh")),
    ],
    person: "switch hooks on in Cline's settings; it cannot be kept from stopping, so CI decides",
};
