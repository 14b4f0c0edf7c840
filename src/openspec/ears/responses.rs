//! What stands behind the modal: responses and the conditions that trail them.

use std::ops::Range;

use super::Keyword;
use super::clauses::{Found, keyword};
use super::modal::modal;
use super::tokens::{Kind, Tokens};
use super::verbs::{is_noun_verb, is_verb};
use super::words::{
    ASKING, AUXILIARIES, CAUSATIVES, DETERMINERS, ENABLING, LEADS, OBJECT_STARTS, PRONOUNS, RELATIVES, SUBORDINATORS,
};

/// The name of a second system has this many words at most.
const MAX_NAME: usize = 5;

/// Words that lead to another demand.
const JOINTS: &[&str] = &["and", "but", "or", "while", "whereas"];

/// What stands behind the modal, in tokens.
#[derive(Debug, Default)]
pub(super) struct Tail {
    pub(super) is_negative: bool,
    pub(super) responses: Vec<Range<usize>>,
    pub(super) trailing: Vec<Found>,
    /// Whether a list is announced that says what is demanded.
    pub(super) is_list: bool,
    /// The systems further modals name, which are not the first one.
    pub(super) others: Vec<Range<usize>>,
}

/// Reads the tokens behind the modal.
pub(super) fn read(tokens: &Tokens<'_>, at: usize) -> Tail {
    let mut tail = Tail::default();
    let mut start = at + 1;
    // "SHALL, when a fails, retry"
    if tokens.is(start, Kind::Comma)
        && let Some(keyword) = keyword(tokens.word(start + 1))
        && let Some(comma) = (start + 2..tokens.len()).find(|index| tokens.is(*index, Kind::Comma))
    {
        let body = start + 2..comma;
        tail.trailing.push(Found { keyword, at: start + 1, body, is_joined: false, has_then: false });
        start = comma + 1;
    }
    if tokens.is_in(start, &["not", "never"]) {
        tail.is_negative = true;
        start += 1;
    }
    tail.is_list = tokens.is(tokens.len().saturating_sub(1), Kind::Colon);
    for piece in pieces(tokens, start, &mut tail.others) {
        let (response, clause) = without_condition(tokens, piece);
        tail.trailing.extend(clause);
        let response = tokens.trimmed(response);
        if response.clone().any(|index| tokens.is_content(index)) {
            tail.responses.push(response);
        }
    }
    tail
}

/// The text cut where another demand begins.
fn pieces(tokens: &Tokens<'_>, start: usize, others: &mut Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut cut = Vec::new();
    let mut begin = start;
    let mut piece = Piece::default();
    let mut at = start;
    while at < tokens.len() {
        if let Some((end, next, other)) = second_modal(tokens, begin, at) {
            cut.push(begin..end);
            others.extend(other);
            begin = next;
            piece = Piece::default();
            at = next;
            continue;
        }
        if let Some(verb) = piece.second_verb(tokens, begin, at) {
            cut.push(begin..at);
            begin = skip_joints(tokens, at);
            piece = Piece::default();
            at = verb;
        }
        piece.see(tokens, begin, at);
        at += 1;
    }
    cut.push(begin..tokens.len());
    cut
}

/// Another modal at `at`: where the piece before ends, where the next one begins, and the system in between.
fn second_modal(tokens: &Tokens<'_>, begin: usize, at: usize) -> Option<(usize, usize, Option<Range<usize>>)> {
    modal(tokens.word(at)).filter(|(word, _)| word.is_binding())?;
    let mut name = name_start(tokens, begin, at);
    let is_joined = name > begin && (tokens.is_break(name - 1) || tokens.is_in(name - 1, JOINTS));
    if !is_joined || tokens.is_in(name, SUBORDINATORS) && !tokens.is_in(name, PRONOUNS) {
        return None;
    }
    let begins_name = |index: usize| tokens.is_in(index, DETERMINERS) || tokens.is(index, Kind::Literal);
    let is_bare = name == at || at - name == 1 && tokens.is_in(name, PRONOUNS);
    let is_named = !is_bare && begins_name(name) && !tokens.is_in(name - 1, &["or"]);
    // "…, and subsequent calls SHALL"
    let is_apart = !tokens.is_in(name, LEADS) && !tokens.is_in(name, RELATIVES) && !tokens.is_in(name - 1, &["or"]);
    if !(is_bare || is_named || is_apart) || tokens.is_in(at - 1, RELATIVES) {
        return None;
    }
    // "; the client and the server SHALL"
    if is_named && tokens.is_in(name - 1, &["and"]) {
        let first = name_start(tokens, begin, name - 1);
        if first > begin && tokens.is_break(first - 1) && begins_name(first) {
            name = first;
        }
    }
    let mut end = name;
    while end > begin && (tokens.is_break(end - 1) || tokens.is_in(end - 1, JOINTS)) {
        end -= 1;
    }
    if end == begin {
        return None;
    }
    Some((end, at + 1, Some(name..at).filter(|_| is_named)))
}

/// Where the name before `end` begins when a joint or break stands in front of it, and not too far off.
fn name_start(tokens: &Tokens<'_>, begin: usize, end: usize) -> usize {
    let mut name = end;
    while name > begin && end - name <= MAX_NAME && !tokens.is_break(name - 1) && !tokens.is_in(name - 1, JOINTS) {
        name -= 1;
    }
    name
}

fn is_joint(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.is(at, Kind::Comma) || tokens.is(at, Kind::Semicolon) || tokens.is_in(at, &["and", "or", "but", "then"])
}

fn skip_joints(tokens: &Tokens<'_>, mut at: usize) -> usize {
    while is_joint(tokens, at) {
        at += 1;
    }
    at
}

/// What is known of the response at hand.
#[derive(Debug, Default)]
struct Piece {
    /// Another verb may belong to somebody else or to an infinitive.
    is_blocked: bool,
    /// Another verb may belong to a subordinate clause, unless a comma stands before "and".
    is_subordinate: bool,
    /// A colon has opened a list.
    is_list: bool,
    /// The verb says that somebody else may or has to do something.
    is_enabling: bool,
}

impl Piece {
    /// Takes note of a token.
    fn see(&mut self, tokens: &Tokens<'_>, begin: usize, at: usize) {
        let is_first = at == begin;
        self.is_list |= tokens.is(at, Kind::Colon) && !is_first
            || tokens.is(at, Kind::Dash)
            || tokens.is_in(at, &["including", "include", "includes"]);
        self.is_subordinate |= tokens.is_in(at, SUBORDINATORS);
        self.is_blocked |= tokens.is_in(at, AUXILIARIES)
            || is_first && tokens.is_in(at, CAUSATIVES)
            || tokens.is_in(at, &["to"])
                && (is_infinitive(tokens, at + 1) || self.is_enabling && is_lower(tokens, at + 1));
        self.is_enabling |= is_first && tokens.is_in(at, ENABLING);
    }

    /// The verb of another response when joints at `at` lead up to it.
    fn second_verb(&self, tokens: &Tokens<'_>, begin: usize, at: usize) -> Option<usize> {
        if self.is_blocked || self.is_list || at < begin + 2 || !is_joint(tokens, at) || is_joint(tokens, at - 1) {
            return None;
        }
        let first = skip_joints(tokens, at);
        // "that are too large, and reject": the comma ends the subordinate clause.
        let has_comma = tokens.is_break(at) && (first > at + 1 || tokens.is(at, Kind::Semicolon));
        if self.is_subordinate && !has_comma || is_shared(tokens, at - 1) {
            return None;
        }
        let mut verb = first;
        while verb < first + 2 && is_adverb(tokens.word(verb)) {
            verb += 1;
        }
        let is_object = tokens.is(verb + 1, Kind::Literal)
            || tokens.is_in(verb + 1, OBJECT_STARTS)
            || tokens.word(verb + 1).starts_with(|c: char| c.is_ascii_digit());
        let is_goal = tokens.is(verb + 1, Kind::Word)
            && !tokens.is_in(verb + 1, &["and", "or", "of", "is", "are", "operations", "access"])
            && tokens.word(verb + 1) != "operation";
        // A bare comma leads to the next noun of a list as well.
        let is_joined = !tokens.word_before(first).is_empty() || tokens.is(at, Kind::Semicolon);
        let word = tokens.word(verb);
        (is_verb(word) && (is_object || is_goal && is_joined && !is_noun_verb(word))).then_some(verb)
    }
}

/// Whether the word is a verb that shares its object with the next one: "create and delete cards".
fn is_shared(tokens: &Tokens<'_>, at: usize) -> bool {
    is_verb(tokens.word(at)) && !tokens.is_in(at - 1, DETERMINERS)
}

fn is_adverb(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ly") || matches!(word, "also" | "then" | "not" | "NOT" | "never" | "NEVER")
}

fn is_infinitive(tokens: &Tokens<'_>, at: usize) -> bool {
    let word = tokens.word(at);
    is_verb(word) && (!is_noun_verb(word) || tokens.is_in(at + 1, OBJECT_STARTS))
        || matches!(word, "be" | "have" | "do")
}

/// Whether a word may be the verb of an infinitive: "to confirm", not "to the user", "to JSON".
fn is_lower(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.word(at).starts_with(char::is_lowercase) && !tokens.is_in(at, DETERMINERS)
}

/// A response and the condition at its end.
fn without_condition(tokens: &Tokens<'_>, piece: Range<usize>) -> (Range<usize>, Option<Found>) {
    let first = piece.start + 1;
    let Some((at, keyword)) = (first..piece.end).find_map(|at| Some((at, condition(tokens, at)?))) else {
        return (piece, None);
    };
    let body = tokens.trimmed(at + 1..piece.end);
    let before = at - usize::from(tokens.is_in(at - 1, &["only", "even"]));
    let clause = Found { keyword, at, body, is_joined: false, has_then: false };
    (piece.start..before.max(first), Some(clause))
}

/// The condition a word opens behind a response. Questions ("check if") and places ("the folder where") are none.
fn condition(tokens: &Tokens<'_>, at: usize) -> Option<Keyword> {
    let word = tokens.word(at);
    if word.eq_ignore_ascii_case("unless") {
        return Some(Keyword::Unless);
    }
    let found = keyword(word)?;
    if tokens.is_in(at - 1, ASKING) {
        return None;
    }
    // "stop the job and, when it is gone, log it" says more behind the condition.
    let is_inserted = tokens.is(at - 1, Kind::Comma) && tokens.is_in(at.saturating_sub(2), &["and", "or", "but"]);
    if is_inserted {
        return None;
    }
    let is_loud = tokens.is_upper(at);
    let is_real = match found {
        Keyword::Where => is_loud || tokens.is(at - 1, Kind::Comma) && tokens.word(at + 1) != "each",
        Keyword::While => is_loud || !tokens.word(at + 1).ends_with("ing"),
        _ => true,
    };
    is_real.then_some(found)
}
