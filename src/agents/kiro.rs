//! Kiro: hooks in a document of their own, and steering. Its stop hook can say something and hold up nothing.

use super::profile::{Instructions, Profile, Settings};

/// Kiro.
pub const PROFILE: Profile = Profile {
    signs: &[".kiro"],
    instructions: Instructions {
        path: ".kiro/steering/specward.md",
        head: "---\ninclusion: always\n---\n\n",
        instead: &[],
    },
    settings: Some(Settings { path: ".kiro/hooks/specward.json", template: include_str!("templates/kiro.json") }),
    files: &[],
    person: "nothing to do; it cannot be kept from stopping, so CI decides",
};
