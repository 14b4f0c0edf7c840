//! One file for each output format. Each takes a report and gives text; nobody here decides anything.

pub mod agent;
mod criteria;
pub mod human;
pub mod json;
pub mod lint;
pub mod sarif;
