//! `delta/skip-specs-invalid`

use crate::openspec::metadata::{METADATA_FILE, MetadataState};
use crate::openspec::yaml::line_of_key;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports `skip_specs` in an `.openspec.yaml` that is not valid otherwise: not YAML, no `schema`, an unknown
    /// schema, a value of the wrong type.
    ///
    /// ## Why it matters
    /// The marker is not honoured then, and the change is taken to have forgotten its deltas.
    ///
    /// ## How to fix
    /// Mend what the finding names. The smallest file that counts is `schema: spec-driven` and `skip_specs: true`.
    "delta/skip-specs-invalid", Error, Reference, "skip_specs stands in metadata that is not valid", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    if !view.change.nested.is_empty() {
        return;
    }
    if let Some((line, reason)) = invalid_marker(view) {
        let path = view.change.path(METADATA_FILE);
        let place = Place { file: path.as_ref(), line: line.saturating_sub(1), anchor: METADATA_FILE, text: None };
        let message = format!("skip_specs does not count, since {reason}");
        sink.report_at(place, message, "mend this, or delete `skip_specs`");
    }
}

/// 1-based line and reason, when the marker is meant but cannot be honoured.
fn invalid_marker(view: &ChangeView<'_>) -> Option<(usize, String)> {
    match &view.change.metadata {
        MetadataState::Absent => None,
        MetadataState::Unreadable(reason) => Some((1, format!("the file cannot be read ({reason})"))),
        MetadataState::NotYaml { text, error } => {
            let is_meant = line_of_key(text, "skip_specs").is_some();
            is_meant.then(|| (error.line, format!("the file is not valid YAML ({error})")))
        }
        MetadataState::Invalid { value, reason, line } => {
            let is_meant = value.get("skip_specs").is_some_and(|marker| marker.as_bool() != Some(false));
            is_meant.then(|| (*line, reason.clone()))
        }
        MetadataState::Valid(metadata) if metadata.skip_specs => {
            if !view.project.knows_schema(&metadata.schema) {
                return Some((metadata.schema_line, format!("unknown schema `{}`", metadata.schema)));
            }
            view.project.schema(&metadata.schema).as_ref().as_ref().err().map(|reason| (metadata.schema_line, reason.clone()))
        }
        MetadataState::Valid(_) => None,
    }
}

/// Whether a change declares `skip_specs` in a way that does not count.
pub fn is_meant(view: &ChangeView<'_>) -> bool {
    invalid_marker(view).is_some()
}

/// Whether a change's `skip_specs` counts.
pub fn is_honoured(view: &ChangeView<'_>) -> bool {
    view.change.metadata.valid().is_some_and(|metadata| metadata.skip_specs) && invalid_marker(view).is_none()
}
