//! `repo/conflict-marker`

use crate::rules::{Check, Weight};
use crate::rules::rule::rule;

rule! {
    /// ## What it does
    /// Reports conflict markers (`<<<<<<<`, `|||||||`, `>>>>>>>`, with `=======` between them) in specs, deltas, proposals and
    /// task files. Markers in code fences are left alone.
    ///
    /// ## Why it matters
    /// Both sides of the conflict stand in the text, so the spec demands two things at once.
    ///
    /// ## How to fix
    /// Resolve the conflict and delete the markers.
    "repo/conflict-marker", Error, Own, "A conflict marker is left in a file", Check::Gate,
    Weight::consistency("R-CONFLICT-MARK", 60)
}
