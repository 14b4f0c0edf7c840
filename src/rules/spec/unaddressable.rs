//! `spec/unaddressable`

use std::collections::HashSet;

use crate::openspec::heading::requirement_name;
use crate::openspec::near_forms::meant;
use crate::report::Level;
use crate::rules::rule::rule;
use crate::rules::{Check, Sink, SpecView};

rule! {
    /// ## What it does
    /// Reports a heading below `## Requirements` that counts as a requirement and that no delta can name, because it does
    /// not begin with `### Requirement:`. Where base and head are compared, one that only head has is an error.
    ///
    /// ## Why it matters
    /// Everybody reads a requirement there, and no change can modify, rename or remove it. Its text belongs to the
    /// requirement before it, so a MODIFIED of that one deletes it in silence.
    ///
    /// ## Example
    /// ```markdown
    /// ### Sign in
    /// The system SHALL let users sign in.
    /// ```
    ///
    /// ## How to fix
    /// Write `### Requirement: <name>`, or make it a paragraph of the requirement it belongs to.
    "spec/unaddressable", Warning, Own, "A requirement has a heading that no delta can name", Check::Spec(check)
}

fn check(view: &SpecView<'_>, sink: &mut Sink<'_>) {
    let named: HashSet<usize> = view.spec.blocks.iter().map(|block| block.line).collect();
    let mut stray = view.spec.requirements.iter().map(|requirement| &requirement.section).filter(|section| {
        // A requirement outside of the first `## Requirements` has a rule of its own.
        !named.contains(&section.line) && requirement_name(view.spec.text.line(section.line)).is_none()
    }).peekable();
    if stray.peek().is_none() {
        return;
    }
    let in_base = titles_in_base(view);
    for section in stray {
        let written = view.spec.text.line(section.line);
        let message = format!("no delta can name `{written}`: it does not begin with `### Requirement:`");
        let meant = meant(&section.title);
        let fix = match meant.is_removed {
            true => format!("delete it with what stands below it if `{}` is gone; else write `### Requirement: {0}`", meant.name),
            false => format!("write `### Requirement: {}`, or make it a paragraph", meant.name),
        };
        let finding = sink.report(section.line, "requirements", message, fix);
        if in_base.as_ref().is_some_and(|titles| !titles.contains(&section.title)) {
            finding.level = Level::Error;
        }
    }
}

/// Titles of the requirements base has. None when nothing is compared, or base's file cannot be read.
fn titles_in_base(view: &SpecView<'_>) -> Option<HashSet<String>> {
    let base = &view.project?.compared()?.base;
    let Some(file) = base.spec(view.capability) else { return Some(HashSet::new()) };
    let spec = base.parsed(&file).ok()?;
    Some(spec.requirements.iter().map(|requirement| requirement.section.title.clone()).collect())
}
