//! The JSON report, version 1. A struct of its own: inner types may change, this may only grow.

use serde::{Deserialize, Serialize};

mod read;

pub use read::ReadError;

use super::criterion_v1::{self, CriterionV1};
use super::{Counts, Finding, ItemKind, Level, Reason, Report, Scope, Suppressed, Trees, Verdict};

/// Version of this shape. Fields are added without changing it; anything else makes it 2.
pub const SCHEMA_VERSION: u32 = 1;

/// A run's outcome.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "specward report")]
pub struct ReportV1 {
    /// Version of this shape.
    pub schema_version: u32,
    /// Version of the specward that wrote it.
    #[serde(default)]
    pub specward: String,
    /// Name of this run, unique.
    pub run_id: String,
    /// The worst verdict of all items.
    pub verdict: Verdict,
    /// 0 PASS, 1 FAIL, 2 could not run, 3 UNVERIFIABLE.
    pub exit_code: u8,
    /// Judged items and criteria by verdict.
    pub counts: Counts,
    /// What was compared.
    pub scope: Scope,
    /// Whether a file of the spec set differs between base and head. Null unless they were compared.
    pub spec_changed_in_diff: Option<bool>,
    /// Those files.
    pub spec_changes: Vec<String>,
    /// Items judged.
    pub judged: usize,
    /// Items there are but that the diff does not touch.
    pub left_alone: usize,
    /// Judged items with their verdicts.
    pub items: Vec<ItemV1>,
    /// What was found.
    pub findings: Vec<FindingV1>,
    /// Findings that a comment or the configuration lets through.
    pub suppressed: Vec<Suppressed>,
    /// How many findings stand in a baseline and are let through for it.
    pub baselined: usize,
    /// Criteria by verdict; part of `counts`.
    pub criteria_counts: Counts,
    /// Criteria and how their checks ended.
    pub criteria: Vec<CriterionV1>,
    /// Scenarios with a check, and all.
    pub coverage: CoverageV1,
    /// Why something could not be judged, and the way out.
    pub reasons: Vec<Reason>,
    /// What a reader should know and nobody has to act on.
    pub notes: Vec<String>,
    /// What exactly was judged.
    pub trees: Trees,
    /// Digest of the criteria that were run.
    pub criteria_digest: Option<String>,
}

/// A judged item.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ItemV1 {
    /// `spec`, `change` or `project`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id.
    pub id: String,
    /// The project's folder, empty at the top.
    pub root: String,
    /// Its title.
    pub title: String,
    /// The outcome.
    pub verdict: Verdict,
}

/// A finding.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FindingV1 {
    /// Id of the rule.
    pub rule: String,
    /// How bad it is.
    pub level: Level,
    /// The item, as `type/id`.
    pub item: String,
    /// File from the top of the tree.
    pub path: String,
    /// 1-based.
    pub line: usize,
    /// 1-based.
    pub column: usize,
    /// Characters it is about, from the column on. 0 for the whole line.
    #[serde(default)]
    pub width: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub fix: String,
    /// The requirement it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
    /// The line of the file it points at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Lines that show what was found: of the file, or of the difference.
    pub evidence: Vec<String>,
    /// Whether it says that something could not be checked.
    pub unverifiable: bool,
}

/// How many scenarios have a check.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CoverageV1 {
    /// Scenarios with at least one check.
    pub covered: usize,
    /// Scenarios of the judged main specs.
    pub total: usize,
}

impl ReportV1 {
    /// A run's report.
    pub fn new(report: &Report) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            specward: env!("CARGO_PKG_VERSION").to_owned(),
            run_id: report.run_id.clone(),
            verdict: report.verdict,
            exit_code: report.exit_code(),
            counts: report.counts(),
            scope: report.scope.clone(),
            spec_changed_in_diff: report.spec_changed_in_diff(),
            spec_changes: report.spec_changes.clone().unwrap_or_default(),
            judged: report.judged(),
            left_alone: report.left_alone,
            items: report
                .items
                .iter()
                .map(|judged| ItemV1 {
                    kind: judged.item.kind.word().to_owned(),
                    id: judged.item.id.to_string(),
                    root: judged.item.root.to_string(),
                    title: judged.title.clone(),
                    verdict: judged.verdict,
                })
                .collect(),
            findings: report.findings.iter().map(FindingV1::from).collect(),
            suppressed: report.suppressed.clone(),
            baselined: report.baselined,
            criteria_counts: report.criteria_counts(),
            criteria: criterion_v1::all(&report.criteria),
            coverage: CoverageV1 { covered: report.covered, total: report.scenarios },
            reasons: report.reasons.clone(),
            notes: report.notes.clone(),
            trees: report.trees.clone(),
            criteria_digest: report.criteria_digest.clone(),
        }
    }
}

impl From<&Finding> for FindingV1 {
    fn from(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.to_owned(),
            level: finding.level,
            item: finding.item.name(),
            path: finding.path.clone(),
            line: finding.line,
            column: finding.column,
            width: finding.width,
            message: finding.message.clone(),
            fix: finding.fix.clone(),
            requirement: finding.requirement.clone(),
            source: finding.source.clone(),
            evidence: finding.shown_lines().map(str::to_owned).collect(),
            unverifiable: finding.cannot_check,
        }
    }
}

impl Report {
    /// Specs and changes judged.
    pub fn judged(&self) -> usize {
        self.items.iter().filter(|judged| judged.item.kind != ItemKind::Project).count()
    }
}
