//! How many tests a program's output says were run.

mod bun;
mod go;
mod javascript;
mod jvm;
mod native;
mod others;
mod prefix;
mod python;
mod runner;
mod rust;
mod tap;

use std::sync::LazyLock;

use bstr::ByteSlice;
use regex::bytes::Regex;

pub use runner::{Runner, runner};

/// Bytes of a line that are looked at. The words that count stand at the beginning.
const LINE: usize = 4096;

/// Tests that test runners tell of, added up over the whole output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TestCounts {
    /// Whether any test runner said anything.
    pub recognised: bool,
    /// Tests that ran, whatever came of them.
    pub ran: u64,
    /// Tests that were skipped or ignored, or that were expected to fail and did.
    pub skipped: u64,
    /// How many of `ran` are a guess: Go says `ok` for a package without telling whether its tests were skipped.
    pub guessed: u64,
    /// Whether a runner said in so many words that it found nothing to run.
    pub found_none: bool,
}

impl TestCounts {
    /// Adds the counts of another output.
    pub fn add(&mut self, other: Self) {
        self.recognised |= other.recognised;
        self.ran = self.ran.saturating_add(other.ran);
        self.skipped = self.skipped.saturating_add(other.skipped);
        self.guessed = self.guessed.saturating_add(other.guessed);
        self.found_none |= other.found_none;
    }

    /// Notes a runner's word.
    fn told(&mut self, ran: u64, skipped: u64) {
        self.add(Self { recognised: true, ran, skipped, ..Self::default() });
    }

    /// Notes that a runner found nothing to run.
    fn told_of_none(&mut self) {
        self.add(Self { recognised: true, found_none: true, ..Self::default() });
    }
}

/// Reads one stream as it comes.
#[derive(Debug, Default)]
pub struct Recogniser {
    line: Vec<u8>,
    counts: TestCounts,
    python: python::State,
    javascript: javascript::State,
    bun: bun::State,
    native: native::State,
    go: go::State,
    tap: tap::State,
}

/// What every line has that a runner's word is in. Nearly all lines have none of it, and are done with here.
static GATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "pass|Passed|✔ |tests? |test files|skip|Skipped|SKIP|todo|deselected|error|ok|PASS|FAIL|OK|Ran |RAN|Action|No test|NOTESTS|Tests|Could not find|example|assertion|pending|fail|cancelled|xpassed|flaky|did not run|Running |1\\.\\.0|Task :| ran\\.";
    Regex::new(&format!("(?-u){words}")).ok()
});

impl Recogniser {
    /// Takes the next bytes. A bare carriage return ends a line too: progress is written over with it.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(end) = rest.find_byteset(b"\n\r") {
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                self.take(line.get(..LINE).unwrap_or(line));
            } else {
                self.keep(line);
                let line = std::mem::take(&mut self.line);
                self.take(&line);
            }
        }
        self.keep(rest);
    }

    /// The counts when the stream has ended.
    pub fn finish(mut self) -> TestCounts {
        let line = std::mem::take(&mut self.line);
        self.take(&line);
        self.go.finish(&mut self.counts);
        self.tap.finish(&mut self.counts);
        self.counts
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LINE.saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn take(&mut self, line: &[u8]) {
        if line.len() < 2 || !GATE.as_ref().is_some_and(|gate| gate.is_match(line)) {
            return;
        }
        let line = anstream::adapter::strip_bytes(line).into_vec();
        let line = line.to_str_lossy();
        let line = prefix::without_prefix(line.trim_end());
        let counts = &mut self.counts;
        rust::take(line, counts);
        self.python.take(line, counts);
        self.javascript.take(line, counts);
        self.bun.take(line, counts);
        self.native.take(line, counts);
        jvm::take(line, counts);
        self.go.take(line, counts);
        self.tap.take(line, counts);
        others::take(line, counts);
    }
}

/// The number after a word, in `Skipped: 1`. None when the word is not there.
fn number_after(text: &str, word: &str) -> Option<u64> {
    let (_, rest) = text.split_once(word)?;
    rest.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The number before a word, in `3 passed, 1 failed`. None when the word is not there.
fn number_before(text: &str, word: &str) -> Option<u64> {
    text.split([',', '|', ';', '(', ')', '.']).find_map(|part| {
        let (number, rest) = part.trim().trim_matches('=').trim().split_once(' ')?;
        (rest.split(' ').next()? == word).then(|| number.parse().ok())?
    })
}

/// The sum of the numbers before any of these words; none when there is none of them.
fn sum_before(text: &str, words: &[&str]) -> Option<u64> {
    let numbers: Vec<u64> = words.iter().filter_map(|word| number_before(text, word)).collect();
    (!numbers.is_empty()).then(|| numbers.iter().fold(0_u64, |sum, number| sum.saturating_add(*number)))
}

#[cfg(test)]
mod tests;
