//! `task/no-box`

use crate::openspec::tasks::first_list_item;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports task files with neither a checkbox nor a list.
    ///
    /// ## Why it matters
    /// The change counts as having no work at all, done or open.
    ///
    /// ## How to fix
    /// Write each task as `- [ ] 1.1 Description`.
    "task/no-box", Warning, Own, "A task file has no task", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let tasks = &view.change.tasks;
    let is_judged = view.change.nested.is_empty() && tasks.unreadable.is_empty() && tasks.progress().total == 0;
    // A list without boxes is `task/no-checkbox`.
    let has_list = || tasks.is_tracked && tasks.documents.iter().any(|document| first_list_item(&document.content).is_some());
    let Some(document) = tasks.documents.first().filter(|_| is_judged && !has_list()) else { return };
    let place = Place { file: document.path.as_ref(), line: 0, anchor: &document.entry, text: None };
    sink.report_at(place, "this task file has no task", "write each task as `- [ ] 1.1 Description`").show(document.content.split('\n').next());
}
