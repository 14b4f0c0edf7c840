//! Requirements written for other tools, as specs and criteria: bytes of a source in, the texts of files out.
//!
//! A source becomes a [`model::Document`], which [`plan`] compares with what is there already. Nothing is read from disk
//! and nothing is written here.

mod criteria_list;
pub mod detect;
mod kiro;
mod leftover;
mod lines;
pub mod model;
pub mod naming;
pub mod plan;
pub mod record;
mod short;
mod speckit;
mod steps;
mod vocabulary;
pub mod write;

pub use detect::{Kind, read};
