//! `specward lint`: how well requirements are written.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use super::settings::Settings;
use super::{COULD_NOT_RUN, output, progress, verify};
use crate::gate::{self, Lint, Progress, RunError, Task};
use crate::repo::scope::{Request, RequestKind};
use crate::report::render::{lint, sarif};
use crate::report::{Reason, Report, Scope, visible};

/// Judge how well requirements and scenarios are written, with a score from 0 to 100
///
/// Every requirement begins with 100 points, and findings take some. Exit code 0 when there is no error and no requirement
/// below the asked score, 1 when there is, 2 could not run, 3 something could not be read.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    /// Specs and changes to lint, by id as `list` prints it, as spec/ID or change/ID, or by path [default: all]
    specs: Vec<String>,
    /// Lint only requirements that differ between base and head
    #[arg(long)]
    changed: bool,
    /// Commit to compare from; its merge base with head is used [default: as for `verify --changed`]
    #[arg(long, value_name = "REV", requires = "changed")]
    base: Option<String>,
    /// Commit to lint [default: the work tree with index and untracked files]
    #[arg(long, value_name = "REV", requires = "changed")]
    head: Option<String>,
    /// Points each requirement needs, of 100 [default: what specward.yaml says, else no requirement needs any]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    min_score: Option<u8>,
    /// Run rules too that are a matter of taste
    #[arg(long)]
    pedantic: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the report to a file and nothing to standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Formats of the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// For coding agents: short, no colour
    Agent,
    /// For programs
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let task = Task {
        request: Request {
            kind: if args.changed { RequestKind::Changed } else { RequestKind::Tree },
            base: args.base.clone(),
            head: args.head.clone(),
        },
        ids: args.specs.clone(),
        cwd: settings.cwd.clone(),
        env: settings.env.clone(),
        today: settings.today,
        lint: Some(Lint { min_score: args.min_score, is_pedantic: args.pedantic }),
        ..Task::default()
    };
    let state = Progress::default();
    match progress::watched(&state, || gate::verify(&task, &state)) {
        Ok(report) => deliver(args, &report, report.exit_code()),
        Err(error) => could_not_run(args, &error),
    }
}

fn deliver(args: &Args, report: &Report, exit_code: u8) -> ExitCode {
    let text = match args.format {
        Format::Human => lint::human::render(report, args.output.is_none()),
        Format::Agent => lint::agent::render(report),
        Format::Json => lint::json::render(report, exit_code),
        Format::Sarif => sarif::render(report),
    };
    let written = match &args.output {
        Some(path) => output::file(path, &text).map_err(|error| format!("{}: {error}", path.display())),
        None => output::stdout(&text).map_err(|error| format!("standard output: {error}")),
    };
    match written {
        Ok(()) => ExitCode::from(exit_code),
        Err(error) => {
            output::stderr(&format!("error: {}\n", visible(&error)));
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn could_not_run(args: &Args, error: &RunError) -> ExitCode {
    let (message, fix) = (error.to_string(), error.fix());
    output::stderr(&format!("error: {}\nfix: {}\n", visible(&message), visible(&fix)));
    stopped(args, message, fix)
}

/// The report of a run that could not happen, for whoever parses one.
fn stopped(args: &Args, message: String, fix: String) -> ExitCode {
    if args.format != Format::Human {
        let report = Report::stopped("", Scope::default(), Reason { message, fix });
        deliver(args, &report, COULD_NOT_RUN);
    }
    ExitCode::from(COULD_NOT_RUN)
}

/// What a command line of this command comes to that cannot be parsed. None when it is another command's.
pub fn refused(words: &[OsString], message: &str) -> Option<ExitCode> {
    let format = verify::asked::<Format>("lint", words)?.unwrap_or_default();
    let args = Args { format, ..Args::default() };
    Some(stopped(&args, message.to_owned(), "run `specward lint --help`".to_owned()))
}
