//! The JSON of `specward lint`, version 1: the seed's arguments and result. A struct of its own: inner types may change,
//! this may only grow.

use std::collections::BTreeMap;

use serde::Serialize;

use super::quality::{FileQuality, Quality, dimensions, grade, levels};
use super::{Finding, Level, Reason, Report, Scope, Suppressed, Verdict};
use crate::rules::{self, Dimension};

/// What linting came to.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "specward lint")]
pub struct LintV1 {
    /// Version of this shape.
    pub schema_version: u32,
    /// Linted files: main specs and deltas.
    pub specs: Vec<SpecV1>,
    /// The mean of the files' scores. Null when there is no requirement.
    pub score: Option<f64>,
    /// The lowest score of a requirement.
    pub min: Option<u8>,
    /// What the lowest score has to be. Null when nothing was asked.
    pub min_score: Option<u8>,
    /// Whether there is no error and nothing below what was asked.
    pub pass: bool,
    /// `PASS`, `FAIL` or `UNVERIFIABLE`.
    pub verdict: Verdict,
    /// 0 PASS, 1 FAIL, 2 could not run, 3 UNVERIFIABLE.
    pub exit_code: u8,
    /// What was compared.
    pub scope: Scope,
    /// What keeps something from being linted and belongs to none of the specs.
    pub problems: Vec<LintFindingV1>,
    /// Findings that a comment or the configuration lets through.
    pub suppressed: Vec<Suppressed>,
    /// Why something could not be judged, and the way out.
    pub reasons: Vec<Reason>,
    /// What a reader should know and nobody has to act on.
    pub notes: Vec<String>,
}

/// A linted file.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecV1 {
    /// The capability; of a delta `<change>/<capability>`.
    pub id: String,
    /// `spec` or `change`.
    #[serde(rename = "type")]
    pub kind: String,
    /// File from the top of the tree.
    pub path: String,
    /// The mean of its requirements. Null when it has none, or none that is judged.
    pub score: Option<f64>,
    /// The lowest of them.
    pub min: Option<u8>,
    /// `A` to `F`.
    pub grade: Option<String>,
    /// What there is in it.
    pub counts: CountsV1,
    /// The requirements with their scores.
    pub requirements: Vec<RequirementV1>,
    /// What was found.
    pub findings: Vec<LintFindingV1>,
}

/// What there is in a file.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountsV1 {
    /// Requirements that are judged.
    pub requirements: usize,
    /// Scenarios of these.
    pub scenarios: usize,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// The others.
    pub infos: usize,
    /// Findings by what suffers: clarity, atomicity, testability, completeness, consistency.
    pub dimensions: BTreeMap<&'static str, usize>,
}

/// A requirement's score.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequirementV1 {
    /// Its name.
    pub name: String,
    /// 1-based.
    pub line: usize,
    /// 0 to 100.
    pub score: u8,
}

/// A finding.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintFindingV1 {
    /// Id of the rule.
    pub rule: String,
    /// Its short name among quality rules. Null for what is no quality rule.
    pub code: Option<String>,
    /// How bad it is.
    pub level: Level,
    /// File from the top of the tree: the spec, or its criteria.
    pub path: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// The requirement it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
}

impl LintV1 {
    /// What a run that linted came to. The exit code is the caller's.
    pub fn new(report: &Report, exit_code: u8) -> Self {
        let nothing = Quality::default();
        let quality = report.quality.as_ref().unwrap_or(&nothing);
        let (of_files, problems) = quality.sorted(&report.findings);
        Self {
            schema_version: 1,
            specs: quality.files.iter().zip(&of_files).map(|(file, findings)| SpecV1::new(file, findings)).collect(),
            score: quality.score(),
            min: quality.min(),
            min_score: quality.min_score,
            pass: report.verdict == Verdict::Pass && exit_code == 0,
            verdict: report.verdict,
            exit_code,
            scope: report.scope.clone(),
            problems: problems.into_iter().map(LintFindingV1::from).collect(),
            suppressed: report.suppressed.clone(),
            reasons: report.reasons.clone(),
            notes: report.notes.clone(),
        }
    }
}

impl SpecV1 {
    fn new(file: &FileQuality, findings: &[&Finding]) -> Self {
        let findings = || findings.iter().copied();
        let [errors, warnings, infos] = levels(findings());
        let by_dimension = Dimension::ALL.iter().map(|dimension| dimension.word()).zip(dimensions(findings()));
        Self {
            id: file.id.clone(),
            kind: file.item.kind.word().to_owned(),
            path: file.path.clone(),
            score: file.score(),
            min: file.min(),
            grade: file.score().map(|score| grade(score).to_owned()),
            counts: CountsV1 {
                requirements: file.requirements.len(),
                scenarios: file.scenarios,
                errors,
                warnings,
                infos,
                dimensions: by_dimension.collect(),
            },
            requirements: file
                .requirements
                .iter()
                .map(|one| RequirementV1 { name: one.name.clone(), line: one.lines.start + 1, score: one.score })
                .collect(),
            findings: findings().map(LintFindingV1::from).collect(),
        }
    }
}

impl From<&Finding> for LintFindingV1 {
    fn from(finding: &Finding) -> Self {
        let weight = rules::find(finding.rule).and_then(|rule| rule.weight);
        Self {
            rule: finding.rule.to_owned(),
            code: weight.map(|weight| weight.code.to_owned()),
            level: finding.level,
            path: finding.path.clone(),
            line: finding.line,
            column: finding.column,
            message: finding.message.clone(),
            hint: finding.fix.clone(),
            requirement: finding.requirement.clone(),
        }
    }
}
