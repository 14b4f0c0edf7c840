//! The requirements of a main spec while operations are applied to them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::{Applied, Reason, Refusal};
use crate::openspec::delta::{Delta, Operation};
use crate::openspec::heading::{fold_name, normalise_name, requirement_name};
use crate::openspec::js;
use crate::openspec::requirement::missing_scenarios;
use crate::openspec::spec::Spec;

/// A requirement, from either side.
#[derive(Debug, Clone)]
struct Entry<'a> {
    name: String,
    raw: Cow<'a, str>,
}

/// The requirements by name, in the order in which they came, and the order they have in the file.
///
/// Names are normalised once more than where they were read, as the reference does: `Foo ### ###` is `Foo` here.
///
/// A name that stands twice in the main spec (only possible with a header the structure check does not see) means its
/// last block, and that block then takes both places, as in the reference.
pub(super) struct Blocks<'a> {
    /// By the time they came; a removed one leaves a gap.
    entries: Vec<Option<Entry<'a>>>,
    by_name: HashMap<String, usize>,
    by_fold: HashMap<String, Vec<usize>>,
    /// Names in the order of the main spec, renamed ones with their new name.
    order: Vec<String>,
    applied: Applied,
    refusals: Vec<Refusal>,
    /// Names that would be there, had their rename not been refused.
    expected: HashSet<&'a str>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(spec: &'a Spec) -> Self {
        let mut blocks = Self {
            entries: Vec::with_capacity(spec.blocks.len()),
            by_name: HashMap::new(),
            by_fold: HashMap::new(),
            order: Vec::with_capacity(spec.blocks.len()),
            applied: Applied::default(),
            refusals: Vec::new(),
            expected: HashSet::new(),
        };
        for block in &spec.blocks {
            blocks.put(&block.name, spec.raw(block).into());
            blocks.order.push(normalise_name(&block.name).to_owned());
        }
        blocks
    }

    /// The operations that changed something and the blocks in the order of the new file.
    pub(super) fn finish(self) -> Result<(Applied, Vec<String>), Vec<Refusal>> {
        if !self.refusals.is_empty() {
            return Err(self.refusals);
        }
        let raw = |at: usize| self.entries[at].as_ref().map(|entry| entry.raw.to_string());
        let kept = self.order.iter().filter_map(|name| raw(*self.by_name.get(name)?));
        let known: HashSet<&String> = self.order.iter().collect();
        let is_new = |entry: &&Entry<'_>| !known.contains(&entry.name);
        let added = self.entries.iter().flatten().filter(is_new).map(|entry| entry.raw.to_string());
        Ok((self.applied, kept.chain(added).collect()))
    }

    /// Adds a name, or gives one that is there another text.
    fn put(&mut self, name: &str, raw: Cow<'a, str>) {
        let name = normalise_name(name);
        let entry = Some(Entry { name: name.to_owned(), raw });
        if let Some(at) = self.by_name.get(name) {
            self.entries[*at] = entry;
            return;
        }
        let at = self.entries.len();
        self.entries.push(entry);
        self.by_name.insert(name.to_owned(), at);
        self.by_fold.entry(fold_name(name)).or_default().push(at);
    }

    fn take(&mut self, name: &str) -> Option<Entry<'a>> {
        let name = normalise_name(name);
        let at = self.by_name.remove(name)?;
        if let Some(list) = self.by_fold.get_mut(&fold_name(name)) {
            list.retain(|other| *other != at);
        }
        self.entries[at].take()
    }

    fn find(&self, name: &str) -> Option<&Entry<'a>> {
        self.entries[*self.by_name.get(normalise_name(name))?].as_ref()
    }

    /// A name that differs only in case or spacing.
    fn near(&self, name: &str, except: Option<&str>) -> Option<String> {
        let mut same_fold = self.by_fold.get(&fold_name(name))?.iter().filter_map(|at| self.entries[*at].as_ref());
        same_fold.find(|entry| Some(entry.name.as_str()) != except).map(|entry| entry.name.clone())
    }

    fn refuse(&mut self, line: usize, reason: Reason) {
        self.refusals.push(Refusal { line, reason });
    }

    pub(super) fn rename(&mut self, delta: &'a Delta) {
        for rename in &delta.renamed {
            let (from, to) = (&rename.from, &rename.to);
            let taken = |name| Reason::Taken(Operation::Renamed, to.clone(), name);
            if self.find(from).is_none() {
                let near = self.near(from, Some(to));
                if self.find(to).is_some() && near.is_none() {
                    continue; // Already applied.
                }
                self.expected.insert(to);
                self.refuse(rename.from_line, Reason::NotFound(Operation::Renamed, from.clone(), near));
            } else if self.find(to).is_some() {
                self.refuse(rename.to_line, taken(to.clone()));
            } else if let Some(near) = self.near(to, Some(from)) {
                self.expected.insert(to);
                self.refuse(rename.to_line, taken(near));
            } else if let Some(entry) = self.take(from) {
                let body = entry.raw.split_once('\n').map(|(_, body)| format!("\n{body}")).unwrap_or_default();
                let (from, to) = (normalise_name(from), normalise_name(to));
                self.put(to, format!("### Requirement: {to}{body}").into());
                if let Some(place) = self.order.iter_mut().find(|name| *name == from) {
                    to.clone_into(place);
                }
                self.applied.renamed += 1;
            }
        }
    }

    pub(super) fn remove(&mut self, delta: &Delta, is_new: bool) {
        for removal in &delta.removed {
            if self.take(&removal.name).is_some() {
                self.applied.removed += 1;
            } else if !is_new && let Some(near) = self.near(&removal.name, None) {
                self.refuse(removal.line, Reason::NotFound(Operation::Removed, removal.name.clone(), Some(near)));
            }
        }
    }

    pub(super) fn modify(&mut self, delta: &'a Delta) {
        for block in &delta.modified {
            let name = &block.name;
            let Some(current) = self.find(name) else {
                if !self.expected.contains(name.as_str()) {
                    let near = self.near(name, None);
                    self.refuse(block.line, Reason::NotFound(Operation::Modified, name.clone(), near));
                }
                continue;
            };
            let raw = delta.raw(block);
            let missing: Vec<String> = missing_scenarios(&current.raw, raw).into_iter().map(str::to_owned).collect();
            if requirement_name(raw.split('\n').next().unwrap_or_default()) != Some(normalise_name(name)) {
                self.refuse(block.line, Reason::NamelessHeader(name.clone()));
            } else if !missing.is_empty() {
                self.refuse(block.line, Reason::DropsScenarios(name.clone(), missing));
            } else {
                self.applied.modified += usize::from(js::trim(&current.raw) != js::trim(raw));
                self.put(name, raw.into());
            }
        }
    }

    pub(super) fn add(&mut self, delta: &'a Delta) {
        for block in &delta.added {
            let raw = delta.raw(block);
            let taken = |name| Reason::Taken(Operation::Added, block.name.clone(), name);
            if let Some(current) = self.find(&block.name) {
                // The same text is there already: applied before.
                if js::trim(&current.raw) != js::trim(raw) {
                    self.refuse(block.line, taken(block.name.clone()));
                }
            } else if let Some(near) = self.near(&block.name, None) {
                self.refuse(block.line, taken(near));
            } else {
                self.put(&block.name, raw.into());
                self.applied.added += 1;
            }
        }
    }
}
