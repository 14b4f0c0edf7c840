//! `delta/ignored-header`

use crate::openspec::js::{strip_prefix_ignore_case, trim_start};
use crate::openspec::near_forms::{meant, near_section};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a `###` heading in an ADDED or MODIFIED section that is not `### Requirement: <name>`.
    ///
    /// ## Why it matters
    /// The delta reader passes over it. Before a requirement it is dropped; inside one it is written into the main
    /// spec, where it counts as a requirement.
    ///
    /// ## How to fix
    /// Write `### Requirement: <name>`, or make it a paragraph.
    "delta/ignored-header", Info, Reference, "A heading in a delta is not read", Check::Delta(check)
}

/// What was meant decides: a requirement with another colon, a scenario with one `#` too few, or a heading of its own.
fn fix_for(header: &str) -> String {
    if let Some(near) = near_section(&format!("### {header}")).filter(|near| near.is_certain) {
        return format!("write `## {} Requirements`", near.operation.word());
    }
    let meant = meant(header);
    if strip_prefix_ignore_case(header, "Requirement").is_some_and(|rest| trim_start(rest).starts_with('：')) {
        return format!("write it with an ASCII colon: `### Requirement: {}`", meant.name);
    }
    if strip_prefix_ignore_case(header, "Scenario").is_some() {
        return format!("a scenario has four `#`: `#### {header}`");
    }
    if meant.is_removed {
        return format!("delete it, or name `{}` below `## REMOVED Requirements`", meant.name);
    }
    format!("write `### Requirement: {}`, or make it a paragraph", meant.name)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for skipped in &view.delta.skipped {
        let nameless = ["requirement", "requirement:"].iter().any(|word| skipped.header.eq_ignore_ascii_case(word));
        let (message, fix) = if nameless {
            (format!("`### {}` in {} has no name", skipped.header, skipped.section), "name it: `### Requirement: <name>`".to_owned())
        } else {
            let message = format!("`### {}` in {} is not read as a requirement", skipped.header, skipped.section);
            (message, fix_for(&skipped.header))
        };
        sink.report(skipped.line, view.file.entry(), message, fix);
    }
}
