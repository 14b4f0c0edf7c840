//! Whether what `init` put in place would really run: what is installed, and what of the user, the machine or the
//! repository keeps a hook from being called without a word.
//!
//! Everything is read, nothing is written and no program is started. What only a running agent knows is told as such.

mod check;
mod claude;
mod codex;
mod codex_trust;
mod configuration;
mod copilot;
mod gemini;
mod git;
mod git_hooks;
mod hermes;
mod installed;
mod kiro;
mod others;
mod program;
mod qwen;
pub(crate) mod reading;
pub mod render;
mod sessions;
mod surroundings;
mod switches;
mod trusted_folders;
pub mod v1;

pub use check::{Check, Level};
pub use surroundings::{Surroundings, SystemFiles};

use crate::agents::Agent;

/// All checks, in the order they are told: what is for all agents, then agent by agent.
pub fn examine(around: &Surroundings) -> Vec<Check> {
    let found = installed::found(around);
    let mut checks = program::checks(around);
    checks.extend(git::checks(around, &found));
    checks.extend(git_hooks::checks(around));
    checks.extend(configuration::checks(around));
    checks.extend(sessions::checks(around));
    checks.extend(installed::shared(around, &found));
    for (agent, parts) in &found {
        checks.extend(installed::checks(around, *agent, parts));
        if installed::is_any(parts) {
            checks.extend(would_run(around, *agent));
        }
    }
    checks
}

/// What keeps an agent from running hooks that are installed.
fn would_run(around: &Surroundings, agent: Agent) -> Vec<Check> {
    match agent {
        Agent::Claude => claude::checks(around),
        Agent::Codex => codex::checks(around),
        Agent::Gemini => gemini::checks(around),
        Agent::Copilot => copilot::checks(around),
        Agent::Qwen => qwen::checks(around),
        Agent::Kiro => kiro::checks(around),
        Agent::Hermes => hermes::checks(around),
        Agent::Cursor => others::cursor(around),
        Agent::OpenCode => others::opencode(around),
        Agent::Cline => others::cline(),
        Agent::Windsurf => others::windsurf(),
    }
}
