//! `merge/archived-outdated`

use crate::report::display_path;
use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a change that was archived between base and head with a delta that the base branch has otherwise by now: the
    /// change is still open there, and its delta was edited, added or removed after this branch began. White space and
    /// wrapping do not count.
    ///
    /// ## Why it matters
    /// What was archived is not what was agreed last. When both are merged, the newer delta stays in a folder of an archived
    /// change, and the main spec has the older demands.
    ///
    /// ## Example
    /// The branch archives `add-search` with "within 1 second". On the base branch the delta says "within 0.2 seconds" since
    /// yesterday.
    ///
    /// ## How to fix
    /// Merge the base branch, then archive the change again.
    "merge/archived-outdated", Warning, Own, "A change was archived with a delta that the base branch has otherwise", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    for change in view.archived {
        for path in &change.outdated {
            let place = Place { file: path.as_ref(), line: 0, anchor: "file", text: None };
            let message = format!("`{}` was archived, and the base branch has another {} by now", change.name, name(path));
            sink.report_at(place, message, "merge the base branch, then archive the change again");
        }
    }
}

/// "delta for `a/b`"
fn name(path: &bstr::BString) -> String {
    let shown = display_path(path.as_ref());
    let capability = shown.split_once("/specs/").map(|(_, rest)| rest.strip_suffix("/spec.md").unwrap_or(rest));
    format!("delta for `{}`", capability.unwrap_or(&shown))
}
