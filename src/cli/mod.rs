//! The command line: arguments in, a call, printing, an exit code.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod failure;
mod items;
mod list;
mod output;
mod progress;
mod root;
mod settings;
mod show;
mod status;
mod validate;
mod verify;

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
    List(list::Args),
    Show(show::Args),
    Status(status::Args),
    Validate(validate::Args),
}

/// Parses the process's arguments, runs the command, and returns its exit code.
pub fn main() -> ExitCode {
    // A fault of ours is no verdict: it ends with exit code 2, and with a report for whoever parses one.
    std::panic::catch_unwind(parse_and_run).unwrap_or_else(|_| {
        let format = asked_format().unwrap_or_default();
        verify::could_not_run(
            format,
            None,
            "specward crashed",
            "report it to the specward project, with the lines above",
        )
    })
}

#[expect(clippy::disallowed_methods, reason = "clap reads the arguments too; this is for those it cannot parse")]
fn asked_format() -> Option<verify::Format> {
    verify::format_of(&std::env::args_os().collect::<Vec<_>>())
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
            drop(error.print());
            if let Some(format) = asked_format().filter(|format| *format != verify::Format::Human) {
                let message = error.to_string().lines().next().unwrap_or_default().replace("error: ", "");
                return verify::could_not_run(format, None, &message, "run `specward verify --help`");
            }
            return ExitCode::from(COULD_NOT_RUN);
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
        Command::Verify(args) => verify::run(args, &settings),
        Command::List(args) => list::run(args, &settings),
        Command::Show(args) => show::run(args, &settings),
        Command::Status(args) => status::run(args, &settings),
        Command::Validate(args) => validate::run(args, &settings),
    }
}
