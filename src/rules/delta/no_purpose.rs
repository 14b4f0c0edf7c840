//! `delta/no-purpose`

use crate::openspec::comments;
use crate::openspec::js::trim;
use crate::openspec::leftovers::Reason;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink};

rule! {
    /// ## What it does
    /// Reports a delta that creates a capability without a `## Purpose` that can be taken over: there is none, it is empty, or
    /// it is only a comment or code.
    ///
    /// ## Why it matters
    /// Archiving then writes "TBD - created by archiving change …" as the purpose, and `validate --strict` fails on the main
    /// spec from then on.
    ///
    /// ## How to fix
    /// Write a `## Purpose` section above the first delta section: what the capability is for, in a sentence or two.
    "delta/no-purpose", Warning, Own, "A new capability gets no purpose", Check::Delta(check)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let delta = view.delta;
    if delta.added.is_empty() || !matches!(view.project.target(&view.file.capability), Ok(None)) {
        return;
    }
    let purpose = delta.account().leftovers.iter().find(|leftover| leftover.reason == Reason::Purpose);
    let (line, message) = match purpose {
        None => (0, "this creates a capability, and no `## Purpose` says what it is for"),
        Some(section) => {
            let (text, hidden) = (&delta.text, comments::mask(&delta.text));
            let lines = section.lines.clone().skip(1).filter(|line| !text.fenced(*line));
            let words: Vec<usize> = lines.filter(|line| !trim(text.line(*line)).is_empty()).collect();
            if words.iter().all(|line| hidden[*line]) {
                (section.lines.start, "this creates a capability, and its purpose is empty")
            } else if let Some(line) = words.into_iter().find(|line| text.line(*line).contains("<!--")) {
                (line, "this creates a capability, and the comment keeps archiving from taking its purpose over")
            } else {
                return;
            }
        }
    };
    let fix = "write `## Purpose` and a sentence or two above the first delta section; archiving writes TBD otherwise";
    sink.report(line, view.file.entry(), message, fix);
}
