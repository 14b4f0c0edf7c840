//! `specward lint`: how well requirements are written.

use std::ffi::OsString;
use std::process::ExitCode;

use super::formats::{self, Format, Formats, Target};
use super::settings::Settings;
use super::{COULD_NOT_RUN, output, progress, verify};
use crate::gate::{self, Lint, Progress, RunError, Task};
use crate::repo::scope::{Request, RequestKind};
use crate::report::render::lint;
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
    #[command(flatten)]
    formats: Formats,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let targets = match args.formats.targets() {
        Ok(targets) => targets,
        Err(message) => {
            output::stderr(&format!("error: {message}\nfix: {HELP}\n"));
            let words: Vec<_> = std::env::args_os().collect();
            return refused(&words, &message).unwrap_or(ExitCode::from(COULD_NOT_RUN));
        }
    };
    let task = Task {
        request: Request {
            kind: if args.changed { RequestKind::Changed } else { RequestKind::Tree },
            base: args.base.clone(),
            head: args.head.clone(),
            known: None,
        },
        ids: args.specs.clone(),
        cwd: settings.cwd.clone(),
        env: settings.env.clone(),
        today: settings.today,
        run_id: verify::run_id(),
        lint: Some(Lint { min_score: args.min_score, is_pedantic: args.pedantic }),
        ..Task::default()
    };
    let state = Progress::default();
    match progress::watched(&state, || gate::verify(&task, &state)) {
        Ok(report) => deliver(&targets, &report, report.exit_code()),
        Err(error) => could_not_run(&targets, &error),
    }
}

fn deliver(targets: &[Target], report: &Report, exit_code: u8) -> ExitCode {
    let render = |format, styled| match format {
        Format::Human => lint::human::render(report, styled),
        Format::Agent => lint::agent::render(report),
        Format::Json => lint::json::render(report, exit_code),
        _ => formats::render(report, exit_code, format, styled),
    };
    ExitCode::from(formats::delivered(targets, render).unwrap_or(exit_code))
}

fn could_not_run(targets: &[Target], error: &RunError) -> ExitCode {
    let (message, fix) = (error.to_string(), error.fix());
    output::stderr(&format!("error: {}\nfix: {}\n", visible(&message), visible(&fix)));
    stopped(targets, message, fix)
}

/// The report of a run that could not happen, for whoever parses one.
fn stopped(targets: &[Target], message: String, fix: String) -> ExitCode {
    let told: Vec<Target> = targets.iter().filter(|target| !target.is_for_the_terminal()).cloned().collect();
    let report = Report::stopped(&verify::run_id(), Scope::default(), Reason { message, fix });
    deliver(&told, &report, COULD_NOT_RUN);
    ExitCode::from(COULD_NOT_RUN)
}

const HELP: &str = "run `specward lint --help`";

/// What a command line of this command comes to that cannot be parsed. None when it is another command's.
pub fn refused(words: &[OsString], message: &str) -> Option<ExitCode> {
    let targets = Formats::of(Formats::printed("lint", words)?).targets().unwrap_or_default();
    Some(stopped(&targets, message.to_owned(), HELP.to_owned()))
}
