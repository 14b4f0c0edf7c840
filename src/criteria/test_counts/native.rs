//! GoogleTest, ctest, and prove.

use super::{TestCounts, number_after};

#[derive(Debug, Default)]
pub(super) struct State {
    /// After ctest's summary, when it lists what did not run.
    is_ctest: bool,
}

impl State {
    pub(super) fn take(&mut self, line: &str, counts: &mut TestCounts) {
        let line = line.trim_start();
        if line.starts_with("No tests were found!!!") || line == "Result: NOTESTS" {
            counts.told_of_none();
        } else if let Some(rest) = line.strip_prefix("[==========] ") {
            // `[==========] 3 tests from 1 test suite ran. (0 ms total)`: what came of them follows.
            if rest.contains(" ran.") {
                counts.told(0, 0);
            }
        } else if let Some(rest) = line.strip_prefix("[  PASSED  ] ").or_else(|| line.strip_prefix("[  FAILED  ] ")) {
            counts.told(tests(rest).unwrap_or(0), 0);
        } else if let Some(rest) = line.strip_prefix("[  SKIPPED ] ") {
            counts.told(0, tests(rest).unwrap_or(0));
        } else if line.contains("% tests passed, ")
            && let Some(all) = number_after(line, " out of ")
        {
            // `100% tests passed, 0 tests failed out of 3`
            counts.told(all, 0);
            self.is_ctest = true;
        } else if self.is_ctest && line.ends_with(" (Skipped)") {
            // They count as passed.
            counts.ran = counts.ran.saturating_sub(1);
            counts.skipped = counts.skipped.saturating_add(1);
        } else if line.starts_with("Files=")
            && let Some(all) = number_after(line, ", Tests=")
        {
            // `Files=1, Tests=3,  0 wallclock secs …`
            counts.told(all, 0);
        }
    }
}

/// `3 tests.`, `1 test, listed below:`; no name of a test.
fn tests(rest: &str) -> Option<u64> {
    let (number, word) = rest.split_once(' ')?;
    word.starts_with("test").then(|| number.parse().ok())?
}
