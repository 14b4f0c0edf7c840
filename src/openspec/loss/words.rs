//! The words of a text, for telling whether one sentence says what another says.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::script::is_ideographic;

/// The words that carry a text's meaning: folded in case and ending, each once. Markup and punctuation are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Words(Vec<u64>);

/// Words nearly every sentence has. Obligations and negations are looked at on their own.
const COMMON: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "do", "does", "each", "for",
    "from", "given", "has", "have", "if", "in", "into", "is", "it", "its", "may", "must", "no", "not", "of", "on",
    "or", "shall", "should", "so", "such", "system", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "to", "was", "when", "where", "which", "while", "will", "with", "would", "de", "da", "do", "dos",
    "das", "o", "os", "em", "que", "um", "uma", "para", "com", "deve", "el", "la", "las", "los", "en", "un", "una",
    "con", "debe", "le", "les", "des", "du", "et", "est", "der", "die", "und", "ist", "ein", "eine", "den", "sistema",
];

/// The same for characters that are words of their own.
const COMMON_CHARACTERS: &str =
    "的了在是和或与及并且则当时系统必须应不得将会可以该此其这那为被把个有を は が に の と で も た し て る れ";

impl Words {
    /// The words of a text.
    pub fn of(text: &str) -> Self {
        let (meaning, all) = Self::read(text);
        // A sentence of common words only is compared by these.
        Self::sorted(if meaning.is_empty() { all } else { meaning })
    }

    /// The words of a part of a sentence: none when it has only common ones.
    pub fn of_meaning(text: &str) -> Self {
        Self::sorted(Self::read(text).0)
    }

    fn sorted(mut words: Vec<u64>) -> Self {
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    /// The words that mean something, and all but characters.
    fn read(text: &str) -> (Vec<u64>, Vec<u64>) {
        let (mut meaning, mut all) = (Vec::new(), Vec::new());
        let mut word = String::new();
        let mut flush = |word: &mut String, meaning: &mut Vec<u64>| {
            if word.is_empty() {
                return;
            }
            let hash = hash(stem(word));
            all.push(hash);
            if !COMMON.contains(&word.as_str()) {
                meaning.push(hash);
            }
            word.clear();
        };
        for c in text.chars() {
            if is_ideographic(c) {
                flush(&mut word, &mut meaning);
                if !COMMON_CHARACTERS.contains(c) {
                    meaning.push(hash(c.encode_utf8(&mut [0; 4])));
                }
            } else if c.is_alphanumeric() {
                word.extend(c.to_lowercase());
            } else if !is_combining(c) {
                flush(&mut word, &mut meaning);
            }
        }
        flush(&mut word, &mut meaning);
        (meaning, all)
    }

    /// Whether nothing is there to compare.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of different words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The share of these words that another text has too: 1 when all, also when there are none.
    pub fn kept_in(&self, other: &Self) -> f64 {
        if self.0.is_empty() { 1.0 } else { ratio(self.shared(other), self.0.len()) }
    }

    /// How alike two texts are: shared words among all words.
    pub fn likeness(&self, other: &Self) -> f64 {
        let shared = self.shared(other);
        let all = self.0.len() + other.0.len() - shared;
        if all == 0 { 1.0 } else { ratio(shared, all) }
    }

    /// The words of several texts together.
    pub fn union<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        Self::sorted(all.flat_map(|words| words.0.iter().copied()).collect())
    }

    fn shared(&self, other: &Self) -> usize {
        let (mut one, mut two) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut shared = 0;
        while let (Some(a), Some(b)) = (one.peek(), two.peek()) {
            match a.cmp(b) {
                std::cmp::Ordering::Less => _ = one.next(),
                std::cmp::Ordering::Greater => _ = two.next(),
                std::cmp::Ordering::Equal => {
                    shared += 1;
                    one.next();
                    two.next();
                }
            }
        }
        shared
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    // Sentences have few words.
    f64::from(u32::try_from(part).unwrap_or(u32::MAX)) / f64::from(u32::try_from(whole).unwrap_or(u32::MAX))
}

fn hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

/// A word without the ending it takes in another tense or number, roughly: both forms lose the same.
fn stem(word: &str) -> &str {
    if !word.is_ascii() || word.len() < 3 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    let cut = |word: &'_ str, ending: &str, least: usize| -> Option<usize> {
        word.strip_suffix(ending).filter(|rest| rest.len() >= least).map(str::len)
    };
    let end = cut(word, "ies", 3)
        .or_else(|| cut(word, "ied", 3))
        .or_else(|| cut(word, "sses", 1).map(|at| at + 2))
        .or_else(|| cut(word, "ing", 3))
        .or_else(|| cut(word, "ed", 3))
        .or_else(|| (!word.ends_with("ss")).then(|| cut(word, "s", 2)).flatten())
        .unwrap_or(word.len());
    let word = &word[..end];
    word.strip_suffix('e').or_else(|| word.strip_suffix('y')).filter(|rest| rest.len() >= 3).unwrap_or(word)
}

/// Accents written as characters of their own.
fn is_combining(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one_word() {
        let kept = |one: &str, two: &str| Words::of(one).kept_in(&Words::of(two));
        for (one, two) in [("stores", "stored"), ("denied", "denies"), ("class", "classes"), ("retry", "retries")] {
            assert!(kept(one, two) > 0.9, "{one} {two}");
        }
        assert!(kept("**Returns** the `ids`.", "returning an ID") > 0.9);
    }

    #[test]
    fn common_words_do_not_make_sentences_alike() {
        let one = Words::of("The system MUST NOT report internal ids.");
        assert!(one.kept_in(&Words::of("The system SHALL report the widget state fast.")) < 0.5);
        assert!(Words::of("系统必须记录审计日志").kept_in(&Words::of("系统必须显示页面")) < 0.5);
    }

    #[test]
    fn nothing_is_kept_everywhere() {
        assert!(Words::of("---").kept_in(&Words::of("x")) > 0.9);
    }
}
