//! GitHub Copilot: hooks in a document of their own, which its command line and its cloud agent read.

use super::profile::{Instructions, Profile, Settings};

/// GitHub Copilot.
pub const PROFILE: Profile = Profile {
    signs: &[".github/copilot-instructions.md", ".github/instructions", ".github/hooks", ".github/copilot"],
    instructions: Instructions::plain(".github/copilot-instructions.md"),
    settings: Some(Settings { path: ".github/hooks/specward.json", template: include_str!("templates/copilot.json") }),
    files: &[],
    person: "start `copilot` in this folder and trust it (`copilot -p` needs --trust-folder); for the cloud agent install \
             specward in `.github/workflows/copilot-setup-steps.yml`",
};
