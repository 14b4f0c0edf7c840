//! `delta/duplicate-requirement`

use std::collections::HashSet;

use crate::openspec::requirement::Block;
use crate::rules::rule::rule;
use crate::rules::{Check, DeltaView, Sink, Weight};

rule! {
    /// ## What it does
    /// Reports a requirement that one section of a delta names twice, a FROM or a TO likewise.
    ///
    /// ## Why it matters
    /// Archiving refuses it, since only one of the two could win.
    ///
    /// ## How to fix
    /// Join the two, or rename one.
    "delta/duplicate-requirement", Error, Reference, "A delta section names a requirement twice", Check::Delta(check),
    Weight::consistency("R-DUP-NAME", 30)
}

fn check(view: &DeltaView<'_>, sink: &mut Sink<'_>) {
    let blocks = |blocks: &[Block]| blocks.iter().map(|block| (block.name.clone(), block.line)).collect::<Vec<_>>();
    let delta = view.delta;
    let lists = [
        ("ADDED", blocks(&delta.added)),
        ("MODIFIED", blocks(&delta.modified)),
        ("REMOVED", delta.removed.iter().map(|entry| (entry.name.clone(), entry.line)).collect()),
        ("RENAMED FROM", delta.renamed.iter().map(|rename| (rename.from.clone(), rename.from_line)).collect()),
        ("RENAMED TO", delta.renamed.iter().map(|rename| (rename.to.clone(), rename.to_line)).collect()),
    ];
    for (section, names) in &lists {
        let mut seen = HashSet::new();
        for (name, line) in names {
            if !seen.insert(name) {
                let message = format!("`{name}` stands twice in {section}");
                sink.report(*line, view.file.entry(), message, "join the two, or rename one").about(name);
            }
        }
    }
}
