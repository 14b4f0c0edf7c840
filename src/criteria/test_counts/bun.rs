//! bun, deno and Playwright.

use super::{TestCounts, number_before, sum_before};

/// Said when nothing was found to run.
const NOTHING: &[&str] = &["error: No test modules found", "error: 0 test files matching", "No tests found!"];

#[derive(Debug, Default)]
pub(super) struct State {
    /// What bun's summary said so far: its last line tells that it was one.
    bun: Option<(u64, u64)>,
    /// After Playwright's `Running 3 tests using 2 workers`.
    is_playwright: bool,
}

impl State {
    pub(super) fn take(&mut self, line: &str, counts: &mut TestCounts) {
        let line = line.trim_start();
        if NOTHING.iter().any(|start| line.starts_with(start))
            || line.starts_with("error: regex ") && line.contains(" matched 0 tests")
        {
            counts.told_of_none();
        } else if line.starts_with("ok | ") || line.starts_with("FAILED | ") {
            // deno: `ok | 2 passed (3 steps) | 0 failed | 1 ignored (5ms)`
            if let Some(ran) = sum_before(line, &["passed", "failed"]) {
                counts.told(ran, number_before(line, "ignored").unwrap_or(0));
            }
        } else if let Some(rest) = line.strip_prefix("Ran ") {
            self.end_of_bun(rest, counts);
        } else if let Some(rest) = line.strip_prefix("Running ") {
            if rest.contains(" using ") && (rest.ends_with(" worker") || rest.ends_with(" workers")) {
                counts.told(0, 0);
                self.is_playwright = true;
            }
        } else {
            self.number(line, counts);
        }
    }

    /// `Ran 3 tests across 1 file. [11.00ms]`
    fn end_of_bun(&mut self, rest: &str, counts: &mut TestCounts) {
        let mut words = rest.split(' ');
        let number = words.next().and_then(|number| number.parse().ok());
        let (Some(number), Some("test" | "tests"), Some("across")) = (number, words.next(), words.next()) else {
            return;
        };
        let (ran, skipped) = self.bun.take().unwrap_or((number, 0));
        counts.told(ran, skipped);
    }

    /// A number and a word on a line of their own.
    fn number(&mut self, line: &str, counts: &mut TestCounts) {
        let Some((number, words)) = line.split_once(' ') else { return };
        let Ok(number) = number.parse::<u64>() else { return };
        match words {
            "pass" | "fail" => self.add_to_bun(number, 0),
            "skip" | "todo" => self.add_to_bun(0, number),
            _ if !self.is_playwright => {}
            "failed" | "flaky" | "passed" => counts.told(number, 0),
            "skipped" | "did not run" => counts.told(0, number),
            _ if words.starts_with("passed (") => counts.told(number, 0),
            _ => {}
        }
    }

    fn add_to_bun(&mut self, ran: u64, skipped: u64) {
        let (ran_before, skipped_before) = self.bun.unwrap_or_default();
        self.bun = Some((ran_before.saturating_add(ran), skipped_before.saturating_add(skipped)));
    }
}
