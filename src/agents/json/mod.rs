//! Hook entries in the settings of others, which keep every byte that is not ours: comments, order, layout, line ends.
//!
//! Nothing is remembered beside the file. What was put in is found again by its command, and how it was put in says
//! what was there before: a list that was there and empty gets a space behind its bracket, an empty document is indented
//! by four, one that we make by two.

mod candidates;
mod command;
mod container;
mod document;
mod drop;
pub mod entries;
mod layout;

mod put;

pub(in crate::agents) use layout::newline_of;

use super::problem::Problem;

/// The settings in a text, with comments and final commas, without their places.
///
/// # Errors
/// When it holds no object.
pub fn value(text: &str) -> Result<serde_json::Value, Problem> {
    document::parse(text).map(|root| document::plain(&jsonc_parser::ast::Value::Object(root)))
}

/// Whether a handler that calls us is anywhere in settings.
pub fn calls_us(value: &serde_json::Value) -> bool {
    candidates::is_any(value)
}

/// The names and commands of handlers that call us, wherever they are in settings.
pub fn names_of_ours(value: &serde_json::Value) -> Vec<String> {
    candidates::names(value)
}
