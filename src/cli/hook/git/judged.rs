//! Runs of the gate for git, told in words.

use std::process::ExitCode;

use crate::cli::settings::Settings;
use crate::cli::{COULD_NOT_RUN, output, progress, verify};
use crate::criteria::process::MARKER;
use crate::gate::{self, Checks, Progress, RunError, Task};
use crate::ledger::RunId;
use crate::repo::oid::Oid;
use crate::repo::open::Repository;
use crate::repo::push::{Range, Target, Update};
use crate::repo::scope::{Comparison, Request, Undetermined};
use crate::report::render::human;
use crate::report::{Report, visible};
use crate::rules::Freeze;

/// Exit codes of `verify`, from what may pass to what is worst.
const ORDER: [u8; 4] = [0, 3, COULD_NOT_RUN, 1];

/// Ends with the worst of some exit codes.
pub(super) fn worst(codes: impl IntoIterator<Item = u8>) -> u8 {
    let rank = |code: &u8| ORDER.iter().position(|known| known == code).unwrap_or(ORDER.len());
    codes.into_iter().max_by_key(rank).unwrap_or(0)
}

/// Says something that is no verdict.
pub(super) fn say(words: &str) {
    output::stderr(&format!("specward: {}\n", visible(words)));
}

/// Says why nothing could be told of something, as `verify` would, and gives the exit code.
pub(super) fn undetermined(error: &Undetermined) -> u8 {
    output::stderr(&format!("error: {}\nfix: {}\nUNVERIFIABLE\n", visible(&error.message), visible(&error.fix)));
    3
}

/// Says that something is refused, and gives the exit code.
pub(super) fn refused(message: &str, fix: &str) -> u8 {
    output::stderr(&format!("error: {}\nfix: {}\n", visible(message), visible(fix)));
    1
}

/// Says that the hook itself could not do its work, and gives the exit code.
pub(super) fn could_not_run(message: &str, fix: &str) -> u8 {
    refused(message, fix);
    COULD_NOT_RUN
}

/// The repository, or the exit code once it is said why there is none.
pub(super) fn repository(settings: &Settings) -> Result<Repository, u8> {
    Repository::open(&settings.cwd, &settings.env).map_err(|error| could_not_run(&error.to_string(), &error.fix()))
}

/// A run as git's hooks ask for it.
pub(super) fn task(settings: &Settings, request: Request, is_without_checks: bool) -> Task {
    Task {
        request,
        frozen_spec: Some(Some(Freeze::Explained)),
        cwd: settings.cwd.clone(),
        env: settings.env.clone(),
        today: settings.today,
        run_id: RunId::new(jiff::Timestamp::now(), std::process::id()).to_string(),
        checks: Checks {
            is_off: is_without_checks,
            inherited: settings.inherited.clone(),
            inside: settings.env.get(MARKER).map(str::to_owned),
            ..Checks::default()
        },
        ..Task::default()
    }
}

/// Runs the gate, tells what it came to, and gives the exit code. Without any OpenSpec project there is nothing to judge,
/// which is said of `what`.
pub(super) fn run(task: &Task, what: &str, is_kept: bool) -> u8 {
    tell(report(task), what, is_kept)
}

/// Runs the gate.
pub(super) fn report(task: &Task) -> Result<Report, RunError> {
    let state = Progress::default();
    progress::watched(&state, || gate::verify(task, &state))
}

/// Tells what a run came to, as [`run`] does.
pub(super) fn tell(outcome: Result<Report, RunError>, what: &str, is_kept: bool) -> u8 {
    match outcome {
        Ok(mut report) => {
            if is_kept {
                // A run that is not stored says so in its notes.
                drop(verify::keep(&mut report, None));
            }
            match output::stdout(&human::render(&report, true)) {
                Ok(()) => report.exit_code(),
                Err(error) => could_not_run(&format!("standard output: {error}"), "run the hook where it can write"),
            }
        }
        Err(RunError::NoProject) => {
            say(&format!("{what} has no OpenSpec project, and nothing is judged"));
            0
        }
        Err(error) => could_not_run(&error.to_string(), &error.fix()),
    }
}

/// Judges updates of references one by one, each range once.
pub(super) struct Updates<'a> {
    pub(super) repository: &'a Repository,
    pub(super) target: &'a Target,
    /// A run for a comparison.
    pub(super) task: &'a dyn Fn(Comparison) -> Task,
    /// Whether runs are stored.
    pub(super) is_kept: bool,
    pub(super) done: Vec<(Comparison, u8)>,
}

impl Updates<'_> {
    /// Judges an update, and gives the exit code.
    pub(super) fn judge(&mut self, update: &Update) -> u8 {
        let (mut comparison, is_unrelated) = match self.target.range(self.repository, update) {
            Err(error) => {
                say(&format!("{} cannot be judged", update.remote));
                return undetermined(&error);
            }
            Ok(Range::Nothing(why)) => {
                say(&why);
                return 0;
            }
            Ok(Range::Refused { message, fix }) => return refused(&message, &fix),
            Ok(Range::DeletesDefault(old)) => return self.deletes_default(update, old),
            Ok(Range::Compare { comparison, is_unrelated }) => (comparison, is_unrelated),
        };
        let crate::repo::scope::HeadSide::Commit(head) = comparison.head else { return COULD_NOT_RUN };
        if is_unrelated && !gate::commit_has_project(self.repository, head) {
            let why = "has no OpenSpec project and no commit in common with the default branch";
            say(&format!("{} {why}, and nothing is judged", update.remote));
            return 0;
        }
        say(&format!("judging {} against {}", update.remote, comparison.base_source));
        let source = std::mem::take(&mut comparison.base_source);
        if let Some((_, code)) = self.done.iter().find(|(done, _)| *done == comparison) {
            say("the same was judged above");
            return *code;
        }
        let judged = comparison.clone();
        comparison.base_source = source;
        let code = run(&(self.task)(comparison), &update.remote, self.is_kept);
        self.done.push((judged, code));
        code
    }

    fn deletes_default(&self, update: &Update, old: Oid) -> u8 {
        if gate::commit_has_project(self.repository, old) {
            let message =
                format!("{} is the default branch and has specs: without it no push can be judged", update.remote);
            return refused(&message, "point HEAD of this repository to another branch first");
        }
        say(&format!("{} is deleted, and has no OpenSpec project", update.remote));
        0
    }
}

/// An exit code for the process.
pub(super) fn exit(code: Result<u8, u8>) -> ExitCode {
    ExitCode::from(code.unwrap_or_else(|code| code))
}
