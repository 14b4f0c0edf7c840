//! Which entry of a file is which criterion of the source. Checks prove a sentence, so they follow it wherever its
//! number went; only then do numbers count.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::super::block::is_of;
use super::scalars::Value;
use super::{Entry, Filled, Wanted};
use crate::criteria::Criterion;
use crate::import::plan::criterion_id;

/// What becomes of the entries of a file, by their places in it.
#[derive(Debug, Default)]
pub(super) struct Fates<'w> {
    /// Entries that get other values.
    pub changed: BTreeMap<usize, Vec<Value>>,
    /// Entries that go.
    pub dropped: BTreeSet<usize>,
    /// Entries there are none of yet.
    pub new: Vec<&'w Entry>,
    /// What is to be told of entries with checks, in the order of the file.
    pub filled: Vec<Filled>,
}

impl<'w> Fates<'w> {
    /// Decides about all entries. One that somebody wrote a comment into does not go.
    pub fn of(known: &[Criterion], capability: &str, wanted: &'w Wanted, has_comment: impl Fn(usize) -> bool) -> Self {
        let owners = Owners::of(known, capability, wanted);
        let claims = Claims::of(known, &owners, wanted);
        let mut fates = Self::default();
        let mut told: BTreeMap<usize, Filled> = BTreeMap::new();
        for (entry, claim) in wanted.written.iter().zip(&claims.of_entries) {
            let Some(at) = *claim else {
                fates.new.push(entry);
                continue;
            };
            let criterion = &known[at];
            // An id that somebody chose stays.
            let is_ours = wanted.recorded.contains(&criterion.id) || owners.by_id.contains_key(&at);
            let id = if is_ours { &entry.id } else { &criterion.id };
            let values = changes(criterion, entry, id);
            if !values.is_empty() {
                fates.changed.insert(at, values);
            }
            if criterion.checks.is_empty() {
                continue;
            }
            if is_reworded(criterion, entry) {
                told.insert(at, Filled::Reworded { id: id.clone(), sentence: entry.ears.clone() });
            } else if criterion.id != *id {
                told.insert(at, Filled::Moved { from: criterion.id.clone(), to: id.clone() });
            }
        }
        fates.leave(known, &owners, &claims, wanted, &has_comment, &mut told);
        fates.filled = told.into_values().collect();
        fates
    }

    /// Entries of blocks that are written whose scenario is in them no longer.
    fn leave(
        &mut self,
        known: &[Criterion],
        owners: &Owners<'_>,
        claims: &Claims,
        wanted: &Wanted,
        has_comment: &dyn Fn(usize) -> bool,
        told: &mut BTreeMap<usize, Filled>,
    ) {
        let wanted_ids: HashSet<&str> = wanted.written.iter().map(|entry| entry.id.as_str()).collect();
        let names: HashSet<[&str; 2]> =
            wanted.written.iter().map(|entry| [entry.requirement.as_str(), entry.scenario.as_str()]).collect();
        let mut ids: HashSet<String> = known.iter().map(|criterion| criterion.id.clone()).collect();
        let rewritten: HashSet<&str> = wanted.rewritten.iter().map(String::as_str).collect();
        for (at, criterion) in known.iter().enumerate() {
            let is_left = owners.of_entry(at).is_some_and(|owner| rewritten.contains(owner));
            if claims.taken.contains(&at) || !is_left {
                continue;
            }
            let is_taken = wanted_ids.contains(criterion.id.as_str());
            if !is_taken && names.contains(&[criterion.requirement.as_str(), criterion.scenario.as_str()]) {
                continue;
            }
            if criterion.checks.is_empty() && !has_comment(at) && (is_taken || wanted.recorded.contains(&criterion.id))
            {
                self.dropped.insert(at);
                continue;
            }
            let mut id = criterion.id.clone();
            if is_taken {
                // Another sentence has its number now.
                while ids.contains(&id) || wanted_ids.contains(id.as_str()) {
                    id.push_str("-was");
                }
                ids.insert(id.clone());
                self.changed.insert(at, vec![Value::plain("id", &id)]);
            }
            told.insert(at, Filled::Gone { id });
        }
    }
}

/// The values of an entry that differ from what is wanted.
fn changes(criterion: &Criterion, entry: &Entry, id: &str) -> Vec<Value> {
    let mut values = Vec::new();
    for (key, is, wanted) in [
        ("requirement", Some(criterion.requirement.as_str()), &entry.requirement),
        ("scenario", Some(criterion.scenario.as_str()), &entry.scenario),
        ("ears", criterion.ears.as_deref(), &entry.ears),
    ] {
        if is != Some(wanted.as_str()) {
            values.push(Value::quoted(key, wanted));
        }
    }
    if criterion.id != id {
        values.push(Value::plain("id", id));
    }
    values
}

/// Whether an entry said another sentence, or without one meant another scenario.
fn is_reworded(criterion: &Criterion, entry: &Entry) -> bool {
    match &criterion.ears {
        Some(ears) => *ears != entry.ears,
        None => criterion.scenario != entry.scenario,
    }
}

/// The requirement of the source that each entry belongs to.
struct Owners<'w> {
    /// As its id says: an import wrote it.
    by_id: HashMap<usize, &'w str>,
    /// As its requirement's name says.
    by_name: HashMap<usize, &'w str>,
}

impl<'w> Owners<'w> {
    fn of(known: &[Criterion], capability: &str, wanted: &'w Wanted) -> Self {
        let all = || wanted.rewritten.iter().chain(&wanted.unwritten).chain(&wanted.left);
        let prefixes: HashMap<String, &str> = all().map(|id| (criterion_id(capability, id), id.as_str())).collect();
        let numbers: HashMap<String, &str> = all().map(|id| (id.to_lowercase(), id.as_str())).collect();
        let mut owners = Self { by_id: HashMap::new(), by_name: HashMap::new() };
        for (at, criterion) in known.iter().enumerate() {
            let whole = prefixes.get(&criterion.id);
            let part = || criterion.id.rmatch_indices('.').find_map(|(dot, _)| prefixes.get(&criterion.id[..dot]));
            if let Some(owner) = whole.or_else(part) {
                owners.by_id.insert(at, owner);
            }
            let name = criterion.requirement.to_lowercase();
            let ends = name.match_indices([' ', ':', '\t']).map(|(end, _)| end).chain([name.len()]);
            if let Some(owner) = ends.into_iter().find_map(|end| numbers.get(&name[..end])) {
                owners.by_name.insert(at, owner);
            }
        }
        owners
    }

    fn of_entry(&self, at: usize) -> Option<&'w str> {
        self.by_id.get(&at).or(self.by_name.get(&at)).copied()
    }
}

/// Which entry of the file each wanted one is.
struct Claims {
    of_entries: Vec<Option<usize>>,
    taken: HashSet<usize>,
}

impl Claims {
    fn of(known: &[Criterion], owners: &Owners<'_>, wanted: &Wanted) -> Self {
        let mut claims = Self { of_entries: vec![None; wanted.written.len()], taken: HashSet::new() };
        let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut by_sentence: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut by_owner: HashMap<&str, Vec<usize>> = HashMap::new();
        let left: HashSet<&str> = wanted.left.iter().map(String::as_str).collect();
        let open: HashSet<&str> =
            wanted.written.iter().map(|entry| &entry.numbers[0]).chain(&wanted.rewritten).map(String::as_str).collect();
        for (at, criterion) in known.iter().enumerate() {
            let Some(owner) = owners.of_entry(at) else { continue };
            let is_left = left.contains(owner);
            if !is_left && !open.contains(owner) {
                continue;
            }
            if !is_left {
                by_id.entry(&criterion.id).or_default().push(at);
                by_owner.entry(owner).or_default().push(at);
            }
            // What the source no longer has stays as it is, unless its checks are needed where the sentence is now.
            if let Some(ears) = criterion.ears.as_deref().filter(|_| !is_left || !criterion.checks.is_empty()) {
                by_sentence.entry(ears).or_default().push(at);
            }
        }
        let same = |entry: &Entry| by_sentence.get(entry.ears.as_str()).map_or(&[][..], Vec::as_slice);
        claims.pass(wanted, |entry| same(entry), |entry, at| known[at].id == entry.id);
        claims.pass(wanted, |entry| same(entry), |entry, at| owners.of_entry(at) == Some(entry.numbers[0].as_str()));
        claims.pass(wanted, |entry| same(entry), |_, _| true);
        let named = |entry: &Entry| by_id.get(entry.id.as_str()).map_or(&[][..], Vec::as_slice);
        claims.pass(wanted, named, |_, _| true);
        let owned = |entry: &Entry| by_owner.get(entry.numbers[0].as_str()).map_or(&[][..], Vec::as_slice);
        let is_numbered = |entry: &Entry, at: usize| {
            let [requirement, scenario] = &entry.numbers;
            is_of(&known[at].requirement, requirement) && is_of(&known[at].scenario, scenario)
        };
        claims.pass(wanted, owned, is_numbered);
        claims
    }

    /// Gives each entry that has none yet the first free one of the file that fits.
    fn pass<'k>(
        &mut self,
        wanted: &Wanted,
        candidates: impl Fn(&Entry) -> &'k [usize],
        fits: impl Fn(&Entry, usize) -> bool,
    ) {
        for (entry, claim) in wanted.written.iter().zip(&mut self.of_entries) {
            if claim.is_none() {
                *claim = candidates(entry).iter().copied().find(|at| !self.taken.contains(at) && fits(entry, *at));
                self.taken.extend(*claim);
            }
        }
    }
}
