//! Criteria in the JSON report and in stored runs, version 1. A struct of its own, as the report's.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{CheckResult, CriterionResult, Evidence, Verdict};

/// A criterion and how its checks ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CriterionV1 {
    /// Its id, unique in the project.
    pub id: String,
    /// The project's folder, empty at the top.
    #[serde(default)]
    pub root: String,
    /// The capability whose file lists it.
    #[serde(default)]
    pub capability: String,
    /// The requirement it belongs to.
    pub requirement: String,
    /// The scenario it checks.
    pub scenario: String,
    /// The sentence it stands for.
    #[serde(default)]
    pub ears: String,
    /// The shape of that sentence after EARS, when it has one.
    #[serde(default)]
    pub pattern: Option<String>,
    /// File that lists it, from the top of the tree.
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
    pub checks: Vec<CheckV1>,
    /// Files that a check relies on and that differ between base and head.
    #[serde(default)]
    pub touched: Vec<String>,
}

/// How one check ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CheckV1 {
    /// 1-based place in the criterion's list.
    pub index: usize,
    /// `command`, `file`, `search`, `junit` or `judge`.
    #[serde(rename = "type")]
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
    /// What proves it, redacted and cut. Empty when another check of the report has the same, see `evidence_of`.
    #[serde(default)]
    pub evidence: String,
    /// The check that has the evidence, as `<criterion>#<index>`: that of a shared command is given once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_of: Option<String>,
    /// Bytes of evidence there were.
    #[serde(default)]
    pub evidence_bytes: u64,
    /// Whether some of it was left out.
    #[serde(default)]
    pub evidence_truncated: bool,
    /// Secrets that were redacted.
    #[serde(default)]
    pub redacted: usize,
    /// How long it took. A shared command's time is told with every check that shares it.
    #[serde(default)]
    pub duration_ms: u64,
}

/// Kinds of check there are. A stored one of another kind comes from another version.
const KINDS: [&str; 5] = ["command", "file", "search", "junit", "judge"];

/// Checks that did not pass and have their evidence written out although another one has the same: who looks at one of
/// them need not look elsewhere. When a thousand fail by one command, they do.
const WRITTEN_OUT: usize = 20;

/// All criteria of a run. Evidence that several checks share is written down with the first of them, and with some of
/// those that did not pass.
pub fn all(results: &[CriterionResult]) -> Vec<CriterionV1> {
    // The first check of each evidence, and how often it was written down.
    let mut known: HashMap<*const u8, (String, usize)> = HashMap::new();
    let mut criteria: Vec<CriterionV1> = results.iter().map(CriterionV1::from).collect();
    for (result, criterion) in results.iter().zip(&mut criteria) {
        for (check, written) in result.checks.iter().zip(&mut criterion.checks) {
            if written.evidence.is_empty() {
                continue;
            }
            match known.entry(check.evidence.text.as_ptr()) {
                Entry::Vacant(none) => drop(none.insert((format!("{}#{}", result.name(), check.index), 1))),
                Entry::Occupied(mut entry) => {
                    let (first, times) = entry.get_mut();
                    if check.verdict != Verdict::Pass && *times < WRITTEN_OUT {
                        *times += 1;
                        continue;
                    }
                    written.evidence.clear();
                    written.evidence_of = Some(first.clone());
                }
            }
        }
    }
    criteria
}

/// The check with this name (`<criterion>#<index>`) among some criteria.
pub fn find<'c>(criteria: &'c [CriterionV1], name: &str) -> Option<&'c CheckV1> {
    let (id, index) = name.rsplit_once('#')?;
    let is_it = |one: &&CriterionV1| one.name() == id;
    criteria.iter().find(is_it)?.checks.iter().find(|check| check.index.to_string() == index)
}

impl CriterionV1 {
    /// The id, with the project's folder before it when there is one.
    pub fn name(&self) -> String {
        if self.root.is_empty() { self.id.clone() } else { format!("{}:{}", self.root, self.id) }
    }
}

impl From<&CriterionResult> for CriterionV1 {
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
            checks: result.checks.iter().map(CheckV1::from).collect(),
            touched: result.touched.clone(),
        }
    }
}

impl From<&CheckResult> for CheckV1 {
    fn from(check: &CheckResult) -> Self {
        Self {
            index: check.index,
            kind: check.kind.to_owned(),
            name: check.name.clone(),
            subject: check.subject.clone(),
            verdict: check.verdict,
            message: check.message.clone(),
            evidence: check.evidence.text.to_string(),
            evidence_of: None,
            evidence_bytes: check.evidence.total,
            evidence_truncated: check.evidence.is_cut,
            redacted: check.evidence.redacted,
            duration_ms: u64::try_from(check.duration.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

impl From<CriterionV1> for CriterionResult {
    fn from(stored: CriterionV1) -> Self {
        Self {
            id: stored.id,
            root: stored.root,
            capability: stored.capability,
            requirement: stored.requirement,
            scenario: stored.scenario,
            ears: stored.ears,
            pattern: stored.pattern,
            path: stored.path,
            line: stored.line,
            is_of_base: stored.is_of_base,
            verdict: stored.verdict,
            reason: stored.reason,
            checks: stored.checks.into_iter().map(CheckResult::from).collect(),
            touched: stored.touched,
        }
    }
}

impl From<CheckV1> for CheckResult {
    fn from(stored: CheckV1) -> Self {
        let kind = KINDS.into_iter().find(|kind| *kind == stored.kind).unwrap_or("check");
        Self {
            index: stored.index,
            kind,
            name: stored.name,
            subject: stored.subject,
            verdict: stored.verdict,
            message: stored.message,
            evidence: Evidence {
                text: stored.evidence.into(),
                total: stored.evidence_bytes,
                is_cut: stored.evidence_truncated,
                redacted: stored.redacted,
            },
            duration: Duration::from_millis(stored.duration_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_evidence_is_written_once() {
        let shared = Evidence { text: "out".into(), ..Evidence::default() };
        let result = |id: &str| {
            let check: CheckV1 = serde_json::from_str(r#"{"index": 1, "type": "command", "verdict": "PASS"}"#)?;
            let check = CheckResult { evidence: shared.clone(), ..CheckResult::from(check) };
            let text = format!(r#"{{"id": "{id}", "requirement": "a", "scenario": "b", "verdict": "PASS"}}"#);
            let criterion: CriterionV1 = serde_json::from_str(&text)?;
            Ok(CriterionResult { checks: vec![check], ..CriterionResult::from(criterion) })
        };
        let results: Result<Vec<CriterionResult>, serde_json::Error> = ["one", "two"].map(result).into_iter().collect();
        let written = all(&results.unwrap_or_default());
        assert_eq!(written[0].checks[0].evidence, "out");
        assert_eq!(
            (written[1].checks[0].evidence.as_str(), written[1].checks[0].evidence_of.as_deref()),
            ("", Some("one#1"))
        );
        assert_eq!(find(&written, "one#1"), Some(&written[0].checks[0]));
        assert_eq!(find(&written, "one#2"), None);
    }
}
