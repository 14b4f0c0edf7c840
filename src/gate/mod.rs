//! The pipeline: what is judged, by which rules, with what outcome. The only room that knows all the others.

mod judge;

pub use judge::{PARALLEL_FROM, RuleSet, archived, change, main_spec, missing_spec, verdict};
