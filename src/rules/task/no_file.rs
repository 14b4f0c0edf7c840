//! `task/no-file`

use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Notes a change of the built-in schema without `tasks.md`.
    ///
    /// ## Why it matters
    /// Nothing says what is to be done, so nothing says when it is done.
    ///
    /// ## How to fix
    /// Write `tasks.md` with `- [ ] 1.1 Description` for each task.
    "task/no-file", Info, Own, "A change has no task file", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let tasks = &view.change.tasks;
    let is_judged = view.change.nested.is_empty() && tasks.is_built_in && tasks.is_known;
    if is_judged && tasks.documents.is_empty() && tasks.unreadable.is_empty() {
        let place = Place { file: view.change.dir.as_ref(), line: 0, anchor: "tasks.md", text: None };
        sink.report_at(place, "the change has no tasks.md", "write tasks.md with `- [ ] 1.1 Description` for each task");
    }
}
