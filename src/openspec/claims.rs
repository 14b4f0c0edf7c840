//! Which open changes claim which requirement.
//!
//! Only the delta files of capabilities that somebody asks about are read.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use super::change::without_date;
use super::delta::{Delta, Operation};
use super::discovery::{find_spec, walk_specs};
use super::heading::fold_name;
use super::near_capability::fold;
use super::overlap::Index;
use super::project::Project;
use crate::repo::snapshot::join;

/// Capabilities as written and their changes, by folded capability.
type Spellings = HashMap<Vec<u8>, Vec<(String, String)>>;

/// Deltas of open changes, by capability.
#[derive(Default)]
pub struct Claims {
    by_capability: Mutex<HashMap<String, Arc<Vec<OpenDelta>>>>,
    /// When a whole tree is judged: which changes have a delta for a capability. Each change is listed once then,
    /// instead of once a capability.
    holders: OnceLock<HashMap<String, Vec<BString>>>,
    /// Open changes of head, and those only base has.
    names: OnceLock<(Vec<BString>, Vec<BString>)>,
    /// Every capability an open change has a delta for, by its folded name, with the change.
    by_spelling: OnceLock<Spellings>,
    /// Whether a change is refused by itself, as far as somebody asked.
    refused: Mutex<HashMap<String, bool>>,
}

/// A delta file of an open change.
#[derive(Debug)]
pub struct OpenDelta {
    /// The change's folder name.
    pub change: String,
    /// Path from the top of the tree.
    pub path: BString,
    /// The parsed file.
    pub delta: Delta,
    /// Whether the change came to the base branch after head's work began, and head does not have it yet.
    pub is_only_in_base: bool,
    index: OnceLock<Index>,
}

impl OpenDelta {
    /// A delta file of a change.
    pub fn new(change: String, path: BString, delta: Delta, is_only_in_base: bool) -> Self {
        Self { change, path, delta, is_only_in_base, index: OnceLock::new() }
    }

    /// Its entries by name, put in order once.
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(&self.delta))
    }
}

/// One operation of an open change on one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What is done.
    pub operation: Operation,
    /// Whether the name is the new one of a rename.
    pub is_new_name: bool,
    /// The name as written.
    pub name: String,
    /// 0-based line in the delta file.
    pub line: usize,
}

impl Claim {
    /// `MODIFIED`, `RENAMED to`.
    pub fn word(&self) -> &'static str {
        match (self.operation, self.is_new_name) {
            (Operation::Renamed, true) => "RENAMED (TO)",
            (Operation::Renamed, false) => "RENAMED (FROM)",
            (operation, _) => operation.word(),
        }
    }

    /// Whether the requirement has this name once the change is archived, and had not before.
    pub fn brings_name(&self) -> bool {
        self.operation == Operation::Added || self.is_new_name
    }
}

/// A claim of another change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherClaim {
    /// The change's folder name.
    pub change: String,
    /// Its delta file.
    pub path: BString,
    /// What it claims.
    pub claim: Claim,
}

/// Every name a delta claims, with what it does to it; both names of a rename.
pub fn claims(delta: &Delta) -> Vec<Claim> {
    let claim =
        |operation, is_new_name, name: &str, line| Claim { operation, is_new_name, name: name.to_owned(), line };
    let mut found: Vec<Claim> = Vec::with_capacity(delta.entry_count() + delta.renamed.len());
    found.extend(delta.added.iter().map(|block| claim(Operation::Added, false, &block.name, block.line)));
    found.extend(delta.modified.iter().map(|block| claim(Operation::Modified, false, &block.name, block.line)));
    found.extend(delta.removed.iter().map(|removal| claim(Operation::Removed, false, &removal.name, removal.line)));
    for rename in &delta.renamed {
        found.push(claim(Operation::Renamed, false, &rename.from, rename.from_line));
        found.push(claim(Operation::Renamed, true, &rename.to, rename.to_line));
    }
    found
}

/// The first other open change that brings a requirement of that name into that capability, by adding it or renaming
/// another one to it. A delta for a requirement that is not in the main spec yet has to wait for it.
pub fn bringer(project: &Project<'_>, capability: &str, name: &str, change: &str) -> Option<OtherClaim> {
    let folded = fold_name(name);
    let deltas = project.open_deltas(capability);
    deltas.iter().filter(|other| other.change != change).find_map(|other| {
        let mut claims = claims(&other.delta).into_iter();
        let claim = claims.find(|claim| claim.brings_name() && fold_name(&claim.name) == folded)?;
        Some(OtherClaim { change: other.change.clone(), path: other.path.clone(), claim })
    })
}

impl Claims {
    /// Deltas of open changes for one capability, sorted by change. Besides head's own changes those that came to the base
    /// branch meanwhile; a change that was archived or given up there counts no more.
    pub(super) fn of(&self, project: &Project<'_>, capability: &str) -> Arc<Vec<OpenDelta>> {
        if let Some(found) = self.lock().get(capability) {
            return Arc::clone(found);
        }
        let (here, there) = self.names.get_or_init(|| names(project));
        let candidates: &[BString] = match project.compared() {
            Some(_) => here,
            None => self.holders.get_or_init(|| holders(project, here)).get(capability).map_or(&[], Vec::as_slice),
        };
        let mut found: Vec<OpenDelta> = Vec::new();
        found.extend(candidates.iter().filter_map(|name| open_delta(project, name.as_ref(), capability, false)));
        if let Some(base) = project.compared().map(|compared| compared.newest_base()) {
            found.extend(there.iter().filter_map(|name| open_delta(base, name.as_ref(), capability, true)));
        }
        found.sort_by(|a, b| a.change.cmp(&b.change));
        let found = Arc::new(found);
        self.lock().insert(capability.to_owned(), Arc::clone(&found));
        found
    }

    /// A capability of an open change that is spelt otherwise than this one and folds to the same, and the change.
    pub(super) fn spelt_otherwise(&self, project: &Project<'_>, capability: &str) -> Option<(String, String)> {
        let known = self.by_spelling.get_or_init(|| {
            let (here, there) = self.names.get_or_init(|| names(project));
            let base = project.compared().map_or(project, |compared| compared.newest_base());
            let mut known = Spellings::new();
            for (project, names) in [(project, here), (base, there)] {
                for (capability, changes) in holders(project, names) {
                    let entry = known.entry(fold(&capability)).or_default();
                    entry.extend(changes.iter().map(|change| (capability.clone(), change.to_str_lossy().into_owned())));
                }
            }
            known.values_mut().for_each(|found| found.sort());
            known
        });
        known.get(&fold(capability))?.iter().find(|(other, _)| other != capability).cloned()
    }

    /// Whether a change is refused by itself: found out once.
    pub(super) fn is_refused(&self, change: &str, find_out: impl FnOnce() -> bool) -> bool {
        let lock = || self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(change) {
            return *known;
        }
        let found = find_out();
        lock().insert(change.to_owned(), found);
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Vec<OpenDelta>>>> {
        self.by_capability.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Open changes of head, and those that only base has. A folder that cannot be listed is told elsewhere.
fn names(project: &Project<'_>) -> (Vec<BString>, Vec<BString>) {
    let mut here = project.change_names().unwrap_or_default();
    let Some(compared) = project.compared() else { return (here, Vec::new()) };
    let of = |project: &Project<'_>| project.change_names().unwrap_or_default().into_iter().collect::<HashSet<_>>();
    let (old, new) = (of(&compared.base), of(compared.newest_base()));
    let archived = project.archived_names().unwrap_or_default();
    // A change whose own name begins with a date keeps that name when it is archived.
    let archived: HashSet<&BStr> =
        archived.iter().flat_map(|folder| [Some(folder.as_bstr()), without_date(folder.as_ref())]).flatten().collect();
    let is_archived = |name: &BString| archived.contains(name.as_bstr());
    // What was open when head's work began and is not any more was archived, joined with another or given up by head.
    let there = new.iter().filter(|name| !old.contains(*name) && !here.contains(name) && !is_archived(name));
    let there = there.cloned().collect();
    here.retain(|name| !old.contains(name) || new.contains(name));
    (here, there)
}

fn holders(project: &Project<'_>, names: &[BString]) -> HashMap<String, Vec<BString>> {
    let mut holders: HashMap<String, Vec<BString>> = HashMap::new();
    for name in names {
        let found = walk_specs(project.snapshot(), specs(project, name.as_ref()).as_ref(), &mut |_, _| {});
        for (capability, _, _) in found.specs {
            holders.entry(capability).or_default().push(name.clone());
        }
    }
    holders
}

fn specs(project: &Project<'_>, change: &BStr) -> BString {
    join(join(project.path("changes").as_ref(), change).as_ref(), "specs")
}

fn open_delta(project: &Project<'_>, change: &BStr, capability: &str, is_only_in_base: bool) -> Option<OpenDelta> {
    let specs = specs(project, change);
    let (path, refused) = find_spec(project.snapshot(), specs.as_ref(), capability.into())?;
    if refused.is_some() {
        return None;
    }
    let delta = Delta::parse(project.snapshot().read(path.as_ref()).ok()?);
    Some(OpenDelta::new(change.to_str_lossy().into_owned(), path, delta, is_only_in_base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_of_a_rename() {
        let delta =
            Delta::parse(b"## RENAMED Requirements\nFROM: ### Requirement: A\nTO: ### Requirement: B\n".to_vec());
        let words: Vec<_> = claims(&delta).iter().map(|claim| (claim.name.clone(), claim.brings_name())).collect();
        assert_eq!(words, [("A".to_owned(), false), ("B".to_owned(), true)]);
    }
}
