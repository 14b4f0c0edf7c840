//! What a delta may not say, whatever the main spec holds.

use std::collections::HashSet;

use super::{Reason, Refusal};
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::heading::fold_name;
use crate::openspec::requirement::Block;

/// What a delta may not say, whatever the target.
pub(super) fn check_delta(delta: &Delta) -> Result<(), Refusal> {
    let refuse = |line, reason| Err(Refusal { line, reason });
    if let Some(unpaired) = delta.unpaired.first() {
        return refuse(unpaired.line, Reason::UnpairedRename(unpaired.name.clone()));
    }
    let names = |blocks: &[Block]| blocks.iter().map(|block| (block.name.clone(), block.line)).collect::<Vec<_>>();
    let lists = [
        (Operation::Added, names(&delta.added)),
        (Operation::Modified, names(&delta.modified)),
        (Operation::Removed, delta.removed.iter().map(|entry| (entry.name.clone(), entry.line)).collect()),
        (Operation::Renamed, delta.renamed.iter().map(|entry| (entry.from.clone(), entry.from_line)).collect()),
        (Operation::Renamed, delta.renamed.iter().map(|entry| (entry.to.clone(), entry.to_line)).collect()),
    ];
    for (operation, list) in &lists {
        let mut seen = HashSet::new();
        if let Some((name, line)) = list.iter().find(|(name, _)| !seen.insert(name)) {
            return refuse(*line, Reason::Duplicate(*operation, name.clone()));
        }
    }
    if let Some(conflict) = conflicts(delta).into_iter().next() {
        return refuse(conflict.line, Reason::Conflict(conflict.first, conflict.second, conflict.name));
    }
    if !delta.has_entries() {
        return refuse(0, Reason::Empty);
    }
    Ok(())
}

/// One requirement claimed by two sections of one delta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// One operation.
    pub first: Operation,
    /// The other.
    pub second: Operation,
    /// The name they share.
    pub name: String,
    /// 0-based line of the first operation's entry.
    pub line: usize,
}

/// Every requirement that two sections claim. A name repeated in one section counts once.
pub fn conflicts(delta: &Delta) -> Vec<Conflict> {
    let names = |blocks: &'_ [Block]| -> Vec<(String, usize)> {
        let mut seen = HashSet::new();
        blocks.iter().filter(|block| seen.insert(&block.name)).map(|block| (block.name.clone(), block.line)).collect()
    };
    let (modified, added) = (names(&delta.modified), names(&delta.added));
    let added_names: HashSet<&str> = added.iter().map(|(name, _)| name.as_str()).collect();
    let modified_names: HashSet<&str> = modified.iter().map(|(name, _)| name.as_str()).collect();
    let removed_names: HashSet<&str> = delta.removed.iter().map(|entry| entry.name.as_str()).collect();
    let removed_folds: HashSet<String> = delta.removed.iter().map(|entry| fold_name(&entry.name)).collect();
    let conflict = |first, second, name: &str, line| Conflict { first, second, name: name.to_owned(), line };
    let mut found = Vec::new();
    for (name, line) in &modified {
        if removed_names.contains(name.as_str()) {
            found.push(conflict(Operation::Modified, Operation::Removed, name, *line));
        }
        if added_names.contains(name.as_str()) {
            found.push(conflict(Operation::Modified, Operation::Added, name, *line));
        }
    }
    for (name, line) in &added {
        if removed_names.contains(name.as_str()) {
            found.push(conflict(Operation::Added, Operation::Removed, name, *line));
        }
    }
    for rename in &delta.renamed {
        if modified_names.contains(rename.from.as_str()) {
            found.push(conflict(Operation::Renamed, Operation::Modified, &rename.from, rename.from_line));
        }
        if added_names.contains(rename.to.as_str()) {
            found.push(conflict(Operation::Renamed, Operation::Added, &rename.to, rename.to_line));
        }
        if removed_folds.contains(&fold_name(&rename.from)) {
            found.push(conflict(Operation::Renamed, Operation::Removed, &rename.from, rename.from_line));
        }
    }
    found
}
