//! What EARS does not allow.

use std::ops::Range;

use super::clauses::{Found, lacks_then};
use super::head::Head;
use super::modal::At;
use super::responses::Tail;
use super::tokens::{Kind, Tokens};
use super::words::{DETERMINERS, FINITE, PREPOSITIONS, PRONOUNS};
use super::{Fault, FaultKind, Keyword};

/// One of several systems has this many words at most.
const MAX_NAME: usize = 4;

/// A shorter piece of code is a key to press.
const MIN_CODE: usize = 4;

/// The faults of a sentence in its order.
pub(super) fn find(tokens: &Tokens<'_>, at: &At, head: &Head, tail: &Tail) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut tell = |kind, range: Range<usize>| faults.push(Fault { kind, span: tokens.span(range) });
    let one = |index: usize| index..index + 1;
    for clause in head.clauses.iter().filter(|clause| clause.body.is_empty()) {
        tell(FaultKind::EmptyClause, one(clause.at));
    }
    if let Some(clause) = lacks_then(&head.clauses) {
        tell(FaultKind::IfWithoutThen, one(clause.at));
    }
    if let Some(keyword) = head.unended {
        tell(FaultKind::UnendedClause, one(keyword));
    }
    let mut highest = 0;
    let mut has_trigger = false;
    for clause in &head.clauses {
        if rank(clause) < highest {
            tell(FaultKind::OutOfOrder, one(clause.at));
        }
        highest = highest.max(rank(clause));
        let is_trigger = clause.keyword == Keyword::When;
        if is_trigger && has_trigger && !clause.is_joined {
            tell(FaultKind::TwoTriggers, one(clause.at));
        }
        has_trigger |= is_trigger;
    }
    match &head.system {
        None if head.unended.is_none() => tell(FaultKind::NoSystem, one(at.index)),
        None => {}
        Some(system) if system.len() == 1 && tokens.is_in(system.start, &["there"]) => {
            tell(FaultKind::NoSystem, system.clone());
        }
        Some(system) if system.len() == 1 && tokens.is_in(system.start, PRONOUNS) => {
            tell(FaultKind::PronounSystem, system.clone());
        }
        Some(system) => {
            let is_passive =
                tail.responses.first().is_some_and(|response| tokens.is_in(response.start, &["be", "have"]));
            if !is_passive && are_several(tokens, system) {
                tell(FaultKind::SeveralSystems, system.clone());
            }
        }
    }
    for other in &tail.others {
        let is_same = head.system.as_ref().is_some_and(|system| is_same(tokens, system, other));
        let is_key = tokens.is(other.start, Kind::Literal) && is_key(tokens.text(&(other.start..other.start + 1)));
        if !is_same && !is_key {
            tell(FaultKind::FurtherSystem, other.clone());
        }
    }
    if tail.responses.is_empty() && !tail.is_list {
        tell(FaultKind::EmptyResponse, one(at.index));
    }
    faults.sort_by_key(|fault| fault.span.start);
    faults
}

/// Preconditions come first; sources differ on the order of While and Where.
fn rank(clause: &Found) -> u8 {
    match clause.keyword {
        Keyword::While | Keyword::Where => 0,
        Keyword::When => 1,
        Keyword::If | Keyword::Unless => 2,
    }
}

/// "the client and the server", "`a` and `b`": two short names and nothing that makes one of them.
fn are_several(tokens: &Tokens<'_>, system: &Range<usize>) -> bool {
    let Some(and) = system.clone().find(|at| tokens.is_in(*at, &["and"])) else { return false };
    let is_name = |range: Range<usize>| {
        let is_plain = range
            .clone()
            .all(|at| tokens.is_content(at) && !tokens.is_in(at, PREPOSITIONS) && !tokens.is_in(at, FINITE));
        let is_code = range.len() == 1 && tokens.is(range.start, Kind::Literal) && !is_key(tokens.text(&range));
        let is_noun = tokens.is_in(range.start, DETERMINERS) && !tokens.is_in(range.start, &["its", "their"]);
        is_plain && (is_code || is_noun && (2..=MAX_NAME).contains(&range.len()))
    };
    is_name(tokens.trimmed(system.start..and)) && is_name(and + 1..system.end)
}

/// Whether code is a key to press, which is no system.
fn is_key(code: &str) -> bool {
    let code = code.trim_matches('`');
    code.contains('+') || code.chars().count() < MIN_CODE
}

/// Whether two names are the same words.
fn is_same(tokens: &Tokens<'_>, one: &Range<usize>, other: &Range<usize>) -> bool {
    one.len() == other.len()
        && one
            .clone()
            .zip(other.clone())
            .all(|(one, other)| tokens.text(&(one..one + 1)).eq_ignore_ascii_case(tokens.text(&(other..other + 1))))
}
