//! `delta/unpaired-rename`

use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a FROM without a TO, a TO without a FROM, and a FROM followed by another FROM.
    ///
    /// ## Why it matters
    /// Half a rename would rename nothing, or the wrong requirement.
    ///
    /// ## How to fix
    /// Write each rename as a FROM line with its TO line next to it.
    "delta/unpaired-rename", Error, Reference, "A rename is incomplete", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for entry in &view.delta.unpaired {
        let (has, wants) = if entry.is_from { ("FROM", "TO") } else { ("TO", "FROM") };
        let message = format!("{has} `{}` has no {wants}", entry.name);
        let fix = "write `FROM: ### Requirement: <old>` and, on the next line, `TO: ### Requirement: <new>`";
        sink.report(entry.line, view.file.entry(), message, fix).about(&entry.name);
    }
}
