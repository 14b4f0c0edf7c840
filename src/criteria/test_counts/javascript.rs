//! jest, vitest and mocha.

use super::{TestCounts, number_before, sum_before};

/// Said when no file matched what was asked for.
const NOTHING: &[&str] = &[
    "No tests found, exiting",
    "No test files found, exiting",
    "Error: No test files found",
    // Playwright
    "Error: No tests found",
];

#[derive(Debug, Default)]
pub(super) struct State {
    /// After mocha's `1 passing (2ms)`, which is always there. Other programs count what is pending and failing too.
    is_mocha: bool,
}

impl State {
    pub(super) fn take(&mut self, line: &str, counts: &mut TestCounts) {
        let line = line.trim_start();
        if NOTHING.iter().any(|start| line.starts_with(start)) {
            counts.told_of_none();
        } else if let Some(outcomes) =
            line.strip_prefix("Tests: ").filter(|rest| number_before(rest, "total").is_some())
        {
            // jest: `Tests:       1 failed, 2 skipped, 1 todo, 2 passed, 6 total`
            summary(outcomes, counts);
        } else if let Some(outcomes) = line.strip_prefix("Tests ").map(str::trim) {
            // vitest: `Tests  1 failed | 1 passed | 2 skipped | 1 todo (5)`
            let says_how_many = outcomes.ends_with(')') && sum_before(outcomes, OUTCOMES).is_some();
            if says_how_many || outcomes == "no tests" {
                summary(outcomes, counts);
            }
        } else if line.starts_with("{\"num") {
            json(line, counts);
        } else {
            self.mocha(line, counts);
        }
    }

    /// `1 passing (2ms)`, `1 pending`, `1 failing`, each on a line.
    fn mocha(&mut self, line: &str, counts: &mut TestCounts) {
        let Some((number, word)) = line.split_once(' ') else { return };
        let Ok(number) = number.parse() else { return };
        match word {
            "failing" if self.is_mocha => counts.told(number, 0),
            "pending" if self.is_mocha => counts.told(0, number),
            _ if word.starts_with("passing (") => {
                counts.told(number, 0);
                self.is_mocha = true;
            }
            _ => {}
        }
    }
}

/// Words of vitest's summary.
const OUTCOMES: &[&str] = &["failed", "passed", "skipped", "todo", "expected"];

fn summary(outcomes: &str, counts: &mut TestCounts) {
    let ran = sum_before(outcomes, &["failed", "passed"]).unwrap_or(0);
    // vitest's `expected fail` is no failure and no proof.
    let skipped = sum_before(outcomes, &["skipped", "todo", "pending", "expected"]).unwrap_or(0);
    counts.told(ran, skipped);
}

/// `--json`: everything on one line, the counts first.
fn json(line: &str, counts: &mut TestCounts) {
    let number = |name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok()
    };
    if let (Some(passed), Some(failed)) = (number("numPassedTests"), number("numFailedTests")) {
        let skipped = number("numPendingTests").unwrap_or(0).saturating_add(number("numTodoTests").unwrap_or(0));
        counts.told(passed.saturating_add(failed), skipped);
    }
}
