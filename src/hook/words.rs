//! What an agent is told when it is sent back to work, and its user when it is let go.

use std::path::Path;
use std::time::Duration;

use super::reason::told;
use crate::digest::sha256;
use crate::report::render::agent;
use crate::report::{Report, Verdict, visible};

/// The way out when nobody knows how the specs were.
pub const ACCEPT: &str = "a person looks at the specs as they are and runs `specward accept --reason …` in a terminal";

/// What is said of edits, since whoever reads it would undo those of others too.
const OTHERS: &str = "Undo only what you did yourself. When a person, a pull or a merge brought it in, leave it and say so: a \
    person can run `specward accept`.";

/// Blocks of a report an agent is told of.
const MAX_BLOCKS: usize = 10;

/// Why a turn is not to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What tells it from other failures.
    pub key: String,
    /// What to do next, in one sentence.
    pub next: String,
    /// The report, whole.
    pub report: String,
    /// Whether an agent can do anything about it.
    pub is_mendable: bool,
    /// Whether it is about edits of what is frozen, which need not be the agent's.
    pub is_of_edits: bool,
    /// The verdict.
    pub verdict: &'static str,
}

impl Failure {
    /// What a report says.
    pub fn of(report: &Report) -> Self {
        let strict = report.scope.strict;
        let failing: Vec<_> =
            report.findings.iter().filter(|finding| finding.fails(strict) || finding.cannot_check).collect();
        let mut parts: Vec<String> = failing
            .iter()
            .map(|finding| {
                let requirement = finding.requirement.clone().unwrap_or_default();
                format!("{} {} {requirement} {}", finding.rule, finding.path, finding.message)
            })
            .collect();
        let criteria: Vec<_> =
            report.criteria.iter().filter(|one| !matches!(one.verdict, Verdict::Pass | Verdict::Skipped)).collect();
        parts.extend(criteria.iter().map(|one| format!("{} {}", one.name(), one.verdict.word())));
        parts.extend(report.reasons.iter().map(|reason| reason.message.clone()));
        parts.sort();
        let frozen = failing.iter().find(|finding| finding.rule.starts_with("freeze/"));
        let next = if let Some(finding) = frozen.or(failing.first()) {
            format!("{} ({}:{})", finding.fix, finding.path, finding.line)
        } else if let Some(one) = criteria.first() {
            format!("make the check of criterion {} pass by changing the implementation", one.name())
        } else {
            report.reasons.first().map(|reason| reason.fix.clone()).unwrap_or_default()
        };
        Self {
            key: sha256(parts.join("\n").as_bytes()),
            next: visible(&next),
            report: agent::render(report),
            is_mendable: true,
            is_of_edits: frozen.is_some(),
            verdict: report.verdict.word(),
        }
    }

    /// That the run could not happen.
    pub fn could_not_run(message: &str, fix: &str) -> Self {
        let (message, fix) = (visible(message), visible(fix));
        Self {
            key: sha256(message.as_bytes()),
            report: format!("SPECWARD VERDICT: UNVERIFIABLE\n\nReason: {message}\nFix: {fix}\n"),
            next: fix,
            is_mendable: true,
            is_of_edits: false,
            verdict: Verdict::Unverifiable.word(),
        }
    }

    /// A fault of ours.
    pub fn own(message: &str) -> Self {
        let fix = "run `specward verify --changed` and report what it says to your user";
        Self { is_mendable: false, ..Self::could_not_run(message, fix) }
    }

    /// That judging took too long.
    pub fn late(deadline: Duration) -> Self {
        let message = format!("the checks were not done after {} s and were stopped", deadline.as_secs());
        let fix = "run `specward verify --changed --no-judge` yourself, or ask your user to raise the hook's time-out";
        Self { is_mendable: false, ..Self::could_not_run(&message, fix) }
    }

    /// What an agent is told that is sent back for the so-manieth time of so many: the next step first.
    pub fn reason(&self, number: u32, most: u32) -> String {
        let head = format!("specward: {} ({number} of {most}). Next step: {}", self.verdict, self.next);
        let others = if self.is_of_edits { format!("\n{OTHERS}") } else { String::new() };
        let text = format!("{head}{others}\n\n{}", first_blocks(&self.report));
        told(&text)
    }

    /// What the user is told when the agent is let go.
    pub fn farewell(&self, number: u32, left: Option<&Path>) -> String {
        let times = if number > 0 { format!(" after {number} reminders for this") } else { String::new() };
        let accept = if self.is_of_edits { " When it is right, run `specward accept --reason …`." } else { "" };
        let left = left.map(|path| format!(" The report: {}.", path.display())).unwrap_or_default();
        let text = format!(
            "specward lets the agent stop{times}, but the verdict is {}: {}.{left}{accept} CI will judge it again.",
            self.verdict,
            self.next.trim_end_matches('.')
        );
        told(&text)
    }
}

/// A report with no more blocks than an agent needs to see, its last line kept.
fn first_blocks(report: &str) -> String {
    let mut blocks: Vec<&str> = report.trim_end().split("\n\n").collect();
    // Head and footer are no blocks.
    let excess = blocks.len().saturating_sub(MAX_BLOCKS + 2);
    let more = format!("And {excess} more: run `specward explain`.");
    if excess > 0 {
        blocks.splice(MAX_BLOCKS + 1..blocks.len() - 1, [more.as_str()]);
    }
    blocks.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::reason::MAX_CHARS;

    #[test]
    fn an_agent_is_told_little_and_the_next_step_first() {
        let blocks: Vec<String> = (0..30).map(|number| format!("## spec/{number}\nFailed check: x")).collect();
        let report = format!("SPECWARD VERDICT: FAIL\n0 passed\n\n{}\n\nFix it.\n", blocks.join("\n\n"));
        let failure = Failure {
            key: String::new(),
            next: "do this".to_owned(),
            report,
            is_mendable: true,
            is_of_edits: false,
            verdict: "FAIL",
        };
        let reason = failure.reason(1, 3);
        assert!(reason.starts_with("specward: FAIL (1 of 3). Next step: do this\n"), "{reason}");
        assert_eq!(reason.matches("## spec/").count(), MAX_BLOCKS);
        assert!(reason.contains("And 20 more") && reason.ends_with("Fix it."), "{reason}");
        let long = Failure { report: "ä".repeat(9000), ..failure };
        assert!(long.reason(1, 3).chars().count() <= MAX_CHARS);
    }
}
