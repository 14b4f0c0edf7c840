//! `delta/misplaced-file`

use crate::openspec::misplaced::beside_changes;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a file with delta sections and requirements in them that lies beside a change's `specs/`
    /// (`spec.md`, `spec/ledger/spec.md`), in `changes/` itself, or in `specs/` under a name such as `spec.markdown`,
    /// `spec.mdx` or `spec.md.txt`. The proposal, the design and the tasks may show a delta and are left alone.
    ///
    /// ## Why it matters
    /// Archiving reads `specs/<capability>/spec.md` only, so this delta is lost without a word.
    ///
    /// ## How to fix
    /// Move it to `specs/<capability>/spec.md` of its change.
    "delta/misplaced-file", Error, Own, "A delta lies where nobody looks for it", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let own = if view.change.nested.is_empty() { view.change.misplaced(view.project) } else { &[] };
    for file in own {
        let place = Place { file: file.path.as_ref(), line: file.line, anchor: &file.entry, text: None };
        let message = "this file has delta sections, and archiving does not read it";
        sink.report_at(place, message, "move its requirements into the change's `specs/<capability>/spec.md`");
    }
    // Told once, with the first change.
    let is_first = || view.project.change_names().is_ok_and(|names| names.first().is_some_and(|name| *name == view.change.id));
    if is_first() {
        for file in beside_changes(view.project) {
            let place = Place { file: file.path.as_ref(), line: file.line, anchor: &file.entry, text: None };
            let message = "this file has delta sections and belongs to no change: nobody reads it";
            sink.report_at(place, message, "move its requirements into `changes/<change>/specs/<capability>/spec.md`");
        }
    }
}
