//! A criterion that is going to be run, and what it is run with.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::config::Config;
use crate::criteria::evidence::Keeper;
use crate::criteria::process::CheckEnvironment;
use crate::criteria::process::environment::is_given;
use crate::criteria::trivial::is_trivial;
use crate::criteria::{Check, CheckKind, CommandLine, Criterion};
use crate::gate::verify::Checks;

/// A criterion of the run.
#[derive(Debug)]
pub(in crate::gate) struct Planned {
    /// What the file says.
    pub(super) criterion: Criterion,
    /// Its project, as an index into the run's.
    pub(in crate::gate) project: usize,
    /// The project's folder as it is shown, empty at the top.
    pub(super) root: String,
    /// Whether it is base's version, in place of another one of head or of none.
    pub(super) is_of_base: bool,
    /// The sentence it stands for.
    pub(super) ears: String,
    /// The shape of that sentence.
    pub(super) pattern: Option<&'static str>,
    /// The scenario as it is written, for the judge.
    pub(super) steps: String,
    /// For each check why it proves nothing, when it does not.
    pub(super) trivial: Vec<Option<&'static str>>,
    /// Why it is not run.
    pub(super) skipped: Option<String>,
    /// Files a check relies on that differ between base and head.
    pub(super) touched: Vec<String>,
}

impl Planned {
    /// Commands of its checks.
    pub(in crate::gate) fn commands(&self) -> impl Iterator<Item = &CommandLine> {
        self.criterion.checks.iter().filter_map(|check| match &check.kind {
            CheckKind::Command(command) => Some(&command.command),
            _ => None,
        })
    }
}

/// Why a check proves nothing, when it does not.
pub(super) fn trivial(check: &Check) -> Option<&'static str> {
    let CheckKind::Command(command) = &check.kind else { return None };
    is_trivial(command)
}

/// What the checks of one project are run with.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) env: CheckEnvironment,
    pub(super) timeout: Duration,
    /// The judge's command and how long it may take.
    pub(super) judge: Option<(CommandLine, Duration)>,
    pub(super) keeper: Keeper,
    pub(super) jobs: usize,
}

impl Settings {
    pub(super) fn new(config: &Config, asked: &Checks, top: &Path) -> Self {
        let inherited = asked.inherited.iter().cloned();
        let judge = &config.judge;
        let given = |name: &OsString| name.to_str().is_some_and(|name| is_given(name, &config.checks.env));
        let values = asked.inherited.iter().filter(|(name, _)| given(name));
        let values = values.filter_map(|(_, value)| value.to_str().map(str::to_owned));
        let path = (!config.checks.path.is_empty()).then_some(config.checks.path.as_slice());
        Self {
            env: CheckEnvironment::new(inherited, &config.checks.env, top, path),
            timeout: config.checks.timeout,
            judge: (!judge.command.is_empty()).then(|| (CommandLine::Argv(judge.command.clone()), judge.timeout)),
            keeper: Keeper::new(config.max_evidence_bytes, values),
            jobs: asked.jobs.unwrap_or(config.checks.jobs).max(1),
        }
    }
}

/// A command to run: which project's settings it runs with, what, and how long it may take.
pub(super) type Key = (usize, CommandLine, Duration);

/// The different commands of all criteria that are run, in the order of their first check.
pub(super) fn commands(planned: &[Planned], settings: &[Settings]) -> (Vec<Key>, BTreeMap<Key, usize>) {
    let mut keys = Vec::new();
    let mut places = BTreeMap::new();
    for one in planned.iter().filter(|one| one.skipped.is_none()) {
        for at in 0..one.criterion.checks.len() {
            let Some(key) = key(one, at, settings) else { continue };
            places.entry(key).or_insert_with_key(|key| {
                keys.push(key.clone());
                keys.len() - 1
            });
        }
    }
    (keys, places)
}

/// What a check runs, when it is a command that proves anything.
pub(super) fn key(one: &Planned, at: usize, settings: &[Settings]) -> Option<Key> {
    let check = &one.criterion.checks[at];
    let CheckKind::Command(command) = &check.kind else { return None };
    if one.trivial[at].is_some() {
        return None;
    }
    let timeout = check.timeout.unwrap_or(settings[one.project].timeout);
    Some((one.project, command.command.clone(), timeout))
}
