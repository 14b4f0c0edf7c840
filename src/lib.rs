//! specward: a gate that keeps coding agents and people honest about OpenSpec specs.
#![forbid(unsafe_code)]

pub mod agents;
pub mod cli;
pub mod config;
pub mod criteria;
pub mod digest;
pub mod doctor;
mod folders;
pub mod gate;
pub mod git_hooks;
pub mod hook;
pub mod import;
pub mod ledger;
pub mod openspec;
pub mod redact;
pub mod repo;
pub mod report;
pub mod rules;
pub mod session;
mod shell;
