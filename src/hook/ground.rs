//! The work trees that a session has to do with, and what is known of how it began there.

use std::path::{Path, PathBuf};

use super::place;
use crate::gate;
use crate::repo::environment::Environment;
use crate::repo::open::common_dir_of;
use crate::report::visible;
use crate::session::{Bounds, Record, SessionFolder};

/// How long after a client began to write down what is said a record may be made. A session is recorded before anything
/// is said in it, but clocks and clients are slow.
const SLACK: jiff::SignedDuration = jiff::SignedDuration::from_mins(2);

/// A work tree that is judged at the end of a turn.
#[derive(Debug)]
pub struct Ground {
    /// Where in it.
    pub cwd: PathBuf,
    /// Its top, links resolved.
    pub top: PathBuf,
    /// Where its session is remembered; none when the client does not say which session it is, or without a repository.
    pub folder: Option<SessionFolder>,
    /// How the session began.
    pub known: Known,
}

/// What is known of how a session began.
#[derive(Debug)]
pub enum Known {
    /// It was recorded.
    Record(Box<Record>),
    /// It was recorded when it had begun already: why that is known.
    Late(String),
    /// It was not recorded, or nobody knows which session it is.
    Missing {
        /// Whether the client did not say.
        is_nameless: bool,
    },
    /// Its record cannot be used, and why.
    Unusable(String),
}

impl Known {
    /// Whether there was nothing to judge when the session began, as far as anybody knows.
    pub fn is_without_files(&self) -> bool {
        match self {
            Self::Record(record) => record.files.is_empty(),
            Self::Missing { .. } => true,
            Self::Unusable(_) | Self::Late(_) => false,
        }
    }

    /// How often the agent may be sent back.
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Record(record) => record.bounds,
            Self::Late(_) | Self::Missing { .. } | Self::Unusable(_) => Bounds::default(),
        }
    }
}

impl Ground {
    /// The work trees around some folders that have a project or are remembered, and those where the session began. Each
    /// stands for itself: an agent can go anywhere, and what it left behind is judged all the same.
    pub fn all(folders: &[PathBuf], session: Option<&str>, transcript: Option<&Path>, env: &Environment) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let mut todo: Vec<PathBuf> = folders.iter().rev().cloned().collect();
        while let Some(cwd) = todo.pop() {
            let Some(top) = place::top(&cwd).filter(|top| found.iter().all(|ground| ground.top != *top)) else {
                continue;
            };
            let folder = session.zip(common_dir_of(&top)).map(|(session, common)| SessionFolder::of(&common, session));
            let recorded = folder.as_ref().map(|folder| folder.record_of(&top));
            let known = match recorded {
                Some(Ok(Some(record))) => {
                    let began = PathBuf::from(&record.top);
                    if began != top && began.is_dir() {
                        todo.push(began);
                    }
                    match lateness(&record, transcript) {
                        // What was done there cannot be looked at any more.
                        _ if !Path::new(&record.top).is_dir() => {
                            Known::Unusable(format!("the work tree it is of, {}, is gone", visible(&record.top)))
                        }
                        Some(why) => Known::Late(why),
                        None => Known::Record(Box::new(record)),
                    }
                }
                Some(Ok(None)) => Known::Missing { is_nameless: false },
                None => Known::Missing { is_nameless: session.is_none() },
                Some(Err(error)) => Known::Unusable(error.to_string()),
            };
            // Nothing was promised, and nothing is there.
            if matches!(known, Known::Missing { .. }) && !gate::has_project(&cwd, env) {
                continue;
            }
            found.push(Self { cwd, top, folder, known });
        }
        found
    }

    /// What is to be said when the start of the session is not known.
    pub fn missed(&self) -> Option<String> {
        match &self.known {
            Known::Record(_) => None,
            Known::Missing { is_nameless: true } => Some(
                "the client did not say which session this is, so the specs were compared with the merge base".to_owned(),
            ),
            Known::Missing { is_nameless: false } => Some(
                "there is no record of how the specs were when this session began, so they were compared with the merge base"
                    .to_owned(),
            ),
            Known::Late(why) => Some(format!(
                "the record of how the specs were was made when the session had begun already ({why}), so they were \
                 compared with the merge base"
            )),
            Known::Unusable(why) => Some(format!("the session's record cannot be used: {why}")),
        }
    }
}

/// Why a record is known to be of later than the session's start. What a person accepted is as good as a start.
fn lateness(record: &Record, transcript: Option<&Path>) -> Option<String> {
    if !record.accepted.is_empty() {
        return None;
    }
    if record.is_late {
        return Some("the client said that it was resumed".to_owned());
    }
    let began = std::fs::metadata(transcript?).ok()?.created().ok()?;
    let began = jiff::Timestamp::try_from(began).ok()?;
    let made: jiff::Timestamp = record.time.parse().ok()?;
    (made.duration_since(began) > SLACK).then(|| format!("the client's transcript is of {began:.0}"))
}
