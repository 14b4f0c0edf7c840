//! `task/archived-incomplete`

use crate::openspec::tasks::tasks;
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{ArchiveView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports an archived change with open tasks. Runs with `specward validate --archived`.
    ///
    /// ## Why it matters
    /// Archiving says that a change is done. What is still open is forgotten from then on.
    ///
    /// ## How to fix
    /// Do the tasks and tick them, or move them to a new change.
    "task/archived-incomplete", Error, Reference, "An archived change has open tasks", Check::Archive(check)
}

fn check(view: &ArchiveView<'_>, sink: &mut Sink<'_>) {
    let progress = view.change.tasks.progress();
    let open = progress.total - progress.completed;
    if open == 0 {
        return;
    }
    let first = view.change.tasks.documents.iter().find_map(|document| {
        tasks(&document.content).find(|task| !task.done).map(|task| (document, task.line, task.text))
    });
    let Some((document, line, text)) = first else { return };
    let place = Place { file: document.path.as_ref(), line, anchor: "tasks.md", text: None };
    let message = format!("{open} of {} not done; the first: {text}", count(progress.total, "task"));
    sink.report_at(place, message, "do them and tick them, or move them to a new change").show(document.content.split('\n').nth(line));
}
