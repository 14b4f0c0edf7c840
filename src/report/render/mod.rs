//! One file for each output format. Each takes a report and gives text; nobody here decides anything.

pub mod agent;
mod criteria;
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod junit;
pub mod lint;
pub mod markdown;
mod ranked;
pub mod sarif;
