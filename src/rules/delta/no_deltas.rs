//! `delta/no-deltas`

use super::skip_specs_invalid::{is_honoured, is_meant};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a change without a single delta.
    ///
    /// ## Why it matters
    /// It changes no requirement, so there is nothing to hold its implementation against.
    ///
    /// ## How to fix
    /// Write `specs/<capability>/spec.md` with delta sections, or declare `skip_specs: true` in `.openspec.yaml` when
    /// the change really alters no requirement.
    "delta/no-deltas", Error, Reference, "A change has no delta", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let change = view.change;
    let is_said_elsewhere = !change.nested.is_empty() || change.has_root_spec || !change.unread.is_empty();
    if is_said_elsewhere || change.entry_count() > 0 || is_honoured(view) {
        return;
    }
    let path = change.path("proposal.md");
    let file = if view.project.snapshot().is_file(path.as_ref()) { path.as_ref() } else { change.dir.as_ref() };
    let fix = if is_meant(view) {
        "mend `.openspec.yaml` so that `skip_specs` counts"
    } else {
        "write `specs/<capability>/spec.md` with delta sections, or set `skip_specs: true` in `.openspec.yaml`"
    };
    sink.report_at(Place { file, line: 0, anchor: "file", text: None }, "the change has no delta", fix);
}
