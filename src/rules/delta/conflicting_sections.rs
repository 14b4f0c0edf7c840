//! `delta/conflicting-sections`

use crate::openspec::delta::Operation;
use crate::openspec::merge::conflicts;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a requirement that two sections of one delta claim: added and removed, modified and removed, modified
    /// and added, renamed and removed, modified under its old name, renamed to a name that is also added.
    ///
    /// ## Why it matters
    /// Archiving refuses it, since the order would decide what is left.
    ///
    /// ## How to fix
    /// Keep the section that is meant. A requirement that is renamed and modified stands in MODIFIED under its new name.
    "delta/conflicting-sections", Error, Reference, "Two delta sections claim one requirement", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    for conflict in conflicts(view.delta) {
        let message = format!("`{}` is claimed by {} and {}", conflict.name, conflict.first.word(), conflict.second.word());
        let fix = match (conflict.first, conflict.second) {
            (Operation::Renamed, Operation::Modified) => "write the MODIFIED requirement under its new name",
            (Operation::Renamed, Operation::Added) => "choose another name for one of them",
            _ => "keep the section that is meant",
        };
        sink.report(conflict.line, view.file.entry(), message, fix).about(&conflict.name);
    }
}
