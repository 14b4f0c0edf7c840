//! `specward report`: reports read back.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::formats::{self, Formats, Target};
use super::verify::{could_not_run, run_id};
use crate::report::joined::{Part, join};
use crate::report::v1::ReportV1;
use crate::report::{Report, display_path};

/// Work with reports that `specward verify --format json` wrote
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Merge(MergeArgs),
}

/// Put the reports of `verify --shard I/N` together, or print one report in other formats
///
/// Exit code 0 PASS, 1 FAIL, 2 a file is no report, or of another run, 3 UNVERIFIABLE, also when a part is missing.
#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// JSON reports: all parts of a run, or one whole run
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    formats: Formats,
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    let Command::Merge(args) = &args.command;
    let targets = match args.formats.targets() {
        Ok(targets) => targets,
        Err(message) => return could_not_run(&[], &message, HELP),
    };
    match merged(&args.files) {
        Ok(report) => deliver(&report, &targets),
        Err((message, fix)) => could_not_run(&targets, &message, fix),
    }
}

const HELP: &str = "run `specward report merge --help`";

fn merged(files: &[PathBuf]) -> Result<Report, (String, &'static str)> {
    let parts = files.iter().map(|file| read(file)).collect::<Result<Vec<Part>, _>>()?;
    join(&run_id(), parts).map_err(|error| (error.to_string(), "name each part of one run once"))
}

fn read(file: &Path) -> Result<Part, (String, &'static str)> {
    let name = display_path(file.to_string_lossy().as_bytes().into());
    let bytes = std::fs::read(file)
        .map_err(|error| (format!("{name}: {error}"), "name files that `specward verify --format json=FILE` wrote"))?;
    let report = ReportV1::parse(&bytes).and_then(ReportV1::into_report);
    let fix = "write it with this specward: `specward verify --format json=FILE`";
    report.map(|report| Part { name: name.clone(), report }).map_err(|error| (format!("{name}: {error}"), fix))
}

fn deliver(report: &Report, targets: &[Target]) -> ExitCode {
    let exit_code = report.exit_code();
    let render = |format, styled| formats::render(report, exit_code, format, styled);
    ExitCode::from(formats::delivered(targets, render).unwrap_or(exit_code))
}
