//! Windsurf: hooks in a document of their own, and a rule. It cannot be kept from stopping, and tells no start.

use super::profile::{Instructions, Profile, Settings};

/// Windsurf.
pub const PROFILE: Profile = Profile {
    signs: &[".windsurf", ".windsurfrules"],
    instructions: Instructions {
        path: ".windsurf/rules/specward.md",
        head: "---\ntrigger: always_on\n---\n\n",
        instead: &[],
    },
    settings: Some(Settings { path: ".windsurf/hooks.json", template: include_str!("templates/windsurf.json") }),
    files: &[],
    person: "nothing to do; it cannot be kept from stopping, so CI decides",
};
