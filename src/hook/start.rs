//! The start of a session: how the specs are is written down, outside of the work tree.

use std::io;

use crate::agents::Agent;
use crate::gate::{ObserveError, Task, observe};
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
/// spoilt is not replaced.
///
/// # Errors
/// When the specs cannot be read, or the record cannot be written. That there is no OpenSpec project is no error: one that
/// is made later is compared with nothing.
pub fn begin(task: &Task, folder: &SessionFolder, session: &str, agent: Option<Agent>) -> Result<(), StartError> {
    if !matches!(folder.record(), Ok(None)) {
        return Ok(());
    }
    let observed = observe(task)?;
    let _lock = folder.lock()?;
    // Another process may have been faster.
    if !matches!(folder.record(), Ok(None)) {
        return Ok(());
    }
    observed.keep_contents(folder)?;
    folder.write_record(&Record {
        session: session.to_owned(),
        agent: agent.map(|agent| agent.id().to_owned()).unwrap_or_default(),
        ..observed.record
    })?;
    Ok(())
}
