//! What is remembered of an agent's session, outside of the work tree: how the specs were when it began, and how often it
//! was sent back to work.
//!
//! Whoever is judged can write there too. A record that was changed says so, one that is gone is missed, and CI judges
//! without any.

mod record;
mod store;
mod tally;

pub use record::{Acceptance, RECORD_VERSION, Record, RecordError, RecordedFile, RecordedPath};
pub use store::{LockError, SessionFolder, UNFINISHED, sessions_folder};
pub use tally::{Bounds, Decision, Tally};

/// A record of a session in a work tree, for tests of other rooms.
#[cfg(test)]
pub(crate) fn made_up(session: &str, top: &str) -> Record {
    Record { session: session.to_owned(), top: top.to_owned(), ..record::tests::record() }
}
