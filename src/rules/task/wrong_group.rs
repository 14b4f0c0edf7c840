//! `task/wrong-group`

use crate::openspec::tasks::numbered_tasks;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a task whose number does not begin with the number of the group it stands under. Only for the built-in
    /// `spec-driven` schema, whose template numbers groups and tasks.
    ///
    /// ## Why it matters
    /// A reference to "task 2.1" points to the wrong place, and a moved task hides that its group is not done.
    ///
    /// ## How to fix
    /// Move the task to its group, or renumber it.
    "task/wrong-group", Warning, Reference, "A task's number belongs to another group", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    if !view.change.nested.is_empty() || !view.change.tasks.is_built_in {
        return;
    }
    for document in &view.change.tasks.documents {
        for task in numbered_tasks(&document.content) {
            if task.is_in_its_group() {
                continue;
            }
            let place = Place { file: document.path.as_ref(), line: task.line, anchor: &document.entry, text: None };
            let message = format!("task {} stands under group {}", task.id, task.group);
            let fix = format!("move it to group {}, or renumber it", task.named_group());
            sink.report_at(place, message, fix).show(document.content.split('\n').nth(task.line));
        }
    }
}
