//! Edits of files of criteria: new criteria are welcome, those that base has stay as they are.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::Sorter;
use crate::criteria::{Criterion, FileFault, Matching, Scenes, file, folder};
use crate::gate::frozen::difference;
use crate::openspec::project::Project;
use crate::rules::SpecEdit;
use crate::rules::freeze::{Reason, Unexplained};

/// An edit of a file of criteria.
pub(super) struct CriteriaChange<'a> {
    /// The project.
    pub(super) at: usize,
    pub(super) capability: String,
    pub(super) edit: &'a SpecEdit,
}

/// What is wrong with an edit: 0-based line in head's file, message, what went and came.
struct Fault {
    line: usize,
    message: String,
    evidence: Vec<String>,
}

impl<'a> Sorter<'a> {
    /// Judges edits of files of criteria. Called when edits of specs and changes are judged: where one of those is not
    /// explained, no scenario is gone for good.
    pub(super) fn criteria(&mut self, changes: &[CriteriaChange<'a>]) {
        let all_explained = self.found.unexplained.is_empty();
        for change in changes {
            let (base, head) = (self.base(change.edit), self.head(change.edit));
            let is_read = |side: &Option<_>, bytes: &Option<Vec<u8>>| side.is_some() == bytes.is_some();
            let node = &change.edit.change;
            if !is_read(&node.base, &base) || !is_read(&node.head, &head) {
                let message = format!("this file was {} and could not be read", change.edit.what());
                self.fails(change.edit, Reason::GateEdited, message);
                continue;
            }
            let project = self.project(change.at);
            let pair = Pair {
                sides: [&project.base, &project.head],
                capability: &change.capability,
                path: node.path.as_ref(),
                bytes: [&base.unwrap_or_default(), &head.unwrap_or_default()],
                is_there: [node.base.is_some(), node.head.is_some()],
                all_explained,
            };
            match pair.judge() {
                Ok(why) => self.explained(why),
                Err(faults) => {
                    for Fault { line, message, evidence } in faults {
                        let path = node.path.clone();
                        let reason = Reason::GateEdited;
                        self.found.unexplained.push(Unexplained { reason, path, line, message, evidence });
                    }
                }
            }
        }
    }
}

/// A file of criteria on both sides.
struct Pair<'p, 's> {
    /// Base and head.
    sides: [&'p Project<'s>; 2],
    capability: &'p str,
    path: &'p BStr,
    bytes: [&'p [u8]; 2],
    is_there: [bool; 2],
    /// Whether all edits of specs and changes are explained.
    all_explained: bool,
}

/// Which of base's criteria is for which scenario, by its names and by where it stands on either side.
#[derive(Default)]
struct Scenarios<'c> {
    by_names: HashMap<(&'c str, &'c str), &'c Criterion>,
    by_place: HashMap<(usize, BString, usize), &'c Criterion>,
}

/// Where a criterion's scenarios stand on a side.
fn places(side: usize, found: &Matching) -> impl Iterator<Item = (usize, BString, usize)> {
    found.found().iter().map(move |found| (side, found.path.clone(), found.scenario_line))
}

fn names(criterion: &Criterion) -> (&str, &str) {
    (&criterion.requirement, &criterion.scenario)
}

impl Pair<'_, '_> {
    /// What explains the edit.
    fn judge(&self) -> Result<&'static str, Vec<Fault>> {
        let one = |fault: Fault| vec![fault];
        let before = self.parse(0).map_err(|fault| {
            let message = format!(
                "nobody can tell whether this edit takes anything away: base's file cannot be used (line {}: {fault})",
                fault.line + 1
            );
            one(Fault { line: 0, message, evidence: Vec::new() })
        })?;
        let after = self.parse(1).map_err(|fault| {
            let message = format!("this edit leaves a file that cannot be used: {fault}");
            one(Fault { line: fault.line, message, evidence: Vec::new() })
        })?;
        // Another file of the capability makes both useless.
        if self.is_there[1]
            && let Some(Err(fault)) = folder::load(self.sides[1], self.capability).map(|file| file.outcome)
        {
            let message = format!("this edit leaves criteria that cannot be used: {fault}");
            return Err(one(Fault { line: 0, message, evidence: Vec::new() }));
        }
        self.compare(&before, &after)
    }

    fn parse(&self, side: usize) -> Result<Vec<Criterion>, FileFault> {
        if self.is_there[side] { file::parse(self.bytes[side], self.path, self.capability) } else { Ok(Vec::new()) }
    }

    fn compare(&self, before: &[Criterion], after: &[Criterion]) -> Result<&'static str, Vec<Fault>> {
        let (gone, new) = different(before, after);
        if new.is_empty() && gone.is_empty() {
            return Ok("criteria that say the same");
        }
        let scenes = self.sides.map(|project| Scenes::of(project, self.capability));
        let find = |side: usize, criterion: &Criterion| scenes[side].find(self.sides[side], criterion);
        let mut scenarios = Scenarios::default();
        for criterion in before {
            scenarios.by_names.insert(names(criterion), criterion);
            for side in [0, 1] {
                let found = find(side, criterion);
                scenarios.by_place.extend(places(side, &found).map(|place| (place, criterion)));
            }
        }
        let gone_ids: HashSet<&str> = gone.iter().map(|criterion| criterion.id.as_str()).collect();
        let new_by_id: HashMap<&str, &Criterion> = new.iter().map(|new| (new.id.as_str(), *new)).collect();
        // Whether a scenario that base had is gone from head's specs and open changes, for reasons that are explained.
        let has_no_scenario = |criterion: &Criterion| {
            let is_nowhere = match find(1, criterion) {
                Matching::NoMatch(none) => none.unread.is_empty(),
                Matching::Found(_) | Matching::Ambiguous { .. } => false,
            };
            self.all_explained && is_nowhere && !find(0, criterion).found().is_empty()
        };
        let mut faults = Vec::new();
        // Ids of criteria that head has under the name a rename gave their requirement.
        let mut renamed: HashSet<&str> = HashSet::new();
        for criterion in &new {
            let own: Vec<_> =
                [0, 1].into_iter().flat_map(|side| places(side, &find(side, criterion)).collect::<Vec<_>>()).collect();
            let by_place = || own.iter().find_map(|place| scenarios.by_place.get(place));
            let Some(was) = scenarios.by_names.get(&names(criterion)).or_else(by_place).copied() else { continue };
            if !gone_ids.contains(was.id.as_str()) {
                let message = format!(
                    "the criterion `{}` is for the scenario `{}`, for which base has `{}`",
                    criterion.id, criterion.scenario, was.id
                );
                faults.push(self.fault(None, Some((criterion, after)), message));
            } else if has_no_scenario(was) && proves_the_same(was, criterion) && renamed.insert(&was.id) {
                // The one entry goes on under another name.
            } else if was.id != criterion.id {
                let message = format!(
                    "the criterion `{}` takes the place of base's `{}` and is not the same",
                    criterion.id, was.id
                );
                faults.push(self.fault(Some((was, before)), Some((criterion, after)), message));
            }
        }
        let mut follows = false;
        for criterion in &gone {
            let now = new_by_id.get(criterion.id.as_str()).copied();
            if has_no_scenario(criterion) && (now.is_none() || renamed.contains(criterion.id.as_str())) {
                follows = true;
                continue;
            }
            let message = match now {
                Some(now) => format!("the criterion `{}` was changed: {}", criterion.id, differences(criterion, now)),
                None => format!("the criterion `{}` of the scenario `{}` is gone", criterion.id, criterion.scenario),
            };
            faults.push(self.fault(Some((criterion, before)), now.map(|now| (now, after)), message));
        }
        match (faults.is_empty(), follows) {
            (true, true) => Ok("criteria that follow what was archived"),
            (true, false) => Ok("new criteria"),
            (false, _) => Err(faults),
        }
    }

    /// A fault that shows how base has the entry, how head has it, or both.
    fn fault(
        &self,
        before: Option<(&Criterion, &[Criterion])>,
        after: Option<(&Criterion, &[Criterion])>,
        message: String,
    ) -> Fault {
        let text = |side: usize, entry: Option<(&Criterion, &[Criterion])>| {
            entry.map_or_else(BString::default, |(criterion, all)| lines_of(self.bytes[side], criterion, all))
        };
        let (line, evidence) = difference(&text(0, before), &text(1, after));
        let line = after.map_or(0, |(criterion, _)| criterion.line + line);
        Fault { line, message, evidence }
    }
}

/// The lines of an entry, up to the next one.
fn lines_of(bytes: &[u8], criterion: &Criterion, all: &[Criterion]) -> BString {
    let next = all.iter().map(|other| other.line).filter(|line| *line > criterion.line).min();
    let lines = bytes.lines_with_terminator().skip(criterion.line);
    lines.take(next.map_or(usize::MAX, |next| next - criterion.line)).collect::<Vec<_>>().concat().into()
}

/// Criteria that only base has, and that only head has. Those of one id are compared in any order.
fn different<'c>(before: &'c [Criterion], after: &'c [Criterion]) -> (Vec<&'c Criterion>, Vec<&'c Criterion>) {
    let mut left: HashMap<&str, Vec<&Criterion>> = HashMap::with_capacity(after.len());
    for criterion in after {
        left.entry(&criterion.id).or_default().push(criterion);
    }
    let mut gone = Vec::new();
    for criterion in before {
        let same_id = left.get_mut(criterion.id.as_str());
        let at = same_id.as_ref().and_then(|same_id| same_id.iter().position(|other| criterion.is_same(other)));
        match (same_id, at) {
            (Some(same_id), Some(at)) => drop(same_id.swap_remove(at)),
            _ => gone.push(criterion),
        }
    }
    let mut new: Vec<&Criterion> = left.into_values().flatten().collect();
    new.sort_by_key(|criterion| criterion.line);
    (gone, new)
}

/// Whether two entries ask for the same, whatever their names are.
fn is_same_proof(one: &Criterion, other: &Criterion) -> bool {
    one.ears == other.ears && one.has_same_checks(other)
}

/// Whether an entry under a requirement's new name is the one under its old name. An id that is not given follows the
/// name.
fn proves_the_same(was: &Criterion, is: &Criterion) -> bool {
    was.scenario == is.scenario && is_same_proof(was, is)
}

/// What two entries of one id differ in.
fn differences(was: &Criterion, is: &Criterion) -> String {
    let mut found: Vec<String> = Vec::new();
    if (&was.requirement, &was.scenario) != (&is.requirement, &is.scenario) {
        found.push(format!("it is for the scenario `{}` of `{}` now", is.scenario, is.requirement));
    }
    if was.ears != is.ears {
        found.push("its sentence is another one".to_owned());
    }
    if is.checks.len() < was.checks.len() {
        found.push(format!("it has {} checks and had {}", is.checks.len(), was.checks.len()));
    } else if !was.has_same_checks(is) {
        found.push("its checks are others".to_owned());
    }
    if found.is_empty() { "base has it twice".to_owned() } else { found.join(", ") }
}
