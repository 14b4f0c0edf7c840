//! The end of an agent's turn: judged against how its session began, and kept from ending when something is wrong.
//!
//! The gate itself fails closed. What is bounded is how often an agent is sent back: then it is let go, its user is told,
//! and what is left to do is written down. CI decides without any of this.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use super::answer::{self, Answer};
use super::payload::Payload;
use super::words::{self, Failure};
use crate::agents::Agent;
use crate::criteria::process::kill_what_runs;
use crate::gate::{self, Progress, RunError, Session, Task};
use crate::ledger::{self, RunRecord};
use crate::repo::open::common_dir_of;
use crate::report::{Reason, Report, Verdict};
use crate::session::{Bounds, Decision, Record, SessionFolder, Tally, UNFINISHED};

/// Memory for the stack of the thread that judges: as much as a main thread has.
const STACK: usize = 8 * 1024 * 1024;

/// The turn that is about to end.
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    /// Whose.
    pub agent: Option<Agent>,
    /// What the client says of it.
    pub payload: &'a Payload,
    /// What is judged, but for what it is compared with.
    pub task: Task,
    /// The top of the work tree.
    pub top: PathBuf,
    /// How long judging may take.
    pub deadline: Duration,
}

/// What a turn came to.
enum Judged {
    /// There is nothing to judge.
    Nothing,
    Passed,
    Failed(Failure),
}

/// What the record of a session came to.
enum Known {
    Record(Box<Record>),
    Missing,
    Unusable(String),
}

impl Known {
    /// Whether there was nothing to judge when the session began, as far as anybody knows.
    fn is_without_files(&self) -> bool {
        match self {
            Self::Record(record) => record.files.is_empty(),
            Self::Missing => true,
            Self::Unusable(_) => false,
        }
    }
}

impl Turn<'_> {
    /// Judges the turn and answers in the client's words: nothing when all is well.
    pub fn end(self) -> Answer {
        // A turn that was broken off is nobody's claim to be done.
        if self.payload.status.as_deref().is_some_and(|status| status != "completed") {
            return answer::silent();
        }
        let folder = self.payload.session.as_deref().zip(common_dir_of(&self.top));
        let folder = folder.map(|(session, common)| SessionFolder::of(&common, session));
        let known = match folder.as_ref().map(SessionFolder::record) {
            Some(Ok(Some(record))) => Known::Record(Box::new(record)),
            None | Some(Ok(None)) => Known::Missing,
            Some(Err(error)) => Known::Unusable(error.to_string()),
        };
        let bounds = match &known {
            Known::Record(record) => record.bounds,
            _ => Bounds::default(),
        };
        let failure = match self.judge(&known, folder.as_ref()) {
            Ok(Judged::Nothing) => return answer::silent(),
            Ok(Judged::Passed) => {
                if let Some(folder) = &folder {
                    passed(folder);
                }
                return answer::silent();
            }
            Ok(Judged::Failed(failure)) | Err(failure) => failure,
        };
        // What an agent cannot mend it is told once.
        let bounds = if failure.is_mendable { bounds } else { Bounds { same: 1, ..bounds } };
        self.refuse(&failure, folder.as_ref(), bounds)
    }

    /// What the turn came to.
    fn judge(&self, known: &Known, folder: Option<&SessionFolder>) -> Result<Judged, Failure> {
        let mut task = self.task.clone();
        // Nothing was promised, and nothing is there.
        if matches!(known, Known::Missing) && !gate::has_project(&task.cwd, &task.env) {
            return Ok(Judged::Nothing);
        }
        if let (Known::Record(record), Some(folder)) = (known, folder) {
            task.session = Some(Session { record: (**record).clone(), blobs: folder.blobs() });
        }
        let (done, outcome) = mpsc::channel();
        let work = move || {
            let judged = catch_unwind(AssertUnwindSafe(|| gate::verify(&task, &Progress::default())));
            // Nobody waits any more when the time is over.
            drop(done.send(judged));
        };
        let started = std::thread::Builder::new().name("gate".to_owned()).stack_size(STACK).spawn(work);
        if let Err(error) = started {
            return Err(Failure::own(&format!("no thread could be started: {error}")));
        }
        let mut report = match outcome.recv_timeout(self.deadline) {
            Ok(Ok(Ok(report))) => report,
            Ok(Ok(Err(RunError::NoProject))) if known.is_without_files() => return Ok(Judged::Nothing),
            Ok(Ok(Err(error))) => return Err(Failure::could_not_run(&error.to_string(), &error.fix())),
            Ok(Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(Failure::own("specward crashed while it judged this turn"));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                kill_what_runs();
                return Err(Failure::late(self.deadline));
            }
        };
        let missed = match known {
            Known::Record(_) => None,
            Known::Missing if self.payload.session.is_none() => {
                Some("the client did not say which session this is, so the specs were compared with the merge base".to_owned())
            }
            Known::Missing => Some(
                "there is no record of how the specs were when this session began, so they were compared with the merge \
                 base"
                    .to_owned(),
            ),
            Known::Unusable(why) => Some(format!("the session's record cannot be used: {why}")),
        };
        let is_mendable = report.verdict != Verdict::Pass;
        if let Some(message) = missed {
            report.reasons.push(Reason { message, fix: words::ACCEPT.to_owned() });
            report.verdict = report.verdict.worst(Verdict::Unverifiable);
        }
        if report.verdict == Verdict::Pass {
            return Ok(Judged::Passed);
        }
        store(&report);
        Ok(Judged::Failed(Failure { is_mendable, ..Failure::of(&report) }))
    }

    /// Sends the agent back, as often as it may be.
    fn refuse(&self, failure: &Failure, folder: Option<&SessionFolder>, bounds: Bounds) -> Answer {
        // Without a place to count in, the client's own word has to do.
        let counted = folder.and_then(|folder| {
            let _lock = folder.lock().ok()?;
            let mut tally = folder.tally();
            let decision = tally.decide(&failure.key, bounds, self.payload.loop_count.unwrap_or(0));
            folder.write_tally(&tally).ok().map(|()| decision)
        });
        let decision =
            counted.unwrap_or(match self.payload.is_stop_active || self.payload.loop_count.unwrap_or(0) > 0 {
                true => Decision::LetGo(0),
                false => Decision::Block(1),
            });
        match decision {
            Decision::Block(number) => answer::block(self.agent, self.payload, &failure.reason(number, bounds.same)),
            Decision::LetGo(number) => {
                let left = folder.and_then(|folder| folder.leave(UNFINISHED, &failure.report).ok());
                answer::tell(self.agent, self.payload, &failure.farewell(number, left.as_deref()))
            }
        }
    }
}

/// Nothing is wrong any more.
fn passed(folder: &SessionFolder) {
    if folder.tally() == Tally::default() {
        return;
    }
    let Ok(_lock) = folder.lock() else { return };
    let mut tally = folder.tally();
    let before = tally.clone();
    tally.pass();
    if tally != before {
        // Without it the next failure is counted as if it were the last one again: the agent is let go sooner, never later.
        folder.write_tally(&tally).unwrap_or_default();
    }
}

/// Stores the run beside the repository's objects, for `specward explain`. One that cannot be stored is judged all the same.
fn store(report: &Report) {
    let run = RunRecord::of(report, jiff::Timestamp::now().to_string(), report.exit_code());
    if let Some(common) = report.common_dir.as_deref() {
        drop(ledger::save(&ledger::runs_folder(common), &run));
    }
}

/// Whether a session has anything to remember at a place: there is a folder of it.
pub fn is_remembered(top: &Path, session: &str) -> bool {
    common_dir_of(top).is_some_and(|common| SessionFolder::of(&common, session).path().is_dir())
}
