//! `delta/skip-specs-conflict`

use super::skip_specs_invalid::is_honoured;
use crate::openspec::metadata::METADATA_FILE;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a change that declares `skip_specs: true` and has files under `specs/`.
    ///
    /// ## Why it matters
    /// One of the two is wrong, and the files would be dropped when the change is archived.
    ///
    /// ## How to fix
    /// Delete `skip_specs` from `.openspec.yaml`, or the files when no requirement changes.
    "delta/skip-specs-conflict", Error, Reference, "A change skips specs and has some", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    if view.change.nested.is_empty() && view.change.has_spec_files && is_honoured(view) {
        let path = view.change.path(METADATA_FILE);
        let place = Place { file: path.as_ref(), line: 0, anchor: "file", text: None };
        let fix = "delete `skip_specs`, or the files under `specs/` when no requirement changes";
        sink.report_at(place, "skip_specs is set, but there are files under `specs/`", fix);
    }
}
