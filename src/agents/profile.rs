//! What is known of an agent: how to tell that it is used, what it reads, what it runs, and what a person has to do.

use super::Agent;
use super::own::OwnFile;
use super::{claude, cline, codex, copilot, cursor, gemini, hermes, kiro, opencode, qwen, windsurf};

/// The file that most agents read, and that is written whichever agents are used.
pub const SHARED: &str = "AGENTS.md";

/// What is known of an agent.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// Files or folders by one of which a project shows that the agent is used in it.
    pub signs: &'static [&'static str],
    /// Where it reads instructions.
    pub instructions: Instructions,
    /// Where it reads which hooks to run, when it is a document that others write to as well.
    pub settings: Option<Settings>,
    /// Further files, all ours.
    pub files: &'static [OwnFile],
    /// What a person has to do or to know once it is installed.
    pub person: &'static str,
}

/// Where an agent reads instructions.
#[derive(Debug, Clone, Copy)]
pub struct Instructions {
    /// From the top of the repository.
    pub path: &'static str,
    /// What stands above the block when the file is made for it.
    pub head: &'static str,
    /// Files that are taken instead, the first of them that is there.
    pub instead: &'static [&'static str],
}

impl Instructions {
    /// A file that has nothing above the block.
    pub const fn plain(path: &'static str) -> Self {
        Self { path, head: "", instead: &[] }
    }
}

/// A document in which hooks are registered.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// From the top of the repository.
    pub path: &'static str,
    /// The document with our entries and nothing else.
    pub template: &'static str,
}

/// What is known of an agent.
pub fn of(agent: Agent) -> &'static Profile {
    match agent {
        Agent::Claude => &claude::PROFILE,
        Agent::Codex => &codex::PROFILE,
        Agent::Gemini => &gemini::PROFILE,
        Agent::Copilot => &copilot::PROFILE,
        Agent::Cursor => &cursor::PROFILE,
        Agent::Qwen => &qwen::PROFILE,
        Agent::OpenCode => &opencode::PROFILE,
        Agent::Kiro => &kiro::PROFILE,
        Agent::Hermes => &hermes::PROFILE,
        Agent::Cline => &cline::PROFILE,
        Agent::Windsurf => &windsurf::PROFILE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::json::entries::Template;

    #[test]
    fn templates_are_laid_out_as_they_are_known_again() {
        for agent in Agent::ALL {
            if let Some(settings) = of(agent).settings {
                assert!(Template::new(settings.template).is_canonical(), "{agent}");
            }
        }
    }

    #[test]
    fn each_call_names_its_agent_and_looks_for_us_first() {
        for agent in Agent::ALL {
            let template = of(agent).settings.map_or("", |settings| settings.template);
            for call in template.lines().filter(|line| line.contains("specward hook ")) {
                assert!(call.contains(&format!(" --agent {agent}")), "{call}");
                assert!(call.contains("command -v specward") || call.contains("Get-Command specward"), "{call}");
            }
        }
    }
}
