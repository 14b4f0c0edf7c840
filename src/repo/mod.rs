//! Git and the file system: what is base, what is head, and the files of either.

mod ancestry;
pub mod changes;
pub mod checkout;
pub mod ci;
mod default_branch;
pub mod environment;
mod git_cli;
mod gix_store;
pub mod graft;
pub mod history;
mod index_scan;
pub mod kept;
pub mod node;
pub mod oid;
pub mod open;
mod partial;
pub mod push;
mod remotes;
pub mod scope;
pub mod snapshot;
pub mod staged;
pub mod store;
pub mod subject;
