//! Whether something is said beside a word that says how much, or what is meant.

use std::ops::Range;

use super::sentence::{Sentence, Word};
use crate::openspec::lexicon::{Hit, List};

/// Words on each side among which a number measures a vague one.
const NEAR: usize = 4;

/// Units that stand right behind their number: `200ms`.
const ATTACHED: &[&str] = &[
    "ms", "s", "m", "h", "d", "ns", "us", "µs", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "px", "rem", "em", "x",
    "fps", "hz", "k", "%",
];

/// Marks that compare.
const MARKS: &[char] = &['<', '>', '≤', '≥', '=', '~', '≈', '±'];

/// Words that make a limit of a number behind them.
const LIMITS: &[&str] = &["under", "below", "above", "over"];

/// Numbers in words.
const NUMBERS: &[&str] =
    &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "a", "an", "half"];

/// What goes on behind a word and says what is meant by it: `sorted properly, by name`.
const GOES_ON: &[&str] = &[", by ", ", without ", ", once ", ", when ", ", i.e.", ", e.g."];

impl Sentence {
    /// Whether a number with a unit or a limit stands within four words of some of its words, or it is said behind them what
    /// they mean: `fast, within 200 ms`, `a clear error naming the file`, `proper rights (read, write)`.
    pub fn is_measured(&self, range: &Range<usize>) -> bool {
        let around = self.around(range);
        let behind = range.end..around.end;
        self.has_measure(&around)
            || self.has_within(List::Detail, &behind)
            || self.written(&behind).contains([':', '：'])
            || self.brackets(&behind).is_some_and(|inner| self.is_concrete(&inner))
            || GOES_ON.iter().any(|words| self.said_at(&(range.end..self.said.len())).starts_with(words))
    }

    /// Whether it is said what something is compared with: `faster than before`.
    pub fn is_compared(&self, range: &Range<usize>) -> bool {
        let behind = range.end..self.around(range).end;
        self.words().any(|word| word.word == "than" && behind.contains(&word.range.start))
            || self.has_within(List::Comparator, &behind)
    }

    /// Whether a list has something within four words of some words.
    pub fn has_near(&self, list: List, range: &Range<usize>) -> bool {
        self.has_within(list, &self.around(range))
    }

    /// Whether a digit is said anywhere in it, or in code, where it may be the number that is missed.
    pub fn has_number(&self) -> bool {
        self.text.contains(|c: char| c.is_ascii_digit())
    }

    fn has_within(&self, list: List, range: &Range<usize>) -> bool {
        self.within(list, range).next().is_some()
    }

    fn within(&self, list: List, range: &Range<usize>) -> impl Iterator<Item = &Hit> {
        self.of(list).filter(move |hit| hit.range.start >= range.start && hit.range.end <= range.end)
    }

    /// Whether there is a number with a unit, or a limit and what it is.
    fn has_measure(&self, range: &Range<usize>) -> bool {
        self.has_within(List::Measure, range)
            || self.within(List::Comparator, range).any(|hit| self.is_limit(hit.range.end))
            || self.words().filter(|word| range.contains(&word.range.start)).any(|word| self.is_amount(&word))
    }

    /// Whether what follows behind a comparator says how much: `5`, `one second`, `the timeout`, code.
    fn is_limit(&self, from: usize) -> bool {
        let written = self.text.get(from..).unwrap_or_default().trim_start();
        let next = self.words().find(|word| word.range.start >= from);
        let near = || self.around(&(from..from)).end;
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.contains(&word);
        written.starts_with(['`', '"', '$', '€'])
            || next.is_some_and(|word| is_number(word.word) || word.word == "as")
            || self.has_within(List::Quantity, &(from..near()))
            // Words without blanks between them begin and end anywhere.
            || !self.said_at(&(from..self.said.len())).is_ascii() && self.has_digit()
    }

    fn has_digit(&self) -> bool {
        self.said.contains(|c: char| c.is_ascii_digit())
    }

    /// Whether a word is a number with its unit or a mark that compares: `200ms`, `5 %`, `< 3`, `each minute`.
    fn is_amount(&self, word: &Word<'_>) -> bool {
        let behind = self.said.get(word.range.end..).unwrap_or_default();
        let has_unit = || {
            let start = word.range.end + behind.len() - behind.trim_start().len();
            self.of(List::Unit).any(|hit| hit.range.start == start)
        };
        let unit = word.word.trim_start_matches(|c: char| c.is_ascii_digit());
        if unit.len() == word.word.len() {
            return matches!(word.word, "every" | "each" | "per") && has_unit();
        }
        let before = self.said.get(..word.range.start).unwrap_or_default().trim_end();
        ATTACHED.contains(&unit)
            // The counting words of Chinese and Japanese.
            || unit.chars().chain(behind.trim_start().chars()).next().is_some_and(|c| c >= '\u{3040}' && c.is_alphabetic())
            || before.ends_with(MARKS)
            || LIMITS.contains(&before.rsplit(' ').next().unwrap_or_default())
            || behind.trim_start().starts_with('%')
            || has_unit()
    }

    /// What stands in the first brackets of some bytes, to their end.
    fn brackets(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let open = self.said_at(range).find(['(', '（'])? + range.start;
        let start = open + self.said[open..].chars().next().map_or(1, char::len_utf8);
        let end = self.said[start..].find([')', '）']).map_or(self.said.len(), |length| start + length);
        Some(start..end)
    }

    /// Whether words in brackets say what is meant: a number of something, code, a list of names, or words that begin like `naming`.
    fn is_concrete(&self, inner: &Range<usize>) -> bool {
        let written = self.text.get(inner.clone()).unwrap_or_default();
        let begins = |hit: &Hit| self.said_at(&(inner.start..hit.range.start)).trim().is_empty();
        // `(H.264)`, `(0-10 scale)`, but not `(5)`
        let has_named_number = written.contains(|c: char| c.is_ascii_digit()) && written.contains(char::is_alphabetic);
        self.has_measure(inner)
            || has_named_number
            || written.contains(['`', '"', '“', ',', '、', '，', '/', '→', '='])
            || self.within(List::Detail, inner).any(begins)
    }

    /// The bytes of some words and of those near them, with the marks behind.
    fn around(&self, range: &Range<usize>) -> Range<usize> {
        // Where the last words before them begin; none of them yet.
        let mut before = [0; NEAR];
        let mut after = 0;
        for Word { range: word, .. } in self.words() {
            if word.start < range.start {
                before.rotate_left(1);
                before[NEAR - 1] = word.start;
            } else if word.start >= range.end {
                after += 1;
                if after > NEAR {
                    return before[0]..word.start;
                }
            }
        }
        before[0]..self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::shown::said;
    use super::super::{Kind, Language};
    use super::*;

    fn measured(text: &str, word: &str) -> bool {
        let sentence =
            Sentence::new(text.to_owned(), said(text), Kind::Statement, Vec::new(), Language::English.lexicon());
        let start = text.find(word).unwrap_or_default();
        sentence.is_measured(&(start..start + word.len()))
    }

    #[test]
    fn numbers_and_comparisons_measure() {
        for text in [
            "answer fast, within 200 ms",
            "at least as fast as before",
            "2 times as fast",
            "fast, p95 < 200",
            "fast (200ms)",
            "fast in under 3 seconds",
            "fast, at least 5 a second",
            "fast, 5 % of the time",
            "fast, within the configured timeout",
            "fast, every minute",
            "a fast reply naming it",
            "fast rights (read, write)",
            "a fast reply (`at once`)",
            "a fast reply (such as a file)",
            "fast ways (H.264)",
            "fast ways:",
            "fast, by name",
        ] {
            assert!(measured(text, "fast"), "{text}");
        }
        for text in [
            "answer fast",
            "in 3 of all the many cases fast",
            "naming it (now) fast",
            "fast in all of the best 3 cases",
            "fast (5)",
            "v2 fast",
            "in step 3 fast",
            "fast, see #12",
            "in 2 fast and robust steps",
            "fast than the user",
            "fast (as its authors see fit)",
            "fast, at least in the view of the user",
        ] {
            assert!(!measured(text, "fast"), "{text}");
        }
    }
}
