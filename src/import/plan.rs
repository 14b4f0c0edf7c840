//! What an import would write: every file as it would be afterwards, and what becomes of each part.

use std::collections::BTreeMap;

use similar::TextDiff;

use self::texts::Texts;
use super::model::{Criterion, Document, Requirement};
use super::record::{self, Outcome, Record};
use super::write::block::{self, requirement_name, scenario_name};
use super::write::change;
use super::write::criteria::{self, Entry, Uneditable, Wanted};
use super::write::layout::{FileKind, Layout, NOTES};
use super::write::sections::{self, Origin};

mod texts;

/// Lines of a diff around what differs.
const CONTEXT: usize = 2;

/// Where an import goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Capability, and the source's path as it is told.
    pub origin: Origin,
    /// The change it goes to. None for the main spec.
    pub change: Option<String>,
    /// Where the criteria are, from the project's folder.
    pub criteria_path: String,
    /// Whether there is a main spec of the capability.
    pub has_main_spec: bool,
    /// Whether edits by hand are overwritten.
    pub is_forced: bool,
}

impl Target {
    fn folder(&self) -> String {
        self.change.as_ref().map_or("openspec".to_owned(), |change| format!("openspec/changes/{change}"))
    }

    /// The spec or the delta.
    pub fn spec_path(&self) -> String {
        format!("{}/specs/{}/spec.md", self.folder(), self.origin.capability)
    }

    /// What was written before.
    pub fn record_path(&self) -> String {
        format!("{}/{}/{}.json", self.folder(), record::FOLDER, self.origin.capability)
    }

    /// All files an import may write.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = vec![self.spec_path(), self.criteria_path.clone(), self.record_path()];
        if self.change.is_some() {
            paths.extend(["proposal.md", "design.md", "tasks.md"].map(|name| format!("{}/{name}", self.folder())));
        }
        paths
    }
}

/// A file as it would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// From the project's folder.
    pub path: String,
    /// What it holds now. None when it is new.
    pub before: Option<String>,
    /// What it would hold.
    pub after: String,
}

/// A part of a file and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The requirement's id, or a word for what it is.
    pub name: String,
    /// The file it stands in.
    pub path: String,
    /// What becomes of it.
    pub outcome: Outcome,
    /// What differs between what stands there and the source. Empty when nothing is to be shown.
    pub diff: String,
}

/// What an import would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Files that would change, the record last.
    pub edits: Vec<Edit>,
    /// Parts, in order.
    pub parts: Vec<Part>,
    /// How many criteria would be added.
    pub added: usize,
    /// Ids of criteria that are gone from the source and have checks.
    pub filled: Vec<String>,
}

impl Plan {
    /// Parts the source has another text for than somebody wrote.
    pub fn kept(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.outcome == Outcome::Kept)
    }
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unplanned {
    /// The record cannot be read.
    #[error("{path}: {reason}")]
    Record {
        /// Its path.
        path: String,
        /// Why.
        reason: String,
    },
    /// The criteria cannot be edited.
    #[error("{path}: {reason}")]
    Criteria {
        /// Their path.
        path: String,
        /// Why.
        reason: Uneditable,
    },
}

/// The id of a criterion in a file of criteria.
pub fn criterion_id(capability: &str, id: &str) -> String {
    let plain =
        |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c.to_ascii_lowercase() } else { '-' };
    format!("{capability}/{}", id.chars().map(plain).collect::<String>())
}

/// Plans an import over the files that are there, by their paths from the project's folder.
///
/// # Errors
/// When a file is there that cannot be understood.
pub fn plan(document: &Document, target: &Target, files: &BTreeMap<String, String>) -> Result<Plan, Unplanned> {
    let record_path = target.record_path();
    let read =
        |text: &String| Record::parse(text).map_err(|reason| Unplanned::Record { path: record_path.clone(), reason });
    let before = files.get(&record_path).map(read).transpose()?;
    let texts = Texts::of(files);
    let mut planner = Planner {
        document,
        target,
        is_first: before.is_none(),
        record: before.clone().unwrap_or_default(),
        before: before.unwrap_or_default(),
        texts,
        plan: Plan::default(),
        wanted: Wanted::default(),
    };
    planner.spec();
    if target.change.is_some() {
        planner.change();
    }
    planner.criteria()?;
    Ok(planner.finish())
}

struct Planner<'a> {
    document: &'a Document,
    target: &'a Target,
    /// Whether nothing was imported before.
    is_first: bool,
    before: Record,
    record: Record,
    texts: Texts<'a>,
    plan: Plan,
    wanted: Wanted,
}

impl Planner<'_> {
    /// Decides about a part and remembers what was decided.
    fn part(&mut self, name: &str, path: &str, current: Option<&str>, new: &str) -> Outcome {
        let recorded = self.before.parts.get(name).map(String::as_str);
        let outcome = Outcome::of(current, recorded, new, self.target.is_forced);
        match outcome.recorded(recorded, new) {
            Some(digest) => self.record.parts.insert(name.to_owned(), digest),
            None => self.record.parts.remove(name),
        };
        let is_shown = matches!(outcome, Outcome::Updated | Outcome::Kept | Outcome::Overwritten);
        let diff = if is_shown { diff(current.unwrap_or_default(), new) } else { String::new() };
        self.plan.parts.push(Part { name: name.to_owned(), path: path.to_owned(), outcome, diff });
        outcome
    }

    /// The spec or the delta.
    fn spec(&mut self) {
        let (document, origin) = (self.document, &self.target.origin);
        let path = self.target.spec_path();
        let is_delta = self.target.change.is_some();
        let kind = if is_delta { FileKind::Delta } else { FileKind::Spec };
        let before = self.texts.get(&path).map(str::to_owned);
        let is_foreign = before.is_some() && !self.before.parts.contains_key("head");
        let head = match kind {
            FileKind::Spec => (!is_foreign).then(|| sections::head(document, origin)),
            FileKind::Delta => {
                (!is_foreign && !self.target.has_main_spec).then(|| sections::delta_head(document, origin))
            }
        };
        let start = match (&before, &head, kind) {
            (Some(text), _, _) => text.clone(),
            (None, Some(head), FileKind::Spec) => format!("{head}\n\n## Requirements\n"),
            (None, Some(head), FileKind::Delta) => format!("{head}\n\n## ADDED Requirements\n"),
            (None, None, FileKind::Spec) => "## Requirements\n".to_owned(),
            (None, None, FileKind::Delta) => "## ADDED Requirements\n".to_owned(),
        };
        let mut layout = Layout::of(&start, kind);
        if let Some(head) = head {
            let current = before.as_ref().map(|_| layout.head().to_owned());
            // A head is never missing: a spec whose title and purpose were emptied was edited.
            if self.part("head", &path, current.as_deref(), &head).is_written() && before.is_some() {
                layout.set_head(&head);
            }
        }
        self.blocks(&path, &mut layout, before.is_some());
        if !is_delta {
            self.notes(&path, &mut layout, is_foreign, before.is_some());
        }
        self.texts.set(&path, layout.written());
    }

    fn blocks(&mut self, path: &str, layout: &mut Layout, is_there: bool) {
        let mut seen: Vec<&str> = Vec::new();
        let document = self.document;
        for requirement in &document.requirements {
            let new = block::requirement(requirement);
            let current = layout.block(&requirement.id).map(str::to_owned);
            // With the whole file gone nothing was deleted from it.
            if !is_there {
                self.before.parts.remove(&requirement.id);
            }
            let outcome = self.part(&requirement.id, path, current.as_deref(), &new);
            if outcome.is_written() {
                layout.set_block(&requirement.id, &new, &seen);
            }
            self.entries(requirement, outcome, current.as_deref());
            seen.push(&requirement.id);
        }
        let is_known = |id: &String| document.requirements.iter().any(|requirement| requirement.id == *id);
        let gone: Vec<String> = self.before.parts.keys().filter(|id| is_id(id) && !is_known(id)).cloned().collect();
        for name in gone {
            if layout.block(&name).is_some() {
                let (path, outcome) = (path.to_owned(), Outcome::Gone);
                self.plan.parts.push(Part { name, path, outcome, diff: String::new() });
            } else {
                self.record.parts.remove(&name);
            }
        }
    }

    /// The criteria of a requirement, as far as its block has the scenarios of the source.
    fn entries(&mut self, requirement: &Requirement, outcome: Outcome, current: Option<&str>) {
        let capability = &self.target.origin.capability;
        let id = |criterion: &Criterion| criterion_id(capability, &criterion.id);
        let is_written = outcome.is_written();
        for criterion in &requirement.criteria {
            let id = id(criterion);
            // An entry that somebody deleted stays deleted while its scenario is as it was.
            let is_missing = outcome == Outcome::Unchanged && !self.before.criteria.contains(&id);
            if is_written || is_missing {
                self.record.criteria.insert(id.clone());
                self.wanted.written.push(Entry {
                    id,
                    requirement: requirement_name(requirement),
                    scenario: scenario_name(criterion),
                    ears: one_line(&criterion.sentence.replace("**", "")),
                });
            }
        }
        // Scenarios that stood in the block and no longer do.
        if let Some(current) = current.filter(|_| is_written) {
            let all = self.document.requirements.iter().flat_map(|requirement| &requirement.criteria);
            let ids: Vec<String> = all.map(id).collect();
            let prefix = format!("{}.", criterion_id(capability, &requirement.id));
            let was = self.before.criteria.iter().filter(|known| known.starts_with(&prefix) && !ids.contains(known));
            let gone: Vec<String> = was.cloned().collect();
            for id in gone {
                if current.contains("#### ") {
                    self.record.criteria.remove(&id);
                    self.wanted.gone.push(id);
                }
            }
        }
    }

    fn notes(&mut self, path: &str, layout: &mut Layout, is_foreign: bool, is_there: bool) {
        let name = "notes";
        let has_own = layout.section(NOTES[1]).is_some();
        let is_taken = is_foreign && layout.section(NOTES[0]).is_some() && !self.before.parts.contains_key(name);
        let heading = if has_own || is_taken { NOTES[1] } else { NOTES[0] };
        if !is_there {
            self.before.parts.remove(name);
        }
        match sections::notes(self.document, is_foreign) {
            Some(new) => {
                let current = layout.section(heading).map(str::to_owned);
                if self.part(name, path, current.as_deref(), &new).is_written() {
                    layout.set_section(heading, &new);
                }
            }
            None if self.before.parts.contains_key(name) && layout.section(heading).is_some() => {
                let (name, path, outcome) = (name.to_owned(), path.to_owned(), Outcome::Gone);
                self.plan.parts.push(Part { name, path, outcome, diff: String::new() });
            }
            None => {
                self.record.parts.remove(name);
            }
        }
    }

    /// The files around a change's delta.
    fn change(&mut self) {
        let (document, origin, folder) = (self.document, &self.target.origin, self.target.folder());
        let proposal = change::proposal(document, origin, !self.target.has_main_spec);
        self.whole(&format!("{folder}/proposal.md"), "proposal.md", &proposal);
        if let Some(design) = change::design(document, origin) {
            self.whole(&format!("{folder}/design.md"), "design.md", &design);
        }
        let path = format!("{folder}/tasks.md");
        let tasks = change::tasks(document);
        let before = self.texts.get(&path).map(str::to_owned);
        let unticked = before.as_deref().map(change::unticked);
        if self.part("tasks.md", &path, unticked.as_deref(), &tasks).is_written() {
            self.texts.set(&path, change::with_ticks(&tasks, before.as_deref().unwrap_or_default(), document));
        }
    }

    fn whole(&mut self, path: &str, name: &str, new: &str) {
        let current = self.texts.get(path).map(str::to_owned);
        if self.part(name, path, current.as_deref(), new).is_written() {
            self.texts.set(path, new.to_owned());
        }
    }

    fn criteria(&mut self) -> Result<(), Unplanned> {
        let path = self.target.criteria_path.clone();
        let before = self.texts.original(&path);
        let is_idle = self.wanted == Wanted::default();
        if is_idle && (before.is_some() || !self.is_first) {
            return Ok(());
        }
        let edited = criteria::edit(before, &self.target.origin.capability, &self.wanted)
            .map_err(|reason| Unplanned::Criteria { path: path.clone(), reason })?;
        self.plan.added = edited.added;
        self.plan.filled = edited.kept;
        self.texts.set_original(&path, edited.text);
        Ok(())
    }

    fn finish(mut self) -> Plan {
        self.texts.set(&self.target.record_path(), self.record.render());
        self.plan.edits = self.texts.edits();
        // The record says what was written, so it comes last.
        let record = self.target.record_path();
        self.plan.edits.sort_by_key(|edit| edit.path == record);
        self.plan
    }
}

/// Whether a part is a requirement.
fn is_id(part: &str) -> bool {
    part != "head" && part != "notes" && !part.ends_with(".md")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What differs between two texts, in the form patches have.
pub fn diff(before: &str, after: &str) -> String {
    let ended =
        |text: &str| if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let (before, after) = (ended(before), ended(after));
    TextDiff::from_lines(&before, &after).unified_diff().context_radius(CONTEXT).to_string()
}

#[cfg(test)]
mod tests;
