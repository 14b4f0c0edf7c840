//! Whether something is said beside a word that says how much, or what is meant.

use std::ops::Range;

use super::sentence::{Sentence, Word};
use crate::openspec::lexicon::List;

/// Words on each side among which a number measures a vague one.
const NEAR: usize = 4;

impl Sentence {
    /// Whether a number or a comparison stands within four words of some of its words, or it is said behind them what they
    /// mean: `fast, within 200 ms`, `a clear error naming the file`, `proper rights (its owner's)`.
    pub fn is_measured(&self, range: &Range<usize>) -> bool {
        let around = self.around(range);
        let behind = range.end..around.end;
        self.has_digit(&around)
            || self.has_within(List::Comparator, &around)
            || self.has_within(List::Detail, &behind)
            || self.written(&behind).contains(['(', '（', ':', '：'])
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
        self.of(list).any(|hit| hit.range.start >= range.start && hit.range.end <= range.end)
    }

    fn has_digit(&self, range: &Range<usize>) -> bool {
        self.said.get(range.clone()).is_some_and(|said| said.contains(|c: char| c.is_ascii_digit()))
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
            "a fast reply naming it",
            "a fast reply (at once)",
            "fast ways:",
        ] {
            assert!(measured(text, "fast"), "{text}");
        }
        for text in [
            "answer fast",
            "in 3 of all the many cases fast",
            "naming it (now) fast",
            "fast in all of the best 3 cases",
        ] {
            assert!(!measured(text, "fast"), "{text}");
        }
    }
}
