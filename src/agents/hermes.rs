//! Hermes Agent: a plugin of the project, since its shell hooks do not run under `serve`.

use super::own::{Comment, OwnFile};
use super::profile::{Instructions, Profile, SHARED};

/// Hermes Agent. It reads the first of its context files and no other, so one of its own is written to where there is
/// one, and none is made.
pub const PROFILE: Profile = Profile {
    signs: &[".hermes.md", "HERMES.md", ".hermes"],
    instructions: Instructions { path: SHARED, head: "", instead: &[".hermes.md", "HERMES.md"] },
    settings: None,
    files: &[
        OwnFile {
            path: ".hermes/plugins/specward/plugin.yaml",
            text: include_str!("../../hooks/hermes/plugin.yaml"),
            comment: Comment::Hash,
            is_executable: false,
        },
        OwnFile {
            path: ".hermes/plugins/specward/__init__.py",
            text: include_str!("../../hooks/hermes/__init__.py"),
            comment: Comment::Hash,
            is_executable: false,
        },
    ],
    person: "run `hermes plugins enable specward`, and set HERMES_ENABLE_PROJECT_PLUGINS=1 where Hermes runs",
};
