//! `merge/unreadable-spec`

use crate::repo::snapshot::{ReadError, join};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta that modifies requirements of a main spec which is there but cannot be read.
    ///
    /// ## Why it matters
    /// Whether the delta drops anything cannot be told, and archiving reads the same file.
    ///
    /// ## How to fix
    /// Make `openspec/specs/<capability>/spec.md` a readable file.
    "merge/unreadable-spec", Error, Reference, "The main spec of a delta cannot be read", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    if view.delta.modified.is_empty() {
        return;
    }
    let project = view.project;
    let error = match project.spec(&view.file.capability) {
        Some(file) => project.parsed(&file).err().cloned(),
        // Not found by discovery, so it is no file; a folder of that name is in the way all the same.
        None => {
            let dir = project.path(&format!("specs/{}", view.file.capability));
            let path = join(dir.as_ref(), "spec.md");
            project.snapshot().is_dir(path.as_ref()).then_some(ReadError::IsADirectory)
        }
    };
    let Some(error) = error.filter(|error| !matches!(error, ReadError::Missing | ReadError::NotADirectory)) else { return };
    let line = view.delta.modified[0].line;
    let message = format!("the main spec of `{}` cannot be read: {error}", view.file.capability);
    sink.report(line, view.file.entry(), message, "make it a readable file").unverifiable();
}
