//! `specward init`: instructions and hooks for coding agents, put into their files and taken out again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Map;

use super::COULD_NOT_RUN;
use super::failure::Failure;
use super::output;
use super::root::Root;
use super::settings::Settings;
use crate::agents::Agent;
use crate::agents::place::Place;
use crate::agents::plan::{self, Plan};
use crate::agents::problem::Fault;
use crate::agents::write;
use crate::config;
use crate::openspec::project::FOLDER;
use crate::report::visible;

mod ask;
mod choice;
mod git_hooks;
mod print;

use choice::Choice;
use git_hooks::{GitHookChoice, GitHooks};

/// Put instructions and hooks for coding agents into this repository, so that they verify before they say that they are done
///
/// Writes a block of instructions, hooks that call specward, and openspec/specward.yaml where there is none; everything
/// else in a file stays to the byte. A second run brings up to date what is there. Exit code 0 done, 1 --check found
/// something to write, a file of ours that was edited was kept, or nothing was confirmed, 2 could not run and nothing was
/// written, or it was and could not be told.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// For which agents: all, or some of claude, codex, gemini, copilot, cursor, qwen, opencode, kiro, hermes, cline and
    /// windsurf, separated by commas [default: those whose files are here]
    #[arg(long, value_name = "LIST", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    agents: Option<Choice>,
    /// Git's hooks, in place of agents' unless --agents is given too: pre-commit, pre-push, commit-msg, separated by commas
    /// [default without a value: pre-commit,pre-push; with --check also whichever else is there, with --uninstall all]
    #[arg(long, value_name = "LIST", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    git_hooks: Option<GitHookChoice>,
    /// Write nothing, list what is missing or not up to date, and exit with 1 when there is any [default: of the agents
    /// that are installed for, when there are any]
    #[arg(long, conflicts_with_all = ["uninstall", "dry_run"])]
    check: bool,
    /// Take everything out again that was put in [default: of all agents]
    #[arg(long)]
    uninstall: bool,
    /// Print what would be written as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask before writing
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    match init(args, settings) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            failure.print(false, Map::new());
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn init(args: &Args, settings: &Settings) -> Result<bool, Failure> {
    let project = Root::find(&settings.cwd)?.found()?.path;
    let place = place(&project)?;
    let config = config_path(&place, &project);
    if args.uninstall {
        return uninstall(args, settings, &place, &config);
    }
    let plan = if args.check { GitHooks::check } else { GitHooks::install };
    let hooks = args.git_hooks.as_ref().map(|choice| plan(settings, &place, choice)).transpose()?;
    let Some(hooks) = hooks else { return agents(args, &place, &config, None) };
    if args.agents.is_some() {
        return agents(args, &place, &config, Some(&hooks));
    }
    if args.check {
        output::text(&hooks.checked());
        return Ok(hooks.is_done() && hooks.is_whole());
    }
    if args.dry_run {
        output::text(&hooks.dry("Would write git hooks"));
        return Ok(hooks.is_whole());
    }
    hooks.apply(|| Ok(()))?;
    output::text(&hooks.installed());
    Ok(hooks.is_whole())
}

/// Installs agents, and git's hooks with them: all or none.
fn agents(args: &Args, place: &Place, config: &str, hooks: Option<&GitHooks>) -> Result<bool, Failure> {
    let choice = args.agents.clone().unwrap_or_default();
    // What is checked is what is there: it may have been put in for other agents than those whose files are here.
    let installed = if args.check && choice == Choice::Present { plan::installed(place) } else { Vec::new() };
    let is_shared = match &choice {
        Choice::Some(_) => false,
        Choice::Present | Choice::All => installed.is_empty() || plan::is_shared_installed(place),
    };
    let agents = if installed.is_empty() { choice.agents(|| plan::detect(place)) } else { installed };
    let plan = Plan::install(place, &agents, is_shared, config).map_err(|fault| failed(&fault))?;
    let is_whole = plan.is_whole() && hooks.is_none_or(GitHooks::is_whole);
    let tell = |agents: String, of_hooks: fn(&GitHooks) -> String| {
        output::text(&agents);
        if let Some(hooks) = hooks {
            output::text(&format!("\n{}", of_hooks(hooks)));
        }
    };
    if args.check {
        tell(print::checked(&plan), GitHooks::checked);
        return Ok(plan.changes().next().is_none() && is_whole && hooks.is_none_or(GitHooks::is_done));
    }
    if args.dry_run {
        tell(print::dry(&plan, "Would write"), |hooks| hooks.dry("Would write git hooks"));
        return Ok(is_whole);
    }
    let is_asked = matches!(choice, Choice::Present) && !args.yes && plan.changes().next().is_some();
    if is_asked && !ask::confirmed(&print::question(&plan, &agents)) {
        output::text("Nothing was written\n");
        return Ok(false);
    }
    with_hooks(hooks, || write::all(place, plan.changes()).map_err(|fault| failed(&fault)))?;
    tell(print::installed(&plan, &agents), GitHooks::installed);
    Ok(is_whole)
}

/// Writes hooks and something else, all or none.
fn with_hooks(hooks: Option<&GitHooks>, then: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    match hooks {
        Some(hooks) => hooks.apply(then),
        None => then(),
    }
}

/// Takes out what is named, and everything when nothing is.
fn uninstall(args: &Args, settings: &Settings, place: &Place, config: &str) -> Result<bool, Failure> {
    let is_all = args.agents.is_none() && args.git_hooks.is_none();
    let hooks = if is_all || args.git_hooks.is_some() {
        Some(GitHooks::uninstall(settings, place, args.git_hooks.as_ref())?)
    } else {
        None
    };
    // Where all goes, hooks are only spoken of when there are any.
    let hooks = hooks.filter(|hooks| !is_all || !hooks.is_empty());
    let plan = match &args.agents {
        None if !is_all => Plan::default(),
        Some(Choice::Some(agents)) => Plan::uninstall(place, agents, None).map_err(|fault| failed(&fault))?,
        _ => Plan::uninstall(place, &Agent::ALL, Some(config)).map_err(|fault| failed(&fault))?,
    };
    if !args.dry_run {
        with_hooks(hooks.as_ref(), || write::all(place, plan.changes()).map_err(|fault| failed(&fault)))?;
    }
    let mut told = Vec::new();
    if is_all || args.agents.is_some() {
        told.push(if args.dry_run { print::dry(&plan, "Would take out") } else { print::uninstalled(&plan) });
    }
    if let Some(hooks) = &hooks {
        told.push(if args.dry_run { hooks.dry("Would take out git hooks") } else { hooks.uninstalled() });
    }
    output::text(&told.join("\n"));
    Ok(plan.is_whole() && hooks.is_none_or(|hooks| hooks.is_whole()))
}

/// Where agents look for their files: the top of the repository, or the project's folder when it is in none.
pub(super) fn place(project: &Path) -> Result<Place, Failure> {
    let top = project.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok()).unwrap_or(project);
    Place::new(top).map_err(|error| Failure::new("unreadable_root", format!("{}: {error}", top.display())))
}

/// The project's configuration, from the top.
pub(super) fn config_path(place: &Place, project: &Path) -> String {
    let inside = project.strip_prefix(place.top()).map(PathBuf::from).unwrap_or_default();
    let parts = inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.chain([FOLDER.to_owned(), config::FILE.to_owned()]).collect::<Vec<_>>().join("/")
}

fn failed(fault: &Fault) -> Failure {
    Failure::new("unwritable_target", visible(&fault.to_string())).fix(fault.problem.fix.clone())
}
