//! A delta's entries by the names they claim, so that what two deltas share is found without going through either.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use super::super::claims::{Claim, claims};
use super::super::delta::{Delta, Operation};
use super::super::heading::fold_name;
use super::super::near::same_spelling_key;

/// Folded names that renames make one requirement.
pub(super) type Names = BTreeSet<String>;

/// What a delta claims, by folded name.
#[derive(Debug)]
pub struct Index {
    claims: Vec<Claim>,
    by_name: HashMap<String, Named>,
    /// Both folded names of each rename.
    renames: Vec<[String; 2]>,
    /// Names the delta brings, by their spelling key, and where their claim is.
    spellings: OnceLock<HashMap<String, usize>>,
}

/// What a delta has for one name.
#[derive(Debug, Default)]
struct Named {
    /// Places in [`Index::claims`].
    claims: Vec<usize>,
    /// Operations, and their place in the delta's list of that operation.
    entries: Vec<(Operation, usize)>,
}

impl Index {
    /// Goes through a delta once.
    pub fn of(delta: &Delta) -> Self {
        let claims = claims(delta);
        let mut by_name: HashMap<String, Named> = HashMap::with_capacity(claims.len());
        let starts = [0, delta.added.len(), delta.added.len() + delta.modified.len()];
        for (at, claim) in claims.iter().enumerate() {
            let place = match claim.operation {
                Operation::Added => at - starts[0],
                Operation::Modified => at - starts[1],
                Operation::Removed => at - starts[2],
                Operation::Renamed => (at - starts[2] - delta.removed.len()) / 2,
            };
            let named = by_name.entry(fold_name(&claim.name)).or_default();
            named.claims.push(at);
            named.entries.push((claim.operation, place));
        }
        let renames = delta.renamed.iter().map(|rename| [fold_name(&rename.from), fold_name(&rename.to)]).collect();
        Self { claims, by_name, renames, spellings: OnceLock::new() }
    }

    /// A claim by its place.
    pub(super) fn claim(&self, at: usize) -> &Claim {
        &self.claims[at]
    }

    /// Every claim with its folded name, in the delta's order.
    pub(super) fn names(&self) -> Vec<(usize, &str)> {
        let named = self.by_name.iter();
        let mut found: Vec<(usize, &str)> =
            named.filter_map(|(name, named)| Some((*named.claims.first()?, name.as_str()))).collect();
        found.sort_unstable();
        found
    }

    /// The first claim on a folded name.
    pub(super) fn first(&self, name: &str) -> Option<usize> {
        self.by_name.get(name)?.claims.first().copied()
    }

    /// Whether the delta adds a requirement of one of the names, or renames one to it.
    pub(super) fn brings(&self, names: &Names) -> bool {
        let named = names.iter().filter_map(|name| self.by_name.get(name));
        named.flat_map(|named| &named.claims).any(|at| self.claims[*at].brings_name())
    }

    /// Names the delta brings, by their spelling key.
    pub(super) fn spellings(&self) -> &HashMap<String, usize> {
        self.spellings.get_or_init(|| {
            let brought = self.claims.iter().enumerate().filter(|(_, claim)| claim.brings_name());
            brought.map(|(at, claim)| (same_spelling_key(&claim.name), at)).collect()
        })
    }

    /// The operations on some names. A rename stays when either of its names does.
    pub(super) fn excerpt(&self, delta: &Delta, names: &Names) -> Delta {
        let named = names.iter().filter_map(|name| self.by_name.get(name));
        let picked: BTreeSet<(Operation, usize)> = named.flat_map(|named| named.entries.iter().copied()).collect();
        delta.excerpt(picked.into_iter())
    }
}

/// Some names and those that renames make of them.
pub(super) fn connected(names: Names, deltas: &[&Index]) -> Names {
    let mut open: Vec<String> = names.iter().cloned().collect();
    let mut names = names;
    while let Some(name) = open.pop() {
        for index in deltas {
            let entries = index.by_name.get(&name).map(|named| named.entries.as_slice()).unwrap_or_default();
            let renames = entries.iter().filter(|(operation, _)| *operation == Operation::Renamed);
            for other in renames.flat_map(|(_, place)| &index.renames[*place]) {
                if names.insert(other.clone()) {
                    open.push(other.clone());
                }
            }
        }
    }
    names
}
