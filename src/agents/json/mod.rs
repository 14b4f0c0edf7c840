//! Hook entries in the settings of others, which keep every byte that is not ours: comments, order, layout, line ends.
//!
//! Nothing is remembered beside the file. What was put in is found again by its command, and how it was put in says
//! what was there before: a list that was there and empty gets a space behind its bracket, an empty document is indented
//! by four, one that we make by two.

mod candidates;
mod container;
mod document;
mod drop;
pub mod entries;
mod layout;

pub(in crate::agents) use layout::newline_of;
mod put;
