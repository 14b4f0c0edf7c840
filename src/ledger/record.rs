//! A run as it is stored. Version 1: it may grow, and who reads it passes over what it does not know.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::{CheckResult, Counts, CriterionResult, Evidence, Reason, Scope, Verdict};

/// Version of this shape. Fields are added without changing it.
pub const RECORD_VERSION: u32 = 1;

/// A run and all that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "specward run")]
pub struct RunRecord {
    /// Version of this shape.
    pub version: u32,
    /// Name of the run, unique; names in order are runs in order of time.
    pub run_id: String,
    /// When it ended: RFC 3339, UTC.
    pub time: String,
    /// Version of the program.
    pub specward: String,
    /// The worst verdict.
    pub verdict: Verdict,
    /// 0 PASS, 1 FAIL, 2 could not run, 3 UNVERIFIABLE.
    pub exit_code: u8,
    /// How many have which verdict, as the report counts them.
    pub counts: Counts,
    /// What was compared.
    pub scope: StoredScope,
    /// Digests of what was judged.
    #[serde(default)]
    pub trees: Trees,
    /// Digest of the criteria that were run (`sha256:` and hexadecimal digits).
    #[serde(default)]
    pub criteria_digest: Option<String>,
    /// Criteria with their checks and evidence.
    #[serde(default)]
    pub criteria: Vec<StoredCriterion>,
    /// Findings, as the JSON report has them.
    #[serde(default)]
    pub findings: Vec<serde_json::Value>,
    /// Why something could not be judged.
    #[serde(default)]
    pub reasons: Vec<StoredReason>,
}

/// Ids of the trees a run judged. Each is absent when there was none or it was not computed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trees {
    /// The tree of the base commit.
    #[serde(default)]
    pub base: Option<String>,
    /// The tree that was judged.
    #[serde(default)]
    pub head: Option<String>,
    /// The spec set within it.
    #[serde(default)]
    pub specs: Option<String>,
    /// Its other files, as the checks saw them.
    #[serde(default)]
    pub files: Option<String>,
}

/// What a run compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredScope {
    /// `tree`, `changed` or `staged`.
    pub kind: String,
    /// Commit compared from, when there was one.
    #[serde(default)]
    pub base: Option<String>,
    /// Where the base came from.
    #[serde(default)]
    pub base_source: Option<String>,
    /// Commit judged, `worktree` or `index`.
    pub head: String,
    /// Whether a spec edit failed the run.
    #[serde(default)]
    pub frozen_spec: bool,
    /// `explained` when spec edits that the workflow explains passed.
    #[serde(default)]
    pub frozen_mode: Option<String>,
    /// Whether warnings failed the run.
    #[serde(default)]
    pub strict: bool,
    /// Folders of the projects judged, `.` for the top.
    #[serde(default)]
    pub roots: Vec<String>,
}

/// Why a run could not judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredReason {
    /// What was missing.
    pub message: String,
    /// What to do about it.
    pub fix: String,
}

/// A criterion and how its checks ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredCriterion {
    /// Its id, unique in the project.
    pub id: String,
    /// The project's folder, empty at the top of the tree.
    #[serde(default)]
    pub root: String,
    /// The capability whose file lists it.
    #[serde(default)]
    pub capability: String,
    /// The requirement it belongs to.
    pub requirement: String,
    /// The scenario it checks.
    pub scenario: String,
    /// The sentence it stands for, empty when there is none.
    #[serde(default)]
    pub ears: String,
    /// The shape of that sentence after EARS.
    #[serde(default)]
    pub pattern: Option<String>,
    /// The file that lists it.
    #[serde(default)]
    pub path: String,
    /// 1-based.
    #[serde(default)]
    pub line: usize,
    /// Whether base's version was run in place of head's.
    #[serde(default)]
    pub is_of_base: bool,
    /// The outcome.
    pub verdict: Verdict,
    /// Why it is not PASS, when no check says so.
    #[serde(default)]
    pub reason: Option<String>,
    /// Its checks, in the order of the file.
    #[serde(default)]
    pub checks: Vec<StoredCheck>,
    /// Files that a check relies on and that differ between base and head.
    #[serde(default)]
    pub touched: Vec<String>,
}

/// How one check ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredCheck {
    /// 1-based place in the criterion's list.
    pub index: usize,
    /// `command`, `file`, `search`, `junit` or `judge`.
    pub kind: String,
    /// The name the file gives it.
    #[serde(default)]
    pub name: Option<String>,
    /// What it looks at: the command, the file, the globs, the test, the rubric.
    #[serde(default)]
    pub subject: String,
    /// The outcome.
    pub verdict: Verdict,
    /// What was seen.
    #[serde(default)]
    pub message: String,
    /// What proves it.
    #[serde(default)]
    pub evidence: StoredEvidence,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub duration_ms: u64,
}

/// What a check saw, redacted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoredEvidence {
    /// The text.
    pub text: String,
    /// Bytes there were before anything was left out.
    #[serde(default)]
    pub total: u64,
    /// Whether something was left out.
    #[serde(default)]
    pub is_cut: bool,
    /// How many secrets were redacted.
    #[serde(default)]
    pub redacted: usize,
}

impl From<&Scope> for StoredScope {
    fn from(scope: &Scope) -> Self {
        let Scope { kind, base, base_source, head, frozen_spec, frozen_mode, strict, roots } = scope.clone();
        Self { kind, base, base_source, head, frozen_spec, frozen_mode, strict, roots }
    }
}

impl From<&Reason> for StoredReason {
    fn from(reason: &Reason) -> Self {
        Self { message: reason.message.clone(), fix: reason.fix.clone() }
    }
}

impl From<&CriterionResult> for StoredCriterion {
    fn from(result: &CriterionResult) -> Self {
        Self {
            id: result.id.clone(),
            root: result.root.clone(),
            capability: result.capability.clone(),
            requirement: result.requirement.clone(),
            scenario: result.scenario.clone(),
            ears: result.ears.clone(),
            pattern: result.pattern.clone(),
            path: result.path.clone(),
            line: result.line,
            is_of_base: result.is_of_base,
            verdict: result.verdict,
            reason: result.reason.clone(),
            checks: result.checks.iter().map(StoredCheck::from).collect(),
            touched: result.touched.clone(),
        }
    }
}

impl From<&StoredCriterion> for CriterionResult {
    fn from(stored: &StoredCriterion) -> Self {
        Self {
            id: stored.id.clone(),
            root: stored.root.clone(),
            capability: stored.capability.clone(),
            requirement: stored.requirement.clone(),
            scenario: stored.scenario.clone(),
            ears: stored.ears.clone(),
            pattern: stored.pattern.clone(),
            path: stored.path.clone(),
            line: stored.line,
            is_of_base: stored.is_of_base,
            verdict: stored.verdict,
            reason: stored.reason.clone(),
            checks: stored.checks.iter().map(CheckResult::from).collect(),
            touched: stored.touched.clone(),
        }
    }
}

impl From<&CheckResult> for StoredCheck {
    fn from(result: &CheckResult) -> Self {
        let Evidence { text, total, is_cut, redacted } = result.evidence.clone();
        Self {
            index: result.index,
            kind: result.kind.to_owned(),
            name: result.name.clone(),
            subject: result.subject.clone(),
            verdict: result.verdict,
            message: result.message.clone(),
            evidence: StoredEvidence { text, total, is_cut, redacted },
            duration_ms: u64::try_from(result.duration.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

impl From<&StoredCheck> for CheckResult {
    fn from(stored: &StoredCheck) -> Self {
        let StoredEvidence { text, total, is_cut, redacted } = stored.evidence.clone();
        Self {
            index: stored.index,
            kind: kind(&stored.kind),
            name: stored.name.clone(),
            subject: stored.subject.clone(),
            verdict: stored.verdict,
            message: stored.message.clone(),
            evidence: Evidence { text, total, is_cut, redacted },
            duration: Duration::from_millis(stored.duration_ms),
        }
    }
}

/// A kind of check by its word. Records of a later version may have others.
fn kind(word: &str) -> &'static str {
    let known = ["command", "file", "search", "junit", "judge"];
    known.into_iter().find(|known| *known == word).unwrap_or("unknown")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A record with a criterion that failed.
    pub fn record(run_id: &str) -> RunRecord {
        let check = CheckResult {
            index: 1,
            kind: "command",
            name: Some("unit test".to_owned()),
            subject: "cargo test".to_owned(),
            verdict: Verdict::Fail,
            message: "exit code 101".to_owned(),
            evidence: Evidence { text: "line\n".to_owned(), total: 5, is_cut: false, redacted: 0 },
            duration: Duration::from_millis(1200),
        };
        let criterion = CriterionResult {
            id: "auth/sign-in/right-password".to_owned(),
            root: String::new(),
            capability: "auth".to_owned(),
            requirement: "Sign in".to_owned(),
            scenario: "Right password".to_owned(),
            ears: "The system SHALL let users in.".to_owned(),
            pattern: Some("ubiquitous".to_owned()),
            path: "openspec/verify/auth.yaml".to_owned(),
            line: 3,
            is_of_base: true,
            verdict: Verdict::Fail,
            reason: None,
            checks: vec![check],
            touched: vec!["tests/auth.rs".to_owned()],
        };
        RunRecord {
            version: RECORD_VERSION,
            run_id: run_id.to_owned(),
            time: "2026-12-01T02:24:18Z".to_owned(),
            specward: "0.1.0".to_owned(),
            verdict: Verdict::Fail,
            exit_code: 1,
            counts: Counts { failed: 1, ..Counts::default() },
            scope: StoredScope { kind: "tree".to_owned(), head: "worktree".to_owned(), ..StoredScope::default() },
            trees: Trees { specs: Some("abc".to_owned()), ..Trees::default() },
            criteria_digest: None,
            criteria: vec![StoredCriterion::from(&criterion)],
            findings: vec![serde_json::json!({ "rule": "spec/no-body" })],
            reasons: Vec::new(),
        }
    }

    #[test]
    fn criteria_come_back_as_they_were() {
        let stored = &record("20261201T022418Z-1a2b3c4d").criteria[0];
        let result = CriterionResult::from(stored);
        assert_eq!(StoredCriterion::from(&result), *stored);
        assert_eq!((result.checks[0].kind, result.checks[0].duration), ("command", Duration::from_millis(1200)));
    }

    #[test]
    fn unknown_fields_are_passed_over() {
        let mut value = serde_json::to_value(record("20261201T022418Z-1a2b3c4d")).unwrap();
        value["later"] = serde_json::json!({ "a": 1 });
        value["criteria"][0]["later"] = serde_json::json!(2);
        let read: RunRecord = serde_json::from_value(value).unwrap();
        assert_eq!(read, record("20261201T022418Z-1a2b3c4d"));
    }
}
