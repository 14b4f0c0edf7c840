//! Judges the items of a run, in parallel when they are many.

use std::sync::atomic::Ordering;

use bstr::BString;
use rayon::prelude::*;

use super::archive_health;
use super::baseline::{self, Baselines, Recorded};
use super::criteria::Bench;
use super::doubles::drop_doubles;
use super::judge::{self, PARALLEL_FROM};
use super::left_alone::Diff;
use super::reading::configuration;
use super::shard;
use super::spec_diff;
use super::suppress::{self, Ground};
use super::verify::{Progress, Stop, Task, read_config};
use super::work::{Judged, Outcome, Work};
use crate::config::Config;
use crate::config::baseline::Baseline;
use crate::openspec::collate;
use crate::openspec::project::{Compared, Project};
use crate::repo::snapshot::Snapshot;
use crate::report::{Item, ItemKind, JudgedItem, Report, Scope, Trees, display_path};
use crate::rules::{ProjectPair, SpecEdit};

/// A run whose files are known.
pub(super) struct Run<'a> {
    pub(super) task: &'a Task,
    pub(super) progress: &'a Progress,
    pub(super) head: &'a dyn Snapshot,
    /// What it was compared with, when it was.
    pub(super) diff: Option<Diff<'a>>,
    /// Where checks look and run.
    pub(super) bench: &'a dyn Bench,
    /// What exactly is judged, as far as it is known before.
    pub(super) trees: Trees,
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
            // What is wrong with the configuration and the archive is no matter of how requirements are written.
            let is_judged = self.task.lint.is_none();
            if is_judged && (decides || self.diff.is_none() || is_edited()) {
                problems.extend(judge_configuration(project, scope.strict));
            }
            if is_judged && self.diff.is_none() && self.task.ids.is_empty() {
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
        if let Some(lint) = &self.task.lint {
            let report = self.lint(lint, scope, (&projects, &configs), &work, problems, (left_alone, edits));
            return Ok((report, Vec::new()));
        }
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
        let criteria = self.judge_criteria(&projects, &configs, &work, edits, scope.strict, &mut judged)?;
        let allowed = self.lint_judged(&projects, &configs, &work, scope.strict, &mut judged);
        let was_before = self.drop_what_was_before(&projects, edits, scope.strict, &mut judged);
        let ground = Ground {
            head: self.head,
            projects: &projects,
            configs: &configs,
            is_whole: self.diff.is_none() && self.task.ids.is_empty(),
            strict: scope.strict,
            today: self.task.today,
        };
        let mut settled = suppress::settle(&ground, Baselines::new(&baselines, self.is_recording), &mut judged);
        settled.suppressed.extend(allowed);
        settled.notes.extend(was_before);
        let recorded = std::mem::take(&mut settled.recorded);
        judged.sort_by_cached_key(|judged| {
            let item = &judged.item.item;
            (item.kind != ItemKind::Project, item.root.clone(), item.kind, collate::key(&item.id))
        });
        let mut report = self.report(scope, judged, left_alone, edits, settled, criteria);
        if let Some(shard) = self.task.shard {
            shard::keep(&mut report, shard);
        }
        Ok((report, recorded))
    }

    /// The project of head in a folder, with what it is compared with.
    fn project(&self, root: BString) -> Project<'_> {
        let Some(diff) = &self.diff else { return Project::new(self.head, root) };
        let compared = Compared {
            base: Project::new(diff.base, root.clone()),
            tip: diff.tip.map(|tip| Project::new(tip, root.clone())),
            history: diff.history,
            base_history: diff.base_history,
        };
        Project::new(self.head, root).compared_with(compared)
    }

    pub(super) fn judge_one(&self, work: &Work<'_>, strict: bool) -> Judged {
        let item = work.item();
        let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work.judge(&item)));
        let outcome = judged.unwrap_or_else(|_| Outcome::of(judge::crashed(&item, work.path().as_ref())));
        let Outcome { mut findings, title, scenarios, comments } = outcome;
        work.config().apply(&mut findings);
        findings.retain(|finding| !finding.is_echo);
        drop_doubles(&mut findings);
        findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        let verdict = judge::verdict(&findings, strict);
        let title = title.unwrap_or_else(|| item.id.to_string());
        let place = display_path(work.path().as_ref());
        Judged { item: JudgedItem { item, title, verdict }, findings, scenarios, place, comments, is_gone: false }
    }
}

/// A project's own configuration, when something is wrong with it.
fn judge_configuration(project: &Project<'_>, strict: bool) -> Option<Judged> {
    let item = Item::new(project.root(), ItemKind::Project, "configuration");
    let findings = configuration(project, &item);
    let title = "the project's configuration".to_owned();
    (!findings.is_empty()).then(|| Judged::without_scenarios(item, title, findings, strict))
}
