//! `task/duplicate-id`

use std::collections::HashMap;

use crate::openspec::tasks::numbered_tasks;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a task number that stands twice in a change. Only for the built-in `spec-driven` schema, whose template
    /// numbers tasks.
    ///
    /// ## Why it matters
    /// Whoever is told to do task 1.2 does one of the two.
    ///
    /// ## How to fix
    /// Renumber one of them.
    "task/duplicate-id", Warning, Reference, "A task number stands twice", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    if !view.change.nested.is_empty() || !view.change.tasks.is_built_in {
        return;
    }
    let mut first: HashMap<&str, (&str, usize)> = HashMap::new();
    for document in &view.change.tasks.documents {
        for task in numbered_tasks(&document.content) {
            let Some((entry, line)) = first.get(task.id) else {
                first.insert(task.id, (&document.entry, task.line));
                continue;
            };
            let elsewhere = if *entry == document.entry { String::new() } else { format!(" of {entry}") };
            let message = format!("task {} stands on line {}{elsewhere} already", task.id, line + 1);
            let place = Place { file: document.path.as_ref(), line: task.line, anchor: &document.entry, text: None };
            sink.report_at(place, message, "renumber one of them").show(document.content.split('\n').nth(task.line));
        }
    }
}
