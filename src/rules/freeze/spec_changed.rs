//! `freeze/spec-changed`

use super::reason::{Reason, is_strict, report};
use crate::repo::changes::ChangeKind;
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Place, Sink};

rule! {
    /// ## What it does
    /// With `--frozen-spec`, reports every file of the spec set that differs between base and head. The spec set is
    /// `openspec/specs/`, `openspec/changes/` (a `tasks.md` that only had boxes ticked aside), `openspec/config.yaml`
    /// or `.yml`, `openspec/schemas/`, `openspec/verify/`, `openspec/specward.yaml`, `openspec/specward-baseline.yaml` and the
    /// globs listed under `protect`. Contents are compared byte by byte, whatever git was told to overlook.
    ///
    /// With `--frozen-spec=explained` it reports what is frozen and no other rule of this group is about: files listed
    /// under `protect`, the executable bit, what cannot be read.
    ///
    /// ## Why it matters
    /// Whoever implements a spec must not pass by editing it.
    ///
    /// ## How to fix
    /// Restore the file and fix the implementation. When the spec is wrong, tell a human, who changes it in a pull
    /// request of its own.
    "freeze/spec-changed", Error, Own, "A frozen file was edited", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    if !is_strict(view) {
        return report(view, sink, Reason::Other, "restore it; tell a human when it has to change");
    }
    for edit in view.edits.iter().filter(|edit| !edit.is_ticking) {
        let place = Place { file: edit.change.path.as_ref(), line: edit.line, anchor: "file", text: None };
        let message = format!("this frozen file was {}", edit.what());
        let fix = match edit.change.kind {
            ChangeKind::Added => "remove it and fix the implementation; tell a human when the spec is wrong",
            _ => "restore it and fix the implementation; tell a human when the spec is wrong",
        };
        let added = edit.evidence.iter().find_map(|line| line.strip_prefix("+ "));
        sink.report_at(place, message, fix).show(added).prove(&edit.evidence);
    }
}
