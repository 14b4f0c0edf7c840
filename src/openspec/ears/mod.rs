//! The sentence a requirement stands for, read after EARS (Easy Approach to Requirements Syntax; Mavin and others, RE'09):
//!
//! > While *state*, where *feature*, when *trigger*, the *system* shall *response*.
//! >
//! > If *trigger*, then the *system* shall *response*.
//!
//! A sentence has any number of preconditions, at most one trigger, one system and one or more responses. Only English is
//! read. Where the words leave a doubt the parser takes the reading with fewer parts, so that a fault it tells is one.

mod clauses;
mod faults;
mod head;
mod label;
mod language;
mod modal;
mod responses;
mod scan;
mod sentence;
mod subject;
#[cfg(test)]
mod tests;
mod tokens;
mod verbs;
mod words;

use std::ops::Range;

use tokens::Tokens;

pub use sentence::normative_sentence;
pub use verbs::is_verb;

/// Bytes of the sentence as it was given, from its first word to its last.
pub type Span = Range<usize>;

/// One sentence after EARS.
///
/// [`Ears::clauses`], [`Ears::system`], [`Ears::modal`] and [`Ears::responses`] stand in this order and do not overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ears {
    /// What stands before the first clause or the system and is no clause: "For each user", "By default".
    pub lead: Option<Span>,
    /// The conditions in front of the system.
    pub clauses: Vec<Clause>,
    /// Who shall do it, article and all. None when nobody is named.
    pub system: Option<Span>,
    /// The word that demands.
    pub modal: Modal,
    /// What shall be done, one for each demand. The "not" behind the modal is left out, a further "not" is not. Empty when nothing is said, or a list says it.
    pub responses: Vec<Span>,
    /// Conditions that stand behind the system or behind a response, where EARS has none.
    pub trailing: Vec<Clause>,
    /// The shape, by the clauses in front. None for an "if" without "then".
    pub shape: Option<Shape>,
    /// What EARS does not allow, in the order of the sentence.
    pub faults: Vec<Fault>,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// What kind of condition.
    pub keyword: Keyword,
    /// The keyword.
    pub keyword_span: Span,
    /// What follows the keyword. Empty when nothing does.
    pub body_span: Span,
}

/// The words that open a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyword {
    /// A state that lasts.
    While,
    /// A feature that is there or not.
    Where,
    /// A trigger.
    When,
    /// A trigger nobody wants.
    If,
    /// No word of EARS; only ever in [`Ears::trailing`].
    Unless,
}

/// The word that demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modal {
    /// The word alone, without a "not" behind it.
    pub span: Span,
    /// Which word.
    pub word: ModalWord,
    /// Whether it is written in capitals, as OpenSpec wants it.
    pub is_upper: bool,
    /// Whether "not" or "never" follows.
    pub is_negative: bool,
}

/// Words that demand, the weak ones as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModalWord {
    /// "shall"
    Shall,
    /// "must"
    Must,
    /// "should", which does not bind
    Should,
    /// "will", which does not bind
    Will,
}

impl ModalWord {
    /// Whether the word makes a requirement.
    pub fn is_binding(self) -> bool {
        matches!(self, Self::Shall | Self::Must)
    }
}

/// The six shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// No condition in front.
    Ubiquitous,
    /// When …
    Event,
    /// While …
    State,
    /// Where …
    Optional,
    /// If …, then …
    Unwanted,
    /// Several clauses.
    Complex,
}

impl Shape {
    /// The word reports have for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ubiquitous => "ubiquitous",
            Self::Event => "event",
            Self::State => "state",
            Self::Optional => "optional",
            Self::Unwanted => "unwanted",
            Self::Complex => "complex",
        }
    }
}

/// Something EARS does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Where.
    pub span: Span,
}

/// Kinds of [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// Nobody is named who shall do it: "SHALL retry", "There SHALL be a log". At the modal or the "there".
    NoSystem,
    /// A pronoun stands for the system: "it SHALL retry". At the pronoun.
    PronounSystem,
    /// Several systems share one demand: "the client and the server SHALL". At all of them.
    SeveralSystems,
    /// A further demand is made of somebody else: "the client SHALL ask, and the server SHALL answer". At that system.
    FurtherSystem,
    /// "If" without "then". At the "if".
    IfWithoutThen,
    /// A clause stands behind one it has to precede: preconditions (While, Where), then When, then If. At its keyword.
    OutOfOrder,
    /// A second trigger that is not joined to the first by "and" or "or". At its "when".
    TwoTriggers,
    /// A keyword with no condition behind it. At the keyword.
    EmptyClause,
    /// Nothing tells where the clause ends and the system begins. At the keyword.
    UnendedClause,
    /// Nothing is demanded. At the modal.
    EmptyResponse,
}

/// Reads one sentence. None when it has neither "shall" nor "must", or is not English.
///
/// Markup never counts: words in code, quotes, brackets or the target of a link are no keywords, and emphasis is looked
/// through. A label or a list marker in front is skipped. Of several sentences the first one that demands is read.
pub fn parse(sentence: &str) -> Option<Ears> {
    let all = Tokens::of(sentence);
    // Most sentences demand nothing, which takes less to see than which language they are in.
    let at = modal::find(&all)?;
    if language::is_english(&all) { Some(read(&all, at)) } else { None }
}

/// The same for a sentence that is known to be English.
pub fn parse_english(sentence: &str) -> Option<Ears> {
    let all = Tokens::of(sentence);
    Some(read(&all, modal::find(&all)?))
}

fn read(all: &Tokens<'_>, at: modal::At) -> Ears {
    // One sentence only.
    let tokens = all.sentence_around(at.index);
    let at = modal::At { index: at.index - tokens.offset(all), ..at };
    let head = head::read(&tokens, at.index);
    let tail = responses::read(&tokens, at.index);
    let faults = faults::find(&tokens, &at, &head, &tail);
    let mut trailing = head.inserted.clone();
    trailing.extend(tail.trailing.iter().cloned());
    let clause = |clause: &clauses::Found| clause.shown(&tokens);
    Ears {
        lead: head.lead.clone().map(|lead| tokens.span(lead)),
        clauses: head.clauses.iter().map(clause).collect(),
        system: head.system.clone().map(|system| tokens.span(system)),
        modal: at.shown(&tokens, tail.is_negative),
        responses: tail.responses.iter().map(|response| tokens.span(response.clone())).collect(),
        trailing: trailing.iter().map(clause).collect(),
        shape: clauses::shape(&head.clauses),
        faults,
    }
}

/// The shape of a sentence. None when it demands nothing, or has an "if" without "then".
pub fn pattern(sentence: &str) -> Option<&'static str> {
    parse(sentence)?.shape.map(Shape::word)
}
