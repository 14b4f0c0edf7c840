//! OpenSpec documents: bytes in, typed documents with line numbers out. No I/O of its own, no printing.

pub mod artifacts;
pub mod change;
pub mod claims;
pub mod collate;
pub mod delta;
pub mod discovery;
pub mod drift;
pub mod entries;
pub mod heading;
pub mod js;
pub mod merge;
pub mod metadata;
pub mod near;
pub mod overlap;
pub mod planning;
pub mod project;
pub mod proposal;
pub mod purpose;
pub mod requirement;
pub mod scenario;
pub mod schema;
pub mod spec;
pub mod tasks;
pub mod text;
pub mod units;
pub mod yaml;
