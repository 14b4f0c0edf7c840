//! `task/archived-unmerged`

use crate::rules::rule::rule;
use crate::rules::{Check, DiffView, Freeze, Place, Sink};

rule! {
    /// ## What it does
    /// In a comparison without `--frozen-spec`, reports a change that was archived between base and head and whose deltas
    /// did not reach the main specs. With `--frozen-spec` this is `freeze/archive-unmerged`, an error.
    ///
    /// ## Why it matters
    /// The demands of a change that is archived by moving its folder disappear: it is open no more, and no spec has them.
    ///
    /// ## How to fix
    /// Move the folder back and run `openspec archive <change>`, which merges the deltas. When they were merged by hand,
    /// compare the requirements with those of the delta.
    "task/archived-unmerged", Warning, Own, "A change was archived and its deltas did not reach the specs", Check::Diff(check)
}

fn check(view: &DiffView<'_>, sink: &mut Sink<'_>) {
    if view.freeze != Freeze::Off {
        return;
    }
    for change in view.archived {
        for (file, missing) in &change.unmerged {
            let place = Place { file: file.as_ref(), line: 0, anchor: "file", text: None };
            let message = format!("`{}` was archived, but {missing}", change.name);
            sink.report_at(place, message, "move the folder back and run `openspec archive`, which merges the deltas");
        }
    }
}
