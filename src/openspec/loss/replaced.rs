//! Which block of the main spec each MODIFIED block takes the place of.

use std::collections::{HashMap, HashSet};

use super::{Elsewhere, Loss, compare};
use crate::openspec::delta::Delta;
use crate::openspec::requirement::Block;
use crate::openspec::spec::Spec;

/// A block of the main spec and the MODIFIED block that takes its place.
#[derive(Debug, Clone, Copy)]
pub struct Replaced<'a> {
    /// The main spec's.
    pub old: &'a Block,
    /// The delta's.
    pub new: &'a Block,
}

/// Pairs each MODIFIED block with the one it replaces, found by its name or by the name it had before the delta's
/// renames. One whose name the delta renames away is left out: that is a conflict, and it does not mean the block it
/// names.
pub fn replaced<'a>(delta: &'a Delta, spec: &'a Spec) -> Vec<Replaced<'a>> {
    let current: HashMap<&str, &Block> = spec.blocks.iter().map(|block| (block.name.as_str(), block)).collect();
    let renamed: HashMap<&str, &str> =
        delta.renamed.iter().map(|rename| (rename.to.as_str(), rename.from.as_str())).collect();
    let renamed_away: HashSet<&str> = delta.renamed.iter().map(|rename| rename.from.as_str()).collect();
    let modified = delta.modified.iter().filter(|block| !renamed_away.contains(block.name.as_str()));
    modified.filter_map(|new| Some(Replaced { old: before_renames(&new.name, &current, &renamed)?, new })).collect()
}

/// The block a name stands for in the main spec, following renames back. Renames in a circle end the search.
fn before_renames<'a>(
    name: &'a str,
    current: &HashMap<&str, &'a Block>,
    renamed: &HashMap<&str, &'a str>,
) -> Option<&'a Block> {
    let mut seen = HashSet::new();
    let mut name = name;
    while seen.insert(name) {
        if let Some(block) = current.get(name) {
            return Some(block);
        }
        name = renamed.get(name)?;
    }
    None
}

/// What a MODIFIED block loses.
#[derive(Debug)]
pub struct BlockLoss {
    /// The requirement, as the delta names it.
    pub name: String,
    /// 0-based line of the main spec's block.
    pub old_line: usize,
    /// 0-based line of the delta's block.
    pub new_line: usize,
    /// What is gone.
    pub loss: Loss,
}

/// What each MODIFIED block of a delta loses; blocks that lose nothing are left out.
pub fn losses(delta: &Delta, spec: &Spec, elsewhere: &Elsewhere) -> Vec<BlockLoss> {
    let of = |pair: Replaced<'_>| BlockLoss {
        name: pair.new.name.clone(),
        old_line: pair.old.line,
        new_line: pair.new.line,
        loss: compare(spec.raw(pair.old), delta.raw(pair.new), elsewhere),
    };
    replaced(delta, spec).into_iter().map(of).filter(|block| !block.loss.is_empty()).collect()
}
