//! Git and the file system: what is base, what is head, and the files of either.

pub mod changes;
pub mod snapshot;
