//! `change/invalid-metadata`

use crate::openspec::metadata::{METADATA_FILE, MetadataState};
use crate::openspec::schema::BUILT_IN;
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
    /// Mend the key that the finding names. Without a `schema`, add the one that the project works with.
    "change/invalid-metadata", Warning, Own, "The metadata of a change is not valid", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    let MetadataState::Invalid { reason, line, value } = &view.change.metadata else { return };
    // A file that is no mapping, and one with `skip_specs`, are reported as errors elsewhere.
    if view.change.metadata.complaint().is_some() || is_meant(view) {
        return;
    }
    let path = view.change.path(METADATA_FILE);
    let place = Place { file: path.as_ref(), line: line.saturating_sub(1), anchor: METADATA_FILE, text: None };
    let has_schema = value.get("schema").is_some_and(|schema| schema.as_str() != Some(""));
    let fix = if has_schema { "mend this key".to_owned() } else { format!("add `schema: {}`", usual_schema(view)) };
    sink.report_at(place, format!("this metadata does not count: {reason}"), fix);
}

/// The schema of a change that names none: the project's, when there is such a one, else the built-in.
fn usual_schema<'a>(view: &'a ChangeView<'_>) -> &'a str {
    view.project.configured_schema().filter(|schema| view.project.knows_schema(schema)).unwrap_or(BUILT_IN)
}
