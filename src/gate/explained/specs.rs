//! Edits of main specs, and whether what was archived is in them.

use std::collections::{BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};

use super::history::{Event, has_file};
use super::replay::{self, Candidate, Outcome};
use super::{Sorter, open};
use crate::openspec::change::{Change, TaskFiles};
use crate::openspec::delta::Delta;
use crate::openspec::project::Project;
use crate::openspec::spec::Spec;
use crate::repo::snapshot::join;
use crate::report::{display_path, shown_line};
use crate::rules::freeze::{Reason, Unexplained};
use crate::rules::{Archived, SpecEdit};

/// An edit of a main spec.
pub(super) struct SpecChange<'a> {
    /// The project.
    pub(super) at: usize,
    pub(super) capability: BString,
    pub(super) edit: &'a SpecEdit,
}

/// Where a change's deltas come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Base's open changes: what was agreed.
    Base,
    /// What only head has, archived or open: explains nothing, but is worth naming.
    Head,
}

/// A change with its deltas.
struct Merged {
    change: Change,
    id: String,
    is_archived: bool,
}

impl Merged {
    fn candidate(&self, capability: &str) -> Option<Candidate<'_>> {
        let file = self.change.deltas.iter().find(|file| file.capability == capability)?;
        Some(Candidate {
            id: self.id.clone(),
            delta: file.delta.as_ref().ok()?,
            is_archived: self.is_archived,
            retires: self.change.metadata.valid().is_some_and(|metadata| metadata.retire_capabilities),
        })
    }
}

impl<'a> Sorter<'a> {
    /// Judges the edits of main specs, and the changes that were archived.
    pub(super) fn specs_and_archives(&mut self, changes: &[SpecChange<'a>]) {
        let mut projects: Vec<usize> =
            changes.iter().map(|change| change.at).chain(self.projects.keys().copied()).collect();
        projects.sort_unstable();
        projects.dedup();
        for at in projects {
            let mine: Vec<&SpecChange<'_>> = changes.iter().filter(|change| change.at == at).collect();
            let capabilities: Vec<String> =
                mine.iter().map(|change| change.capability.to_str_lossy().into_owned()).collect();
            let agreed = self.load(at, Origin::Base, &capabilities);
            let mut explained: HashMap<String, bool> = HashMap::new();
            let mut new = None;
            for change in mine {
                let capability = change.capability.to_str_lossy().into_owned();
                if let Some(is_explained) = self.spec(change, &capability, &agreed, &mut new, &capabilities) {
                    explained.insert(capability, is_explained);
                }
            }
            self.archives(at, &agreed, &explained);
        }
    }

    /// Changes that may explain edits of these capabilities. Only those are read that have a delta for one, and those
    /// that were archived.
    fn load(&mut self, at: usize, origin: Origin, capabilities: &[String]) -> Vec<Merged> {
        let sides = self.project(at);
        let mut loaded = Vec::new();
        let has_delta = |project: &Project<'_>, dir: &BStr| {
            capabilities.iter().any(|capability| {
                let path = join(join(join(dir, "specs").as_ref(), capability).as_ref(), "spec.md");
                project.snapshot().is_file(path.as_ref())
            })
        };
        let id_of = |name: &BString| name.to_str_lossy().into_owned();
        match origin {
            Origin::Base => {
                let archived = |id: &BString| sides.history.archive_of(id);
                // In the order of the archive, which is that of the dates; then those that are open.
                let mut ids: Vec<&BString> = sides.history.open.iter().collect();
                ids.sort_by_key(|id| (archived(id).is_none(), archived(id).map(|event| event.name.clone())));
                for id in ids {
                    let dir = join(sides.base.path("changes").as_ref(), id);
                    let is_archived = archived(id).is_some();
                    if is_archived || has_delta(&sides.base, dir.as_ref()) {
                        let change = Change::load(&sides.base, id.as_ref());
                        loaded.push(Merged { change, id: id_of(id), is_archived });
                    }
                }
            }
            Origin::Head => {
                for event in sides.history.events.iter().filter(|event| event.id.is_none()) {
                    let change = Change::load_archived(&sides.head, event.name.as_ref());
                    loaded.push(Merged { change, id: id_of(&event.name), is_archived: false });
                }
                for name in &sides.history.opened {
                    let dir = join(sides.head.path("changes").as_ref(), name);
                    if has_delta(&sides.head, dir.as_ref()) {
                        let change = Change::load(&sides.head, name.as_ref());
                        loaded.push(Merged { change, id: id_of(name), is_archived: false });
                    }
                }
            }
        }
        loaded
    }

    /// Judges an edit of a main spec. Whether changes explain it; none when it is no edit of what it says.
    fn spec(
        &mut self,
        change: &SpecChange<'_>,
        capability: &str,
        agreed: &[Merged],
        new: &mut Option<Vec<Merged>>,
        capabilities: &[String],
    ) -> Option<bool> {
        let edit = change.edit;
        let (base, head) = (self.base(edit), self.head(edit));
        let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| bytes.to_str_lossy().into_owned());
        let (old, now) = (text(&base), text(&head));
        let candidates: Vec<Candidate<'_>> = agreed.iter().filter_map(|change| change.candidate(capability)).collect();
        let outcome = replay::explain(capability, old.as_deref(), now.as_deref(), &candidates);
        if let Outcome::Explained(by) = &outcome {
            for why in by {
                self.explained(why.clone());
            }
            return Some(true);
        }
        if let Some(why) = self.unchanged(edit) {
            self.explained(why);
            return None;
        }
        if edit.change.head.is_none() {
            let moved = self.moved_to(&[edit]).map(|path| format!(": it is at {path} now")).unwrap_or_default();
            let refused = match &outcome {
                Outcome::Refused { by } => format!("; {by} does not retire the capability"),
                _ => String::new(),
            };
            self.fails(
                edit,
                Reason::CapabilityRemoved,
                format!("the capability `{capability}` is gone{moved}{refused}"),
            );
            return Some(false);
        }
        let new = new.get_or_insert_with(|| self.load(change.at, Origin::Head, capabilities));
        let unagreed: Vec<Candidate<'_>> = new.iter().filter_map(|change| change.candidate(capability)).collect();
        let in_head = replay::explain(capability, old.as_deref(), now.as_deref(), &unagreed);
        let (line, why) = match (in_head, outcome) {
            (Outcome::Explained(by), _) => {
                let by = by.join(" and ").replace("sync of ", "");
                (None, format!("only {by} explains this edit, and base does not have that change"))
            }
            (_, Outcome::Differs { by, line, expected }) => {
                let what = match expected {
                    Some(expected) => format!("would write `{}` here", shown_line(&expected)),
                    None => "would write no more than what is above".to_owned(),
                };
                (Some(line), format!("no change explains this edit; the nearest, the {by}, {what}"))
            }
            (_, Outcome::Refused { by }) => (None, format!("no change explains this edit: the {by} would be refused")),
            _ => {
                let lost = match (&base, &head) {
                    (Some(base), Some(head)) => open::lost(base, head),
                    _ => String::new(),
                };
                (None, format!("this main spec was {}, and no change on base explains it{lost}", edit.what()))
            }
        };
        let line = line.unwrap_or(edit.line);
        let (path, evidence) = (edit.change.path.clone(), edit.evidence.clone());
        self.found.unexplained.push(Unexplained { reason: Reason::DirectEdit, path, line, message: why, evidence });
        Some(false)
    }

    /// Deltas of an archived change that the base branch has otherwise by now, where it still has the change open.
    fn outdated(&self, at: usize, id: &BStr, name: &BStr) -> Vec<BString> {
        let Some(tip) = self.side.tip else { return Vec::new() };
        let project = |snapshot| Project::new(snapshot, self.side.roots[at].clone());
        let (tip_project, head_project) = (project(tip), project(self.side.head));
        let open = join(tip_project.path("changes").as_ref(), id);
        if !has_file(tip, open.as_ref(), 0) {
            return Vec::new();
        }
        let open = join(open.as_ref(), "specs");
        let archived = join(join(head_project.path("changes/archive").as_ref(), name).as_ref(), "specs");
        let theirs = deltas(&Change::load(&tip_project, id));
        let ours = deltas(&Change::load_archived(&head_project, name));
        let mut outdated = Vec::new();
        for inner in theirs.union(&ours) {
            let (path, other) = (join(archived.as_ref(), inner), join(open.as_ref(), inner));
            let is_same = match (tip.read(other.as_ref()), self.side.head.read(path.as_ref())) {
                (Ok(theirs), Ok(ours)) => open::unchanged(inner.as_ref(), &theirs, &ours).is_some(),
                _ => false,
            };
            if !is_same {
                outdated.push(path);
            }
        }
        outdated
    }

    /// Looks at what was archived: did it reach the specs, are its tasks done?
    fn archives(&mut self, at: usize, agreed: &[Merged], explained: &HashMap<String, bool>) {
        let mut events: Vec<Event> = self.project(at).history.events.clone();
        events.retain(|event| self.archives.contains(&(at, event.name.clone())));
        for event in events {
            let sides = self.project(at);
            let name = display_path(event.name.as_ref());
            let dir = join(sides.head.path("changes/archive").as_ref(), &event.name);
            let open_tasks = TaskFiles::load(&sides.head, dir.as_ref()).open();
            let mut archived = Archived { name, open_tasks, unmerged: Vec::new(), outdated: Vec::new() };
            let mut faults = Vec::new();
            let id = event.id.as_ref().map(|id| id.to_str_lossy());
            let merged = id.as_ref().and_then(|id| agreed.iter().find(|merged| merged.id == **id));
            let own;
            let change = match merged {
                Some(merged) => &merged.change,
                None => {
                    own = Change::load_archived(&sides.head, event.name.as_ref());
                    &own
                }
            };
            for file in &change.deltas {
                let Ok(delta) = &file.delta else { continue };
                if explained.get(&file.capability) == Some(&true) && merged.is_some() {
                    continue;
                }
                let Some(missing) = missing(&sides.head, &change.id, &file.capability, delta) else { continue };
                let place = join(join(join(dir.as_ref(), "specs").as_ref(), &file.capability).as_ref(), "spec.md");
                // An edit of the main spec that nothing explains is told as that.
                if event.id.is_some() && !explained.contains_key(&file.capability) {
                    faults.push(Unexplained {
                        reason: Reason::ArchiveUnmerged,
                        path: place.clone(),
                        line: 0,
                        message: format!("`{}` was archived, but {missing}", archived.name),
                        evidence: Vec::new(),
                    });
                }
                archived.unmerged.push((place, missing));
            }
            if let Some(id) = &event.id {
                archived.outdated = self.outdated(at, id.as_ref(), event.name.as_ref());
            }
            self.found.unexplained.append(&mut faults);
            self.found.archived.push(archived);
        }
    }
}

/// The delta files of a change, as paths below its `specs/`.
fn deltas(change: &Change) -> BTreeSet<BString> {
    change.deltas.iter().map(|file| format!("{}/spec.md", file.capability).into()).collect()
}

/// What the main spec of head does not have of a delta.
fn missing(head: &Project<'_>, change: &str, capability: &str, delta: &Delta) -> Option<String> {
    if !delta.has_entries() {
        return None;
    }
    let path = join(join(head.path("specs").as_ref(), capability).as_ref(), "spec.md");
    let spec = head.snapshot().read(path.as_ref()).ok().map(|bytes| bytes.to_str_lossy().into_owned());
    if replay::has_reached(capability, change, delta, spec.as_deref()) {
        return None;
    }
    let Some(spec) = spec else { return Some(format!("there is no main spec `{capability}`")) };
    let spec = Spec::parse(spec.into_bytes());
    let block = |name: &str| spec.blocks.iter().find(|block| block.name == name);
    let written = delta.added.iter().chain(&delta.modified);
    let other = written.into_iter().find_map(|wanted| match block(&wanted.name) {
        None => Some(format!("has no requirement `{}`", wanted.name)),
        Some(found) if spec.raw(found).trim() != delta.raw(wanted).trim() => {
            Some(format!("says something else in `{}`", wanted.name))
        }
        Some(_) => None,
    });
    let still =
        delta.removed.iter().map(|removal| &removal.name).chain(delta.renamed.iter().map(|rename| &rename.from));
    let other = other
        .or_else(|| still.into_iter().find(|name| block(name).is_some()).map(|name| format!("still has `{name}`")));
    let other = other.unwrap_or_else(|| "is not what this delta makes of it".to_owned());
    Some(format!("the main spec `{capability}` {other}"))
}
