//! What agents call back: a document on standard input, an answer on standard output in each client's own words.

pub mod answer;
pub mod double;
pub mod ground;
pub mod guard;
pub mod payload;
pub mod place;
pub mod reason;
mod shell;
pub mod start;
pub mod stop;
pub mod targets;
mod words;
