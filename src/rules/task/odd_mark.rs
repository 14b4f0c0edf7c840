//! `task/odd-mark`

use crate::openspec::js::trim;
use crate::openspec::tasks::tasks;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Notes a checkbox with something other than a blank or an `x` in it, such as `[~]` or `[-]`.
    ///
    /// ## Why it matters
    /// It counts as open. Somebody who meant "dropped" or "half done" finds the change unfinished for ever.
    ///
    /// ## How to fix
    /// Tick it, leave it empty, or delete the task.
    "task/odd-mark", Info, Own, "A checkbox has a mark that counts as open", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    if !view.change.nested.is_empty() {
        return;
    }
    for document in &view.change.tasks.documents {
        let lines: Vec<&str> = document.content.split('\n').collect();
        for task in tasks(&document.content).filter(|task| !task.done) {
            let written = lines.get(task.line).copied().unwrap_or_default();
            let mark = written.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(mark, _)| trim(mark));
            if !mark.is_empty() {
                let place = Place { file: document.path.as_ref(), line: task.line, anchor: &document.entry, text: None };
                let message = format!("`[{mark}]` counts as open");
                sink.report_at(place, message, "tick it, leave it empty, or delete the task").show(Some(written));
            }
        }
    }
}
