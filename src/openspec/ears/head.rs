//! What stands before the modal: a lead, clauses, the system.

use std::ops::Range;

use super::clauses::{self, Found, keyword};
use super::label;
use super::subject;
use super::tokens::{Kind, Tokens};
use super::words::{LEADS, PRONOUNS};

/// What stands before the modal, in tokens.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) lead: Option<Range<usize>>,
    pub(super) clauses: Vec<Found>,
    pub(super) system: Option<Range<usize>>,
    /// A clause between the system and the modal.
    pub(super) inserted: Vec<Found>,
    /// The keyword of a clause whose end is not to be told.
    pub(super) unended: Option<usize>,
}

/// Reads the tokens before the modal.
pub(super) fn read(tokens: &Tokens<'_>, modal: usize) -> Head {
    let start = label::skip(tokens, modal);
    let first = start + usize::from(tokens.is_in(start, &["only", "even", "and", "but", "then"]));
    let opens_clause = first < modal && keyword(tokens.word(first)).is_some();
    if !opens_clause && !has_lead(tokens, start, modal) {
        return named_first(tokens, start, modal);
    }
    let mut head = Head::default();
    let Ending { end, system, inserted } = ending(tokens, start, modal);
    head.clauses = clauses::read(tokens, clauses_start(tokens, start, end, opens_clause)..end);
    head.inserted = inserted.map(|range| clauses::read(tokens, range)).unwrap_or_default();
    head.system = Some(system).filter(|system| !system.is_empty());
    let first_clause = head.clauses.first().map_or(end, |clause| clause.at);
    if !opens_clause {
        head.lead = Some(tokens.trimmed(start..first_clause)).filter(|lead| !lead.is_empty());
        // Without a clause or a comma the lead is part of what is named.
        if head.system.is_none() && head.clauses.is_empty() {
            return Head { system: Some(start..modal).filter(|all| !all.is_empty()), ..Head::default() };
        }
    }
    // "When a fails SHALL": the clause has swallowed the system.
    if head.system.is_none()
        && head.inserted.is_empty()
        && !tokens.is_break(modal.saturating_sub(1))
        && !is_then_before(tokens, modal)
    {
        head.unended = head.clauses.last().filter(|clause| !clause.body.is_empty()).map(|clause| clause.at);
    }
    head
}

fn is_then_before(tokens: &Tokens<'_>, modal: usize) -> bool {
    tokens.word_before(modal).eq_ignore_ascii_case("then")
}

/// Whether the sentence begins with something that is neither a clause nor a name: "For each user, …".
fn has_lead(tokens: &Tokens<'_>, start: usize, modal: usize) -> bool {
    let is_adverb = tokens.word(start).ends_with("ly") && tokens.is(start + 1, Kind::Comma);
    start < modal && (tokens.is_in(start, LEADS) || is_adverb)
}

/// Where clauses may begin: at once, or behind a comma of the lead.
fn clauses_start(tokens: &Tokens<'_>, start: usize, end: usize, opens_clause: bool) -> usize {
    if opens_clause {
        return start;
    }
    let opens = |at: &usize| tokens.is_break(*at) && keyword(tokens.word(at + 1)).is_some();
    (start..end).find(opens).unwrap_or(end)
}

/// A sentence that begins with the system.
fn named_first(tokens: &Tokens<'_>, start: usize, modal: usize) -> Head {
    let mut head = Head::default();
    let mut system = start..modal;
    let semicolon = (start..modal).rev().find(|at| tokens.is(*at, Kind::Semicolon));
    if let Some(semicolon) = semicolon {
        system.start = semicolon + 1;
    }
    let is_pronoun = modal > start + 1
        && tokens.is_in(modal - 1, PRONOUNS)
        && (tokens.is_break(modal - 2) || tokens.is_in(modal - 2, &["and", "but", "or", "so"]));
    if is_pronoun {
        system.start = modal - 1;
    } else if tokens.is_break(modal.saturating_sub(1)) && modal > start {
        // "The system, when idle, SHALL"
        let opening = (system.start..modal - 1).find(|at| tokens.is_break(*at));
        if let Some(opening) = opening {
            head.inserted = Some(opening + 1..modal - 1)
                .filter(|inside| keyword(tokens.word(inside.start)).is_some())
                .map(|inside| clauses::read(tokens, inside))
                .unwrap_or_default();
            system.end = opening;
        }
    }
    head.system = Some(tokens.trimmed(system)).filter(|system| !system.is_empty());
    head
}

/// How the head ends.
struct Ending {
    /// Where lead and clauses end.
    end: usize,
    system: Range<usize>,
    inserted: Option<Range<usize>>,
}

fn ending(tokens: &Tokens<'_>, start: usize, modal: usize) -> Ending {
    let is_end = |at: &usize| tokens.is_break(*at) || clauses::is_then(tokens, *at);
    let plain = |at: usize| Ending { end: at, system: tokens.trimmed(at..modal), inserted: None };
    let Some(last) = (start + 1..modal).rev().find(is_end) else {
        return plain(subject::start(tokens, start, modal).unwrap_or(modal));
    };
    if last + 1 == modal && tokens.is_break(last) {
        // "…, the system, when idle, SHALL"
        let inner = (start + 1..last).rev().find(is_end);
        let outer = inner.and_then(|inner| (start + 1..inner).rev().find(is_end));
        if let (Some(inner), Some(outer)) = (inner, outer)
            && keyword(tokens.word(outer + 1)).is_none()
        {
            let inserted = Some(inner + 1..last).filter(|inside| keyword(tokens.word(inside.start)).is_some());
            return Ending { end: outer + 1, system: tokens.trimmed(outer + 1..inner), inserted };
        }
        return plain(modal);
    }
    let from = last + 1;
    if keyword(tokens.word(from)).is_some() {
        return plain(subject::start(tokens, from, modal).unwrap_or(modal));
    }
    // "WHEN a, b or c fail THE SYSTEM SHALL"
    if tokens.is_upper(start)
        && let Some(loud) = subject::loud_start(tokens, from + 1, modal)
    {
        return plain(loud);
    }
    plain(subject::list_start(tokens, start, from))
}
