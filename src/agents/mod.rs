//! Coding agents: which there are, and what `init` writes for each.

use std::fmt;

pub mod block;
pub mod json;
pub mod own;
pub mod place;
pub mod plan;
pub mod problem;
pub mod profile;
pub mod state;
pub mod write;

mod claude;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod hermes;
mod kiro;
mod opencode;
mod qwen;
mod windsurf;

pub use state::state;

/// An agent whose instructions and hooks are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
pub enum Agent {
    /// Claude Code
    Claude,
    /// Codex CLI
    Codex,
    /// Gemini CLI
    Gemini,
    /// GitHub Copilot
    Copilot,
    /// Cursor
    Cursor,
    /// Qwen Code
    Qwen,
    /// OpenCode
    #[value(name = "opencode")]
    OpenCode,
    /// Kiro
    Kiro,
    /// Hermes Agent
    Hermes,
    /// Cline
    Cline,
    /// Windsurf
    Windsurf,
}

impl Agent {
    /// All of them, in the order they are listed.
    pub const ALL: [Self; 11] = [
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Copilot,
        Self::Cursor,
        Self::Qwen,
        Self::OpenCode,
        Self::Kiro,
        Self::Hermes,
        Self::Cline,
        Self::Windsurf,
    ];

    /// The word for it on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::Qwen => "qwen",
            Self::OpenCode => "opencode",
            Self::Kiro => "kiro",
            Self::Hermes => "hermes",
            Self::Cline => "cline",
            Self::Windsurf => "windsurf",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex CLI",
            Self::Gemini => "Gemini CLI",
            Self::Copilot => "GitHub Copilot",
            Self::Cursor => "Cursor",
            Self::Qwen => "Qwen Code",
            Self::OpenCode => "OpenCode",
            Self::Kiro => "Kiro",
            Self::Hermes => "Hermes Agent",
            Self::Cline => "Cline",
            Self::Windsurf => "Windsurf",
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn the_command_line_knows_each_by_its_id() {
        for agent in Agent::ALL {
            assert_eq!(Agent::from_str(agent.id(), false), Ok(agent));
        }
        assert_eq!(Agent::value_variants(), Agent::ALL);
    }
}
