//! What agents call back: a document on standard input, an answer on standard output in each client's own words.

pub mod answer;
pub mod double;
pub mod payload;
pub mod reason;
pub mod start;
pub mod stop;
mod words;
