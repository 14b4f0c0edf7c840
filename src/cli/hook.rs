//! `specward hook`: what agents call before a tool runs, and when a session begins or a turn ends; and what git calls.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::ValueEnum;

use super::output;
use super::settings::Settings;
use crate::agents::Agent;
use crate::criteria::process::MARKER;
use crate::gate::{Checks, Task};
use crate::hook::answer::Answer;
use crate::hook::payload::Payload;
use crate::hook::{double, place};
use crate::ledger::RunId;
use crate::repo::scope::{Request, RequestKind};

mod git;
mod input;
mod pre_tool;
mod session_start;
mod stop;

/// Answer an agent's hook: JSON on standard input, the answer in the agent's own words on standard output; or one of git's
///
/// Agents call this, as `specward init` installs it. Outside of an OpenSpec project it says nothing and ends with exit
/// code 0. Exit code 2 refuses, where the agent takes it for that, and a fault of specward ends with it too. Git calls
/// pre-commit, pre-push, commit-msg and pre-receive, as `specward init --git-hooks` installs them; these end as
/// `specward verify` does.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    event: Event,
}

#[derive(Debug, clap::Subcommand)]
enum Event {
    /// When a session begins: write down how the specs are, outside of the work tree
    SessionStart(AgentArgs),
    /// Before a tool runs: deny what writes to a frozen file
    PreTool(AgentArgs),
    /// When a turn ends: judge it against how the session began, and send the agent back when something is wrong
    Stop(stop::Args),
    /// Git, before it commits: judge what is staged
    PreCommit(git::pre_commit::Args),
    /// Git, before it pushes: judge what is pushed, which standard input says
    PrePush(git::pre_push::Args),
    /// Git, when a commit has its message: demand that it names the specs it edits
    CommitMsg(git::commit_msg::Args),
    /// Git, where a push arrives: judge it before it is let in, which standard input says
    PreReceive,
}

/// Who calls.
#[derive(Debug, clap::Args)]
pub(super) struct AgentArgs {
    /// The agent whose words the answer is in: claude, codex, gemini, copilot, cursor, qwen, opencode, kiro, hermes, cline,
    /// windsurf, or auto for an answer that most understand
    #[arg(long, value_name = "NAME", default_value = "auto")]
    agent: Caller,
}

/// An agent, or nobody in particular.
#[derive(Debug, Clone, Copy)]
struct Caller(Option<Agent>);

impl FromStr for Caller {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "auto" {
            return Ok(Self(None));
        }
        Agent::from_str(name, false).map(|agent| Self(Some(agent))).map_err(|_| {
            let known: Vec<&str> = Agent::ALL.into_iter().map(Agent::id).collect();
            format!("known agents are auto, {}", known.join(", "))
        })
    }
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let answer = match &args.event {
        Event::SessionStart(args) => {
            Call::read("session-start", args, settings).map(|call| session_start::answer(&call, settings))
        }
        Event::PreTool(args) => Call::read("pre-tool", args, settings).map(|call| pre_tool::answer(&call)),
        Event::Stop(args) => Call::read("stop", &args.agent, settings).map(|call| stop::answer(&call, args, settings)),
        Event::PreCommit(args) => return git::pre_commit::run(args, settings),
        Event::PrePush(args) => return git::pre_push::run(args, settings),
        Event::CommitMsg(args) => return git::commit_msg::run(args, settings),
        Event::PreReceive => return git::pre_receive::run(settings),
    };
    print(&answer.unwrap_or_default())
}

/// A call that has to be answered.
#[derive(Debug)]
struct Call {
    /// Whose words the answer is in.
    agent: Option<Agent>,
    /// What the agent says.
    payload: Payload,
    /// Where it works.
    cwd: PathBuf,
}

impl Call {
    /// Reads standard input. None when somebody else answers.
    fn read(event: &str, args: &AgentArgs, settings: &Settings) -> Option<Self> {
        let mut payload = Payload::parse(&input::read());
        payload.is_cursor |= args.agent.0 == Some(Agent::Cursor) || settings.env.get("CURSOR_VERSION").is_some();
        // In a linked work tree the variables of some clients name the main one: what the client says now counts.
        let cwd = payload.cwd.as_ref().map_or_else(|| settings.cwd.clone(), |cwd| settings.cwd.join(cwd));
        let agent = args.agent.0;
        let top = place::top(&cwd);
        let is_left = |folder| double::is_left_to_another(agent, &payload, &settings.env, folder, event);
        if top.as_deref().is_some_and(is_left) {
            return None;
        }
        Some(Self { agent, payload, cwd })
    }
}

/// A run of the gate as hooks ask for it: what differs, the spec frozen, no judge.
pub(super) fn task(settings: &Settings, cwd: &Path) -> Task {
    Task {
        request: Request { kind: RequestKind::Changed, ..Request::default() },
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

fn print(answer: &Answer) -> ExitCode {
    if !answer.stderr.is_empty() {
        output::stderr(&answer.stderr);
    }
    if !answer.stdout.is_empty() {
        // As it is: what looks like a colour in a document is none.
        output::raw(&answer.stdout)
            .unwrap_or_else(|error| output::stderr(&format!("error: standard output: {error}\n")));
    }
    ExitCode::from(answer.code)
}
