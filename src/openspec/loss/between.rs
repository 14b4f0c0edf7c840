//! What a main spec lost between base and head, apart from what deltas say.

use std::collections::{HashMap, HashSet};

use super::parts::Parts;
use super::words::Words;
use super::{Elsewhere, Loss, LostScenario, compare};
use crate::openspec::delta::Delta;
use crate::openspec::heading::fold_name;
use crate::openspec::requirement::Block;
use crate::openspec::spec::Spec;

/// From this likeness on a requirement with another name is the old one, renamed by hand.
const RENAMED: f64 = 0.6;

/// What a main spec lost.
#[derive(Debug, Default)]
pub struct SpecLoss {
    /// Requirements that are gone: name and 0-based line in base.
    pub requirements: Vec<(String, usize)>,
    /// What those that stay lost.
    pub blocks: Vec<KeptBlock>,
}

/// A requirement that stays and lost something.
#[derive(Debug)]
pub struct KeptBlock {
    /// Its name in head.
    pub name: String,
    /// 0-based line in base.
    pub old_line: usize,
    /// 0-based line in head.
    pub new_line: usize,
    /// What is gone. A scenario that stands under another name is not.
    pub loss: Loss,
    /// Scenarios that a delta's MODIFIED block leaves out, as head does.
    pub left_out: Vec<LostScenario>,
}

impl SpecLoss {
    /// Whether nothing is gone.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty() && self.blocks.is_empty()
    }
}

/// Compares the requirements of base with head's. `deltas` are those that may have changed the spec: a requirement they
/// remove may go, one they rename has its new name, and what their MODIFIED blocks leave out may go too. Scenarios among
/// that are told on their own: MODIFIED cannot drop one.
pub fn between(base: &Spec, head: Option<&Spec>, deltas: &[&Delta], elsewhere: &Elsewhere) -> SpecLoss {
    let mut found = SpecLoss::default();
    let heads: &[Block] = head.map(|spec| spec.blocks.as_slice()).unwrap_or_default();
    let by_name: HashMap<&str, &Block> = heads.iter().map(|block| (block.name.as_str(), block)).collect();
    let old_names: HashSet<&str> = base.blocks.iter().map(|block| block.name.as_str()).collect();
    let mut fresh: Vec<Fresh<'_>> = heads
        .iter()
        .filter(|block| !old_names.contains(block.name.as_str()))
        .map(|block| Fresh { block, words: head.map(|head| words(head.raw(block))).unwrap_or_default() })
        .collect();
    let removed: HashSet<String> =
        deltas.iter().flat_map(|delta| &delta.removed).map(|removal| fold_name(&removal.name)).collect();
    for old in &base.blocks {
        let names = names(&old.name, deltas);
        if names.iter().any(|name| removed.contains(&fold_name(name))) {
            continue;
        }
        let raw = base.raw(old);
        let same = names.iter().rev().find_map(|name| by_name.get(name).copied());
        let new = match (same, head) {
            (Some(new), _) => Some(new),
            (None, Some(_)) => renamed(raw, old, &mut fresh),
            (None, None) => None,
        };
        let (Some(new), Some(head)) = (new, head) else {
            if !elsewhere.has_most(raw) {
                found.requirements.push((old.name.clone(), old.line));
            }
            continue;
        };
        let mut loss = compare(raw, head.raw(new), elsewhere);
        loss.scenarios.retain(|scenario| scenario.renamed.is_none());
        let is_this = |block: &&Block| names.contains(&block.name.as_str()) || block.name == new.name;
        let modified: Vec<&str> = deltas
            .iter()
            .flat_map(|delta| delta.modified.iter().filter(is_this).map(|block| delta.raw(block)))
            .collect();
        let mut left_out = Vec::new();
        if !loss.is_empty() {
            modified.iter().for_each(|text| excuse(&mut loss, &compare(raw, text, elsewhere), &mut left_out));
        }
        if !loss.is_empty() || !left_out.is_empty() {
            let (old_line, new_line) = (old.line, new.line);
            found.blocks.push(KeptBlock { name: new.name.clone(), old_line, new_line, loss, left_out });
        }
    }
    found
}

/// A requirement's name, and those the deltas give it, in their order. Renames in a circle end the search.
fn names<'a>(name: &'a str, deltas: &[&'a Delta]) -> Vec<&'a str> {
    let mut names = vec![name];
    let mut at = 0;
    while let Some(name) = names.get(at).copied() {
        let renames = deltas.iter().flat_map(|delta| &delta.renamed).filter(|rename| rename.from == name);
        for rename in renames {
            if !names.contains(&rename.to.as_str()) {
                names.push(&rename.to);
            }
        }
        at += 1;
    }
    names
}

/// A requirement whose name base does not have.
struct Fresh<'h> {
    block: &'h Block,
    words: Words,
}

/// All words of a block.
fn words(raw: &str) -> Words {
    Words::union(Parts::of(raw).units().map(|unit| &unit.words))
}

/// The new requirement that is an old one under another name.
fn renamed<'h>(raw: &str, old: &Block, fresh: &mut Vec<Fresh<'h>>) -> Option<&'h Block> {
    if fresh.is_empty() {
        return None;
    }
    if let Some(at) = fresh.iter().position(|other| fold_name(&other.block.name) == fold_name(&old.name)) {
        return Some(fresh.remove(at).block);
    }
    let old = words(raw);
    let scored = fresh.iter().enumerate().map(|(at, other)| (old.likeness(&other.words), at));
    let (score, at) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (score >= RENAMED && !old.is_empty()).then(|| fresh.remove(at).block)
}

/// Takes out what a delta leaves out too.
fn excuse(loss: &mut Loss, said: &Loss, left_out: &mut Vec<LostScenario>) {
    let dropped: HashSet<(&str, usize)> =
        said.scenarios.iter().map(|scenario| (scenario.name.as_str(), scenario.line)).collect();
    left_out
        .extend(loss.scenarios.extract_if(.., |scenario| dropped.contains(&(scenario.name.as_str(), scenario.line))));
    let texts = |pieces: &[super::Piece]| pieces.iter().map(|piece| piece.text.clone()).collect::<HashSet<_>>();
    let steps: HashMap<&str, HashSet<String>> =
        said.steps.iter().map(|lost| (lost.scenario.as_str(), texts(&lost.steps))).collect();
    for lost in &mut loss.steps {
        if let Some(said) = steps.get(lost.scenario.as_str()) {
            lost.steps.retain(|step| !said.contains(&step.text));
        }
    }
    loss.steps.retain(|lost| !lost.steps.is_empty());
    for (lost, said) in [
        (&mut loss.sentences, texts(&said.sentences)),
        (&mut loss.rows, texts(&said.rows)),
        (&mut loss.notes, texts(&said.notes)),
    ] {
        lost.retain(|piece| !said.contains(&piece.text));
    }
    let weakened: HashSet<(&str, &super::Weakening)> =
        said.weakened.iter().map(|weakened| (weakened.old.as_str(), &weakened.how)).collect();
    loss.weakened.retain(|one| !weakened.contains(&(one.old.as_str(), &one.how)));
}
