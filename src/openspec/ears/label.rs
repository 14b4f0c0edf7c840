//! What stands in front of a sentence and is no part of it: list markers, ids, labels.

use super::clauses::keyword;
use super::tokens::{Kind, Tokens};
use super::words::DETERMINERS;

/// A label has this many words at most.
const MAX_LABEL: usize = 8;

/// Index of the first token that is no marker and no label, before `end`.
pub(super) fn skip(tokens: &Tokens<'_>, end: usize) -> usize {
    let mut at = 0;
    loop {
        while at < end && (tokens.is_break(at) || tokens.is(at, Kind::Symbol)) {
            at += 1;
        }
        match label_end(tokens, at, end) {
            Some(next) if next < end => at = next,
            _ => return at,
        }
    }
}

fn label_end(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<usize> {
    if keyword(tokens.word(at)).is_some() {
        return None;
    }
    let opens = |index: usize| keyword(tokens.word(index)).is_some() || tokens.is_in(index, DETERMINERS);
    if is_id(tokens.word(at)) && (opens(at + 1) || tokens.is(at + 1, Kind::Symbol)) {
        return Some(at + 1);
    }
    let begins_sentence = tokens.is_in(at, DETERMINERS);
    for index in at..end.min(at + MAX_LABEL) {
        match tokens.get(index)?.kind {
            Kind::Colon => return Some(index + 1),
            Kind::Dash if is_id(tokens.word(at)) || !begins_sentence && opens(index + 1) => return Some(index + 1),
            Kind::Comma | Kind::Semicolon | Kind::Dash => return None,
            _ if keyword(tokens.word(index)).is_some() => return None,
            _ => {}
        }
    }
    None
}

/// `FR-001`, `R1`, `1.2`.
fn is_id(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase() || matches!(c, '-' | '_' | '.'));
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_');
    word.len() <= 24
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.trim_end_matches(char::is_lowercase).chars().all(is_number)
}
