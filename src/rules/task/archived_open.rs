//! `task/archived-open`

use crate::report::count;
use crate::rules::rule::rule;
use crate::rules::{Archived, Check, DiffView, Place, Sink};

rule! {
    /// ## What it does
    /// Reports archived changes with open tasks: in a comparison each that was archived between base and head, in a whole tree
    /// all of them at once.
    ///
    /// ## Why it matters
    /// Archiving says that a change is done. What is still open is forgotten from then on.
    ///
    /// ## How to fix
    /// Do the tasks and tick them before the change is archived, or move them to a new change.
    "task/archived-open", Warning, Own, "A change was archived with open tasks", Check::Diff(check)
}

/// Changes that are named.
const NAMED: usize = 10;

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    for change in view.archived {
        let Some((file, line, text)) = change.open_tasks.first() else { continue };
        let place = Place { file: file.as_ref(), line: *line, anchor: "tasks.md", text: None };
        let open = count(change.open_tasks.len(), "open task");
        let message = format!("`{}` was archived with {open}; the first: {text}", change.name);
        let fix = "do them and tick them before the change is archived, or move them to a new change";
        sink.report_at(place, message, fix).show(Some(text));
    }
}

/// Reports the archived changes of a whole tree: one finding, since nobody can do more about them than about one.
pub fn report_all(changes: &[Archived], sink: &mut Sink<'_>) {
    let open: Vec<&Archived> = changes.iter().filter(|change| !change.open_tasks.is_empty()).collect();
    let Some((file, line, text)) = open.first().and_then(|change| change.open_tasks.first()) else { return };
    let place = Place { file: file.as_ref(), line: *line, anchor: "tasks.md", text: None };
    let name = |change: &&Archived| format!("`{}` ({})", change.name, change.open_tasks.len());
    let mut names: Vec<String> = open.iter().take(NAMED).map(name).collect();
    if open.len() > NAMED {
        names.push(format!("{} more", open.len() - NAMED));
    }
    let have = if open.len() == 1 { "has" } else { "have" };
    let message = format!("{} {have} open tasks: {}", count(open.len(), "archived change"), names.join(", "));
    let fix = "move what is still to be done to a new change, and tick what was done";
    sink.report_at(place, message, fix).show(Some(text));
}
