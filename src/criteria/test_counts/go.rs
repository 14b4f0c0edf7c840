//! `go test`, plain, with `-v` and with `-json`.

use std::collections::BTreeMap;

use super::TestCounts;

/// Tests of a package that are remembered to tell those with subtests. Beyond that each counts as it comes.
const REMEMBERED: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct State {
    /// Tests of the package that is told of, and whether each ran. With `-json` of all packages, which come mixed.
    tests: BTreeMap<String, bool>,
    has_tests: bool,
}

impl State {
    pub(super) fn take(&mut self, line: &str, counts: &mut TestCounts) {
        if line.starts_with('{') {
            self.json(line, counts);
        } else if let Some(outcome) = line.trim_start().strip_prefix("--- ") {
            let Some((outcome, name)) = outcome.split_once(": ") else { return };
            let name = name.split(' ').next().unwrap_or_default();
            match outcome {
                "PASS" | "FAIL" => self.add(name.to_owned(), true, counts),
                "SKIP" => self.add(name.to_owned(), false, counts),
                _ => {}
            }
        } else if line == "testing: warning: no tests to run" {
            counts.told(0, 0);
        } else {
            self.package(line, counts);
        }
    }

    pub(super) fn finish(&mut self, counts: &mut TestCounts) {
        self.flush(counts);
    }

    fn add(&mut self, name: String, ran: bool, counts: &mut TestCounts) {
        self.has_tests = true;
        if self.tests.len() < REMEMBERED {
            self.tests.insert(name, ran);
        } else {
            counts.told(u64::from(ran), u64::from(!ran));
        }
    }

    /// Counts the tests without subtests: one that only has skipped ones says `PASS` too.
    fn flush(&mut self, counts: &mut TestCounts) {
        let tests = std::mem::take(&mut self.tests);
        for (name, ran) in &tests {
            let below = format!("{name}/");
            let has_subtests = tests.range(below.clone()..).next().is_some_and(|(next, _)| next.starts_with(&below));
            if !has_subtests {
                counts.told(u64::from(*ran), u64::from(!*ran));
            }
        }
    }

    /// `ok  \tpackage\t0.005s`, `FAIL\tpackage\t0.003s`, `?   \tpackage\t[no test files]`
    fn package(&mut self, line: &str, counts: &mut TestCounts) {
        let mut columns = line.split('\t');
        let (Some(word), Some(_), rest) = (columns.next(), columns.next(), columns.next()) else { return };
        if !matches!(word, "ok  " | "FAIL" | "?   ") {
            return;
        }
        let had_tests = std::mem::take(&mut self.has_tests);
        self.flush(counts);
        let Some(rest) = rest else { return };
        let ran_any = word != "?   " && !line.ends_with("[no tests to run]") && !rest.starts_with('[');
        counts.told(0, 0);
        if ran_any && !had_tests {
            counts.ran = counts.ran.saturating_add(1);
            counts.guessed = counts.guessed.saturating_add(1);
        }
    }

    /// `{"Time":…,"Action":"pass","Package":"x","Test":"TestOk","Elapsed":0}`
    fn json(&mut self, line: &str, counts: &mut TestCounts) {
        let ran = if line.contains("\"Action\":\"pass\"") || line.contains("\"Action\":\"fail\"") {
            true
        } else if line.contains("\"Action\":\"skip\"") {
            false
        } else {
            return;
        };
        let Ok(event) = serde_json::from_str::<serde_json::Value>(line) else { return };
        let Some(package) = event.get("Package").and_then(serde_json::Value::as_str) else { return };
        counts.told(0, 0);
        if let Some(test) = event.get("Test").and_then(serde_json::Value::as_str) {
            self.add(format!("{package}\0{test}"), ran, counts);
        }
    }
}
