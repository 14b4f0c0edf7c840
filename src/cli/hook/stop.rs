//! When a turn ends.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{AgentArgs, Call, Settings, task};
use crate::gate;
use crate::hook::answer::{self, Answer};
use crate::hook::place;
use crate::hook::stop::{Turn, is_remembered};

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
    let Some((cwd, top)) = folder(call, settings) else { return answer::silent() };
    let deadline = Duration::from_secs(args.timeout.saturating_sub(RESERVE).max(1));
    Turn { agent: call.agent, payload: &call.payload, task: task(settings, &cwd), top, deadline }.end()
}

/// Where the turn is judged, and the top of the work tree there: where the client works, or, when that is none of our
/// business, where its project is. An agent can go anywhere.
fn folder(call: &Call, settings: &Settings) -> Option<(PathBuf, PathBuf)> {
    let given = PROJECT_FOLDERS.iter().filter_map(|name| settings.env.path(name));
    let folders: Vec<(PathBuf, PathBuf)> = std::iter::once(call.cwd.clone())
        .chain(given)
        .chain([settings.cwd.clone()])
        .filter_map(|cwd| place::top(&cwd).map(|top| (cwd, top)))
        .collect();
    let session = call.payload.session.as_deref();
    let is_known = |top: &Path| session.is_some_and(|session| is_remembered(top, session));
    let ours = folders.iter().find(|(_, top)| is_known(top));
    ours.or_else(|| folders.iter().find(|(cwd, _)| gate::has_project(cwd, &settings.env))).cloned()
}
