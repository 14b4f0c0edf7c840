//! `task/unreadable`

use crate::report::display_path;
use crate::rules::rule::rule;
use crate::rules::{ArchiveView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a task file of an archived change that is there but cannot be read. Runs with
    /// `specward validate --archived`.
    ///
    /// ## Why it matters
    /// Whether its tasks are done cannot be told.
    ///
    /// ## How to fix
    /// Make it a readable file.
    "task/unreadable", Error, Reference, "A task file cannot be read", Check::Archive(check)
}

fn check(view: &ArchiveView<'_>, sink: &mut Sink<'_>) {
    for (path, error) in &view.change.tasks.unreadable {
        let anchor = if view.change.tasks.is_known { display_path(path.as_ref()) } else { "tasks.md".to_owned() };
        let place = Place { file: path.as_ref(), line: 0, anchor: &anchor, text: None };
        sink.report_at(place, format!("the task file cannot be read: {error}"), "make it a readable file").unverifiable();
    }
}
