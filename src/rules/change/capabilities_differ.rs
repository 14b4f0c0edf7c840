//! `change/capabilities-differ`

use std::collections::HashSet;

use super::{form, place};
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Sink};

rule! {
    /// ## What it does
    /// Compares the lists of new and modified capabilities in a proposal with the folders below the change's `specs/`. It only
    /// runs when the change has a delta and the lists name something.
    ///
    /// ## Why it matters
    /// A capability that is announced and has no delta is not changed. One that has a delta and is not announced is changed
    /// without the reviewer's notice.
    ///
    /// ## How to fix
    /// Add the delta or the entry that is missing, or correct the name.
    "change/capabilities-differ", Warning, Own, "A proposal names other capabilities than the change has deltas for", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let change = view.change;
    if change.deltas.is_empty() {
        return;
    }
    let Some(form) = form(view) else { return };
    let Some((part, named)) = form.capabilities().filter(|(_, named)| !named.is_empty()) else { return };
    let path = change.path("proposal.md");
    let folders: HashSet<&str> = change.deltas.iter().map(|file| file.capability.as_str()).collect();
    let mut seen = HashSet::new();
    for (line, name) in named.iter().filter(|(_, name)| !folders.contains(name) && seen.insert(*name)) {
        let message = format!("the proposal names `{name}`, and the change has no delta for it");
        let fix = format!("write `specs/{name}/spec.md`, or take it off the list");
        sink.report_at(place(path.as_ref(), form, *line), message, fix);
    }
    // Any mention in the section will do, the list or not.
    let section = form.text.lines(part.body.clone());
    for folder in folders_in_order(view).filter(|folder| !section.contains(folder)) {
        let message = format!("the change has a delta for `{folder}`, which the proposal does not name");
        sink.report_at(place(path.as_ref(), form, part.line), message, format!("add `{folder}` to the capabilities"));
    }
}

fn folders_in_order<'a>(view: &ChangeView<'a>) -> impl Iterator<Item = &'a str> {
    view.change.deltas.iter().map(|file| file.capability.as_str())
}
