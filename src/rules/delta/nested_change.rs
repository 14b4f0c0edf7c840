//! `delta/nested-change`

use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a folder of `changes/` that is no change itself but has changes inside.
    ///
    /// ## Why it matters
    /// A change has to lie directly below `openspec/changes/`. Deeper ones are validated, listed and archived by nobody.
    ///
    /// ## How to fix
    /// Move each change up and give it a flat name, such as `area-change` for `area/change`.
    "delta/nested-change", Error, Reference, "A change lies inside another folder of changes", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let Some(first) = view.change.nested.first() else { return };
    let message = format!("this is no change but a folder around {}", view.change.nested.join(", "));
    let fix = format!("move each one directly below `openspec/changes/`, such as `{}`", first.replace('/', "-"));
    sink.report_at(Place { file: view.change.dir.as_ref(), line: 0, anchor: "file", text: None }, message, fix);
}
