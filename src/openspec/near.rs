//! Names that nearly match, and what keeps them from matching.

use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};

use icu_normalizer::ComposingNormalizerBorrowed;

use super::heading::fold_name;

/// A name close to the one that was looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near<'n> {
    /// The name.
    pub name: &'n str,
    /// What the two differ in, as far as that is a matter of spelling; none when they are merely similar.
    pub difference: Option<&'static str>,
    /// Whether a slip of the hand or a matter of spelling is all that keeps them apart, so that this name was meant.
    pub is_slip: bool,
}

/// Edits that a slip of the hand makes of a long word.
const SLIP: usize = 2;

/// Steps by which names are folded, each on top of those before, and what differs when the step makes them equal.
const STEPS: &[(Step, &str)] = &[
    (fold_name_step, "case or spacing"),
    (compose, "Unicode normalisation"),
    (plain_quotes, "quotation marks"),
    (plain_dashes, "dashes"),
    (without_notes, "a note in brackets"),
    (without_label, "a number or label before the name"),
    (without_marks, "punctuation or emphasis"),
];

type Step = fn(String) -> String;

/// A name without all that [`near`] calls a matter of spelling.
pub fn spelling_key(name: &str) -> String {
    STEPS.iter().fold(name.to_owned(), |name, (step, _)| step(name))
}

/// How many of [`STEPS`] leave no doubt that two names are one.
const SURE: usize = 4;

/// A name without what nobody would take for a difference: case, spacing, normalisation, quotation marks, dashes.
pub fn same_spelling_key(name: &str) -> String {
    STEPS[..SURE].iter().fold(name.to_owned(), |name, (step, _)| step(name))
}

/// Whether two names are one, written in two ways.
pub fn is_same_spelling(one: &str, other: &str) -> bool {
    same_spelling_key(one) == same_spelling_key(other)
}

/// What two names differ in when it is a matter of spelling only.
pub fn spelling_difference(one: &str, other: &str) -> Option<&'static str> {
    let (mut one, mut other) = (one.to_owned(), other.to_owned());
    for (step, label) in STEPS {
        (one, other) = (step(one), step(other));
        if one == other {
            return (!one.is_empty()).then_some(label);
        }
    }
    None
}

/// The candidate nearest to a name: one that differs in spelling only, else the most similar one if it is similar at all.
pub fn near<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<Near<'n>> {
    NameIndex::new(candidates).near(name)
}

/// Names that are looked up by what they nearly are, each folded once.
#[derive(Debug)]
pub struct NameIndex<'n> {
    names: Vec<&'n str>,
    by_key: HashMap<String, Vec<usize>>,
    folded: OnceCell<Vec<String>>,
    /// Names that may still be compared letter by letter.
    left: Cell<usize>,
}

/// Names that are compared letter by letter in all lookups together. A suggestion is not worth more.
const MAX_COMPARISONS: usize = 20_000;

impl<'n> NameIndex<'n> {
    /// An index of names.
    pub fn new(names: impl Iterator<Item = &'n str>) -> Self {
        let names: Vec<&str> = names.collect();
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::with_capacity(names.len());
        for (at, name) in names.iter().enumerate() {
            by_key.entry(spelling_key(name)).or_default().push(at);
        }
        Self { names, by_key, folded: OnceCell::new(), left: Cell::new(MAX_COMPARISONS) }
    }

    /// The name nearest to one: a name that differs in spelling only, else the most similar one if it is similar at all.
    pub fn near(&self, name: &str) -> Option<Near<'n>> {
        let key = spelling_key(name);
        let same = self.by_key.get(&key).filter(|_| !key.is_empty());
        let other = |at: &&usize| self.names[**at] != name;
        if let Some(at) = same.and_then(|same| same.iter().find(other)) {
            let near = self.names[*at];
            return Some(Near { name: near, difference: spelling_difference(name, near), is_slip: true });
        }
        self.similar(name)
    }

    fn similar(&self, name: &str) -> Option<Near<'n>> {
        self.left.set(self.left.get().checked_sub(self.names.len())?);
        let folded = fold_name(name);
        let all = self.folded.get_or_init(|| self.names.iter().map(|name| fold_name(name)).collect());
        let others = all.iter().zip(&self.names).filter(|(_, candidate)| **candidate != name);
        let scored = others.map(|(candidate, name)| (similarity(&folded, candidate), candidate, *name));
        let (score, best, name) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
        (score >= SIMILAR).then(|| Near { name, difference: None, is_slip: is_slip(&folded, best) })
    }
}

/// Whether two folded names are a slip of the hand apart: one edit in a short name, two in a long one, and not in a
/// number, since "v1" and "v2" are two things.
fn is_slip(one: &str, other: &str) -> bool {
    let length = one.chars().count().min(other.chars().count());
    let edits = if length >= 8 { SLIP } else { 1 };
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    length >= 4 && distance(one, other) <= edits && digits(one) == digits(other)
}

/// From this similarity on a name is worth suggesting.
const SIMILAR: f64 = 0.6;

/// Characters above which names are compared by their words only.
const MAX_COMPARED: usize = 200;

/// 1 for equal names, 0 for those that have nothing in common: by characters or by words, whichever is more.
fn similarity(one: &str, other: &str) -> f64 {
    let words = |name: &str| name.split(' ').map(str::to_owned).collect::<HashSet<String>>();
    let (a, b) = (words(one), words(other));
    let by_words = a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64;
    let length = one.chars().count().max(other.chars().count());
    if length == 0 || length > MAX_COMPARED {
        return by_words;
    }
    let by_characters = 1.0 - distance(one, other) as f64 / length as f64;
    by_words.max(by_characters)
}

/// Edits that make one name of the other, in characters: one put in, taken out, replaced, or swapped with its neighbour.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

fn fold_name_step(name: String) -> String {
    fold_name(&name)
}

/// Compatibility composition: one form for what looks the same, full-width letters and brackets included. Characters
/// nobody sees go.
fn compose(name: String) -> String {
    let is_hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}');
    fold_name(&ComposingNormalizerBorrowed::new_nfkc().normalize(&name).replace(is_hidden, ""))
}

fn plain_quotes(name: String) -> String {
    name.replace(['\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}', '\u{2032}', '`', '´'], "'")
        .replace(['\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}', '\u{2033}', '«', '»', '「', '」'], "\"")
}

fn plain_dashes(name: String) -> String {
    let name = name.replace(['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}'], "-");
    // "a - b", "a -- b", "a-b" and "a b" are the same words.
    fold_name(name.replace(['-', '_'], " ").trim())
}

/// Without what stands in round or square brackets, unless nothing else is there.
fn without_notes(name: String) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut depth = 0usize;
    for c in name.chars() {
        match c {
            '(' | '[' | '【' => depth += 1,
            ')' | ']' | '】' if depth > 0 => depth -= 1,
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    let kept = fold_name(kept.trim());
    if kept.is_empty() || depth > 0 { name } else { kept }
}

/// Without `REQ-1:`, `FR 001 -`, `R1.`, `1.2` and the like at the start.
fn without_label(name: String) -> String {
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = name[letters..].trim_start_matches([' ', '-', '_', '.', '#']);
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let has_digits = rest.starts_with(|c: char| c.is_ascii_digit());
    let tail = digits.trim_start_matches([':', ' ', '-', '.', ')', '|']);
    let is_separated = tail.len() < digits.len()
        || rest.len() > digits.len() && digits.len() == tail.len() && rest[..rest.len() - digits.len()].ends_with('.');
    // A word before the number is a label only when it is short: "version 2 of x" is a name.
    if !has_digits || letters > 4 || !is_separated || tail.is_empty() { name } else { tail.to_owned() }
}

fn without_marks(name: String) -> String {
    let is_mark = |c: char| matches!(c, '*' | '~' | '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '"' | '/' | '\\');
    fold_name(name.replace(is_mark, "").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_spelling() {
        for (one, other, label) in [
            ("Widget State", "widget  state", "case or spacing"),
            ("Cafe\u{301}", "Caf\u{e9}", "Unicode normalisation"),
            ("User’s token", "User's token", "quotation marks"),
            ("Sign – in", "Sign-in", "dashes"),
            ("Sign in (v2)", "Sign in", "a note in brackets"),
            ("REQ-1: Sign in", "Sign in", "a number or label before the name"),
            ("1.2 Sign in", "Sign in", "a number or label before the name"),
            ("FR-001: Sign in", "FR-002: Sign in", "a number or label before the name"),
            ("**Sign in**", "Sign in", "punctuation or emphasis"),
        ] {
            assert_eq!(spelling_difference(one, other), Some(label), "{one} / {other}");
        }
        assert_eq!(spelling_difference("Sign in", "Sign out"), None);
        assert_eq!(spelling_difference("Version 2 of it", "Of it"), None);
        assert_eq!(spelling_difference("(a)", "(b)"), None);
    }

    #[test]
    fn the_nearest_is_named() {
        let names = ["Sign in", "Session expiry", "Audit trail"];
        let near = |name| near(name, names.iter().copied()).map(|near| (near.name, near.difference.is_some()));
        assert_eq!(near("sign in"), Some(("Sign in", true)));
        assert_eq!(near("Session expire"), Some(("Session expiry", false)));
        assert_eq!(near("Payment"), None);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
        assert_eq!(distance("auht", "auth"), 1);
    }
}
