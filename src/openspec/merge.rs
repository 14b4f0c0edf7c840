//! Applies a delta to a main spec in memory, as archiving the change would.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::delta::{Delta, Operation};
use super::heading::{fold_name, requirement_name};
use super::js;
use super::requirement::{Block, missing_scenarios};
use super::spec::{Spec, StructureIssue};

/// Why a delta cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// 0-based line of the entry in the delta.
    pub line: usize,
    /// What stops it.
    pub reason: Reason,
}

/// Kinds of [`Refusal`]. Names are as the delta writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// FROM without TO or the reverse.
    UnpairedRename(String),
    /// One section names a requirement twice.
    Duplicate(Operation, String),
    /// Two sections claim one requirement.
    Conflict(Operation, Operation, String),
    /// Nothing to apply.
    Empty,
    /// MODIFIED or RENAMED and no main spec.
    NoTarget(Operation),
    /// The main spec has a structural fault.
    BrokenTarget(StructureIssue),
    /// The requirement is not in the main spec; the nearest that is.
    NotFound(Operation, String, Option<String>),
    /// The name is taken, or nearly so.
    Taken(Operation, String, String),
    /// MODIFIED leaves out scenarios.
    DropsScenarios(String, Vec<String>),
    /// The block's header has no name left once trimmed.
    NamelessHeader(String),
}

/// A requirement of the merged spec, from either side.
#[derive(Debug, Clone)]
struct Merged<'a> {
    name: String,
    raw: Cow<'a, str>,
}

/// Applies a delta to its target, none when the capability is new.
///
/// # Errors
/// The first thing the reference would refuse, in its order.
pub fn apply(delta: &Delta, target: Option<&Spec>) -> Result<(), Refusal> {
    check_delta(delta)?;
    if target.is_none()
        && let Some((operation, line)) = first_needing_target(delta)
    {
        return Err(Refusal { line, reason: Reason::NoTarget(operation) });
    }
    if let Some(issue) = target.and_then(|spec| spec.structure.first()) {
        let line = delta.sections.first().map_or(0, |section| section.line);
        return Err(Refusal { line, reason: Reason::BrokenTarget(issue.clone()) });
    }
    let mut merge = Merge::new(target);
    merge.rename(delta)?;
    merge.remove(delta, target.is_some())?;
    merge.modify(delta)?;
    merge.add(delta)
}

fn first_needing_target(delta: &Delta) -> Option<(Operation, usize)> {
    let modified = delta.modified.first().map(|block| (Operation::Modified, block.line));
    modified.or_else(|| delta.renamed.first().map(|rename| (Operation::Renamed, rename.from_line)))
}

/// What a delta may not say, whatever the target.
fn check_delta(delta: &Delta) -> Result<(), Refusal> {
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

/// The requirements while operations are applied.
struct Merge<'a> {
    /// In the order of the merged spec; a removed one leaves a gap.
    blocks: Vec<Option<Merged<'a>>>,
    /// A name that stands twice (only possible with a header the structure check does not see) means its last block,
    /// as in the reference's map.
    by_name: HashMap<String, usize>,
    by_fold: HashMap<String, Vec<usize>>,
}

impl<'a> Merge<'a> {
    fn new(target: Option<&'a Spec>) -> Self {
        let mut merge = Self { blocks: Vec::new(), by_name: HashMap::new(), by_fold: HashMap::new() };
        if let Some(spec) = target {
            for block in &spec.blocks {
                merge.push(&block.name, spec.raw(block).into());
            }
        }
        merge
    }

    fn push(&mut self, name: &str, raw: Cow<'a, str>) {
        self.blocks.push(None);
        self.put(self.blocks.len() - 1, name, raw);
    }

    fn put(&mut self, at: usize, name: &str, raw: Cow<'a, str>) {
        self.blocks[at] = Some(Merged { name: name.to_owned(), raw });
        self.by_name.insert(name.to_owned(), at);
        self.by_fold.entry(fold_name(name)).or_default().push(at);
    }

    fn take(&mut self, name: &str) -> Option<(usize, Merged<'a>)> {
        let at = self.by_name.remove(name)?;
        if let Some(list) = self.by_fold.get_mut(&fold_name(name)) {
            list.retain(|other| *other != at);
        }
        Some((at, self.blocks[at].take()?))
    }

    fn find(&self, name: &str) -> Option<&Merged<'a>> {
        self.blocks[*self.by_name.get(name)?].as_ref()
    }

    /// A name that differs only in case or spacing.
    fn near(&self, name: &str, except: Option<&str>) -> Option<String> {
        let mut same_fold = self.by_fold.get(&fold_name(name))?.iter().filter_map(|at| self.blocks[*at].as_ref());
        same_fold.find(|block| Some(block.name.as_str()) != except).map(|block| block.name.clone())
    }

    fn rename(&mut self, delta: &Delta) -> Result<(), Refusal> {
        for rename in &delta.renamed {
            let refuse = |line, reason| Err(Refusal { line, reason });
            let (from, to) = (&rename.from, &rename.to);
            if self.find(from).is_none() {
                let near = self.near(from, Some(to));
                if self.find(to).is_some() && near.is_none() {
                    continue; // Already applied.
                }
                return refuse(rename.from_line, Reason::NotFound(Operation::Renamed, from.clone(), near));
            }
            if self.find(to).is_some() {
                return refuse(rename.to_line, Reason::Taken(Operation::Renamed, to.clone(), to.clone()));
            }
            if let Some(near) = self.near(to, Some(from)) {
                return refuse(rename.to_line, Reason::Taken(Operation::Renamed, to.clone(), near));
            }
            if let Some((at, block)) = self.take(from) {
                let body = block.raw.split_once('\n').map(|(_, body)| format!("\n{body}")).unwrap_or_default();
                self.put(at, to, format!("### Requirement: {to}{body}").into());
            }
        }
        Ok(())
    }

    fn remove(&mut self, delta: &Delta, target_exists: bool) -> Result<(), Refusal> {
        for removal in &delta.removed {
            if self.take(&removal.name).is_some() || !target_exists {
                continue;
            }
            if let Some(near) = self.near(&removal.name, None) {
                let reason = Reason::NotFound(Operation::Removed, removal.name.clone(), Some(near));
                return Err(Refusal { line: removal.line, reason });
            }
        }
        Ok(())
    }

    fn modify(&mut self, delta: &'a Delta) -> Result<(), Refusal> {
        for block in &delta.modified {
            let refuse = |reason| Err(Refusal { line: block.line, reason });
            let Some(current) = self.find(&block.name) else {
                let near = self.near(&block.name, None);
                return refuse(Reason::NotFound(Operation::Modified, block.name.clone(), near));
            };
            let raw = delta.raw(block);
            if requirement_name(raw.split('\n').next().unwrap_or_default()) != Some(&block.name) {
                return refuse(Reason::NamelessHeader(block.name.clone()));
            }
            let missing = missing_scenarios(&current.raw, raw);
            if !missing.is_empty() {
                let missing = missing.into_iter().map(str::to_owned).collect();
                return refuse(Reason::DropsScenarios(block.name.clone(), missing));
            }
            if let Some((at, _)) = self.take(&block.name) {
                self.put(at, &block.name, raw.into());
            }
        }
        Ok(())
    }

    fn add(&mut self, delta: &'a Delta) -> Result<(), Refusal> {
        for block in &delta.added {
            let raw = delta.raw(block);
            let taken =
                |name| Refusal { line: block.line, reason: Reason::Taken(Operation::Added, block.name.clone(), name) };
            if let Some(current) = self.find(&block.name) {
                // The same text is there already: applied before.
                if js::trim(&current.raw) != js::trim(raw) {
                    return Err(taken(block.name.clone()));
                }
                continue;
            }
            if let Some(near) = self.near(&block.name, None) {
                return Err(taken(near));
            }
            self.push(&block.name, raw.into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(main: &str, delta: &str) -> Result<(), Reason> {
        let spec = Spec::parse(format!("## Purpose\np\n## Requirements\n{main}").into_bytes());
        apply(&Delta::parse(delta.as_bytes().to_vec()), Some(&spec)).map_err(|refusal| refusal.reason)
    }

    #[test]
    fn near_misses_are_named() {
        let found =
            run("### Requirement: Widget  state\nx\n", "## MODIFIED Requirements\n### Requirement: widget state\ny\n");
        assert_eq!(
            found,
            Err(Reason::NotFound(Operation::Modified, "widget state".into(), Some("Widget  state".into())))
        );
    }

    #[test]
    fn a_rename_already_there_is_accepted() {
        let delta = "## RENAMED Requirements\nFROM: ### Requirement: A\nTO: ### Requirement: B\n";
        assert_eq!(run("### Requirement: B\nx\n", delta), Ok(()));
        assert_eq!(run("### Requirement: A\nx\n", delta), Ok(()));
        assert!(matches!(run("### Requirement: A\nx\n### Requirement: B\n", delta), Err(Reason::Taken(..))));
    }

    #[test]
    fn identical_addition_is_accepted() {
        assert_eq!(run("### Requirement: A\nx\n", "## ADDED Requirements\n### Requirement: A\nx\n"), Ok(()));
        assert!(run("### Requirement: A\nx\n", "## ADDED Requirements\n### Requirement: A\ny\n").is_err());
    }

    #[test]
    fn a_dropped_scenario_is_refused() {
        let main = "### Requirement: A\nx\n#### Scenario: one\n- a\n#### Scenario: two\n- b\n";
        let delta = "## MODIFIED Requirements\n### Requirement: A\nx\n#### Scenario: two\n- b\n";
        assert_eq!(run(main, delta), Err(Reason::DropsScenarios("A".into(), vec!["one".into()])));
    }
}
