//! What running a criterion's checks came to.

use std::sync::Arc;
use std::time::Duration;

use super::{Verdict, shown_line, visible};

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
    /// The text, one for all checks that share a run. When it was too long its middle is left out, and a line says how
    /// much.
    pub text: Arc<str>,
    /// Bytes there were before anything was left out.
    pub total: u64,
    /// Whether something was left out.
    pub is_cut: bool,
    /// How many secrets were redacted.
    pub redacted: usize,
}

impl CriterionResult {
    /// Requirement and scenario, on one line.
    pub fn title(&self) -> String {
        format!("{} / {}", self.requirement, self.scenario)
    }

    /// The id, with the project's folder before it when there is one.
    pub fn name(&self) -> String {
        if self.root.is_empty() { self.id.clone() } else { format!("{}:{}", self.root, self.id) }
    }

    /// The checks that keep it from passing: those that failed, else those that could not be run.
    pub fn to_blame(&self) -> impl Iterator<Item = &CheckResult> {
        let worst = self.checks.iter().map(|check| check.verdict).fold(Verdict::Pass, Verdict::worst);
        self.checks.iter().filter(move |check| check.verdict == worst && worst != Verdict::Pass)
    }
}

impl CheckResult {
    /// `1 command unit test`: place, kind and name.
    pub fn label(&self) -> String {
        let name = self.name.as_deref().map(|name| format!(" {}", visible(name))).unwrap_or_default();
        format!("{} {}{name}", self.index, self.kind)
    }

    /// The lines of evidence worth the most, at most `max`, each visible and not too long: the last ones of a command,
    /// where programs say what went wrong, the first ones of everything else.
    pub fn shown_lines(&self, max: usize) -> Vec<String> {
        let lines: Vec<&str> = self.evidence.text.lines().filter(|line| !line.trim().is_empty()).collect();
        let from = if self.kind == "command" { lines.len().saturating_sub(max) } else { 0 };
        lines[from..].iter().take(max).map(|line| shown_line(line)).collect()
    }
}
