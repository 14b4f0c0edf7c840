//! Judges the items of a run in parallel and adds up the report.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bstr::{BStr, BString};
use rayon::prelude::*;

use super::affected::Affected;
use super::archive_health;
use super::baseline::{self, Baselines, Recorded};
use super::judge::{self, PARALLEL_FROM};
use super::left_alone::Diff;
use super::spec_diff;
use super::suppress::{self, Ground, Settled};
use super::verify::{Progress, RunError, Stop, Task, read_config, unverifiable};
use super::work::{Judged, Outcome, Work};
use crate::config::Config;
use crate::config::baseline::Baseline;
use crate::openspec::collate;
use crate::openspec::discovery::not_entered;
use crate::openspec::project::{Compared, Project};
use crate::repo::changes::ChangeKind;
use crate::repo::snapshot::{Kind, ReadError, Snapshot, join};
use crate::report::{Finding, Item, ItemKind, JudgedItem, Reason, Report, Scope, Verdict, count, display_path};
use crate::rules::{self, Check, DiffView, Freeze, Place, ProjectPair, Sink, SpecEdit};

/// A run whose files are known.
pub(super) struct Run<'a> {
    pub(super) task: &'a Task,
    pub(super) progress: &'a Progress,
    pub(super) head: &'a dyn Snapshot,
    /// What it was compared with, when it was.
    pub(super) diff: Option<Diff<'a>>,
    /// Whether what a baseline could hold is wanted.
    pub(super) is_recording: bool,
}

impl Run<'_> {
    /// The report, and what a baseline of each project could hold when that is wanted.
    pub(super) fn judge(
        &self,
        scope: &mut Scope,
        roots: Vec<BString>,
        edits: &[SpecEdit],
    ) -> Result<(Report, Vec<Recorded>), Stop> {
        scope.roots = roots
            .iter()
            .map(|root| if root.is_empty() { ".".to_owned() } else { display_path(root.as_ref()) })
            .collect();
        let configs: Vec<Config> =
            roots.iter().map(|root| read_config(self.head, root.as_ref())).collect::<Result<_, _>>()?;
        scope.strict |= configs.iter().any(|config| config.strict);
        let projects: Vec<Project<'_>> = roots.into_iter().map(|root| self.project(root)).collect();
        let baselines: Vec<Option<Baseline>> =
            projects.iter().map(|project| baseline::read(self.head, project)).collect::<Result<_, _>>()?;
        let (mut work, mut problems) = (Vec::new(), Vec::new());
        for (project, config) in projects.iter().zip(&configs) {
            let selected = self.select(project, config, edits, &mut problems);
            // `config.yaml` decides how changes are read; a whole tree is judged with it, changes or not.
            let decides = selected.iter().any(|work| matches!(work, Work::Change(..)));
            let is_edited = || edits.iter().any(|edit| Some(&edit.change.path) == project.config_path().as_ref());
            if decides || self.diff.is_none() || is_edited() {
                problems.extend(judge_configuration(project, scope.strict));
            }
            if self.diff.is_none() && self.task.ids.is_empty() {
                problems.extend(archive_health::judge(project, config, scope.strict));
            }
            work.extend(selected);
        }
        let total = self
            .diff
            .as_ref()
            .map_or(work.len(), |diff| projects.iter().map(|project| diff.count(project.folder())).sum());
        self.restrict(&mut work)?;
        let left_alone = total.saturating_sub(work.len());
        self.progress.total.store(work.len(), Ordering::Relaxed);
        let one = |work: &Work<'_>| {
            let judged = self.judge_one(work, scope.strict);
            self.progress.done.fetch_add(1, Ordering::Relaxed);
            judged
        };
        let mut judged: Vec<Judged> = if work.len() < PARALLEL_FROM {
            work.iter().map(one).collect()
        } else {
            work.par_iter().map(one).collect()
        };
        judged.extend(problems);
        let pair = |head| -> Option<ProjectPair<'_>> {
            let head: &Project<'_> = head;
            Some(ProjectPair { base: &head.compared()?.base, head })
        };
        let pairs: Vec<ProjectPair<'_>> = projects.iter().filter_map(pair).collect();
        for (pair, config) in pairs.iter().zip(&configs) {
            spec_diff::judge(pair, config, edits, &self.task.ids, scope.strict, &mut judged);
        }
        judged.extend(self.judge_diff(edits, scope.strict, &pairs, &configs));
        judged.extend(self.judge_unreadable(edits));
        let ground = Ground {
            head: self.head,
            projects: &projects,
            configs: &configs,
            is_whole: self.diff.is_none() && self.task.ids.is_empty(),
            strict: scope.strict,
            today: self.task.today,
        };
        let mut settled = suppress::settle(&ground, Baselines::new(&baselines, self.is_recording), &mut judged);
        let recorded = std::mem::take(&mut settled.recorded);
        judged.sort_by_cached_key(|judged| {
            let item = &judged.item.item;
            (item.kind != ItemKind::Project, item.root.clone(), item.kind, collate::key(&item.id))
        });
        Ok((self.report(scope, judged, left_alone, edits, settled), recorded))
    }

    /// The project of head in a folder, with what it is compared with.
    fn project(&self, root: BString) -> Project<'_> {
        let Some(diff) = &self.diff else { return Project::new(self.head, root) };
        let compared = Compared {
            base: Project::new(diff.base, root.clone()),
            tip: diff.tip.map(|tip| Project::new(tip, root.clone())),
            history: diff.history,
        };
        Project::new(self.head, root).compared_with(compared)
    }

    /// The items of a project that are to be judged.
    fn select<'p>(
        &self,
        project: &'p Project<'p>,
        config: &'p Config,
        edits: &[SpecEdit],
        problems: &mut Vec<Judged>,
    ) -> Vec<Work<'p>> {
        let affected = match &self.diff {
            Some(diff) => {
                let paths = edits.iter().flat_map(|edit| diff.names(edit.change.path.as_ref())).collect::<Vec<_>>();
                Affected::by(project, paths.iter().map(|path| path.as_ref()))
            }
            None => Affected { all: true, ..Affected::default() },
        };
        if !affected.all {
            // Only what the diff names is looked at: how many other items there are must not matter.
            let mut work: Vec<Work<'p>> = Vec::new();
            for name in affected.changes.into_iter().filter(|name| !name.starts_with(b".")) {
                let path = join(project.path("changes").as_ref(), &name);
                match self.head.kind(path.as_ref()) {
                    Ok(Kind::Dir) => work.push(Work::Change(project, config, name)),
                    Ok(Kind::Link) => problems.extend(
                        not_entered(self.head, path.as_ref()).map(|error| self.linked_change(project, path, &error)),
                    ),
                    _ => {}
                }
            }
            for id in &affected.specs {
                match project.spec_at(id.as_ref()) {
                    Some(file) => work.push(Work::Spec(project, config, file)),
                    None => problems.extend(self.odd_spec(project, id.as_ref())),
                }
            }
            return work;
        }
        let names = project.change_names().unwrap_or_else(|error| {
            problems.push(self.unreadable_folder(project, project.path("changes"), &error));
            Vec::new()
        });
        for (path, error) in project.specs().unreadable.iter().chain(&project.specs().odd) {
            problems.push(self.unreadable_folder(project, path.clone(), error));
        }
        for (path, error) in project.linked_changes() {
            problems.push(self.linked_change(project, path, &error));
        }
        let mut work: Vec<Work<'p>> = names.into_iter().map(|name| Work::Change(project, config, name)).collect();
        work.extend(project.specs().files.iter().map(|file| Work::Spec(project, config, Arc::clone(file))));
        work
    }

    /// Keeps the items that were named.
    fn restrict(&self, work: &mut Vec<Work<'_>>) -> Result<(), Stop> {
        if self.task.ids.is_empty() {
            return Ok(());
        }
        let names: Vec<Item> = work.iter().map(Work::item).collect();
        for id in &self.task.ids {
            if !names.iter().any(|item| item.is_called(id)) {
                if self.diff.is_some() {
                    let message = format!("`{id}` is not among the items that the diff touches");
                    return Err(unverifiable(message, "leave the name out, or verify it without `--changed`"));
                }
                let near = crate::gate::nearest(id, names.iter().map(|item| item.id.to_string()));
                let hint = if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) };
                return Err(RunError::UnknownItem(id.clone(), hint).into());
            }
        }
        work.retain(|work| self.task.ids.iter().any(|id| work.item().is_called(id)));
        Ok(())
    }

    fn judge_one(&self, work: &Work<'_>, strict: bool) -> Judged {
        let item = work.item();
        let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work.judge(&item)));
        let outcome = judged.unwrap_or_else(|_| Outcome::of(judge::crashed(&item, work.path().as_ref())));
        let Outcome { mut findings, title, scenarios, comments } = outcome;
        work.config().apply(&mut findings);
        findings.retain(|finding| !finding.is_echo);
        findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        let verdict = judge::verdict(&findings, strict);
        let title = title.unwrap_or_else(|| item.id.to_string());
        let place = display_path(work.path().as_ref());
        Judged { item: JudgedItem { item, title, verdict }, findings, scenarios, place, comments, is_gone: false }
    }

    /// Rules about the difference itself.
    fn judge_diff(
        &self,
        edits: &[SpecEdit],
        strict: bool,
        projects: &[ProjectPair<'_>],
        configs: &[Config],
    ) -> Option<Judged> {
        let diff = self.diff.as_ref()?;
        let count_edits = match diff.freeze {
            Freeze::Off => 0,
            Freeze::Explained => diff.explained.unexplained.len(),
            Freeze::Strict => edits.iter().filter(|edit| !edit.is_ticking).count(),
        };
        if count_edits == 0 && diff.explained.archived.is_empty() {
            return None;
        }
        let (id, title) = match diff.freeze {
            Freeze::Off => ("archived-changes", count(diff.explained.archived.len(), "change") + " archived"),
            Freeze::Strict => ("frozen-spec", count(count_edits, "file") + " of the spec set edited"),
            Freeze::Explained => ("frozen-spec", count(count_edits, "edit") + " of the spec set not explained"),
        };
        let item = Item::new(BStr::new(""), ItemKind::Project, id);
        let mut findings = Vec::new();
        let (unexplained, archived) = (&diff.explained.unexplained, &diff.explained.archived);
        let view = DiffView { edits, projects, freeze: diff.freeze, unexplained, archived };
        for rule in rules::all() {
            if let Check::Diff(check) = rule.check {
                check(&view, &mut Sink::new(rule, &item, BStr::new(""), None, &mut findings));
            }
        }
        // The freeze itself is not for whoever is judged to configure.
        let (mut findings, mut others): (Vec<Finding>, Vec<Finding>) =
            findings.into_iter().partition(|finding| finding.rule.starts_with("freeze/"));
        for (project, config) in projects.iter().zip(configs) {
            let folder = format!("{}/", display_path(project.head.folder()));
            let (mut mine, rest) = others.into_iter().partition(|finding: &Finding| finding.path.starts_with(&folder));
            config.apply(&mut mine);
            findings.append(&mut mine);
            others = rest;
        }
        findings.append(&mut others);
        findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        (!findings.is_empty()).then(|| Judged::without_scenarios(item, title, findings, strict))
    }

    /// What head has in the spec set and nobody can read was not judged, frozen or not.
    fn judge_unreadable(&self, edits: &[SpecEdit]) -> Option<Judged> {
        // What a submodule holds is in another repository.
        let is_submodule =
            |edit: &&SpecEdit| edit.change.head.as_ref().is_some_and(|node| node.kind == Kind::Submodule);
        let unreadable = edits.iter().filter(|edit| edit.change.kind == ChangeKind::Unreadable || is_submodule(edit));
        let item = Item::new(BStr::new(""), ItemKind::Project, "unreadable");
        let mut findings = Vec::new();
        for edit in unreadable {
            let problem = edit.change.head.as_ref().and_then(|node| node.problem.clone());
            let error = problem.map_or(ReadError::NotAFile, ReadError::Io);
            judge::report_unreadable(&item, edit.change.path.as_ref(), "file", &error, &mut findings);
        }
        let title = format!("{} could not be read", count(findings.len(), "file"));
        (!findings.is_empty()).then(|| Judged::without_scenarios(item, title, findings, true))
    }

    /// What lies where a touched spec should be and is no file. Nothing there is a deletion, which is no fault of itself.
    fn odd_spec(&self, project: &Project<'_>, id: &BStr) -> Option<Judged> {
        let path = join(join(project.path("specs").as_ref(), id).as_ref(), "spec.md");
        let error = match self.head.followed_kind(path.as_ref()) {
            Ok(Kind::Dir) => ReadError::IsADirectory,
            Ok(_) => ReadError::NotAFile,
            Err(ReadError::Missing | ReadError::NotADirectory) => return None,
            Err(error) => error,
        };
        Some(self.unreadable_folder(project, path, &error))
    }

    /// A link where an open change belongs. Whatever it leads to (which an index read in part does not tell), it cannot
    /// be archived.
    fn linked_change(&self, project: &Project<'_>, path: BString, error: &ReadError) -> Judged {
        if !matches!(error, ReadError::LinkedFolder | ReadError::Dangling(_)) {
            return self.unreadable_folder(project, path, error);
        }
        let item = Item::new(project.root(), ItemKind::Project, &display_path(path.as_ref()));
        let mut findings = Vec::new();
        let place = Place { file: path.as_ref(), line: 0, anchor: "file", text: None };
        Sink::new(&rules::merge::linked_change::RULE, &item, path.as_ref(), None, &mut findings).report_at(
            place,
            "this change is a symbolic link, so it was not judged, and archiving would refuse it",
            "put the folder itself in place of the link",
        );
        Judged::without_scenarios(item, "a link in place of a change".to_owned(), findings, true)
    }

    fn unreadable_folder(&self, project: &Project<'_>, path: BString, error: &ReadError) -> Judged {
        let item = Item::new(project.root(), ItemKind::Project, &display_path(path.as_ref()));
        let mut findings = Vec::new();
        judge::report_unreadable(&item, path.as_ref(), "file", error, &mut findings);
        Judged::without_scenarios(item, "could not be read".to_owned(), findings, true)
    }

    fn report(
        &self,
        scope: &Scope,
        judged: Vec<Judged>,
        left_alone: usize,
        edits: &[SpecEdit],
        settled: Settled,
    ) -> Report {
        let mut reasons = Vec::new();
        let mut notes = settled.notes;
        if judged.is_empty() {
            match &self.diff {
                None => reasons.push(Reason {
                    message: "there is nothing to judge: no spec and no open change".to_owned(),
                    fix: "run specward where `openspec/` has specs or changes".to_owned(),
                }),
                Some(_) if edits.is_empty() => notes.push("no spec or change differs between base and head".to_owned()),
                Some(_) => notes.push("what differs belongs to no spec and no open change of head".to_owned()),
            }
        }
        notes.extend(
            self.diff
                .as_ref()
                .filter(|diff| diff.freeze == Freeze::Explained)
                .map(|diff| diff.explained.notes())
                .unwrap_or_default(),
        );
        let worst = judged.iter().map(|judged| judged.item.verdict).fold(Verdict::Pass, Verdict::worst);
        let verdict = if reasons.is_empty() { worst } else { worst.worst(Verdict::Unverifiable) };
        let changed_paths =
            edits.iter().filter(|edit| !edit.is_ticking).map(|edit| display_path(edit.change.path.as_ref())).collect();
        let mut report = Report {
            scope: scope.clone(),
            verdict,
            items: Vec::with_capacity(judged.len()),
            left_alone,
            findings: Vec::new(),
            reasons,
            spec_changes: self.diff.as_ref().map(|_| changed_paths),
            notes,
            suppressed: settled.suppressed,
            baselined: settled.baselined,
            scenarios: judged.iter().map(|judged| judged.scenarios).sum(),
        };
        for judged in judged {
            report.items.push(judged.item);
            report.findings.extend(judged.findings);
        }
        report
    }
}

/// A project's own configuration, when something is wrong with it.
fn judge_configuration(project: &Project<'_>, strict: bool) -> Option<Judged> {
    let item = Item::new(project.root(), ItemKind::Project, "configuration");
    let findings = judge::configuration(project, &item);
    let title = "the project's configuration".to_owned();
    (!findings.is_empty()).then(|| Judged::without_scenarios(item, title, findings, strict))
}
