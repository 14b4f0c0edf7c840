//! `task/archived-open`

use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Place, Sink};

rule! {
    /// ## What it does
    /// In a comparison, reports a change that was archived between base and head while tasks of it are open.
    ///
    /// ## Why it matters
    /// Archiving says that a change is done. What is still open is forgotten from then on.
    ///
    /// ## How to fix
    /// Do the tasks and tick them before the change is archived, or move them to a new change.
    "task/archived-open", Warning, Own, "A change was archived with open tasks", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    for change in view.archived {
        let Some((file, line, text)) = change.open_tasks.first() else { continue };
        let place = Place { file: file.as_ref(), line: *line, anchor: "tasks.md", text: None };
        let open = count(change.open_tasks.len(), "open task");
        let message = format!("`{}` was archived with {open}; the first: {text}", change.name);
        let fix = "do them and tick them before the change is archived, or move them to a new change";
        sink.report_at(place, message, fix).show(Some(text));
    }
}
