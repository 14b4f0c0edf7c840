//! `change/unknown-schema`

use crate::openspec::metadata::{METADATA_FILE, MetadataState};
use crate::openspec::near;
use crate::rules::delta::skip_specs_invalid::is_meant;
use crate::rules::rule::rule;
use crate::rules::{ChangeView, Check, Place, Sink};

rule! {
    /// ## What it does
    /// Reports a `schema` in `.openspec.yaml` that is neither built in nor in the project's `openspec/schemas/`. Schemas in a
    /// user's own folder are not looked at, since nobody else has them.
    ///
    /// ## Why it matters
    /// Which files a change has and which of them holds its tasks comes from the schema. Without it the change counts as having
    /// no tasks.
    ///
    /// ## How to fix
    /// Correct the name, or add the schema to the project.
    "change/unknown-schema", Warning, Own, "A change names a schema that is not in the repository", Check::Change(check)
}

fn check(view: &ChangeView<'_>, sink: &mut Sink<'_>) {
    // With `skip_specs` the reference's own rule says it.
    let MetadataState::Valid(metadata) = &view.change.metadata else { return };
    if view.project.knows_schema(&metadata.schema) || is_meant(view) {
        return;
    }
    let path = view.change.path(METADATA_FILE);
    let place = Place { file: path.as_ref(), line: metadata.schema_line.saturating_sub(1), anchor: METADATA_FILE, text: None };
    let message = format!("this repository has no schema `{}`", metadata.schema);
    let names = view.project.schema_names();
    let fix = match near::near(&metadata.schema, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{}`? Else add it to the project's schemas", near.name),
        None => format!("use one of: {}; or add it to the project's schemas", names.join(", ")),
    };
    sink.report_at(place, message, fix);
}
