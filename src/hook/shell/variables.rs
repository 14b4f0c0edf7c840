//! Variables of a shell whose values stand in the line itself.

use std::collections::HashMap;

use crate::shell::Word;

/// Longer values, and words they are put into, are not known.
const MAX_LENGTH: usize = 4096;

/// Most words one word may stand for.
const MAX_WORDS: usize = 1_000;

/// Commands that assign what stands behind them.
const DECLARING: &[&str] = &["export", "local", "declare", "readonly", "typeset"];

/// What is known of variables: one value, or all those a loop gives them.
#[derive(Debug, Default)]
pub(super) struct Variables(HashMap<String, Vec<Word>>);

impl Variables {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn set(&mut self, name: &str, values: Vec<Word>) {
        self.0.insert(name.to_owned(), values);
    }

    /// Whether words do nothing but assign. Then it is noted.
    pub(super) fn assigned(&mut self, words: &[Word]) -> bool {
        let is_declared = words.first().is_some_and(|word| DECLARING.contains(&word.text.as_str()));
        let assignments = words.get(usize::from(is_declared)..).unwrap_or_default();
        let is_all = assignments.iter().all(|word| is_declared || assignment(&word.text).is_some());
        for word in assignments.iter().filter(|_| is_all) {
            if let Some((name, value)) = assignment(&word.text) {
                let value = Word { text: value.to_owned(), is_literal: word.is_literal };
                self.set(name, vec![value]);
            }
        }
        is_all && !assignments.is_empty()
    }

    /// Words with variables put in. None: they stand for too many.
    pub(super) fn filled(&self, words: &[Word]) -> Option<Vec<Word>> {
        let mut found = Vec::with_capacity(words.len());
        for word in words {
            if self.0.is_empty() || word.is_literal || !word.text.contains('$') {
                found.push(word.clone());
            } else {
                found.append(&mut self.one(word)?);
            }
        }
        Some(found)
    }

    fn one(&self, word: &Word) -> Option<Vec<Word>> {
        let mut found = vec![String::new()];
        let mut rest = word.text.as_str();
        let mut is_literal = true;
        while let Some(at) = rest.find('$') {
            let (before, from) = rest.split_at(at);
            found.iter_mut().for_each(|text| text.push_str(before));
            let (name, length) = name(from);
            rest = &from[length..];
            match self.0.get(name) {
                Some(values) => {
                    if found.len().saturating_mul(values.len()) > MAX_WORDS {
                        return None;
                    }
                    is_literal &= values.iter().all(|value| value.is_literal);
                    let with = |text: &String| values.iter().map(|value| format!("{text}{}", value.text)).collect();
                    found = found.iter().flat_map(|text| -> Vec<String> { with(text) }).collect();
                }
                None => {
                    is_literal = false;
                    found.iter_mut().for_each(|text| text.push_str(&from[..length]));
                }
            }
            if found.iter().any(|text| text.len() > MAX_LENGTH) {
                return Some(vec![word.clone()]);
            }
        }
        found.iter_mut().for_each(|text| text.push_str(rest));
        // Without quotes a value falls apart into words. Whether there were quotes is not known here, and paths seldom
        // hold blanks.
        let is_whole = word.text.starts_with('$') && name(&word.text).1 == word.text.len();
        let pieces: Vec<String> = if is_whole {
            found.iter().flat_map(|text| text.split_ascii_whitespace().map(str::to_owned)).collect()
        } else {
            found
        };
        let is_plain = |text: &str| is_literal && !text.contains(['*', '?', '~', '`']);
        Some(pieces.into_iter().map(|text| Word { is_literal: is_plain(&text), text }).collect())
    }
}

/// The name of the variable at a `$`, and the length of all that stands for it.
fn name(text: &str) -> (&str, usize) {
    let inside = &text[1..];
    let length = |text: &str| {
        let is_special = text.starts_with(|c: char| c == '@' || c == '*' || c.is_ascii_digit());
        let of_name = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        if is_special { 1 } else { of_name }
    };
    if let Some(braced) = inside.strip_prefix('{') {
        let length = length(braced);
        return if braced[length..].starts_with('}') { (&braced[..length], length + 3) } else { ("", 1) };
    }
    let length = length(inside);
    (&inside[..length], length + 1)
}

fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some((name, value))
}
