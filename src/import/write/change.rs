//! The files of a change around its deltas: proposal, design, tasks.

use super::block::requirement_name;
use super::sections::{self, Origin};
use crate::import::model::Document;

/// `proposal.md`.
pub fn proposal(document: &Document, origin: &Origin, is_new: bool) -> String {
    let (title, purpose) = (sections::title(document, origin), sections::purpose(document, origin));
    let mut text = format!("# {title}\n\n## Why\n\n{purpose}\n\n## What Changes\n\n");
    text.push_str(&format!("Imported from `{}` as written for {}. Added:\n\n", origin.source, document.kind.name()));
    for requirement in &document.requirements {
        text.push_str(&format!("- {}\n", requirement_name(requirement)));
    }
    let kind = if is_new { "New" } else { "Modified" };
    text.push_str(&format!("\n## Capabilities\n\n### {kind} Capabilities\n\n- `{}`: {title}\n", origin.capability));
    text
}

/// `design.md`: what has no place in a delta. None when there is nothing.
pub fn design(document: &Document, origin: &Origin) -> Option<String> {
    let notes = sections::notes(document, false)?;
    Some(format!("# Notes\n\nFrom `{}`: what has no place in a delta.\n\n{notes}\n", origin.source))
}

/// `tasks.md`: a box for each requirement.
pub fn tasks(document: &Document) -> String {
    let mut text = "# Tasks\n\n## 1. Requirements\n\n".to_owned();
    for (at, requirement) in document.requirements.iter().enumerate() {
        text.push_str(&format!("- [ ] 1.{} Meet {}\n", at + 1, requirement_name(requirement)));
    }
    text
}

/// Tasks with no box ticked: ticking is no edit.
pub fn unticked(tasks: &str) -> String {
    tasks.replace("- [x] ", "- [ ] ").replace("- [X] ", "- [ ] ")
}

/// New tasks with those boxes ticked that `before` has ticked, by the requirement's id.
pub fn with_ticks(tasks: &str, before: &str, document: &Document) -> String {
    let id_of = |line: &str| {
        let (_, name) = line.split_once(" Meet ")?;
        let is_it = |id: &&str| super::block::is_of(name, id);
        document.requirements.iter().map(|requirement| requirement.id.as_str()).find(is_it).map(str::to_owned)
    };
    let is_ticked = |line: &&str| line.starts_with("- [x] ") || line.starts_with("- [X] ");
    let ticked: Vec<String> = before.lines().filter(is_ticked).filter_map(id_of).collect();
    let tick = |line: &str| match id_of(line).filter(|id| ticked.contains(id)) {
        Some(_) => line.replacen("- [ ] ", "- [x] ", 1),
        None => line.to_owned(),
    };
    tasks.lines().map(|line| tick(line) + "\n").collect()
}
