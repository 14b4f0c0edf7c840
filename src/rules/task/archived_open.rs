//! `task/archived-open`

use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Archived, Check, DiffView, Place, Sink};

rule! {
    /// ## What it does
    /// Reports an archived change with open tasks: in a whole tree every one, in a comparison those that were archived between
    /// base and head.
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
        report(change, sink);
    }
}

/// Reports an archived change when tasks of it are open.
pub fn report(change: &Archived, sink: &mut Sink<'_>) {
    let Some((file, line, text)) = change.open_tasks.first() else { return };
    let place = Place { file: file.as_ref(), line: *line, anchor: "tasks.md", text: None };
    let open = count(change.open_tasks.len(), "open task");
    let message = format!("`{}` was archived with {open}; the first: {text}", change.name);
    let fix = "do them and tick them before the change is archived, or move them to a new change";
    sink.report_at(place, message, fix).show(Some(text));
}
