//! `delta/no-reason`

use std::collections::HashSet;

use crate::openspec::delta::Operation;
use crate::openspec::heading::requirement_name;
use crate::openspec::js::trim;
use crate::openspec::leftovers::Claim;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a requirement in REMOVED with nothing below it. Any text counts, in any language; one text below a list of
    /// bullets counts for all of them, and so does one above the first.
    ///
    /// ## Why it matters
    /// A removal takes a promise back. Who relies on it has to learn why, and what to use in its place.
    ///
    /// ## How to fix
    /// Write `**Reason**: …` and `**Migration**: …` below the name.
    "delta/no-reason", Warning, Own, "A removal gives no reason", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let (delta, text) = (view.delta, &view.delta.text);
    let entries: HashSet<usize> = delta.removed.iter().map(|removal| removal.line).collect();
    let claims = &delta.account().claims;
    let is_reason = |line: usize| {
        !entries.contains(&line)
            && matches!(claims[line], Claim::Explains)
            && trim(text.line(line)).contains(char::is_alphanumeric)
    };
    let is_bullet = |line: usize| requirement_name(text.line(line)).is_none();
    for section in delta.sections.iter().filter(|section| section.operation == Operation::Removed) {
        let from = delta.removed.partition_point(|removal| removal.line < section.body.start);
        let removals = &delta.removed[from..delta.removed.partition_point(|removal| removal.line < section.body.end)];
        let Some(first) = removals.first() else { continue };
        if (section.body.start..first.line).any(is_reason) {
            continue;
        }
        // From the last to the first: a bullet shares what follows the bullets below it.
        let mut end = section.body.end;
        let mut next_has = false;
        let mut next_is_bullet = false;
        let mut bare = Vec::new();
        for removal in removals.iter().rev() {
            let bullet = is_bullet(removal.line);
            let has = (removal.line + 1..end).any(is_reason) || bullet && next_is_bullet && next_has;
            if !has {
                bare.push(removal);
            }
            (end, next_has, next_is_bullet) = (removal.line, has, bullet);
        }
        for removal in bare.into_iter().rev() {
            let message = format!("`{}` is removed without a reason", removal.name);
            let fix = "write `**Reason**: …` and `**Migration**: …` below it";
            sink.report(removal.line, view.file.entry(), message, fix).about(&removal.name);
        }
    }
}
