//! One file for each kind of check. Each looks, and tells what it saw.

pub mod command;
mod excerpt;
pub mod file;
pub mod judge;
pub mod junit;
mod reports;
pub mod search;
pub mod text;
mod walk;
