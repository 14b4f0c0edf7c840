//! The one model everybody reads: findings, verdicts, the report of a run.

use std::path::PathBuf;
use std::sync::Arc;

use bstr::BStr;
use serde::{Deserialize, Serialize};

mod criterion;
pub mod criterion_v1;
mod finding;
pub mod joined;
pub mod lint_v1;
pub mod merge_v1;
pub mod quality;
pub mod render;
mod shard;
mod text;
pub mod v1;
mod verdict;

pub use criterion::{CheckResult, CriterionResult, Evidence};
pub use finding::{Finding, Level};
pub use quality::Quality;
pub use shard::Shard;
pub use text::{count, criteria, display_path, escape_hidden, shortened, shown_line, unmistakable, visible};
pub use verdict::{Counts, Verdict};

/// Whether an item is a main spec or a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// A change, open or archived.
    Change,
    /// A main spec.
    Spec,
    /// Nothing smaller than the project: configuration, the diff as a whole.
    Project,
}

impl ItemKind {
    /// `change`, `spec` or `project`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Spec => "spec",
            Self::Project => "project",
        }
    }
}

/// Something that is judged. Cheap to clone: every finding carries its item.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Item {
    /// The project's folder, empty at the top of the tree.
    pub root: Arc<str>,
    /// What it is.
    pub kind: ItemKind,
    /// Its id, as `list` prints it.
    pub id: Arc<str>,
}

impl Item {
    /// An item of the project in `root`.
    pub fn new(root: &BStr, kind: ItemKind, id: &str) -> Self {
        Self { root: display_path(root).into(), kind, id: id.into() }
    }

    /// `spec/auth`, `change/add-login`; with the project's folder before it when there is one.
    pub fn name(&self) -> String {
        let name = match self.kind {
            ItemKind::Project => self.id.to_string(),
            kind => format!("{}/{}", kind.word(), self.id),
        };
        if self.root.is_empty() { name } else { format!("{}:{name}", self.root) }
    }

    /// Whether somebody means it: by its id, as `type/id`, or by its whole name.
    pub fn is_called(&self, name: &str) -> bool {
        *self.id == *name || self.name() == name || format!("{}/{}", self.kind.word(), self.id) == name
    }
}

/// A judged item with its verdict.
#[derive(Debug, Clone)]
pub struct JudgedItem {
    /// What was judged.
    pub item: Item,
    /// Its title, for a heading; the id when it has none.
    pub title: String,
    /// The outcome.
    pub verdict: Verdict,
}

/// What was compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Scope {
    /// `tree`, `changed` or `staged`.
    pub kind: String,
    /// Commit compared from (the merge base), when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Where the base came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_source: Option<String>,
    /// Commit judged, `worktree` or `index`.
    pub head: String,
    /// Whether a spec edit fails the run.
    pub frozen_spec: bool,
    /// `explained` when spec edits that the workflow explains pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen_mode: Option<String>,
    /// Whether warnings fail the run.
    pub strict: bool,
    /// Folders of the projects judged, `.` for the top.
    pub roots: Vec<String>,
    /// Criteria that were asked for by name. The others are SKIPPED then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Whether no check was run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_checks: bool,
    /// Whether the judge was not asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_judge: bool,
    /// Which part this is of a run that several runners share. Only its own specs, changes and criteria are listed then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// A run's outcome.
#[derive(Debug, Clone)]
pub struct Report {
    /// Name of the run, unique. Sorts by time.
    pub run_id: String,
    /// What was compared.
    pub scope: Scope,
    /// The worst verdict of all items and reasons.
    pub verdict: Verdict,
    /// Judged items, in reading order.
    pub items: Vec<JudgedItem>,
    /// Items there are but that the diff does not touch.
    pub left_alone: usize,
    /// Findings of all items, in reading order.
    pub findings: Vec<Finding>,
    /// Why something could not be judged, each with its way out.
    pub reasons: Vec<Reason>,
    /// Spec-set files that differ between base and head; none unless a diff was made.
    pub spec_changes: Option<Vec<String>>,
    /// What a reader should know and nobody has to act on.
    pub notes: Vec<String>,
    /// Findings that a comment or the configuration lets through.
    pub suppressed: Vec<Suppressed>,
    /// How many findings stand in a baseline and are let through for it.
    pub baselined: usize,
    /// Scenarios of the judged main specs.
    pub scenarios: usize,
    /// Those of them that have a check.
    pub covered: usize,
    /// Criteria and how their checks ended, in the order of their files.
    pub criteria: Vec<CriterionResult>,
    /// What exactly was judged.
    pub trees: Trees,
    /// Digest of the criteria that were run.
    pub criteria_digest: Option<String>,
    /// How well requirements are written, when they were linted.
    pub quality: Option<Quality>,
    /// The folder of the repository that all its work trees share, when there is a repository.
    pub common_dir: Option<PathBuf>,
}

/// Names of what was judged: who has the same ones had the same files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Trees {
    /// Git's name for base's files.
    pub base: Option<String>,
    /// Git's name for the files of the commit that was judged, or that is below the work tree.
    pub head: Option<String>,
    /// Digest of head's spec set.
    pub specs: Option<String>,
    /// Digest of all files git follows, as they lay on disk when checks ran.
    pub files: Option<String>,
}

/// A finding that somebody allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Suppressed {
    /// Id of the rule.
    pub rule: String,
    /// File from the top of the tree.
    pub path: String,
    /// 1-based.
    pub line: usize,
    /// Why it is allowed.
    pub reason: String,
    /// Where that is written, as `path:line`.
    pub by: String,
}

/// Why a run could not judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reason {
    /// What is missing.
    pub message: String,
    /// What to do about it.
    pub fix: String,
}

impl Report {
    /// A run without a verdict on anything.
    pub fn stopped(run_id: &str, scope: Scope, reason: Reason) -> Self {
        Self {
            run_id: run_id.to_owned(),
            scope,
            verdict: Verdict::Unverifiable,
            items: Vec::new(),
            left_alone: 0,
            findings: Vec::new(),
            reasons: vec![reason],
            spec_changes: None,
            notes: Vec::new(),
            suppressed: Vec::new(),
            baselined: 0,
            scenarios: 0,
            covered: 0,
            criteria: Vec::new(),
            trees: Trees::default(),
            criteria_digest: None,
            quality: None,
            common_dir: None,
        }
    }

    /// Items and criteria by verdict.
    pub fn counts(&self) -> Counts {
        let mut counts = self.criteria_counts();
        for item in &self.items {
            counts.add(item.verdict);
        }
        counts
    }

    /// Criteria by verdict.
    pub fn criteria_counts(&self) -> Counts {
        let mut counts = Counts::default();
        for criterion in &self.criteria {
            counts.add(criterion.verdict);
        }
        counts
    }

    /// Whether a spec-set file differs between base and head; none unless a diff was made.
    pub fn spec_changed_in_diff(&self) -> Option<bool> {
        self.spec_changes.as_ref().map(|changes| !changes.is_empty())
    }

    /// How many findings are let through, in words; nothing when none is.
    pub fn let_through(&self) -> Option<String> {
        let mut parts = Vec::new();
        if !self.suppressed.is_empty() {
            parts.push(format!("{} suppressed", self.suppressed.len()));
        }
        if self.baselined > 0 {
            parts.push(format!("{} in the baseline", self.baselined));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Exit code of the run.
    pub fn exit_code(&self) -> u8 {
        self.verdict.exit_code()
    }
}
