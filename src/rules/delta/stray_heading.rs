//! `delta/stray-heading`

use crate::openspec::js::{strip_prefix_ignore_case, trim};
use crate::openspec::leftovers::Reason;
use crate::openspec::near_forms::meant;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a `###` heading in ADDED or MODIFIED that is not `### Requirement: <name>` and that stands inside a requirement,
    /// or has scenarios of its own above the first requirement.
    ///
    /// ## Why it matters
    /// Inside a requirement it is written to the main spec. There every `###` counts as a requirement, so archiving either
    /// refuses or leaves one that no delta can ever address. Above the first requirement everything below it is dropped.
    ///
    /// ## How to fix
    /// Write `### Requirement: <name>`, use `####` for a scenario, or turn the heading into a paragraph.
    "delta/stray-heading", Error, Own, "A heading in a delta cuts a requirement in two, or takes scenarios with it", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for leftover in &view.delta.account().leftovers {
        let (message, fix) = match &leftover.reason {
            Reason::StrayHeading { title, inside } => (
                format!("`{title}` becomes a heading of its own in the main spec and cuts `{inside}` in two"),
                fix_for(title),
            ),
            Reason::DroppedHeading { title, has_scenario: true } if title.starts_with("####") => (
                format!("`{title}` stands above the first requirement, so archiving drops it"),
                "put `### Requirement: <name>` above it, or move it".to_owned(),
            ),
            Reason::DroppedHeading { title, has_scenario: true } => {
                (format!("`{title}` is no requirement header, so archiving drops it with its scenarios"), fix_for(title))
            }
            Reason::ScenarioSection(title) => (
                format!("`## {title}` is a section of its own and no scenario, so archiving drops it with what stands below"),
                format!("a scenario has four `#`: `#### {title}`"),
            ),
            _ => continue,
        };
        sink.report(leftover.lines.start, view.file.entry(), message, fix);
    }
}

fn fix_for(title: &str) -> String {
    let name = trim(title.trim_start_matches('#'));
    if strip_prefix_ignore_case(name, "Scenario").is_some() {
        return format!("a scenario has four `#`: `#### {name}`");
    }
    let meant = meant(name);
    if meant.is_removed {
        return format!("delete it, or name `{}` below `## REMOVED Requirements`", meant.name);
    }
    format!("write `### Requirement: {}`, or make it a paragraph", meant.name)
}
