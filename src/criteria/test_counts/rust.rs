//! `cargo test` and `cargo nextest`.

use super::{TestCounts, number_before, sum_before};

/// `test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; …`, for each binary, and
/// `Summary [   0.098s] 3 tests run: 2 passed, 1 failed, 1 skipped`, once.
pub(super) fn take(line: &str, counts: &mut TestCounts) {
    let line = line.trim_start();
    if let Some(result) = line.strip_prefix("test result: ") {
        if let Some(ran) = sum_before(result, &["passed", "failed", "measured"]) {
            counts.told(ran, number_before(result, "ignored").unwrap_or(0));
        }
    } else if let Some((_, summary)) = line.strip_prefix("Summary [").and_then(|rest| rest.split_once("] "))
        && let Some((run, outcome)) = summary.split_once(" run:")
    {
        // `1/3 tests` when it was cancelled.
        let number = run.split(['/', ' ']).next().and_then(|number| number.parse().ok());
        if let Some(ran) = number {
            counts.told(ran, number_before(outcome, "skipped").unwrap_or(0));
        }
    }
}
