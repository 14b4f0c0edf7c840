//! `specward hook`: what agents call.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use super::output;
use super::settings::Settings;
use crate::agents::Agent;
use crate::criteria::process::MARKER;
use crate::gate::{Checks, Task};
use crate::hook::answer::{self, Answer};
use crate::hook::payload::{MAX_BYTES, Payload};
use crate::hook::stop::Turn;
use crate::hook::{start, stop};
use crate::ledger::RunId;
use crate::repo::open::common_dir_of;
use crate::repo::scope::{Request, RequestKind};
use crate::session::SessionFolder;

/// tmp
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    event: String,
    #[arg(long)]
    agent: Option<String>,
    #[arg(long, default_value_t = 300)]
    timeout: u64,
}

pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let mut bytes = Vec::new();
    if !std::io::stdin().is_terminal() {
        let _ = std::io::stdin().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes);
    }
    let payload = Payload::parse(&bytes);
    let agent = args.agent.as_deref().and_then(|id| Agent::ALL.into_iter().find(|agent| agent.id() == id));
    let cwd = payload.cwd.clone().unwrap_or_else(|| settings.cwd.clone());
    let cwd = std::fs::canonicalize(&cwd).unwrap_or(cwd);
    let top = cwd.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&cwd).to_owned();
    let answer = match args.event.as_str() {
        "session-start" => session_start(&payload, agent, settings, &cwd, &top),
        "stop" => end_turn(args, &payload, agent, settings, &cwd, top),
        _ => answer::silent(),
    };
    output::raw(&answer.stdout).unwrap_or_default();
    output::stderr(&answer.stderr);
    ExitCode::from(answer.code)
}

pub(super) fn task(settings: &Settings, cwd: &Path) -> Task {
    Task {
        request: Request { kind: RequestKind::Changed, base: None, head: None },
        frozen_spec: Some(None),
        cwd: cwd.to_owned(),
        env: settings.env.clone(),
        today: settings.today,
        run_id: RunId::new(jiff::Timestamp::now(), std::process::id()).to_string(),
        checks: Checks {
            is_without_judge: true,
            inherited: settings.inherited.clone(),
            inside: settings.env.get(MARKER).map(str::to_owned),
            ..Checks::default()
        },
        ..Task::default()
    }
}

fn session_start(payload: &Payload, agent: Option<Agent>, settings: &Settings, cwd: &Path, top: &Path) -> Answer {
    let Some((session, common)) = payload.session.as_deref().zip(common_dir_of(top)) else { return answer::silent() };
    let folder = SessionFolder::of(&common, session);
    match start::begin(&task(settings, cwd), &folder, session, agent) {
        Ok(()) => answer::silent(),
        Err(error) => answer::tell(agent, payload, &format!("specward could not record how the specs are: {error}")),
    }
}

fn end_turn(
    args: &Args,
    payload: &Payload,
    agent: Option<Agent>,
    settings: &Settings,
    cwd: &Path,
    top: PathBuf,
) -> Answer {
    let deadline = Duration::from_secs(args.timeout.saturating_sub(20).max(1));
    let _ = stop::is_remembered;
    Turn { agent, payload, task: task(settings, cwd), top, deadline }.end()
}
