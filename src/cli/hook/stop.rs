//! When a turn ends.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{AgentArgs, Call, Settings, task};
use crate::hook::answer::Answer;
use crate::hook::stop::Turn;

/// Variables in which clients name the folder of their project.
const PROJECT_FOLDERS: &[&str] =
    &["CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR", "COPILOT_PROJECT_DIR", "QWEN_PROJECT_DIR"];

/// Seconds that are left to the client's time-out when ours is over: its own would let everything pass.
const RESERVE: u64 = 20;

/// Arguments of `hook stop`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) agent: AgentArgs,
    /// Seconds after which the agent's client gives up on this hook; 20 before that the checks are stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
}

/// Nothing when all is well; else the agent is sent back, or let go.
pub(super) fn answer(call: &Call, args: &Args, settings: &Settings) -> Answer {
    let given = PROJECT_FOLDERS.iter().filter_map(|name| settings.env.path(name));
    let folders: Vec<PathBuf> = std::iter::once(call.cwd.clone())
        .chain(call.payload.folders.iter().cloned())
        .chain(given)
        .chain([settings.cwd.clone()])
        .map(|folder| there(&folder))
        .collect();
    let deadline = Duration::from_secs(args.timeout.saturating_sub(RESERVE).max(1));
    Turn { agent: call.agent, payload: &call.payload, task: task(settings, &call.cwd), folders, deadline }.end()
}

/// The folder, or what is left of the way to it.
fn there(folder: &Path) -> PathBuf {
    folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(folder).to_owned()
}
