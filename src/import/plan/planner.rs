//! Goes through the parts of what an import writes, one by one.

use super::texts::Texts;
use super::{Part, Plan, Target, Unplanned, criterion_id, diff};
use crate::import::model::{Criterion, Document, Requirement};
use crate::import::record::{Outcome, Record, Source};
use crate::import::steps::one_line;
use crate::import::write::block::{self, requirement_name, scenario_name};
use crate::import::write::change;
use crate::import::write::criteria::{self, Entry, Wanted};
use crate::import::write::layout::{FileKind, Layout, NOTES};
use crate::import::write::sections;

/// Files by their paths from the project's folder.
type Files = std::collections::BTreeMap<String, String>;

pub(super) struct Planner<'a> {
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

impl<'a> Planner<'a> {
    /// Begins with what an import before wrote, when there was one.
    pub fn new(
        document: &'a Document,
        target: &'a Target,
        files: &'a Files,
        source: Source,
        before: Option<Record>,
    ) -> Self {
        let mut record = before.clone().unwrap_or_else(|| Record::new(source.clone()));
        record.source = source.clone();
        Self {
            document,
            target,
            is_first: before.is_none(),
            record,
            before: before.unwrap_or_else(|| Record::new(source)),
            texts: Texts::of(files),
            plan: Plan::default(),
            wanted: Wanted::default(),
        }
    }

    /// Plans all files.
    pub fn run(mut self) -> Result<Plan, Unplanned> {
        self.spec();
        if self.target.change.is_some() {
            self.change();
        }
        self.criteria()?;
        Ok(self.finish())
    }

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
        let full_head = sections::head(document, origin);
        let is_as_written = |text: &String| Layout::of(text, kind).head() == full_head.trim();
        let is_foreign =
            before.as_ref().is_some_and(|text| !is_as_written(text)) && !self.before.parts.contains_key("head");
        let head = match kind {
            FileKind::Spec => (!is_foreign).then_some(full_head),
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
            self.entries(requirement, outcome);
            seen.push(&requirement.id);
        }
        let is_known = |id: &String| document.requirements.iter().any(|requirement| requirement.id == *id);
        let gone: Vec<String> = self.before.parts.keys().filter(|id| is_id(id) && !is_known(id)).cloned().collect();
        for name in gone {
            if layout.block(&name).is_some() {
                self.wanted.left.push(name.clone());
                let (path, outcome) = (path.to_owned(), Outcome::Gone);
                self.plan.parts.push(Part { name, path, outcome, diff: String::new() });
            } else {
                self.record.parts.remove(&name);
            }
        }
        let all = document.requirements.iter().flat_map(|requirement| &requirement.criteria);
        let ids: Vec<String> = all.map(|criterion| self.id(criterion)).collect();
        self.record.criteria.retain(|known| {
            let is_of_written =
                |id: &String| known.starts_with(&format!("{}.", criterion_id(&self.target.origin.capability, id)));
            ids.contains(known) || !self.wanted.rewritten.iter().any(is_of_written)
        });
    }

    fn id(&self, criterion: &Criterion) -> String {
        criterion_id(&self.target.origin.capability, &criterion.id)
    }

    /// The criteria of a requirement, as far as its block has the scenarios of the source.
    fn entries(&mut self, requirement: &Requirement, outcome: Outcome) {
        let is_written = outcome.is_written();
        let blocks = if is_written || outcome == Outcome::LeftDeleted {
            &mut self.wanted.rewritten
        } else {
            &mut self.wanted.unwritten
        };
        blocks.push(requirement.id.clone());
        for criterion in &requirement.criteria {
            let id = self.id(criterion);
            // An entry that somebody deleted stays deleted while its scenario is as it was.
            let is_missing = outcome == Outcome::Unchanged && !self.before.criteria.contains(&id);
            if is_written || is_missing {
                self.record.criteria.insert(id.clone());
                let ears = one_line(&criterion.sentence.replace("**", ""));
                self.wanted.written.push(Entry {
                    id,
                    numbers: [requirement.id.clone(), criterion.id.clone()],
                    requirement: requirement_name(requirement),
                    scenario: scenario_name(criterion),
                    ears: if ears.is_empty() { scenario_name(criterion) } else { ears },
                });
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
        let is_deleted = before.is_none() && !self.is_first && self.wanted.written.is_empty();
        if is_deleted || self.wanted.is_idle() && before.is_some() {
            return Ok(());
        }
        self.wanted.recorded.clone_from(&self.before.criteria);
        let edited = criteria::edit(before, &self.target.origin.capability, &self.wanted)
            .map_err(|reason| Unplanned::Criteria { path: path.clone(), reason })?;
        self.plan.added = edited.added;
        self.plan.filled = edited.filled;
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
