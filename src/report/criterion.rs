//! What running a criterion's checks came to.

use std::time::Duration;

use super::Verdict;

/// A criterion and how its checks ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriterionResult {
    /// Its id, unique in the project.
    pub id: String,
    /// The project's folder, empty at the top of the tree.
    pub root: String,
    /// The capability whose file lists it.
    pub capability: String,
    /// The requirement it belongs to.
    pub requirement: String,
    /// The scenario it checks.
    pub scenario: String,
    /// The sentence it stands for: given, or the requirement's normative one. Empty when there is none.
    pub ears: String,
    /// The shape of that sentence after EARS (`event`, `state`, …), when it has one.
    pub pattern: Option<String>,
    /// The file that lists it, from the top of the tree, and the 1-based line.
    pub path: String,
    /// 1-based.
    pub line: usize,
    /// Whether base's version was run in place of head's.
    pub is_of_base: bool,
    /// The outcome.
    pub verdict: Verdict,
    /// Why it is not PASS, when no check says so: it has none, or it was not run.
    pub reason: Option<String>,
    /// Its checks, in the order of the file.
    pub checks: Vec<CheckResult>,
    /// Files that a check relies on and that differ between base and head.
    pub touched: Vec<String>,
}

/// How one check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// 1-based place in the criterion's list.
    pub index: usize,
    /// `command`, `file`, `search`, `junit` or `judge`.
    pub kind: &'static str,
    /// The name the file gives it.
    pub name: Option<String>,
    /// What it looks at, on one line: the command, the file, the globs, the test, the rubric.
    pub subject: String,
    /// The outcome.
    pub verdict: Verdict,
    /// What was seen, on one line.
    pub message: String,
    /// What proves it.
    pub evidence: Evidence,
    /// How long it took. A shared command's time is told with every check that shares it.
    pub duration: Duration,
}

/// What a check saw: redacted, and no longer than configured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The text. When it was too long its middle is left out, and a line says how much.
    pub text: String,
    /// Bytes there were before anything was left out.
    pub total: u64,
    /// Whether something was left out.
    pub is_cut: bool,
    /// How many secrets were redacted.
    pub redacted: usize,
}
