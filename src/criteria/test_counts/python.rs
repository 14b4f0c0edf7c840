//! pytest and unittest.

use super::TestCounts;

#[derive(Debug, Default)]
pub(super) struct State {
    /// After `Ran 3 tests`, before the line that says how many of them were skipped.
    is_outcome_next: bool,
}

impl State {
    pub(super) fn take(&mut self, line: &str, counts: &mut TestCounts) {
        if line.trim_matches('=').trim_start().starts_with("no tests ran in ") {
            counts.told_of_none();
        } else if let Some((ran, skipped)) = pytest(line) {
            counts.told(ran, skipped);
        }
        self.unittest(line, counts);
    }

    /// `Ran 4 tests in 0.004s`, then `OK (skipped=1, expected failures=1)`.
    fn unittest(&mut self, line: &str, counts: &mut TestCounts) {
        if let Some(rest) = line.strip_prefix("Ran ") {
            let mut words = rest.split(' ');
            let number = words.next().and_then(|number| number.parse().ok());
            if let (Some(number), Some("test" | "tests"), Some("in")) = (number, words.next(), words.next()) {
                counts.told(number, 0);
                self.is_outcome_next = true;
            }
            return;
        }
        let is_outcome = ["OK", "FAILED", "NO TESTS RAN"].iter().any(|word| line.starts_with(word));
        if !is_outcome || !std::mem::take(&mut self.is_outcome_next) {
            return;
        }
        if line.starts_with("NO TESTS RAN") {
            counts.told_of_none();
        }
        let Some((_, details)) = line.split_once('(') else { return };
        for part in details.trim_end_matches(')').split(", ") {
            if let Some(number) = part
                .strip_prefix("skipped=")
                .or_else(|| part.strip_prefix("expected failures="))
                .and_then(|n| n.parse().ok())
            {
                counts.ran = counts.ran.saturating_sub(number);
                counts.skipped = counts.skipped.saturating_add(number);
            }
        }
    }
}

/// `=== 1 failed, 2 passed, 1 skipped in 0.34s ===`, and without the bars with `-q`. What was expected to fail and did
/// counts as skipped: it proves nothing.
fn pytest(line: &str) -> Option<(u64, u64)> {
    let line = line.trim_matches('=').trim();
    let (outcomes, time) = line.rsplit_once(" in ")?;
    time.split(' ').next()?.strip_suffix('s')?.parse::<f64>().ok()?;
    if outcomes.starts_with("no tests collected") {
        return Some((0, 0));
    }
    let (mut ran, mut skipped) = (0_u64, 0_u64);
    // Errors and warnings alone are counted by many programs.
    let mut says_how_many = false;
    for part in outcomes.split(", ") {
        let (number, words) = part.split_once(' ')?;
        // `3/10 tests collected (7 deselected)`
        let number: u64 = number.split('/').next()?.parse().ok()?;
        // It leaves out what there is none of.
        if number == 0 {
            return None;
        }
        match words.split(' ').next()? {
            "error" | "errors" => ran = ran.saturating_add(number),
            "warning" | "warnings" | "rerun" | "subtests" => {}
            "passed" | "failed" | "xpassed" => {
                ran = ran.saturating_add(number);
                says_how_many = true;
            }
            "skipped" | "xfailed" => {
                skipped = skipped.saturating_add(number);
                says_how_many = true;
            }
            "deselected" => says_how_many = true,
            "tests" | "test" if words.contains(" collected") => says_how_many = true,
            _ => return None,
        }
    }
    says_how_many.then_some((ran, skipped))
}
