//! The command line: arguments in, a call, printing, an exit code.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod failure;
mod items;
mod list;
mod output;
mod root;
mod settings;
mod show;
mod status;
mod validate;

pub use settings::{Environment, Settings};

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
    List(list::Args),
    Show(show::Args),
    Status(status::Args),
    Validate(validate::Args),
}

/// Parses the process's arguments, runs the command, and returns its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let is_help = !error.use_stderr();
            // Help and version go to standard output, complaints to standard error; neither may panic.
            drop(error.print());
            return if is_help { ExitCode::SUCCESS } else { ExitCode::from(COULD_NOT_RUN) };
        }
    };
    let settings = match Settings::from_process() {
        Ok(settings) => settings,
        Err(error) => {
            output::stderr(&format!("error: the working directory cannot be read: {error}\n"));
            return ExitCode::from(COULD_NOT_RUN);
        }
    };
    match &cli.command {
        Command::List(args) => list::run(args, &settings),
        Command::Show(args) => show::run(args, &settings),
        Command::Status(args) => status::run(args, &settings),
        Command::Validate(args) => validate::run(args, &settings),
    }
}
