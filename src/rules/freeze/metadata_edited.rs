//! `freeze/metadata-edited`

use super::reason::{Reason, report};
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec=explained`, reports an edit of an open change's `.openspec.yaml` that touches its schema,
    /// `skip_specs` or `retire_capabilities`, and edits of `openspec/config.yaml` and `openspec/schemas/`.
    ///
    /// ## Why it matters
    /// `skip_specs: true`, or a schema without specs, turns a change into one that demands nothing.
    ///
    /// ## How to fix
    /// Restore the file.
    "freeze/metadata-edited", Error, Own, "What decides how changes are read was edited", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    report(view, sink, Reason::MetadataEdited, "restore the file; tell a human when it has to change");
}
