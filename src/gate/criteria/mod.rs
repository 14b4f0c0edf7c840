//! The criteria of a run: which are judged, in which version, and what running them comes to.

mod bench;
mod choose;
mod plan;
mod rules;
mod run;
mod touched;
mod trust;

pub(super) use bench::{Bench, ComparedBench, TreeBench, digest_beyond};
pub(super) use plan::Planned;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use bstr::BString;

use self::choose::Chooser;
use self::plan::Settings;
use self::touched::Reliance;
use super::run::Run;
use super::shard;
use super::verify::{RunError, Stop, read_config};
use super::work::{Judged, Work};
use crate::config::{Config, CriteriaConfig, RunScope};
use crate::criteria::{Check, CheckKind};
use crate::digest::sha256;
use crate::openspec::project::Project;
use crate::repo::changes::FileChange;
use crate::report::{CriterionResult, display_path};
use crate::rules::{Freeze, SpecEdit};

/// What the criteria of a run came to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Criteria in the order of projects and files.
    pub(super) results: Vec<CriterionResult>,
    /// Scenarios of judged main specs that have a check.
    pub(super) covered: usize,
    /// What a reader should know.
    pub(super) notes: Vec<String>,
    /// Digest of what was run.
    pub(super) digest: Option<String>,
    /// Git's name for the files on disk when checks ran.
    pub(super) files: Option<String>,
}

impl Run<'_> {
    /// Runs the criteria of the judged items. What is wrong with their files goes to `judged`.
    pub(super) fn judge_criteria(
        &self,
        projects: &[Project<'_>],
        configs: &[Config],
        work: &[Work<'_>],
        edits: &[SpecEdit],
        strict: bool,
        judged: &mut Vec<Judged>,
    ) -> Result<Outcome, Stop> {
        let mut outcome = Outcome::default();
        if self.is_recording {
            return Ok(outcome);
        }
        let mut planned: Vec<Planned> = Vec::new();
        let mut configured: Vec<Config> = Vec::new();
        let mut covered: BTreeSet<(usize, Vec<u8>, usize)> = BTreeSet::new();
        let mut all_ids: Vec<String> = Vec::new();
        // What the checks look at is mostly outside of the specs, and no name in a check tells all of it.
        let differs = OnceCell::new();
        let differs_beyond = || {
            let folders: Vec<BString> = projects.iter().map(|project| project.folder().to_owned()).collect();
            self.bench.differs_beyond(&folders)
        };
        for (at, (project, config)) in projects.iter().zip(configs).enumerate() {
            let of_checks = self.config_of_checks(project, config);
            let CriteriaConfig { require, run } = of_checks.criteria;
            configured.push(of_checks);
            let is_affected = || run == RunScope::Affected && *differs.get_or_init(differs_beyond);
            let chooser = Chooser::new(self, project, at, work, edits, require, &is_affected);
            let Some(chooser) = chooser else { continue };
            let mut chosen = chooser.choose(self.only());
            judged.extend(chooser.judge_files(&chosen, config, strict));
            covered.extend(chosen.covered.drain(..).map(|(path, line)| (at, path, line)));
            outcome.notes.append(&mut chosen.notes);
            all_ids.append(&mut chosen.ids);
            planned.append(&mut chosen.planned);
        }
        all_ids.sort();
        all_ids.dedup();
        self.check_only(&all_ids)?;
        outcome.covered = covered.len();
        if self.task.checks.is_off {
            for one in &mut planned {
                one.skipped = Some("--no-checks".to_owned());
            }
        }
        if planned.is_empty() {
            return Ok(outcome);
        }
        let runs_any = planned.iter().any(|one| one.skipped.is_none() && !one.criterion.checks.is_empty());
        if let Some(check) = self.task.checks.inside.as_ref().filter(|_| runs_any) {
            return Err(RunError::Recursion(check.clone()).into());
        }
        outcome.notes.extend(self.find_touched(&mut planned));
        // Whether head's files lie on disk takes reading them all: only asked where a program is started.
        let starts_a_program = |check: &Check| matches!(check.kind, CheckKind::Command(_) | CheckKind::Judge(_));
        let mut run = planned.iter().filter(|one| one.skipped.is_none());
        let folder = match run.any(|one| one.criterion.checks.iter().any(starts_a_program)) {
            true => self.bench.folder().unwrap_or_default(),
            false => PathBuf::new(),
        };
        let settings: Vec<Settings> =
            configured.iter().map(|config| Settings::new(config, &self.task.checks, &folder)).collect();
        if runs_any {
            outcome.files = self.bench.digest();
        }
        outcome.digest = Some(digest(&planned));
        judged.extend(touched::judge(projects, configs, &planned, strict));
        if let Some(shard) = self.task.shard {
            let mut is_own = shard::is_own(&planned, shard).into_iter();
            planned.retain(|_| is_own.next().unwrap_or_default());
        }
        outcome.results = run::run(&planned, &settings, self.bench, self.task, self.progress);
        Ok(outcome)
    }

    fn only(&self) -> Option<&[String]> {
        let only = self.task.checks.only.as_slice();
        (!only.is_empty()).then_some(only)
    }

    /// A criterion that was named and is nowhere is a spelling mistake, and would be a check nobody runs.
    fn check_only(&self, known: &[String]) -> Result<(), Stop> {
        let Some(unknown) = self.task.checks.only.iter().find(|id| !known.contains(id)) else { return Ok(()) };
        let near = super::nearest(unknown, known.iter().cloned());
        let hint = if near.is_empty() {
            "; there is no criterion".to_owned()
        } else {
            format!("; nearest: {}", near.join(", "))
        };
        Err(RunError::UnknownCriterion(unknown.clone(), hint).into())
    }

    /// The configuration checks run with. When edits are frozen that is base's: whoever is judged must not choose the
    /// judge, the programs or how long they may take. Of the two demands for checks the stricter one counts.
    fn config_of_checks(&self, project: &Project<'_>, head: &Config) -> Config {
        let frozen = self.diff.as_ref().filter(|diff| diff.freeze != Freeze::Off);
        let Some(diff) = frozen else { return head.clone() };
        let is_there = diff.base.kind(project.folder()).is_ok();
        match read_config(diff.base, project.root()) {
            Ok(base) if is_there => {
                let mut config = base;
                config.criteria.require = config.criteria.require.max(head.criteria.require);
                config.criteria.run = config.criteria.run.max(head.criteria.run);
                config
            }
            _ => head.clone(),
        }
    }

    /// Finds out which files that checks name differ between base and head. Says so when nobody can tell.
    fn find_touched(&self, planned: &mut [Planned]) -> Option<String> {
        self.diff.as_ref()?;
        let reliances: Vec<Vec<Reliance>> =
            planned.iter().map(|one| one.criterion.checks.iter().map(Reliance::of).collect()).collect();
        let mut paths: Vec<_> = reliances.iter().flatten().flat_map(|reliance| reliance.compared().cloned()).collect();
        paths.sort();
        paths.dedup();
        if paths.is_empty() {
            return None;
        }
        let changes = match self.bench.differing(&paths)? {
            Ok(changes) => changes,
            Err(error) => return Some(format!("what checks rely on could not be compared with base: {error}")),
        };
        for (one, reliances) in planned.iter_mut().zip(&reliances) {
            let is_relied_on = |change: &&FileChange| reliances.iter().any(|reliance| reliance.has(change));
            let touched = changes.iter().filter(is_relied_on);
            let mut shown: Vec<String> = touched.map(|change| display_path(change.path.as_ref())).collect();
            shown.sort();
            shown.dedup();
            one.touched = shown;
        }
        None
    }
}

/// A name for what was run: who has the same one ran the same checks.
fn digest(planned: &[Planned]) -> String {
    let mut text = String::new();
    for one in planned {
        let criterion = &one.criterion;
        // The shape of the types is part of the name: two versions of the program need not agree on it.
        text += &format!(
            "{}\0{}\0{}\0{}\0{:?}\0{:?}\n",
            one.root, criterion.id, criterion.requirement, criterion.scenario, criterion.ears, criterion.checks
        );
    }
    sha256(text.as_bytes())
}
