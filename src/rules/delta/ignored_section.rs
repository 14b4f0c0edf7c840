//! `delta/ignored-section`

use crate::openspec::delta::Operation;
use crate::openspec::js::{strip_prefix_ignore_case, trim};
use crate::openspec::leftovers::Reason;
use crate::openspec::near_forms::{meant, strip_marker};
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta section that has content of which the merge understands nothing, beside sections that it does read.
    ///
    /// ## Why it matters
    /// Archiving applies the other sections and drops this one without a word. A removal or rename that everybody agreed on
    /// never happens.
    ///
    /// ## Example
    /// ```md
    /// ## REMOVED Requirements
    /// - Widget colors
    /// ```
    ///
    /// ## How to fix
    /// ADDED, MODIFIED and REMOVED take `### Requirement: <name>`, REMOVED also as a bullet. RENAMED takes pairs of
    /// ``- FROM: `### Requirement: <old>` `` and ``- TO: `### Requirement: <new>` ``. Delete a section that is not needed.
    "delta/ignored-section", Error, Own, "Nothing is read from one of the delta sections", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    // When nothing at all is read, `delta/empty-sections` says so.
    if !view.delta.has_entries() {
        return;
    }
    for leftover in &view.delta.account().leftovers {
        let Reason::EmptySection(operation, first) = &leftover.reason else { continue };
        let message = format!("nothing is read from {}, so archiving drops `{first}`", operation.word());
        let lines = leftover.lines.clone().map(|line| trim(view.delta.text.line(line)));
        let fix = fix_for(*operation, lines);
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
}

fn fix_for<'t>(operation: Operation, mut lines: impl Iterator<Item = &'t str> + Clone) -> String {
    let is_scenario = |line: &str| {
        let text = strip_marker(line).unwrap_or(line).trim_start_matches(['#', '*', '~', ' ']);
        strip_prefix_ignore_case(text, "Scenario").is_some()
    };
    let struck = |line: &'t str| {
        let text = trim(strip_marker(line).unwrap_or(line).trim_start_matches('#'));
        text.starts_with("~~").then(|| meant(text).name)
    };
    match operation {
        Operation::Renamed => "write `- FROM: ### Requirement: <old>` and `- TO: ### Requirement: <new>`, capitals included; \
                               or delete the section when no requirement gets another name"
            .to_owned(),
        Operation::Removed => {
            if let Some(name) = lines.clone().find_map(struck) {
                return format!("write the name without `~~`: `### Requirement: {name}`");
            }
            // A requirement's name may be there and only be written otherwise.
            let is_about_requirement = lines.clone().skip(1).any(|line| line.contains("Requirement"));
            if !is_about_requirement && lines.any(is_scenario) {
                return "a scenario cannot be removed alone: remove its requirement, and add it anew under another name".to_owned();
            }
            "name each requirement: `### Requirement: <name>`, as a header or in a bullet".to_owned()
        }
        Operation::Added | Operation::Modified => "write each requirement as `### Requirement: <name>`".to_owned(),
    }
}
