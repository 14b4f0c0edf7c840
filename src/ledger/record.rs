//! A run as it is stored. Version 1: it may grow, and who reads it passes over what it does not know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::criterion_v1::{self, CriterionV1};
use crate::report::v1::FindingV1;
use crate::report::{Counts, Reason, Report, Scope, Trees, Verdict};

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
    pub scope: Scope,
    /// Digests of what was judged.
    #[serde(default)]
    pub trees: Trees,
    /// Digest of the criteria that were run (`sha256:` and hexadecimal digits).
    #[serde(default)]
    pub criteria_digest: Option<String>,
    /// Criteria with their checks and evidence.
    #[serde(default)]
    pub criteria: Vec<CriterionV1>,
    /// Findings, as the JSON report has them.
    #[serde(default)]
    pub findings: Vec<serde_json::Value>,
    /// Why something could not be judged.
    #[serde(default)]
    pub reasons: Vec<Reason>,
}

impl RunRecord {
    /// What is kept of a run that ended at `time` (RFC 3339, UTC) with an exit code.
    pub fn of(report: &Report, time: String, exit_code: u8) -> Self {
        // Plain data with string keys always serialises.
        let finding = |finding| serde_json::to_value(FindingV1::from(finding)).unwrap_or_default();
        Self {
            version: RECORD_VERSION,
            run_id: report.run_id.clone(),
            time,
            specward: env!("CARGO_PKG_VERSION").to_owned(),
            verdict: report.verdict,
            exit_code,
            counts: report.counts(),
            scope: report.scope.clone(),
            trees: report.trees.clone(),
            criteria_digest: report.criteria_digest.clone(),
            criteria: criterion_v1::all(&report.criteria),
            findings: report.findings.iter().map(finding).collect(),
            reasons: report.reasons.clone(),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::*;
    use crate::report::{CheckResult, CriterionResult, Evidence};

    /// A record with a criterion that failed.
    pub fn record(run_id: &str) -> RunRecord {
        let check = CheckResult {
            index: 1,
            kind: "command",
            name: Some("unit test".to_owned()),
            subject: "cargo test".to_owned(),
            verdict: Verdict::Fail,
            message: "exit code 101".to_owned(),
            evidence: Evidence { text: "line\n".into(), total: 5, is_cut: false, redacted: 0 },
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
            scope: Scope { kind: "tree".to_owned(), head: "worktree".to_owned(), ..Scope::default() },
            trees: Trees { specs: Some("abc".to_owned()), ..Trees::default() },
            criteria_digest: None,
            criteria: vec![CriterionV1::from(&criterion)],
            findings: vec![serde_json::json!({ "rule": "spec/no-body" })],
            reasons: Vec::new(),
        }
    }

    #[test]
    fn criteria_come_back_as_they_were() {
        let stored = &record("20261201T022418Z-1a2b3c4d").criteria[0];
        let result = CriterionResult::from(stored.clone());
        assert_eq!(CriterionV1::from(&result), *stored);
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
