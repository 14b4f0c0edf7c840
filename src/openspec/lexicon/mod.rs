//! Words and phrases that quality rules look for: one data file per language in `words/`, read when the language is met.
//!
//! A phrase counts where it stands as whole words: `handle` is not in `handler`, `fast` not in `fast-forward`. Chinese and
//! Japanese have no blanks between words, so there a phrase counts wherever it stands, and has to be chosen accordingly.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::Deserialize;

use super::prose::Language;

/// What a phrase is a sign of. In a data file each is a key (`superfluous-infinitive`) with its phrases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum List {
    /// Demands: shall, must, is required to.
    Imperative,
    /// Words that only seem to demand: should, may, can.
    Weak,
    /// Adjectives and adverbs that everybody measures otherwise: fast, appropriate.
    Vague,
    /// Ways out: where possible, as needed.
    Escape,
    /// Lists without an end: etc., such as.
    OpenEnded,
    /// Ability where an action is meant: be able to.
    SuperfluousInfinitive,
    /// Purposes: in order to, so that.
    Purpose,
    /// Times that are none: eventually, soon.
    Temporal,
    /// Comparisons without a measure: better, as fast as possible.
    Comparison,
    /// Without exception: always, never, 100 %.
    Absolute,
    /// Words for what is measured: latency, throughput.
    Performance,
    /// Phrases that point at something said elsewhere: the above, the previous section.
    Reference,
    /// Words for something named before: it, they.
    Pronoun,
    /// Outcomes that say nothing: works, as expected.
    EmptyOutcome,
    /// What can be observed: returns, shows, exits.
    Observable,
    /// Failure: error, invalid, times out.
    Failure,
    /// How somebody uses a screen: clicks, types.
    Gesture,
    /// What a number is compared by: at least, within.
    Comparator,
    /// What is counted or measured by a number: seconds, percent, attempts.
    Unit,
    /// A measure without a digit: twice, as before.
    Measure,
    /// Past participles that end in no `-ed`.
    Participle,
    /// Verbs that requirements demand, in their base form.
    Verb,
    /// How things are built rather than what they do.
    Solution,
    /// Names of scenarios that say nothing.
    Unnamed,
    /// Phrases that hold a word of another list and mean something else: `fail fast`, `immediately after`.
    Literal,
    /// Words behind a vague one that say what it means: naming, such as.
    Detail,
    /// Two joins in one: and/or.
    AndOr,
    /// Quantities whose numbers need a unit: timeout, delay.
    Quantity,
    /// Where a measure shall go, without saying how far: low, reduce.
    Tendency,
    /// Words that say when a prohibition holds: when, unless, more than.
    Bound,
    /// People, who are able to do things: user, developer.
    Person,
    /// Abbreviations that everybody knows.
    Abbreviation,
}

/// A phrase that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Bytes of the sentence.
    pub range: Range<usize>,
    lists: u64,
}

impl Hit {
    /// Whether a list has it.
    pub fn is(&self, list: List) -> bool {
        self.lists & bit(list) != 0
    }
}

fn bit(list: List) -> u64 {
    1 << list as u32
}

/// The lists of a language.
#[derive(Debug)]
pub struct Lexicon {
    /// Which language.
    pub language: Language,
    finder: AhoCorasick,
    /// Which lists each pattern is in.
    lists: Vec<u64>,
    is_spaced: bool,
}

static ENGLISH: LazyLock<Option<Lexicon>> =
    LazyLock::new(|| Lexicon::read(include_str!("words/en.yaml"), Language::English));
static CHINESE: LazyLock<Option<Lexicon>> =
    LazyLock::new(|| Lexicon::read(include_str!("words/zh.yaml"), Language::Chinese));
static PORTUGUESE: LazyLock<Option<Lexicon>> =
    LazyLock::new(|| Lexicon::read(include_str!("words/pt.yaml"), Language::Portuguese));
static SPANISH: LazyLock<Option<Lexicon>> =
    LazyLock::new(|| Lexicon::read(include_str!("words/es.yaml"), Language::Spanish));
static JAPANESE: LazyLock<Option<Lexicon>> =
    LazyLock::new(|| Lexicon::read(include_str!("words/ja.yaml"), Language::Japanese));

/// The lists of a language that has some.
pub fn of(language: Language) -> Option<&'static Lexicon> {
    match language {
        Language::English => ENGLISH.as_ref(),
        Language::Chinese => CHINESE.as_ref(),
        Language::Portuguese => PORTUGUESE.as_ref(),
        Language::Spanish => SPANISH.as_ref(),
        Language::Japanese => JAPANESE.as_ref(),
        Language::Unknown => None,
    }
}

impl Lexicon {
    /// Reads a data file. A test reads all of them, so none of ours is `None`.
    fn read(data: &str, language: Language) -> Option<Self> {
        let read: BTreeMap<List, Vec<String>> = serde_yaml::from_str(data).ok()?;
        let mut by_phrase: BTreeMap<String, u64> = BTreeMap::new();
        for (list, phrases) in read {
            for phrase in phrases {
                *by_phrase.entry(phrase.to_lowercase()).or_default() |= bit(list);
            }
        }
        let (phrases, lists): (Vec<String>, Vec<u64>) = by_phrase.into_iter().unzip();
        let is_spaced = !matches!(language, Language::Chinese | Language::Japanese);
        Some(Self { language, finder: AhoCorasick::new(&phrases).ok()?, lists, is_spaced })
    }

    /// Whether it has words for a list at all.
    pub fn has(&self, list: List) -> bool {
        self.lists.iter().any(|lists| lists & bit(list) != 0)
    }

    /// What stands in a text that is in small letters. Of two that overlap the one that begins first counts, of two that
    /// begin together the longer one.
    pub fn hits(&self, said: &str) -> Vec<Hit> {
        let mut found: Vec<Hit> = self
            .finder
            .find_overlapping_iter(said)
            .filter(|found| !self.is_spaced || is_whole(said, &found.range()))
            .map(|found| Hit { range: found.range(), lists: self.lists[found.pattern().as_usize()] })
            .collect();
        found.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end)));
        let mut end = 0;
        found.retain(|hit| {
            let is_free = hit.range.start >= end;
            if is_free {
                end = hit.range.end;
            }
            is_free
        });
        found
    }
}

/// Whether the words around some bytes are two with a slash between them (`quickly/robustly`), and no path.
fn is_pair(text: &str, range: &Range<usize>) -> bool {
    let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '*' | '"');
    let start = text[..range.start].rfind(is_end).map_or(0, |at| at + 1);
    let end = text[range.end..].find(is_end).map_or(text.len(), |length| range.end + length);
    let words = text.get(start..end).unwrap_or_default().trim_end_matches(['.', ':', '\0']);
    let is_word = |word: &str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    words.split_once('/').is_some_and(|(one, other)| is_word(one) && is_word(other))
}

/// Whether some bytes are whole words: no letter, digit or underscore beside them, nor one behind a mark that joins words
/// (`fast-forward`, `and/or`, `some.name`).
fn is_whole(text: &str, range: &Range<usize>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let joins = |c: char| matches!(c, '-' | '/' | '.' | '@' | ':' | '\'' | '’' | '#' | '\\' | '+' | '=');
    let mut before = text[..range.start].chars().rev();
    let mut after = text[range.end..].chars();
    let is_slash = |first: Option<char>| first == Some('/') && is_pair(text, range);
    let ends = |first: Option<char>, second: Option<char>| match first {
        Some(c) if is_word(c) => false,
        first if is_slash(first) => true,
        Some(c) if joins(c) => !second.is_some_and(is_word),
        _ => true,
    };
    // A phrase may end in a mark of its own (`etc.`): nothing is cut there.
    let last = text[range.clone()].chars().next_back();
    let is_open = last.is_some_and(is_word);
    ends(before.next(), before.next()) && (!is_open || ends(after.next(), after.next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Language; 5] =
        [Language::English, Language::Chinese, Language::Portuguese, Language::Spanish, Language::Japanese];

    #[test]
    fn every_data_file_can_be_read() {
        for language in ALL {
            assert!(of(language).is_some(), "{language:?}");
        }
    }

    #[test]
    fn whole_words_only() {
        let lexicon = Lexicon::read("vague: [fast, as fast, etc., good]\nescape: [as needed]\n", Language::English);
        let found = |text: &str| -> Vec<String> {
            let hits = lexicon.as_ref().map_or_else(Vec::new, |lexicon| lexicon.hits(text));
            hits.into_iter().map(|hit| text[hit.range].to_owned()).collect()
        };
        assert_eq!(
            found("a fast, (fast) *fast*: as fast as needed etc."),
            ["fast", "fast", "fast", "as fast", "as needed", "etc."]
        );
        assert_eq!(found("fast/slow, slow/good."), ["fast", "good"]);
        for near in [
            "fast-forward",
            "breakfast",
            "fasten",
            "a/fast/slow",
            "fast/slow.md",
            "goods",
            "is_good",
            "good_x",
            "x.good",
            "fast's",
        ] {
            assert!(found(near).is_empty(), "{near}");
        }
    }
}
