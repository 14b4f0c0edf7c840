//! The ledger: a file with one line for each run, each with the digest of the line before.
//!
//! `docs/ledger.md` defines the lines. Here they are written; `check` reads them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value};

use super::record::RunRecord;
use crate::digest::{self, sha256};
use crate::report::criterion_v1::CriterionV1;
use crate::report::{Counts, Trees, Verdict};

/// Version of a line's shape. Fields are added without changing it.
const VERSION: u32 = 1;

/// How long another process may hold the ledger. Adding a line takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long to wait before the lock is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// No line is longer, in bytes.
pub(super) const MAX_LINE: u64 = 64 * 1024 * 1024;

/// What a line tells of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Name of the run.
    pub run_id: String,
    /// When it ended: RFC 3339, UTC.
    pub time: String,
    /// Version of the line's shape.
    pub version: u32,
    /// Version of the program.
    pub specward: String,
    /// The worst verdict.
    pub verdict: Verdict,
    /// Exit code of the run.
    pub exit_code: u8,
    /// How many have which verdict.
    pub counts: Counts,
    /// Commit compared from.
    pub base: Option<String>,
    /// Commit judged, `worktree` or `index`.
    pub head: String,
    /// Digests of what was judged.
    pub trees: Trees,
    /// Digest of the criteria.
    pub criteria_digest: Option<String>,
    /// Each criterion's verdict.
    pub criteria: Vec<CriterionEntry>,
}

/// A criterion in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CriterionEntry {
    /// Its id.
    pub id: String,
    /// The outcome.
    pub verdict: Verdict,
}

impl From<&RunRecord> for Entry {
    fn from(run: &RunRecord) -> Self {
        let criterion =
            |criterion: &CriterionV1| CriterionEntry { id: criterion.id.clone(), verdict: criterion.verdict };
        Self {
            run_id: run.run_id.clone(),
            time: run.time.clone(),
            version: VERSION,
            specward: run.specward.clone(),
            verdict: run.verdict,
            exit_code: run.exit_code,
            counts: run.counts,
            base: run.scope.base.clone(),
            head: run.scope.head.clone(),
            trees: run.trees.clone(),
            criteria_digest: run.criteria_digest.clone(),
            criteria: run.criteria.iter().map(criterion).collect(),
        }
    }
}

/// That a person accepted files as they are, as a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AcceptEntry {
    /// Name of it, unique, of the shape of a run's.
    pub run_id: String,
    /// When: RFC 3339, UTC.
    pub time: String,
    /// Version of the line's shape.
    pub version: u32,
    /// Version of the program.
    pub specward: String,
    /// What was accepted.
    pub accepted: Accepted,
}

/// What a person accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Accepted {
    /// Why.
    pub reason: String,
    /// Files that differed from what was recorded, from the top of the tree.
    pub files: Vec<String>,
    /// The sessions whose records were changed.
    pub sessions: Vec<String>,
}

impl AcceptEntry {
    /// A line about what was accepted at a time (RFC 3339, UTC).
    pub fn new(run_id: String, time: String, accepted: Accepted) -> Self {
        Self { run_id, time, version: VERSION, specward: env!("CARGO_PKG_VERSION").to_owned(), accepted }
    }
}

/// A line that was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// Its number, which is its `seq`.
    pub seq: u64,
    /// Its digest. Kept elsewhere, it proves later that nothing was taken off the end.
    pub digest: String,
}

/// Why no line was added. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// It is a link, a pipe, a folder, a device.
    #[error("{0} is not a regular file")]
    NotAFile(PathBuf),
    /// Another process does not let go of it.
    #[error("process {process} waited {seconds} s for the lock on {file}, which another process holds")]
    Locked {
        /// Ours.
        process: u32,
        /// How long.
        seconds: u64,
        /// The ledger.
        file: PathBuf,
    },
    /// Its last line is not one a line can follow.
    #[error("{file}:{line}: {why}")]
    LastLine {
        /// The ledger.
        file: PathBuf,
        /// 1-based.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// It cannot be read or written.
    #[error("{file}: {error}")]
    Io {
        /// The ledger.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl AppendError {
    /// The way out.
    pub fn fix(&self) -> String {
        match self {
            Self::NotAFile(_) => "name a regular file, or one that does not exist yet".to_owned(),
            Self::Locked { .. } => "end the process that holds it (`lsof FILE` or `fuser FILE` names it)".to_owned(),
            Self::LastLine { .. } => {
                "look at it with `specward ledger check`; keep the file as it is for whoever asks, and \
                                      name a new one"
                    .to_owned()
            }
            Self::Io { .. } => "name a file in a folder that exists and can be written to".to_owned(),
        }
    }
}

/// Adds a line for a run ([`Entry`]) or for what a person accepted ([`AcceptEntry`]). The file is made when there is none.
/// Other processes may add at the same time.
///
/// # Errors
/// See [`AppendError`]. Nothing was added then.
pub fn append(file: &Path, entry: &impl Serialize) -> Result<Appended, AppendError> {
    append_within(file, entry, PATIENCE)
}

fn append_within(path: &Path, entry: &impl Serialize, patience: Duration) -> Result<Appended, AppendError> {
    let failed = |error: io::Error| AppendError::Io { file: path.to_owned(), error };
    let mut file = locked(path, patience)?;
    let length = file.metadata().map_err(failed)?.len();
    let last = last_line(&mut file, length).map_err(failed)?;
    let refused = |file: &mut File, why: String| {
        let line = line_count(file).unwrap_or_default();
        AppendError::LastLine { file: path.to_owned(), line, why }
    };
    let (seq, prev) = match &last {
        None => (1, None),
        Some(last) => match parse(last) {
            Ok(line) => (line.seq.saturating_add(1), Some(sha256(last.strip_suffix(b"\n").unwrap_or(last)))),
            Err(why) => return Err(refused(&mut file, why)),
        },
    };
    let (mut text, digest) = sealed(seq, prev, entry).map_err(|error| failed(error.into()))?;
    text.push('\n');
    // One call, so that no reader sees a part on any usual file system.
    if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.flush()) {
        // A full disk takes a part: off with it.
        drop(file.set_len(length));
        return Err(failed(error));
    }
    // Closing the file gives up the lock.
    Ok(Appended { seq, digest })
}

/// The line of a run, without its end, and its digest.
fn sealed(seq: u64, prev: Option<String>, entry: &impl Serialize) -> serde_json::Result<(String, String)> {
    let mut line = Map::new();
    line.insert("seq".to_owned(), Value::from(seq));
    line.insert("prev".to_owned(), prev.into());
    if let Value::Object(entry) = serde_json::to_value(entry)? {
        line.extend(entry);
    }
    let mut text = serde_json::to_string(&line)?;
    let digest = sha256(text.as_bytes());
    text.pop();
    text += &format!("{DIGEST_KEY}{digest}\"}}");
    Ok((text, digest))
}

/// What stands before the digest in each line.
const DIGEST_KEY: &str = ",\"digest\":\"";

/// What a line proves with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number.
    pub seq: u64,
    /// The digest of the line before.
    pub prev: Option<String>,
    /// Its own digest.
    pub digest: String,
    /// The run.
    pub run_id: String,
}

/// Reads a line, its end included, and compares its digest.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse(line: &[u8]) -> Result<Line, String> {
    let Some(line) = line.strip_suffix(b"\n") else {
        return Err("the line is torn: it has no end".to_owned());
    };
    let text = std::str::from_utf8(line).map_err(|_| "not a line of a ledger: not UTF-8".to_owned())?;
    let value: Value = serde_json::from_str(text).map_err(|_| "not a line of a ledger: not JSON".to_owned())?;
    let word = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let (Some(seq), Some(digest), Some(run_id)) =
        (value.get("seq").and_then(Value::as_u64), word("digest"), word("run_id"))
    else {
        return Err("not a line of a ledger: `seq`, `run_id` or `digest` is missing".to_owned());
    };
    if value.get("version").and_then(Value::as_u64) != Some(u64::from(VERSION)) {
        return Err(format!("its `version` is not {VERSION}, the only one this specward knows"));
    }
    let prev = match value.get("prev") {
        Some(Value::Null) => None,
        Some(Value::String(prev)) if digest::is_digest(prev) => Some(prev.clone()),
        _ => return Err("not a line of a ledger: `prev` is neither null nor a digest".to_owned()),
    };
    // The digest is over the bytes, so that no other way to write the same JSON passes.
    let tail = format!("{DIGEST_KEY}{digest}\"}}");
    let is_right = text.strip_suffix(&tail).is_some_and(|start| sha256(format!("{start}}}").as_bytes()) == digest);
    if !is_right || tail.len() != DIGEST_KEY.len() + digest::LENGTH + 2 {
        return Err("the line was changed: its digest is not that of its content".to_owned());
    }
    Ok(Line { seq, prev, digest, run_id })
}

/// The open file, locked.
fn locked(path: &Path, patience: Duration) -> Result<File, AppendError> {
    let failed = |error: io::Error| AppendError::Io { file: path.to_owned(), error };
    let start = Instant::now();
    loop {
        // Opening a pipe waits for ever; a link could lead to a file that is no ledger.
        match fs::symlink_metadata(path) {
            Ok(metadata) if !metadata.is_file() => return Err(AppendError::NotAFile(path.to_owned())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let seconds = patience.as_secs();
                    return Err(AppendError::Locked { process: std::process::id(), seconds, file: path.to_owned() });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        // Whoever waited may hold a file that was moved away meanwhile.
        if is_still(&file, path) || start.elapsed() >= patience {
            return Ok(file);
        }
    }
}

#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    matches!((file.metadata(), fs::symlink_metadata(path)), (Ok(one), Ok(other)) if id(&one) == id(&other))
}

/// Open files cannot be moved away there.
#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

/// Bytes read at a time when the last line is looked for.
const STEP: u64 = 64 * 1024;

/// The last line with its end, if it has one; none in an empty file.
fn last_line(file: &mut File, length: u64) -> io::Result<Option<Vec<u8>>> {
    if length == 0 {
        return Ok(None);
    }
    let mut size = STEP;
    loop {
        let from = length.saturating_sub(size);
        file.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        file.take(length - from).read_to_end(&mut tail)?;
        let body = tail.strip_suffix(b"\n").unwrap_or(&tail);
        if let Some(at) = memchr::memrchr(b'\n', body) {
            return Ok(Some(tail.split_off(at + 1)));
        }
        if from == 0 {
            return Ok(Some(tail));
        }
        if size > MAX_LINE {
            return Err(io::Error::other("the last line is far too long for a ledger"));
        }
        size *= 4;
    }
}

/// How many lines a file has, a torn one included.
fn line_count(file: &mut File) -> io::Result<usize> {
    file.rewind()?;
    let mut reader = io::BufReader::new(file);
    let (mut count, mut last) = (0, b'\n');
    let mut block = vec![0; STEP as usize];
    loop {
        let read = reader.read(&mut block)?;
        if read == 0 {
            return Ok(count + usize::from(last != b'\n'));
        }
        count += memchr::memchr_iter(b'\n', &block[..read]).count();
        last = block[read - 1];
    }
}

#[cfg(test)]
pub(super) mod tests;
