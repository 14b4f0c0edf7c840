//! The command line: arguments in, a call, printing, an exit code.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

mod accept;
mod agent_above;
mod baseline;
mod ci;
mod doctor;
mod explain;
mod failure;
mod formats;
mod hook;
mod import;
mod init;
mod items;
mod ledger;
mod lint;
mod list;
mod merge;
mod output;
mod progress;
mod report;
mod root;
mod runs;
mod settings;
mod show;
mod status;
mod stored;
mod validate;
mod verify;

use formats::{Format, Formats, Target};
use settings::Settings;

/// Exit code of a run that could not happen: wrong usage, no repository, unreadable configuration, a fault of ours.
pub const COULD_NOT_RUN: u8 = 2;

/// A gate that keeps coding agents honest about specs.
#[derive(Debug, Parser)]
#[command(name = "specward", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Verify(verify::Args),
    Ci(ci::Args),
    Lint(lint::Args),
    Merge(merge::Args),
    Baseline(baseline::Args),
    Explain(explain::Args),
    Import(import::Args),
    Init(init::Args),
    Doctor(doctor::Args),
    Hook(hook::Args),
    Accept(accept::Args),
    Runs(runs::Args),
    Ledger(ledger::Args),
    Report(report::Args),
    List(list::Args),
    Show(show::Args),
    Status(status::Args),
    Validate(validate::Args),
}

/// The command line as clap knows it, from which completions and man pages are made.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Parses the process's arguments, runs the command, and returns its exit code.
pub fn main() -> ExitCode {
    // A fault of ours is no verdict: it ends with exit code 2, and with a report for whoever parses one.
    let code = std::panic::catch_unwind(parse_and_run).unwrap_or_else(|_| {
        could_not_run("specward crashed", "report it to the specward project, with the lines above", true)
    });
    if output::is_lost() { ExitCode::from(COULD_NOT_RUN) } else { code }
}

/// Where a report goes when the arguments could not be used: standard output, in the format that they name. None when
/// another command than `verify` was called.
fn asked_format() -> Option<Format> {
    Formats::printed("verify", &std::env::args_os().collect::<Vec<_>>())
}

fn asked() -> Vec<Target> {
    Formats::of(asked_format().unwrap_or_default()).targets().unwrap_or_default()
}

/// Says why a run could not happen, where the command that was called has its reports. `is_new` when nobody has been told
/// yet.
fn could_not_run(message: &str, fix: &str, is_new: bool) -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == "ci") {
        return ci::could_not_start(message, fix, is_new);
    }
    // Only `verify` has a report to give.
    verify::could_not_run(&asked(), message, fix)
}

/// The error about arguments again, with nothing in them that could steer a terminal or speak to a CI.
fn with_visible_arguments() -> Option<clap::Error> {
    let arguments = std::env::args_os().map(|argument| crate::report::visible(&argument.to_string_lossy()));
    Cli::try_parse_from(arguments).err()
}

fn parse_and_run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => {
            // Help and version. A reader that went away is no error.
            drop(error.print());
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let error = with_visible_arguments().unwrap_or(error);
            drop(error.print());
            let message = || error.to_string().lines().next().unwrap_or_default().replace("error: ", "");
            if let Some(code) = lint::refused(&std::env::args_os().collect::<Vec<_>>(), &message()) {
                return code;
            }
            if std::env::args_os().nth(1).is_some_and(|word| word == "ci") {
                return could_not_run(&message(), "run `specward ci --help`", false);
            }
            if asked_format().is_some_and(|format| format != Format::Human) {
                return verify::could_not_run(&asked(), &message(), "run `specward verify --help`");
            }
            // To most agents 2 is a refusal: calls that another version installed must not keep them from everything.
            let is_hook = std::env::args_os().nth(1).is_some_and(|word| word == "hook");
            return if is_hook { ExitCode::FAILURE } else { ExitCode::from(COULD_NOT_RUN) };
        }
    };
    let settings = match Settings::from_process() {
        Ok(settings) => settings,
        Err(error) => {
            let message = format!("the working directory cannot be read: {error}");
            return could_not_run(&message, "run specward in a folder that exists", true);
        }
    };
    match &cli.command {
        Command::Accept(args) => accept::run(args, &settings),
        Command::Verify(args) => verify::run(args, &settings),
        Command::Ci(args) => ci::run(args, &settings),
        Command::Lint(args) => lint::run(args, &settings),
        Command::Merge(args) => merge::run(args, &settings),
        Command::Baseline(args) => baseline::run(args, &settings),
        Command::Doctor(args) => doctor::run(args, &settings),
        Command::Explain(args) => explain::run(args, &settings),
        Command::Hook(args) => hook::run(args, &settings),
        Command::Import(args) => import::run(args, &settings),
        Command::Init(args) => init::run(args, &settings),
        Command::Runs(args) => runs::run(args, &settings),
        Command::Ledger(args) => ledger::run(args),
        Command::Report(args) => report::run(args),
        Command::List(args) => list::run(args, &settings),
        Command::Show(args) => show::run(args, &settings),
        Command::Status(args) => status::run(args, &settings),
        Command::Validate(args) => validate::run(args, &settings),
    }
}
