//! `--frozen-spec=explained`: sorts edits of the spec set into those the workflow explains and those it does not.
//!
//! Each side (work tree or head commit, index, commit below the work tree) is judged as a whole with its own files, since
//! what explains an edit of one file is often another file: an archived change explains the edit of a main spec.

mod adopted;
mod criteria;
mod gate_files;
mod gate_settings;
mod history;
mod open;
mod order;
mod place;
mod replay;
mod sides;
mod specs;
mod tasks;

use std::collections::{BTreeMap, HashMap, HashSet};

use bstr::{BStr, BString};

pub(super) use gate_files::paths as gate_paths;
pub(crate) use place::{Place, place};
pub(super) use sides::Asked;

/// Files that hold hooks.
pub(crate) mod hook_files {
    pub(crate) use super::gate_files::{inside, is_disarmed, is_one, mentions};
}

use self::criteria::CriteriaChange;
use self::history::{Event, History, has_file};
use self::open::{Fault, FilePair};
use self::place::is_delta;
use self::specs::SpecChange;
use super::frozen::Link;
use crate::config;
use crate::openspec::artifacts;
use crate::openspec::change::TaskFiles;
use crate::openspec::project::{FOLDER, Project};
use crate::openspec::schema::BUILT_IN;
use crate::repo::changes::ChangeKind;
use crate::repo::snapshot::{Kind, Snapshot, join};
use crate::report::{count, display_path};
use crate::rules::freeze::{Reason, Unexplained};
use crate::rules::{Archived, SpecEdit};

/// What explaining the edits of a side came to.
#[derive(Debug, Default)]
pub(super) struct Explained {
    /// Edits that nothing makes legitimate.
    pub(super) unexplained: Vec<Unexplained>,
    /// Changes that were archived.
    pub(super) archived: Vec<Archived>,
    /// How many edits each explanation covers.
    explanations: BTreeMap<String, usize>,
}

impl Explained {
    /// What is told of edits that pass.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = |(why, number): (&String, &usize)| format!("{} explained: {why}", count(*number, "edit"));
        self.explanations.iter().map(note).collect()
    }
}

/// One side of a comparison, against base.
struct Side<'a> {
    base: &'a dyn Snapshot,
    /// What the base branch has by now, when that is something else.
    tip: Option<&'a dyn Snapshot>,
    head: &'a dyn Snapshot,
    roots: &'a [BString],
    links: &'a [Link],
    /// Whether base has no project at all, so that nothing was agreed yet.
    is_first: bool,
    edits: &'a [SpecEdit],
}

/// Sorts the edits of a side.
fn explain(side: &Side<'_>) -> Explained {
    let mut sorter = Sorter {
        side,
        projects: HashMap::new(),
        specs: BTreeMap::new(),
        criteria: Vec::new(),
        groups: BTreeMap::new(),
        archives: HashSet::new(),
        found: Explained::default(),
    };
    for edit in side.edits {
        sorter.edit(edit);
    }
    sorter.finish()
}

/// A project on both sides.
struct BothProjects<'a> {
    base: Project<'a>,
    head: Project<'a>,
    history: History,
    /// Files with tasks of base's open changes that were looked at.
    task_files: HashMap<BString, HashSet<BString>>,
    /// Files that the schemas of base's open changes ask for before these are implemented.
    planned: HashMap<BString, HashSet<BString>>,
}

/// Edits that are told once for a whole folder: project, folder, reason, what happened.
type Group = (usize, BString, &'static str);

struct Sorter<'a> {
    side: &'a Side<'a>,
    projects: HashMap<usize, BothProjects<'a>>,
    /// Edits of main specs, by project and capability.
    specs: BTreeMap<(usize, BString), &'a SpecEdit>,
    /// Edits of files of criteria.
    criteria: Vec<CriteriaChange<'a>>,
    groups: BTreeMap<Group, (Reason, String, Vec<&'a SpecEdit>)>,
    /// Archived changes that came with these edits, by project and name; base may have others by now.
    archives: HashSet<(usize, BString)>,
    found: Explained,
}

impl<'a> Sorter<'a> {
    fn edit(&mut self, edit: &'a SpecEdit) {
        let change = &edit.change;
        match change.kind {
            ChangeKind::Unreadable | ChangeKind::ModeChanged => {
                return self.fails(edit, Reason::Other, format!("this frozen file was {}", edit.what()));
            }
            ChangeKind::TypeChanged => {
                return self.fails(edit, Reason::LinkSwap, format!("this was {}", edit.what()));
            }
            _ => {}
        }
        let is_odd = |kind: Kind| !kind.is_file();
        if [&change.base, &change.head].into_iter().flatten().any(|node| is_odd(node.kind)) {
            let kind = change.head.as_ref().or(change.base.as_ref()).map(|node| node.kind);
            let what = if kind == Some(Kind::Submodule) { "a submodule" } else { "a link" };
            return self.fails(edit, Reason::LinkSwap, format!("{what} in the spec set was {}", edit.what()));
        }
        if self.side.is_first && change.base.is_none() {
            return self.explained("the first specs there are");
        }
        let path = self.side.links.iter().find_map(|link| link.name(change.path.as_ref()));
        let path = path.unwrap_or_else(|| change.path.clone());
        let Some((at, place)) = place(path.as_ref(), self.side.roots) else {
            let is_config = path.ends_with(format!("{FOLDER}/{}", config::FILE).as_bytes());
            return self.plain(edit, if is_config { Reason::GateEdited } else { Reason::Other });
        };
        match place {
            Place::Spec { capability } => {
                self.specs.insert((at, capability), edit);
            }
            Place::SpecsOther => self.plain(edit, Reason::DirectEdit),
            Place::Open { change, inner } => self.open(edit, at, &change, &inner),
            Place::Archived { change, inner } => self.archived(edit, at, &change, &inner),
            Place::ChangesOther => self.explained("notes beside the changes"),
            Place::Settings => self.plain(edit, Reason::MetadataEdited),
            Place::Criteria { capability } => self.criteria.push(CriteriaChange { at, capability, edit }),
            Place::Gate if self.is_adopted(edit, at) => self.explained("specward is set up"),
            Place::Gate => self.plain(edit, Reason::GateEdited),
        }
    }

    fn explained(&mut self, why: impl Into<String>) {
        *self.found.explanations.entry(why.into()).or_default() += 1;
    }

    fn fails(&mut self, edit: &SpecEdit, reason: Reason, message: impl Into<String>) {
        self.found.unexplained.push(Unexplained {
            reason,
            path: edit.change.path.clone(),
            line: edit.line,
            message: message.into(),
            evidence: edit.evidence.clone(),
        });
    }

    /// A file whose only legitimate edit is that of white space.
    fn plain(&mut self, edit: &SpecEdit, reason: Reason) {
        match self.unchanged(edit) {
            Some(why) => self.explained(why),
            None => self.fails(edit, reason, format!("this file was {}", edit.what())),
        }
    }

    fn unchanged(&self, edit: &SpecEdit) -> Option<&'static str> {
        let path: &BStr = edit.change.path.as_ref();
        open::unchanged(path, &self.base(edit)?, &self.head(edit)?)
    }

    fn base(&self, edit: &SpecEdit) -> Option<Vec<u8>> {
        edit.change.base.as_ref().and_then(|_| self.side.base.read(edit.change.path.as_ref()).ok())
    }

    fn head(&self, edit: &SpecEdit) -> Option<Vec<u8>> {
        edit.change.head.as_ref().and_then(|_| self.side.head.read(edit.change.path.as_ref()).ok())
    }

    fn project(&mut self, at: usize) -> &mut BothProjects<'a> {
        let side = self.side;
        self.projects.entry(at).or_insert_with(|| {
            let root = side.roots[at].clone();
            let (base, head) = (Project::new(side.base, root.clone()), Project::new(side.head, root));
            let history = History::of(&base, &head);
            BothProjects { base, head, history, task_files: HashMap::new(), planned: HashMap::new() }
        })
    }

    /// An edit of `changes/<change>/<inner>`.
    fn open(&mut self, edit: &'a SpecEdit, at: usize, change: &BString, inner: &BString) {
        let project = self.project(at);
        if !project.history.open.contains(change) {
            let shown = display_path(change.as_ref());
            return match project.history.alike(change).map(display_path) {
                Some(other) => {
                    let message =
                        format!("the new change `{shown}` differs from `{other}` only in upper and lower case");
                    self.group(edit, at, change, "alike", Reason::ChangeDeleted, message);
                }
                None if project.base.snapshot().followed_kind(project.base.folder()).is_err()
                    && !self.side.is_first =>
                {
                    let message = "base has no such `openspec/`, and has another one";
                    self.group(edit, at, &BString::from(FOLDER), "another", Reason::Other, message.to_owned());
                }
                None => self.explained(format!("new change `{shown}`")),
            };
        }
        let head_dir = join(project.head.path("changes").as_ref(), change);
        if edit.change.head.is_none() && !has_file(project.head.snapshot(), head_dir.as_ref(), 0) {
            let archive = project.history.archive_of(change).map(|event| event.name.clone());
            let Some(archive) = archive else {
                let message = format!("the open change `{}` was deleted", display_path(change.as_ref()));
                return self.group(edit, at, change, "deleted", Reason::ChangeDeleted, message);
            };
            let moved = join(join(project.head.path("changes/archive").as_ref(), &archive).as_ref(), inner);
            if project.head.snapshot().is_file(moved.as_ref()) {
                // Compared where it is now.
                return self.explained(format!("archive of `{}`", display_path(change.as_ref())));
            }
            return self.change_file(edit, at, change, inner, true);
        }
        self.change_file(edit, at, change, inner, false);
    }

    /// An edit of `changes/archive/<name>/<inner>`.
    fn archived(&mut self, edit: &'a SpecEdit, at: usize, name: &BString, inner: &BString) {
        if edit.change.base.is_none() {
            self.archives.insert((at, name.clone()));
        }
        let project = self.project(at);
        let shown = display_path(name.as_ref());
        match project.history.event(name).cloned() {
            Some(Event { id: Some(id), .. }) => self.change_file(edit, at, &id, inner, true),
            Some(Event { id: None, .. }) => {
                let dir = join(project.head.path("changes/archive").as_ref(), name);
                if has_file(project.head.snapshot(), join(dir.as_ref(), "specs").as_ref(), 0) {
                    let message = format!("`{shown}` was put into the archive without having been open on base");
                    self.group(edit, at, name, "added", Reason::HistoryEdited, message);
                } else {
                    self.explained(format!("archived change `{shown}`, which demands nothing"));
                }
            }
            None if edit.change.base.is_none() && name.is_empty() => self.explained("notes beside the changes"),
            None => match self.unchanged(edit) {
                Some(why) => self.explained(why),
                None => {
                    let message = format!("the archived change `{shown}` was edited");
                    self.group(edit, at, name, "edited", Reason::HistoryEdited, message);
                }
            },
        }
    }

    /// A file of a change that is open on base, where it is or in the archive.
    fn change_file(&mut self, edit: &'a SpecEdit, at: usize, id: &BString, inner: &BString, is_archived: bool) {
        let was = join(join(self.project(at).base.path("changes").as_ref(), id).as_ref(), inner);
        let base = if is_archived { self.side.base.read(was.as_ref()).ok() } else { self.base(edit) };
        let head = self.head(edit);
        let is_tasks = self.is_task_file(at, id, inner, &was);
        let is_planned = !is_tasks && self.is_planned(at, id, &was);
        let default_schema = self.project(at).base.configured_schema().unwrap_or(BUILT_IN).to_owned();
        let file = FilePair {
            inner: inner.as_ref(),
            base: base.as_deref(),
            head: head.as_deref(),
            is_archived,
            is_tasks,
            is_planned,
            default_schema: &default_schema,
        };
        match open::judge(&file) {
            Ok(_) if is_archived => self.explained(format!("archive of `{}`", display_path(id.as_ref()))),
            Ok(why) => self.explained(why),
            Err(faults) => {
                for fault in faults {
                    self.fault(edit, fault, base.as_deref(), head.as_deref());
                }
            }
        }
    }

    fn fault(&mut self, edit: &SpecEdit, fault: Fault, base: Option<&[u8]>, head: Option<&[u8]>) {
        let (line, evidence) = match fault.line {
            Some(line) => (line, fault.evidence),
            None => super::frozen::difference(base.unwrap_or_default(), head.unwrap_or_default()),
        };
        let (reason, message, path) = (fault.reason, fault.message, edit.change.path.clone());
        self.found.unexplained.push(Unexplained { reason, path, line, message, evidence });
    }

    fn is_task_file(&mut self, at: usize, id: &BString, inner: &BString, was: &BString) -> bool {
        if *inner == "tasks.md" || inner.ends_with(b"/tasks.md") {
            return true;
        }
        if is_delta(inner.as_ref()) || *inner == "proposal.md" {
            return false;
        }
        let project = self.project(at);
        if !project.task_files.contains_key(id) {
            let dir = join(project.base.path("changes").as_ref(), id);
            let files = TaskFiles::load(&project.base, dir.as_ref());
            let paths = files.documents.into_iter().map(|document| document.path).collect();
            project.task_files.insert(id.clone(), paths);
        }
        project.task_files.get(id).is_some_and(|paths| paths.contains(was))
    }

    /// Whether a file is one that a schema of the project's own asks for. Notes on the design may change on the way.
    fn is_planned(&mut self, at: usize, id: &BString, was: &BString) -> bool {
        let project = self.project(at);
        if !project.planned.contains_key(id) {
            let dir = join(project.base.path("changes").as_ref(), id);
            let snapshot = project.base.snapshot();
            let mut files = HashSet::new();
            let name = artifacts::schema_name(&project.base, &artifacts::metadata(snapshot, dir.as_ref()));
            if let Ok(name) = name
                && project.base.own_schema_path(&name).is_some()
                && let Ok(schema) = project.base.schema(&name).as_ref()
            {
                for artifact in schema.planned().into_iter().filter(|artifact| artifact.id != "design") {
                    files.extend(artifacts::outputs(snapshot, dir.as_ref(), &artifact.generates).unwrap_or_default());
                }
            }
            project.planned.insert(id.clone(), files);
        }
        project.planned.get(id).is_some_and(|files| files.contains(was))
    }

    fn group(
        &mut self,
        edit: &'a SpecEdit,
        at: usize,
        folder: &BString,
        what: &'static str,
        reason: Reason,
        message: String,
    ) {
        let group = self.groups.entry((at, folder.clone(), what));
        group.or_insert_with(|| (reason, message, Vec::new())).2.push(edit);
    }

    fn finish(mut self) -> Explained {
        let spec_edits = std::mem::take(&mut self.specs);
        for (_, (reason, message, edits)) in std::mem::take(&mut self.groups) {
            // The deltas are what matters most, and a file stands for the rest.
            let first = edits.iter().find(|edit| edit.change.path.ends_with(b"/spec.md")).or(edits.first());
            let Some(first) = first else { continue };
            let rest = edits.len() - 1;
            let others = if rest > 0 { format!(" (this file and {rest} more)") } else { String::new() };
            let moved = self.moved_to(&edits).map(|path| format!("; it is at {path} now")).unwrap_or_default();
            self.fails(first, reason, format!("{message}{others}{moved}"));
        }
        let changes: Vec<SpecChange<'a>> =
            spec_edits.into_iter().map(|((at, capability), edit)| SpecChange { at, capability, edit }).collect();
        self.specs_and_archives(&changes);
        let criteria = std::mem::take(&mut self.criteria);
        self.criteria(&criteria);
        let order = |edit: &Unexplained| (edit.path.clone(), edit.line);
        self.found.unexplained.sort_by_key(order);
        self.found
    }

    /// Where the content of deleted files is on head.
    fn moved_to(&self, edits: &[&SpecEdit]) -> Option<String> {
        let gone = edits.iter().filter(|edit| edit.change.head.is_none()).filter_map(|edit| edit.change.base.as_ref());
        let gone: HashSet<_> = gone.map(|node| node.id).collect();
        let is_it = |edit: &&SpecEdit| {
            edit.change.base.is_none() && edit.change.head.as_ref().is_some_and(|node| gone.contains(&node.id))
        };
        let to = self.side.edits.iter().find(is_it)?;
        Some(display_path(to.change.path.as_ref()))
    }
}
