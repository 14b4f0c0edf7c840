//! dotnet, PHPUnit, RSpec and minitest.

use super::{TestCounts, number_after, number_before};

/// Said when nothing was found to run.
const NOTHING: &[&str] =
    &["No tests executed!", "No test is available in ", "No test matches the given testcase filter"];

pub(super) fn take(line: &str, counts: &mut TestCounts) {
    let line = line.trim_start();
    let number = |word: &str| number_after(line, word);
    if NOTHING.iter().any(|start| line.starts_with(start)) {
        counts.told_of_none();
    } else if let (Some(failed), Some(passed), Some(skipped)) =
        (number("Failed:"), number("Passed:"), number("Skipped:"))
    {
        // dotnet: `Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 12 ms - x.dll`
        counts.told(failed.saturating_add(passed), skipped);
    } else if let (Some(all), Some(_)) = (line.strip_prefix("Tests:").and(number("Tests:")), number("Assertions:")) {
        // PHPUnit: `Tests: 3, Assertions: 5, Failures: 1, Skipped: 1.`
        let skipped = number("Skipped:").unwrap_or(0).saturating_add(number("Incomplete:").unwrap_or(0));
        counts.told(all.saturating_sub(skipped), skipped);
    } else if let Some(all) = line.strip_prefix("OK (").filter(|rest| rest.contains(" assertion")) {
        // PHPUnit: `OK (3 tests, 5 assertions)`
        counts.told(number_before(all, "tests").or_else(|| number_before(all, "test")).unwrap_or(0), 0);
    } else if let Some(all) = number_before(line, "examples").or_else(|| number_before(line, "example"))
        && (line.contains(" failures") || line.contains(" failure"))
    {
        // RSpec: `3 examples, 0 failures, 1 pending`
        let pending = number_before(line, "pending").unwrap_or(0);
        counts.told(all.saturating_sub(pending), pending);
    } else if let (Some(all), true) = (ruby(line), line.contains(" assertions, ")) {
        // minitest: `3 runs, 5 assertions, 0 failures, 0 errors, 1 skips`; test-unit counts `tests` and `omissions`.
        let skipped = ["skips", "pendings", "omissions"].iter().filter_map(|word| number_before(line, word)).sum();
        counts.told(all.saturating_sub(skipped), skipped);
    }
}

fn ruby(line: &str) -> Option<u64> {
    number_before(line, "runs").or_else(|| number_before(line, "tests"))
}
