//! `merge/near-duplicate`

use std::collections::{HashMap, HashSet};

use super::dry_run::Outcome;
use crate::openspec::near::{same_spelling_key, spelling_difference};
use crate::openspec::requirement::Block;
use crate::rules::rule::rule;
use crate::rules::{Check, MergeView, Sink};

rule! {
    /// ## What it does
    /// Reports a requirement that a delta adds, or renames to, whose name differs from one of the main spec only in
    /// quotation marks, dashes or Unicode normalisation. (Case and spacing archiving refuses by itself.)
    ///
    /// ## Why it matters
    /// Archiving takes it for another requirement, and the spec then says the same thing twice, or two things.
    ///
    /// ## How to fix
    /// Use MODIFIED with the header as the main spec has it, or a name that tells the two apart.
    "merge/near-duplicate", Warning, Own, "A delta adds a requirement whose name is nearly one of the main spec", Check::Merge(check)
}

fn check(view: &MergeView<'_>, sink: &mut Sink<'_>) {
    let (Some(spec), Outcome::Written(_)) = (view.target(), &view.run.outcome) else { return };
    let removed = view.delta.removed.iter().map(|removal| removal.name.as_str());
    let gone: HashSet<&str> = removed.chain(view.delta.renamed.iter().map(|rename| rename.from.as_str())).collect();
    let staying = spec.blocks.iter().filter(|block| !gone.contains(block.name.as_str()));
    let by_spelling: HashMap<String, &Block> =
        staying.map(|block| (same_spelling_key(&block.name), block)).collect();
    let added = view.delta.added.iter().map(|block| (block.name.as_str(), block.line));
    let renamed = view.delta.renamed.iter().map(|rename| (rename.to.as_str(), rename.to_line));
    for (name, line) in added.chain(renamed) {
        let twin = by_spelling.get(&same_spelling_key(name)).filter(|block| block.name != name);
        let Some(twin) = twin else { continue };
        let difference = spelling_difference(&twin.name, name).unwrap_or("spelling");
        let place = view.target_place(twin.line);
        let message = format!("`{name}` differs from `{}` of {place} only in {difference}", twin.name);
        let fix = format!("use MODIFIED with `### Requirement: {}`, or a name of its own", twin.name);
        sink.report(line, view.file.entry(), message, fix).about(name);
    }
}
