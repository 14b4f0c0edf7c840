//! Which changes are tried as the ones that were merged into a spec, and in which order.

use std::collections::{HashMap, HashSet};

use super::replay::Candidate;
use crate::openspec::delta::Delta;
use crate::openspec::reflow;
use crate::openspec::spec::Spec;

/// Ways of putting changes together that are tried for one spec. Real archives need one or two.
const MAX_ATTEMPTS: usize = 300;

/// Text that is merged at most while they are tried, in bytes: a big spec gets fewer attempts.
const MAX_WORK: usize = 24 * 1024 * 1024;

/// Attempts however big the spec is.
const MIN_ATTEMPTS: usize = 6;

/// Changes of which every order is tried; of more only those that what they need from one another allows.
const MAX_PERMUTED: usize = 4;

/// Open changes of which every selection is tried; of more all of them, each one and each pair.
const MAX_SELECTED: usize = 6;

/// Sequences to try: every archived change, and those of the open ones that left something in head.
pub(super) fn orders(base: Option<&str>, head: Option<&str>, candidates: &[Candidate<'_>]) -> Vec<Vec<usize>> {
    let specs = Both { base: Blocks::of(base), head: Blocks::of(head) };
    let needed: HashSet<&str> = candidates.iter().flat_map(|candidate| needs(candidate.delta)).collect();
    let (archived, open): (Vec<usize>, Vec<usize>) = (0..candidates.len()).partition(|at| candidates[*at].is_archived);
    let open: Vec<usize> = open.into_iter().filter(|at| specs.may_have(candidates[*at].delta, &needed)).collect();
    let size = base.map_or(0, str::len).max(head.map_or(0, str::len)).max(1);
    let mut orders: Vec<Vec<usize>> = Vec::new();
    let mut work = 0;
    for chosen in selections(&open) {
        let set: Vec<usize> = archived.iter().copied().chain(chosen).collect();
        let mut ways = Vec::new();
        if !set.is_empty() {
            ways.push(specs.sorted(candidates, set.clone()));
            ways.push(specs.sorted(candidates, set.iter().rev().copied().collect()));
        }
        if set.len() <= MAX_PERMUTED {
            permute(&mut set.clone(), 0, &mut ways);
        }
        for way in ways {
            if orders.len() >= MAX_ATTEMPTS || work > MAX_WORK && orders.len() >= MIN_ATTEMPTS {
                return orders;
            }
            if !orders.contains(&way) && !way.is_empty() {
                work += way.len() * size;
                orders.push(way);
            }
        }
    }
    orders
}

/// None, all, then from few to many.
fn selections(open: &[usize]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(), open.to_vec()];
    if open.len() <= MAX_SELECTED {
        let mut masks: Vec<u32> = (1..1_u32 << open.len()).collect();
        masks.sort_by_key(|mask| mask.count_ones());
        let chosen = |mask: u32| {
            let is_in = |at: &usize| mask & (1 << at) != 0;
            (0..open.len()).filter(is_in).map(|at| open[at]).collect()
        };
        found.extend(masks.into_iter().map(chosen));
    } else {
        found.extend(open.iter().map(|at| vec![*at]));
        let pairs = open.iter().enumerate().flat_map(|(at, one)| open[at + 1..].iter().map(|other| vec![*one, *other]));
        found.extend(pairs.take(MAX_ATTEMPTS));
    }
    found
}

fn permute(set: &mut Vec<usize>, from: usize, orders: &mut Vec<Vec<usize>>) {
    if from + 1 >= set.len() {
        orders.push(set.clone());
        return;
    }
    for at in from..set.len() {
        set[from..=at].rotate_right(1);
        permute(set, from + 1, orders);
        set[from..=at].rotate_left(1);
    }
}

/// Names of requirements that have to be there for a delta.
fn needs(delta: &Delta) -> impl Iterator<Item = &str> {
    let modified = delta.modified.iter().map(|block| block.name.as_str());
    modified.chain(takes(delta))
}

/// Names that are there before a delta and not after it.
fn takes(delta: &Delta) -> impl Iterator<Item = &str> {
    let removed = delta.removed.iter().map(|removal| removal.name.as_str());
    removed.chain(delta.renamed.iter().map(|rename| rename.from.as_str()))
}

/// Names that a delta brings.
fn brings(delta: &Delta) -> impl Iterator<Item = &str> {
    let added = delta.added.iter().map(|block| block.name.as_str());
    added.chain(delta.renamed.iter().map(|rename| rename.to.as_str()))
}

/// The requirements of a spec by name.
struct Blocks(HashMap<String, String>);

impl Blocks {
    fn of(text: Option<&str>) -> Self {
        let Some(text) = text else { return Self(HashMap::new()) };
        let spec = Spec::parse(text.as_bytes().to_vec());
        Self(spec.blocks.iter().map(|block| (block.name.clone(), spec.raw(block).trim().to_owned())).collect())
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// A spec on both sides.
struct Both {
    base: Blocks,
    head: Blocks,
}

impl Both {
    /// Whether head may have been made with a delta: something differs where it says so, or another one builds on it.
    fn may_have(&self, delta: &Delta, needed: &HashSet<&str>) -> bool {
        let is_brought = |name: &str| !self.base.has(name) && (self.head.has(name) || needed.contains(name));
        let differs = |name: &str| self.base.0.get(name) != self.head.0.get(name);
        // Gone, or removed and added anew.
        let is_taken = |name: &str| self.base.has(name) && differs(name);
        brings(delta).any(is_brought)
            || takes(delta).any(is_taken)
            || delta.modified.iter().any(|block| differs(&block.name))
            || delta.added.iter().any(|block| self.base.has(&block.name) && differs(&block.name))
    }

    /// A set of changes in an order in which each finds what it needs, and in which the last one that writes a
    /// requirement is the one whose text head has. What nothing decides stays in the given order.
    fn sorted(&self, candidates: &[Candidate<'_>], mut left: Vec<usize>) -> Vec<usize> {
        let facts: HashMap<usize, Facts<'_>> = left.iter().map(|at| (*at, self.facts(candidates[*at].delta))).collect();
        let mut sorted = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let is_free =
                |at: &usize| !left.iter().any(|other| other != at && self.precedes(&facts[other], &facts[at]));
            // Those that wait for one another in a circle go as they came.
            let next = left.iter().position(is_free).unwrap_or(0);
            sorted.push(left.remove(next));
        }
        sorted
    }

    fn facts<'d>(&self, delta: &'d Delta) -> Facts<'d> {
        let is_last =
            |name: &str, raw: &str| self.head.0.get(name).is_some_and(|head| reflow::is_same(head, raw.trim()));
        Facts {
            brings: brings(delta).collect(),
            takes: takes(delta).collect(),
            modifies: delta
                .modified
                .iter()
                .map(|block| (block.name.as_str(), is_last(&block.name, delta.raw(block))))
                .collect(),
        }
    }

    fn precedes(&self, one: &Facts<'_>, other: &Facts<'_>) -> bool {
        let needs = |facts: &Facts<'_>, name: &str| facts.modifies.contains_key(name) || facts.takes.contains(name);
        let brings_it = one.brings.iter().any(|name| !self.base.has(name) && needs(other, name));
        // A name is free once who has it is gone.
        let frees_it = one.takes.iter().any(|name| self.base.has(name) && other.brings.contains(name));
        let is_before = |(name, is_last): (&&str, &bool)| {
            other.takes.contains(name) || !is_last && other.modifies.get(name) == Some(&true)
        };
        brings_it || frees_it || one.modifies.iter().any(is_before)
    }
}

/// What a delta does, by names.
struct Facts<'d> {
    brings: HashSet<&'d str>,
    takes: HashSet<&'d str>,
    /// With whether head has that very text.
    modifies: HashMap<&'d str, bool>,
}
