//! The JSON of `specward merge`, version 1.

use serde::Serialize;

use super::v1::FindingV1;
use crate::openspec::merge::Applied;

/// Version of this shape. Fields are added without changing it; anything else makes it 2.
pub const SCHEMA_VERSION: u32 = 1;

/// What archiving a change would do.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(title = "specward merge")]
pub struct MergeV1 {
    /// Version of this shape.
    pub schema_version: u32,
    /// The change.
    pub change: String,
    /// Whether archiving would be refused.
    pub refused: bool,
    /// The name it would have in the archive, when it does not depend on the day.
    pub archive_name: Option<String>,
    /// What would happen to each main spec, by capability.
    pub specs: Vec<MergedSpecV1>,
    /// Why it would be refused.
    pub obstacles: Vec<FindingV1>,
}

/// What would happen to a main spec.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct MergedSpecV1 {
    /// The capability.
    pub capability: String,
    /// The main spec.
    pub path: String,
    /// `created`, `updated`, `unchanged`, `deleted`, `absent`, or `refused`.
    pub outcome: String,
    /// Operations that change something.
    pub applied: Applied,
    /// The file's text afterwards; null when there is none.
    pub text: Option<String>,
}
