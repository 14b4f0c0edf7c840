//! Where the name of the system begins when no comma tells.

use super::clauses::keyword;
use super::tokens::{Kind, Tokens, is_upper};
use super::words::{DETERMINERS, PREPOSITIONS};

/// A name has this many words at most.
const MAX_NAME: usize = 10;

/// Words before "of" that a name may have.
const MAX_OF: usize = 6;

/// The first word of the system in a clause that begins at `from` with its keyword.
pub(super) fn start(tokens: &Tokens<'_>, from: usize, modal: usize) -> Option<usize> {
    if let Some(loud) = loud_start(tokens, from + 1, modal) {
        return Some(loud);
    }
    // A keyword and a condition of one word at least.
    let first = from + 2;
    let last = modal.checked_sub(1)?;
    if last >= first && tokens.is_in(last, &["it", "they", "we", "you"]) {
        return Some(last);
    }
    let near = modal.saturating_sub(MAX_NAME).max(first)..modal;
    let Some(mut found) = near.rev().find(|at| tokens.is_in(*at, DETERMINERS)) else {
        return name_start(tokens, first, last);
    };
    // "the handler of the request"
    while tokens.is_in(found - 1, &["of", "for"]) {
        let before = (found.saturating_sub(MAX_OF).max(first)..found - 1).rev();
        found = before.into_iter().find(|at| tokens.is_in(*at, DETERMINERS))?;
    }
    (!tokens.is_in(found - 1, PREPOSITIONS)).then_some(found)
}

/// A name without an article: code or words with capitals.
fn name_start(tokens: &Tokens<'_>, first: usize, last: usize) -> Option<usize> {
    if last < first {
        return None;
    }
    if tokens.is(last, Kind::Literal) {
        return (!tokens.is_in(last - 1, PREPOSITIONS)).then_some(last);
    }
    let is_name = |at: &usize| tokens.word(*at).starts_with(char::is_uppercase) && !is_upper(tokens.word(*at));
    let start = (first..=last).rev().take_while(is_name).last()?;
    (!tokens.is_in(start - 1, PREPOSITIONS)).then_some(start)
}

/// Where "THE SYSTEM" begins in a sentence of Kiro's form, which has capitals instead of a comma.
pub(super) fn loud_start(tokens: &Tokens<'_>, from: usize, modal: usize) -> Option<usize> {
    let near = modal.saturating_sub(MAX_NAME).max(from)..modal;
    near.rev()
        .find(|at| tokens.word(*at) == "THE")
        .filter(|at| at + 1 < modal && keyword(tokens.word(at - 1)).is_none())
}

/// Where a name begins whose last part begins at `from`: "the client, the proxy, and the server" is one list.
pub(super) fn list_start(tokens: &Tokens<'_>, start: usize, from: usize) -> usize {
    if !tokens.is_in(from, &["and", "or"]) {
        return from;
    }
    let mut begin = from;
    let mut at = from.saturating_sub(1);
    while at > start + 1 {
        let before = (start..at).rev().find(|index| tokens.is_break(*index));
        let Some(comma) = before.filter(|comma| tokens.is_in(comma + 1, DETERMINERS)) else { break };
        begin = comma + 1;
        at = comma;
    }
    // "When a fails, and b fails, SHALL" has no list to go back to.
    if begin == from { from + 1 } else { begin }
}
