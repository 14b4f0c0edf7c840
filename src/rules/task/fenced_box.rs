//! `task/fenced-box`

use crate::openspec::tasks::task;
use crate::openspec::text::FenceTracker;
use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Notes checkboxes inside code fences of a task file.
    ///
    /// ## Why it matters
    /// The reference counts them all the same. An open one that is only an example keeps the change from ever being done; a
    /// ticked one counts as work.
    ///
    /// ## How to fix
    /// Take the example out, or write its box in another way.
    "task/fenced-box", Info, Own, "A checkbox in a code fence counts as a task", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    if !view.change.nested.is_empty() {
        return;
    }
    for document in &view.change.tasks.documents {
        let mut fences = FenceTracker::default();
        let lines = document.content.split('\n').enumerate();
        let fenced: Vec<(usize, &str)> =
            lines.filter(|(_, line)| fences.feed(line) && task(line).is_some()).collect();
        if let Some((line, shown)) = fenced.first() {
            let place = Place { file: document.path.as_ref(), line: *line, anchor: &document.entry, text: None };
            let message = match fenced.len() {
                1 => "this box stands in a code fence and counts as a task".to_owned(),
                more => format!("{} in code fences count as tasks, this is the first", count(more, "line")),
            };
            sink.report_at(place, message, "take the example out, or write its box in another way").show(Some(shown));
        }
    }
}
