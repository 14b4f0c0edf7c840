//! Where sessions are remembered: a folder each, in the folder that all work trees of a repository share.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::record::{Record, RecordError};
use super::tally::Tally;
use crate::digest::sha256;

/// How many sessions are remembered.
const KEPT: usize = 200;

/// How long another process may hold a session. Whoever holds it longer has hung.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long to wait before the lock is tried again.
const PAUSE: Duration = Duration::from_millis(5);

/// No record is larger: a path takes a hundred bytes or so.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// What is left for whoever goes on when a session was let go.
pub const UNFINISHED: &str = "unfinished.md";

const RECORD: &str = "record";
const TALLY: &str = "tally.json";
const LOCK: &str = "lock";

/// The folder of all sessions of the repository whose common folder (`.git`) is given.
pub fn sessions_folder(common_dir: &Path) -> PathBuf {
    common_dir.join("specward").join("sessions")
}

/// What is remembered of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFolder(PathBuf);

/// Why a session could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process does not let go of it.
    #[error("another process holds {0}")]
    Held(PathBuf),
    /// The folder cannot be written to.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl SessionFolder {
    /// The folder of a session, by the client's name for it. The name may be anything.
    pub fn of(common_dir: &Path, session: &str) -> Self {
        let digest = sha256(session.as_bytes());
        let key = digest.trim_start_matches("sha256:");
        Self(sessions_folder(common_dir).join(&key[..32.min(key.len())]))
    }

    /// All sessions of a repository, in no order. A folder that is not there has none.
    pub fn all(common_dir: &Path) -> Vec<Self> {
        let entries = fs::read_dir(sessions_folder(common_dir)).into_iter().flatten().flatten();
        entries.map(|entry| Self(entry.path())).filter(|session| session.0.is_dir()).collect()
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where contents are kept that were never committed.
    pub fn blobs(&self) -> PathBuf {
        self.0.join("blobs")
    }

    /// Keeps other processes from this session as long as the file lives.
    ///
    /// # Errors
    /// When another process holds it for too long, or the folder cannot be written to.
    pub fn lock(&self) -> Result<File, LockError> {
        fs::create_dir_all(&self.0)?;
        let path = self.0.join(LOCK);
        if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::other(format!("{} is no regular file", path.display())).into());
        }
        let file = OpenOptions::new().append(true).create(true).open(&path)?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(LockError::Held(path)),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
    }

    /// The session's record for a work tree: its own, or the one the session began with. None when there is none.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub fn record_of(&self, top: &Path) -> Result<Option<Record>, RecordError> {
        match parsed(&self.0.join(record_name(top)))? {
            Some(record) => Ok(Some(record)),
            None => self.record(),
        }
    }

    /// Writes a record for a work tree that the session did not begin in.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write_record_of(&self, top: &Path, record: &Record) -> io::Result<()> {
        self.write(&record_name(top), &record.to_text()?)
    }

    /// The session's record; none when there is none.
    ///
    /// # Errors
    /// When it was edited, is of another version, or cannot be read.
    pub fn record(&self) -> Result<Option<Record>, RecordError> {
        parsed(&self.0.join(RECORD))
    }

    /// Writes the session's record, whole or not at all, and forgets the oldest sessions.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write_record(&self, record: &Record) -> io::Result<()> {
        self.write(RECORD, &record.to_text()?)?;
        self.prune();
        Ok(())
    }

    /// What happened in the session. One that cannot be read counts from the start.
    pub fn tally(&self) -> Tally {
        let text = read(&self.0.join(TALLY)).ok().flatten().unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Writes what happened.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write_tally(&self, tally: &Tally) -> io::Result<()> {
        self.write(TALLY, &format!("{}\n", serde_json::to_string(tally)?))
    }

    /// Leaves a text for whoever goes on, and says where.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn leave(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        self.write(name, text)?;
        Ok(self.0.join(name))
    }

    /// What was left when the session was let go, when it was.
    pub fn unfinished(&self) -> Option<PathBuf> {
        Some(self.0.join(UNFINISHED)).filter(|path| path.exists())
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(&self.0)?;
        file.write_all(text.as_bytes())?;
        file.persist(self.0.join(name))?;
        Ok(())
    }

    /// Forgets the sessions that were written to longest ago, never this one.
    fn prune(&self) {
        let Some(Ok(entries)) = self.0.parent().map(fs::read_dir) else { return };
        let age = |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
        let mut sessions: Vec<_> = entries.flatten().filter_map(age).filter(|(_, path)| *path != self.0).collect();
        sessions.sort();
        let excess = (sessions.len() + 1).saturating_sub(KEPT);
        for (_, path) in sessions.into_iter().take(excess) {
            // Another process may have been faster.
            drop(fs::remove_dir_all(path));
        }
    }
}

/// What a work tree's own record is called.
fn record_name(top: &Path) -> String {
    let digest = sha256(top.as_os_str().as_encoded_bytes());
    format!("{RECORD}-{}", &digest.trim_start_matches("sha256:")[..16])
}

fn parsed(path: &Path) -> Result<Option<Record>, RecordError> {
    match read(path) {
        Ok(Some(text)) => Record::parse(&text).map(Some),
        Ok(None) => Ok(None),
        Err(error) => Err(RecordError::Malformed(error.to_string())),
    }
}

/// A regular file's content; none when nothing is there. A link is not followed: it leads anywhere.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("it is not a regular file")),
        Ok(metadata) if metadata.len() > MAX_BYTES => Err(io::Error::other("it is far too large")),
        Ok(_) => fs::read(path).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let common = tempfile::tempdir().unwrap();
        let session = SessionFolder::of(common.path(), "../../x\n");
        assert!(session.path().starts_with(sessions_folder(common.path())));
        assert_eq!(session.record(), Ok(None));
        session.write_record(&record()).unwrap();
        assert_eq!(session.record(), Ok(Some(record())));
        assert_eq!(session.tally(), Tally::default());
        let tally = Tally { same: 2, ..Tally::default() };
        session.write_tally(&tally).unwrap();
        assert_eq!(session.tally(), tally);
        assert_ne!(SessionFolder::of(common.path(), "other"), session);
    }

    #[test]
    fn a_lock_is_held_by_one() {
        let common = tempfile::tempdir().unwrap();
        let session = SessionFolder::of(common.path(), "s");
        let held = session.lock().unwrap();
        assert!(matches!(session.lock(), Err(LockError::Held(_))));
        drop(held);
        assert!(session.lock().is_ok());
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let common = tempfile::tempdir().unwrap();
        for number in 0..KEPT + 5 {
            SessionFolder::of(common.path(), &number.to_string()).write_record(&record()).unwrap();
        }
        assert_eq!(fs::read_dir(sessions_folder(common.path())).unwrap().count(), KEPT);
        let newest = SessionFolder::of(common.path(), &(KEPT + 4).to_string());
        assert_eq!(newest.record(), Ok(Some(record())));
    }
}
