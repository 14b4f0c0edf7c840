//! `delta/root-spec-file`

use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a `spec.md` directly in a change's `specs/`.
    ///
    /// ## Why it matters
    /// The folder names the capability. Without one the file is ignored when the change is archived.
    ///
    /// ## How to fix
    /// Move it to `specs/<capability>/spec.md`.
    "delta/root-spec-file", Error, Reference, "A delta lies outside any capability folder", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    if view.change.has_root_spec && view.change.nested.is_empty() {
        let path = view.change.path("specs/spec.md");
        let place = Place { file: path.as_ref(), line: 0, anchor: "spec.md", text: None };
        sink.report_at(place, "no capability folder: archiving ignores this file", "move it to `specs/<capability>/spec.md`");
    }
}
