//! What runs leave behind: a record each, and a chain of lines for those who keep one.
//!
//! What is read back was written by anybody: it is data, never trusted further than it proves itself.

pub mod chain;
pub mod check;
mod record;
mod run_id;
mod store;

pub use record::{RECORD_VERSION, RunRecord};
pub use run_id::RunId;
pub use store::{KEPT, Listed, LoadError, list, load, runs_folder, save};
