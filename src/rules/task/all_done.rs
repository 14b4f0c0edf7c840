//! `task/all-done`

use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Notes an open change whose boxes are all ticked.
    ///
    /// ## Why it matters
    /// Until it is archived, the main specs do not say what the code does.
    ///
    /// ## How to fix
    /// Run `openspec archive <change>`, or add the tasks that are still open.
    "task/all-done", Info, Own, "All tasks are done and the change is still open", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let tasks = &view.change.tasks;
    let progress = tasks.progress();
    let is_done = progress.total > 0 && progress.completed == progress.total && tasks.unreadable.is_empty();
    let Some(document) = tasks.documents.first().filter(|_| is_done && view.change.nested.is_empty()) else { return };
    let place = Place { file: document.path.as_ref(), line: 0, anchor: &document.entry, text: None };
    let message = "all tasks are done, and the change is not archived";
    sink.report_at(place, message, format!("run `openspec archive {}`", view.change.id)).show(document.content.split('\n').next());
}
