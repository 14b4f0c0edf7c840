//! The start of a session: how the specs are is written down, outside of the work tree.

use std::io;

use crate::agents::Agent;
use crate::gate::{ObserveError, Task, observe, outside};
use crate::session::{LockError, Record, SessionFolder};

/// Why the start of a session could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The specs cannot be read.
    #[error("{0}")]
    Observe(#[from] ObserveError),
    /// The record cannot be written.
    #[error("the record cannot be written: {0}")]
    Io(#[from] io::Error),
    /// Another process writes it.
    #[error("{0}")]
    Lock(#[from] LockError),
}

/// Records the start of a session, unless it is recorded already: what is resumed began earlier, and a record that was
/// spoilt is not replaced. `is_late` says that the client resumes a session, of which there should have been a record.
///
/// # Errors
/// When the specs cannot be read, or the record cannot be written. That there is no OpenSpec project is no error: one that
/// is made later is compared with nothing.
pub fn begin(
    task: &Task,
    folder: &SessionFolder,
    session: &str,
    agent: Option<Agent>,
    is_late: bool,
) -> Result<(), StartError> {
    if !matches!(folder.record(), Ok(None)) {
        return Ok(());
    }
    let observed = observe(task)?;
    let lock = folder.lock()?;
    // Another process may have been faster.
    if !matches!(folder.record(), Ok(None)) {
        return Ok(());
    }
    observed.keep_contents(folder)?;
    let mut record = Record {
        session: session.to_owned(),
        agent: agent.map(|agent| agent.id().to_owned()).unwrap_or_default(),
        is_late,
        ..observed.record
    };
    folder.write_record(&record)?;
    drop(lock);
    // Only now, and without keeping others waiting: it may take longer than the client does.
    let outside = outside(task, &record);
    if outside.is_some() {
        let _lock = folder.lock()?;
        // A person may have accepted something meanwhile.
        if folder.record().as_ref() == Ok(&Some(record.clone())) {
            record.outside = outside;
            folder.write_record(&record)?;
        }
    }
    Ok(())
}
