//! Maven's surefire, Gradle, and JUnit's console launcher.

use super::{TestCounts, number_after};

/// Said when nothing was found to run.
const NOTHING: &[&str] =
    &["No tests to run.", "Tests are skipped.", "No tests found for given includes", "No tests were executed"];

pub(super) fn take(line: &str, counts: &mut TestCounts) {
    let line = line.trim_start();
    let number = |word: &str| number_after(line, word);
    if NOTHING.iter().any(|start| line.trim_start_matches("> ").starts_with(start)) {
        counts.told_of_none();
    } else if let (true, Some(all), Some(_)) =
        (line.starts_with("Tests run:"), number("Tests run:"), number("Failures:"))
    {
        // `Tests run: 3, Failures: 0, Errors: 0, Skipped: 1`; with a time it is that of a class, which is told again.
        let skipped = number("Skipped:").unwrap_or(0);
        if !line.contains("Time elapsed") {
            counts.told(all.saturating_sub(skipped), skipped);
        }
    } else if let Some(task) = line.strip_prefix("> Task :") {
        gradle(task, counts);
    } else if let Some(inside) = line.strip_prefix("[ ").and_then(|rest| rest.strip_suffix(" ]")) {
        console(inside.trim(), counts);
    }
}

/// `> Task :app:test`, `> Task :test NO-SOURCE`. How many tests a task ran is not told.
fn gradle(task: &str, counts: &mut TestCounts) {
    let (name, state) = task.split_once(' ').unwrap_or((task, ""));
    let name = name.rsplit(':').next().unwrap_or(name);
    if name != "test" && !name.ends_with("Test") {
        return;
    }
    if matches!(state, "NO-SOURCE" | "SKIPPED") {
        counts.told(0, 0);
    } else {
        counts.told(1, 0);
        counts.guessed = counts.guessed.saturating_add(1);
    }
}

/// `[         3 tests started         ]`
fn console(inside: &str, counts: &mut TestCounts) {
    let mut words = inside.split(' ');
    let Some(number) = words.next().and_then(|number| number.parse().ok()) else { return };
    match (words.next(), words.next()) {
        (Some("tests"), Some("started")) => counts.told(number, 0),
        (Some("tests"), Some("skipped")) => counts.told(0, number),
        _ => {}
    }
}
