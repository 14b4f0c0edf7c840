//! `delta/unread-file`

use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a Markdown file with delta sections under a change's `specs/` that is not called `spec.md`.
    ///
    /// ## Why it matters
    /// Archiving reads `specs/<capability>/spec.md` only, so this delta is lost without a word.
    ///
    /// ## How to fix
    /// Move its requirements into `specs/<capability>/spec.md`.
    "delta/unread-file", Error, Reference, "A delta lies in a file nobody reads", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    if !view.change.nested.is_empty() {
        return;
    }
    for file in &view.change.unread {
        let place = Place { file: file.path.as_ref(), line: file.line, anchor: &file.entry, text: None };
        let fix = format!("move its requirements into `specs/{}`", file.expected);
        sink.report_at(place, "this file has delta sections, but archiving reads only `spec.md`", fix);
    }
}
