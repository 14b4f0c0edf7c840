//! The word that demands.

use super::tokens::{Kind, Tokens, is_upper};
use super::words::RELATIVES;
use super::{Modal, ModalWord};

/// Where the modal stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub(super) index: usize,
    pub(super) word: ModalWord,
    /// Whether the word has its "not" in it.
    pub(super) is_negative: bool,
}

impl At {
    pub(super) fn shown(self, tokens: &Tokens<'_>, is_negative: bool) -> Modal {
        let word = tokens.word(self.index);
        Modal {
            span: tokens.get(self.index).map_or(0..0, |token| token.start..token.end),
            word: self.word,
            is_upper: is_upper(word),
            is_negative: self.is_negative || is_negative,
        }
    }
}

/// Which modal a word is, and whether "not" is part of it.
pub(super) fn modal(word: &str) -> Option<(ModalWord, bool)> {
    let is = |known: &str| word.eq_ignore_ascii_case(known);
    let word = match () {
        () if is("shall") => (ModalWord::Shall, false),
        () if is("must") => (ModalWord::Must, false),
        () if is("mustn't") || is("mustn’t") => (ModalWord::Must, true),
        () if is("should") => (ModalWord::Should, false),
        () if is("shouldn't") || is("shouldn’t") => (ModalWord::Should, true),
        () if is("will") => (ModalWord::Will, false),
        () if is("won't") || is("won’t") => (ModalWord::Will, true),
        () => return None,
    };
    Some(word)
}

/// The first "shall" or "must". One in a relative clause or, in small letters, in a condition gives way to a later one
/// of the same sentence.
pub(super) fn find(tokens: &Tokens<'_>) -> Option<At> {
    let mut passed = None;
    let mut is_condition = false;
    let mut is_start = true;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Stop => {
                if passed.is_some() {
                    return passed;
                }
                (is_condition, is_start) = (false, true);
                continue;
            }
            Kind::Comma => is_condition = false,
            Kind::Word => {
                let is_keyword = super::clauses::keyword(token.word).is_some();
                is_condition = is_condition && !token.word.eq_ignore_ascii_case("then") || is_start && is_keyword;
                is_start = false;
            }
            _ => {}
        }
        let Some((word, is_negative)) = modal(token.word).filter(|(word, _)| word.is_binding()) else { continue };
        let at = At { index, word, is_negative };
        let is_relative = index > 0 && tokens.is_in(index - 1, RELATIVES);
        if !is_relative && (!is_condition || is_upper(token.word)) {
            // A demand that stands first is not outdone by one it merely leads up to.
            return Some(at);
        }
        passed = passed.or(Some(at));
    }
    passed
}
