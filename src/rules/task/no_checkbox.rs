//! `task/no-checkbox`

use crate::openspec::tasks::first_list_item;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports task files that list work without a single checkbox among them.
    ///
    /// ## Why it matters
    /// Progress is counted in checkboxes. Without any the change counts as having no work at all, done or open.
    ///
    /// ## How to fix
    /// Write each task as `- [ ] 1.1 Description`.
    "task/no-checkbox", Warning, Reference, "A task list has no checkbox", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let tasks = &view.change.tasks;
    let is_judgeable = view.change.nested.is_empty() && tasks.is_tracked && tasks.unreadable.is_empty();
    if !is_judgeable || tasks.progress().total > 0 {
        return;
    }
    for document in &tasks.documents {
        if let Some(line) = first_list_item(&document.content) {
            let place = Place { file: document.path.as_ref(), line, anchor: &document.entry, text: None };
            let message = "this list has no checkbox, so the change counts as having no tasks";
            sink.report_at(place, message, "write each task as `- [ ] 1.1 Description`").show(document.content.split('\n').nth(line));
        }
    }
}
