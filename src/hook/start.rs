//! The start of a session: how the specs are is written down, outside of the work tree.

use crate::agents::Agent;
use crate::gate::{self, BeginError, RunError, Task};
use crate::session::{LockError, Record, SessionFolder};

/// Records the start of a session, unless it is recorded already: what is resumed began earlier, and a record that was
/// spoilt is not replaced.
///
/// # Errors
/// When the specs cannot be read, or the record cannot be written. That there is no OpenSpec project is no error.
pub fn begin(task: &Task, folder: &SessionFolder, session: &str, agent: Option<Agent>) -> Result<(), BeginError> {
    if !matches!(folder.record(), Ok(None)) {
        return Ok(());
    }
    let _lock = match folder.lock() {
        Ok(lock) => lock,
        Err(LockError::Io(error)) => return Err(error.into()),
        Err(error @ LockError::Held(_)) => return Err(std::io::Error::other(error.to_string()).into()),
    };
    // Another process may have been faster.
    if !matches!(folder.record(), Ok(None)) {
        return Ok(());
    }
    let named = |record: Record| Record {
        session: session.to_owned(),
        agent: agent.map(|agent| agent.id().to_owned()).unwrap_or_default(),
        ..record
    };
    match gate::begin(task, folder, named) {
        Ok(_) => Ok(()),
        Err(BeginError::Run(RunError::NoProject)) => {
            // Nothing is remembered of what is none of our business.
            folder.forget();
            Ok(())
        }
        Err(error) => Err(error),
    }
}
