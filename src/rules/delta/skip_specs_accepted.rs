//! `delta/skip-specs-accepted`

use super::skip_specs_invalid::is_honoured;
use crate::openspec::metadata::METADATA_FILE;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Notes a change that declares `skip_specs: true` and has no deltas.
    ///
    /// ## Why it matters
    /// Nobody has to act, but a reviewer should see that the change claims to alter no requirement.
    ///
    /// ## How to fix
    /// Nothing to fix. Delete `skip_specs` from `.openspec.yaml` once the change does alter requirements.
    "delta/skip-specs-accepted", Info, Reference, "A change declares that it alters no spec", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let change = view.change;
    let is_silent = !change.nested.is_empty() || change.has_root_spec || !change.unread.is_empty() || change.has_spec_files;
    if !is_silent && change.entry_count() == 0 && is_honoured(view) {
        let path = change.path(METADATA_FILE);
        let place = Place { file: path.as_ref(), line: 0, anchor: "file", text: None };
        sink.report_at(place, "the change declares that it alters no spec", "nothing to do unless it does");
    }
}
