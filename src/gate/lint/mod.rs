//! `lint`: quality findings and scores of the requirements of a run.

mod file;
mod permitted;
mod unchanged;

use std::collections::HashMap;

use bstr::BStr;
use rayon::prelude::*;

use self::file::{Linted, Linter};
use super::judge::{self, PARALLEL_FROM};
use super::run::Run;
use super::suppress::Settled;
use super::verify::read_config;
use super::work::{Judged, Work};
use crate::config::Config;
use crate::openspec::collate;
use crate::openspec::project::Project;
use crate::report::quality::Quality;
use crate::report::{Item, Level, Reason, Report, Scope, Suppressed, Verdict};
use crate::rules::SpecEdit;

/// What `lint` is asked to do.
#[derive(Debug, Clone, Default)]
pub struct Lint {
    /// What the lowest score has to be; what is configured when not given.
    pub min_score: Option<u8>,
    /// Whether rules run that only run when they are asked for.
    pub is_pedantic: bool,
}

impl Run<'_> {
    /// Lints the items of a run, and nothing else.
    pub(super) fn lint(
        &self,
        lint: &Lint,
        scope: &Scope,
        ground: (&[Project<'_>], &[Config]),
        work: &[Work<'_>],
        problems: Vec<Judged>,
        (left_alone, edits): (usize, &[SpecEdit]),
    ) -> Report {
        let (projects, configs) = ground;
        let min_score = lint.min_score.or_else(|| self.asked_score(projects, configs));
        let mut linted = self.lint_work(work, lint.is_pedantic);
        let suppressed = permitted::let_through(self.head, ground, self.task.today, &mut linted);
        let mut judged: Vec<Judged> = Vec::new();
        let mut quality = Quality { files: Vec::new(), min_score };
        linted.sort_by_cached_key(|linted| {
            let item = &linted.item;
            (item.root.clone(), std::cmp::Reverse(item.kind), collate::key(&item.id))
        });
        for mut one in linted {
            one.score(min_score);
            // What the difference does not touch is not judged.
            let is_touched = self.diff.is_none()
                || !one.findings.is_empty()
                || one.files.iter().any(|file| !file.requirements.is_empty());
            if is_touched {
                quality.files.append(&mut one.files);
                judged.push(Judged::without_scenarios(one.item, one.title, one.findings, false));
            }
        }
        // Each of them kept something from being linted.
        judged.extend(problems);
        let settled = Settled { suppressed, ..Settled::default() };
        let mut report = self.report(scope, judged, left_alone, edits, settled, Default::default());
        let is_empty = quality.files.iter().all(|file| file.requirements.is_empty());
        if is_empty && self.diff.is_some() && !edits.is_empty() {
            report.notes.push("there is nothing to lint: no requirement differs between base and head".to_owned());
        }
        if is_empty && self.diff.is_none() && report.verdict == Verdict::Pass {
            report.reasons.push(Reason {
                message: "there is nothing to lint: no requirement in what was named".to_owned(),
                fix: "name specs or changes that have requirements, as `specward list` shows them".to_owned(),
            });
            report.verdict = Verdict::Unverifiable;
        }
        report.quality = Some(quality);
        report
    }

    /// Adds to judged items what `lint: min-score` finds in them, when it is configured.
    pub(super) fn lint_judged(
        &self,
        projects: &[Project<'_>],
        configs: &[Config],
        work: &[Work<'_>],
        strict: bool,
        judged: &mut [Judged],
    ) -> Vec<Suppressed> {
        let Some(min_score) = self.asked_score(projects, configs).filter(|_| !self.is_recording) else {
            return Vec::new();
        };
        let mut linted = self.lint_work(work, false);
        let mut suppressed = permitted::let_through(self.head, (projects, configs), self.task.today, &mut linted);
        // Of other groups `verify` takes care itself.
        suppressed.retain(|one| one.rule.starts_with("quality/"));
        let mut by_item: HashMap<Item, &mut Judged> =
            judged.iter_mut().map(|judged| (judged.item.item.clone(), judged)).collect();
        for mut one in linted {
            one.score(Some(min_score));
            let Some(judged) = by_item.get_mut(&one.item) else { continue };
            // Those of other groups are found by judging.
            judged.findings.extend(
                one.findings
                    .into_iter()
                    .filter(|finding| finding.level == Level::Error && finding.rule.starts_with("quality/")),
            );
            judged.findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
            judged.item.verdict = judge::verdict(&judged.findings, strict);
        }
        suppressed
    }

    /// What is configured: of base and head the one that asks for more, so that head cannot ask for less.
    fn asked_score(&self, projects: &[Project<'_>], configs: &[Config]) -> Option<u8> {
        let of_base = projects.iter().filter_map(|project| {
            let base = &project.compared()?.base;
            read_config(base.snapshot(), base.root()).ok()
        });
        let asked = |config: &Config| -> Option<u8> { config.lint.min_score };
        let of_base: Vec<Config> = of_base.collect();
        configs.iter().chain(&of_base).filter_map(asked).max()
    }

    fn lint_work(&self, work: &[Work<'_>], is_pedantic: bool) -> Vec<Linted> {
        let levels = levels(work);
        let one = |work: &Work<'_>| {
            let item = work.item();
            let config = levels.get(work.project().root()).unwrap_or(work.config());
            let linter = Linter { item: &item, config, is_pedantic, is_compared: self.diff.is_some() };
            let linted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| linter.lint(work)));
            linted.unwrap_or_else(|_| Linted::crashed(&item, work))
        };
        if work.len() < PARALLEL_FROM { work.iter().map(one).collect() } else { work.par_iter().map(one).collect() }
    }
}

/// What counts in projects that are compared: base's levels, where they are stricter.
fn levels<'w>(work: &'w [Work<'_>]) -> HashMap<&'w BStr, Config> {
    let mut levels: HashMap<&BStr, Config> = HashMap::new();
    for one in work {
        let project = one.project();
        if let Some(compared) = project.compared()
            && !levels.contains_key(project.root())
        {
            // A base that cannot be read configures nothing.
            let base = read_config(compared.base.snapshot(), project.root()).unwrap_or_default();
            levels.insert(project.root(), one.config().as_strict_as(&base));
        }
    }
    levels
}
