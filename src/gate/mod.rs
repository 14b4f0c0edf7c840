//! The pipeline: what is judged, by which rules, with what outcome. The only room that knows all the others.

mod judge;

pub use judge::{RuleSet, archived, change, main_spec, verdict};
