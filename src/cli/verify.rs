//! `specward verify`: the gate.

use std::path::PathBuf;
use std::process::ExitCode;

use super::COULD_NOT_RUN;
use super::formats::{self, Formats, Target};
use super::output;
use super::progress;
use super::settings::Settings;
use crate::criteria::process::MARKER;
use crate::gate::{self, Checks, Progress, RunError, Task};
use crate::ledger::chain::{self, AppendError, Entry};
use crate::ledger::{self, RunRecord};
use crate::repo::scope::{Request, RequestKind};
use crate::report::{Reason, Report, Scope, Shard, Verdict, visible};
use crate::rules::Freeze;

/// Judge specs and changes, and tell whether the spec was edited
///
/// Without --changed or --staged the whole tree is judged as it lies on disk. Exit code 0 PASS, 1 FAIL, 2 could not
/// run, 3 UNVERIFIABLE.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    /// Specs and changes to judge, by id as `list` prints it, or as spec/ID or change/ID [default: all]
    ids: Vec<String>,
    /// Judge only what differs between base and head
    #[arg(long, conflicts_with = "staged")]
    changed: bool,
    /// Compare the index with HEAD, as a commit hook does
    #[arg(long)]
    staged: bool,
    /// Commit to compare from; its merge base with head is used [default: SPECWARD_BASE, what
    /// GitHub, GitLab or pre-commit say, or the default branch]
    #[arg(long, value_name = "REV", requires = "changed", conflicts_with = "staged")]
    base: Option<String>,
    /// Commit to judge [default: the work tree with index and untracked files]
    #[arg(long, value_name = "REV", requires = "changed", conflicts_with = "staged")]
    head: Option<String>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    formats: Formats,
}

/// How a run judges, for each command that runs the gate.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Judging {
    /// In a comparison, fail when a file of the spec set (specs, changes, schemas, configuration of openspec/ and protected
    /// files) differs between base and head. `explained` lets pass what the workflow explains: a new change, a faithful
    /// archive or sync, ticked boxes [default without a value: what base's specward.yaml says, else strict]
    #[arg(long, value_name = "MODE", value_enum, num_args = 0..=1, require_equals = true)]
    pub frozen_spec: Option<Option<Freeze>>,
    /// Let warnings fail
    #[arg(long)]
    strict: bool,
    /// Run these criteria and no other: all others of the judged items are SKIPPED
    #[arg(long, value_name = "ID", num_args = 1.., value_delimiter = ',', conflicts_with = "no_checks")]
    only: Vec<String>,
    /// Run no check of any criterion
    #[arg(long)]
    no_checks: bool,
    /// Do not ask the judge
    #[arg(long)]
    no_judge: bool,
    /// Commands of checks that run at a time [default: what specward.yaml says, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Judge one part of what N runners share; `specward report merge` puts their JSON reports together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Append the run to a file of JSON lines, each of which holds the digest of the one before
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// As of [`Task::is_last`].
    #[arg(skip)]
    pub is_last: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let targets = match args.formats.targets() {
        Ok(targets) => targets,
        Err(message) => return refused(&message),
    };
    if args.judging.frozen_spec.is_some() && !args.changed && !args.staged {
        let message = "--frozen-spec needs a comparison";
        return could_not_run(&targets, message, "add --changed or --staged");
    }
    let request = Request {
        kind: match (args.changed, args.staged) {
            (true, _) => RequestKind::Changed,
            (_, true) => RequestKind::Staged,
            _ => RequestKind::Tree,
        },
        base: args.base.clone(),
        head: args.head.clone(),
        known: None,
    };
    match args.judging.judge(request, args.ids.clone(), settings, &[]) {
        Ok((report, exit_code)) => ExitCode::from(deliver(&report, exit_code, &targets)),
        Err(error) => could_not_run(&targets, &error.to_string(), &RunError::fix(&error)),
    }
}

impl Judging {
    /// Runs the gate and stores the run: the report and the exit code. `notes` are put into the report.
    ///
    /// # Errors
    /// When the run could not happen.
    pub fn judge(
        &self,
        request: Request,
        ids: Vec<String>,
        settings: &Settings,
        notes: &[String],
    ) -> Result<(Report, u8), RunError> {
        let is_whole_tree = request.kind == RequestKind::Tree;
        let task = Task {
            request,
            ids,
            frozen_spec: self.frozen_spec,
            strict: self.strict,
            cwd: settings.cwd.clone(),
            env: settings.env.clone(),
            today: settings.today,
            run_id: run_id(),
            checks: Checks {
                is_off: self.no_checks,
                is_without_judge: self.no_judge,
                only: self.only.clone(),
                jobs: self.jobs.map(usize::from),
                inherited: settings.inherited.clone(),
                inside: settings.env.get(MARKER).map(str::to_owned),
            },
            lint: None,
            shard: self.shard,
            session: None,
            is_last: self.is_last,
        };
        let state = Progress::default();
        let mut report = progress::watched(&state, || gate::verify(&task, &state))?;
        report.notes.extend_from_slice(notes);
        if is_whole_tree && (self.ledger.is_some() || report.trees.files.is_some()) {
            gate::name_whole_tree(&mut report, &settings.cwd, &settings.env);
        }
        let kept = keep(&mut report, self.ledger.as_deref());
        let exit_code = if kept.is_ok() { report.exit_code() } else { COULD_NOT_RUN };
        Ok((report, exit_code))
    }
}

/// Stores a run beside the repository's objects, and appends it to a ledger. A run that cannot be stored is judged all
/// the same, which a note says; one whose line in the ledger is missing did not do what was asked, and does not pass.
pub(super) fn keep(report: &mut Report, file: Option<&std::path::Path>) -> Result<(), AppendError> {
    let now = jiff::Timestamp::now().to_string();
    let appended = file.map_or(Ok(()), |file| {
        chain::append(file, &Entry::from(&RunRecord::of(report, now.clone(), report.exit_code()))).map(drop)
    });
    if let Err(error) = &appended {
        let (message, fix) = (error.to_string(), error.fix());
        tell(&message, &fix);
        report.reasons.push(Reason { message, fix });
        report.verdict = report.verdict.worst(Verdict::Unverifiable);
    }
    let exit_code = if appended.is_ok() { report.exit_code() } else { COULD_NOT_RUN };
    let run = RunRecord::of(report, now, exit_code);
    if let Some(folder) = report.common_dir.as_deref().map(ledger::runs_folder)
        && let Err(error) = ledger::save(&folder, &run)
    {
        report.notes.push(format!("this run was not stored: {error}"));
    }
    appended
}

/// Says why a run could not happen, in the formats that were asked for, and returns exit code 2.
pub fn could_not_run(targets: &[Target], message: &str, fix: &str) -> ExitCode {
    tell(message, fix);
    let report = stopped(message, fix);
    let told: Vec<Target> = targets.iter().filter(|target| !target.is_for_the_terminal()).cloned().collect();
    ExitCode::from(deliver(&report, COULD_NOT_RUN, &told))
}

/// Says on standard error why a run could not happen.
pub fn tell(message: &str, fix: &str) {
    output::stderr(&format!("error: {}\nfix: {}\n", visible(message), visible(fix)));
}

/// The report of a run that could not happen, which has no verdict on anything.
pub fn stopped(message: &str, fix: &str) -> Report {
    let reason = Reason { message: message.to_owned(), fix: fix.to_owned() };
    Report::stopped(&run_id(), Scope::default(), reason)
}

/// Says why a command line cannot be used, where its report would have been printed.
pub fn refused(message: &str) -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    let format = Formats::printed("verify", &words).unwrap_or_default();
    let targets = Formats::of(format).targets().unwrap_or_default();
    could_not_run(&targets, message, "run `specward verify --help`")
}

/// Writes the report; the exit code, which is another one when that cannot be done.
fn deliver(report: &Report, exit_code: u8, targets: &[Target]) -> u8 {
    let render = |format, styled| formats::render(report, exit_code, format, styled);
    formats::delivered(targets, render).unwrap_or(exit_code)
}

/// A name no other run has: the time and some of the process's own. Names in order are runs in order of time, also
/// within a second.
pub(super) fn run_id() -> String {
    ledger::RunId::new(jiff::Timestamp::now(), std::process::id()).to_string()
}
