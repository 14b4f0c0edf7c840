//! The end of an agent's turn: judged against how its session began, and kept from ending when something is wrong.
//!
//! The gate itself fails closed. What is bounded is how often an agent is sent back: then it is let go, its user is told,
//! and what is left to do is written down. CI decides without any of this.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use super::answer::{self, Answer};
use super::ground::{Ground, Known};
use super::payload::Payload;
use super::words::{self, Failure};
use crate::agents::Agent;
use crate::criteria::process::kill_what_runs;
use crate::gate::{self, Progress, RunError, Session, Task};
use crate::ledger::{self, RunRecord};
use crate::report::{Reason, Report, Verdict};
use crate::session::{Bounds, Decision, SessionFolder, Tally, UNFINISHED};

/// Memory for the stack of the thread that judges: as much as a main thread has.
const STACK: usize = 8 * 1024 * 1024;

/// The turn that is about to end.
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    /// Whose.
    pub agent: Option<Agent>,
    /// What the client says of it.
    pub payload: &'a Payload,
    /// What is judged, but for where and what it is compared with.
    pub task: Task,
    /// Where the client works or may have worked, the likeliest first.
    pub folders: Vec<PathBuf>,
    /// How long judging may take.
    pub deadline: Duration,
}

/// What a turn came to.
enum Judged {
    /// Nothing is wrong, in these sessions.
    Passed(Vec<SessionFolder>),
    /// Something is.
    Failed(Failure, Bounds),
}

impl Turn<'_> {
    /// Judges the turn and answers in the client's words: nothing when all is well.
    pub fn end(self) -> Answer {
        // A turn that was broken off is nobody's claim to be done.
        if matches!(self.payload.status.as_deref(), Some("aborted" | "error")) {
            return answer::silent();
        }
        // Where it is counted, as soon as that is known.
        let place: Arc<OnceLock<SessionFolder>> = Arc::default();
        let (done, outcome) = mpsc::channel();
        let work = {
            let (task, folders, place) = (self.task.clone(), self.folders.clone(), Arc::clone(&place));
            let (session, transcript) = (self.payload.session.clone(), self.payload.transcript.clone());
            move || {
                let judge = || {
                    judge(&task, Ground::all(&folders, session.as_deref(), transcript.as_deref(), &task.env), &place)
                };
                // Nobody waits any more when the time is over.
                drop(done.send(catch_unwind(AssertUnwindSafe(judge))));
            }
        };
        let started = std::thread::Builder::new().name("gate".to_owned()).stack_size(STACK).spawn(work);
        let judged = match started.map(|_| outcome.recv_timeout(self.deadline)) {
            Ok(Ok(Ok(judged))) => judged,
            Ok(Err(mpsc::RecvTimeoutError::Timeout)) => {
                kill_what_runs();
                Judged::Failed(Failure::late(self.deadline), Bounds::default())
            }
            Ok(Ok(Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected)) => {
                Judged::Failed(Failure::own("specward crashed while it judged this turn"), Bounds::default())
            }
            Err(error) => {
                Judged::Failed(Failure::own(&format!("no thread could be started: {error}")), Bounds::default())
            }
        };
        match judged {
            Judged::Passed(folders) => {
                folders.iter().for_each(passed);
                answer::silent()
            }
            Judged::Failed(failure, bounds) => {
                // What an agent cannot mend it is told once.
                let bounds = if failure.is_mendable { bounds } else { Bounds { same: 1, ..bounds } };
                self.refuse(&failure, place.get(), bounds)
            }
        }
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
        let decision = counted.unwrap_or_else(|| {
            let goes_on = self.payload.is_stop_active || self.payload.loop_count.unwrap_or(0) > 0;
            if goes_on || !self.counts_itself() { Decision::LetGo(0) } else { Decision::Block(1) }
        });
        match decision {
            Decision::Block(number) => {
                let most = if counted.is_some() { bounds.same } else { 1 };
                answer::block(self.agent, self.payload, &failure.reason(number, most))
            }
            Decision::LetGo(number) => {
                let left = folder.and_then(|folder| folder.leave(UNFINISHED, &failure.report).ok());
                answer::tell(self.agent, self.payload, &failure.farewell(number, left.as_deref()))
            }
        }
    }

    /// Whether the client says that the turn goes on already, when it does.
    fn counts_itself(&self) -> bool {
        match self.agent {
            None
            | Some(Agent::Claude | Agent::Codex | Agent::Gemini | Agent::Copilot | Agent::Cursor | Agent::Qwen) => true,
            Some(Agent::OpenCode | Agent::Kiro | Agent::Hermes | Agent::Cline | Agent::Windsurf) => false,
        }
    }
}

/// Judges each work tree the session has to do with. The first in which something is wrong decides.
fn judge(task: &Task, grounds: Vec<Ground>, place: &OnceLock<SessionFolder>) -> Judged {
    let mut passed = Vec::new();
    for ground in grounds {
        if let Some(folder) = &ground.folder {
            // The first is where it is counted, until another one fails.
            if place.get().is_none() {
                drop(place.set(folder.clone()));
            }
        }
        match judge_one(task, &ground) {
            Ok(()) => passed.extend(ground.folder),
            Err(failure) => return Judged::Failed(failure, ground.known.bounds()),
        }
    }
    Judged::Passed(passed)
}

/// Judges one work tree.
fn judge_one(task: &Task, ground: &Ground) -> Result<(), Failure> {
    let mut task = Task { cwd: ground.cwd.clone(), ..task.clone() };
    if let (Known::Record(record), Some(folder)) = (&ground.known, &ground.folder) {
        task.session = Some(Session { record: (**record).clone(), blobs: folder.blobs() });
    }
    let mut report = match gate::verify(&task, &Progress::default()) {
        Ok(report) => report,
        Err(RunError::NoProject) if ground.known.is_without_files() => return Ok(()),
        Err(error) => return Err(Failure::could_not_run(&error.to_string(), &error.fix())),
    };
    let is_mendable = report.verdict != Verdict::Pass;
    if let Some(message) = ground.missed() {
        report.reasons.push(Reason { message, fix: words::ACCEPT.to_owned() });
        report.verdict = report.verdict.worst(Verdict::Unverifiable);
    }
    if report.verdict == Verdict::Pass {
        return Ok(());
    }
    store(&report);
    Err(Failure { is_mendable, ..Failure::of(&report) })
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
