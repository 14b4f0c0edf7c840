//! Whether a sentence is English. The keywords of OpenSpec are English in every language, so they tell nothing.

use super::tokens::{Kind, Tokens};
use super::words::has;

/// One letter beyond A to Z in so many is more than English has.
const LETTERS_PER_FOREIGN: usize = 8;

/// Small words of languages with Latin letters that are no English words.
const FOREIGN: &[&str] = &[
    "al", "alle", "aus", "avec", "av", "bei", "che", "com", "con", "cuando", "dans", "das", "de", "deben", "debe",
    "del", "della", "dem", "den", "der", "des", "det", "deve", "devem", "di", "doit", "du", "e", "een", "ein", "eine",
    "el", "en", "entre", "er", "est", "et", "för", "het", "il", "ist", "je", "la", "las", "le", "les", "lo", "los",
    "mit", "muss", "na", "não", "nicht", "och", "oder", "os", "para", "per", "por", "pour", "quando", "que", "se",
    "si", "sich", "sin", "sobre", "som", "su", "sur", "také", "til", "um", "uma", "un", "una", "und", "une", "uno",
    "van", "von", "voor", "wenn", "werden", "wird", "y", "zu", "zum", "zur", "è", "é",
];

/// Small words of English that the others do not have.
const ENGLISH: &[&str] = &[
    "the", "of", "and", "to", "is", "are", "be", "with", "that", "for", "when", "from", "by", "it", "each", "any",
    "all", "or", "not", "its", "this", "which", "if", "into", "only", "without", "using",
];

/// Whether most letters are plain ones, and small words of other languages are no more than those of English.
pub(super) fn is_english(tokens: &Tokens<'_>) -> bool {
    let (mut letters, mut other, mut english, mut foreign) = (0, 0, 0, 0);
    for token in tokens.iter().filter(|token| token.kind == Kind::Word) {
        let of_word = token.word.chars().filter(|c| c.is_alphabetic());
        for letter in of_word {
            letters += 1;
            other += usize::from(!letter.is_ascii());
        }
        english += usize::from(has(ENGLISH, token.word));
        foreign += usize::from(has(FOREIGN, token.word));
    }
    other * LETTERS_PER_FOREIGN <= letters && (foreign <= english || foreign < 2)
}
