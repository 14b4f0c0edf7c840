//! `merge/unreadable-spec`

use crate::repo::snapshot::ReadError;
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
    let error = match view.project.target(&view.file.capability) {
        Ok(Some(file)) => view.project.parsed(&file).err().cloned(),
        Ok(None) => None,
        Err(error) => Some(error),
    };
    // A file where a folder should be means a new capability to the reference.
    let Some(error) = error.filter(|error| !matches!(error, ReadError::Missing | ReadError::NotADirectory)) else {
        return;
    };
    // The reference gives up on the whole change where a link is in the way, and tells no file.
    let entry = view.file.entry();
    let anchor = if is_link(&error) { "file" } else { &entry };
    let line = view.delta.modified[0].line;
    let message = format!("the main spec of `{}` cannot be read: {error}", view.file.capability);
    sink.report(line, anchor, message, "make it a readable file").unverifiable();
}

/// Whether a link is what keeps a file from being read.
pub fn is_link(error: &ReadError) -> bool {
    matches!(error, ReadError::Dangling(_) | ReadError::Outside(_))
}
