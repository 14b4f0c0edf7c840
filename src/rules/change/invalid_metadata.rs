//! `change/invalid-metadata`

use crate::openspec::metadata::{METADATA_FILE, MetadataState};
use crate::rules::delta::skip_specs_invalid::is_meant;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports an `.openspec.yaml` without a `schema`, or with a value of the wrong type.
    ///
    /// ## Why it matters
    /// The reference passes over the whole file: the schema it names does not apply, nor does anything else in it.
    ///
    /// ## How to fix
    /// Mend the key that the finding names.
    "change/invalid-metadata", Warning, Own, "The metadata of a change is not valid", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let MetadataState::Invalid { reason, line, .. } = &view.change.metadata else { return };
    // A file that is no mapping, and one with `skip_specs`, are reported as errors elsewhere.
    if view.change.metadata.complaint().is_some() || is_meant(view) {
        return;
    }
    let path = view.change.path(METADATA_FILE);
    let place = Place { file: path.as_ref(), line: line.saturating_sub(1), anchor: METADATA_FILE, text: None };
    sink.report_at(place, format!("this metadata does not count: {reason}"), "mend this key");
}
