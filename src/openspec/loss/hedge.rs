//! Words that leave a demand its SHALL and take its force: `optionally`, `try to`, `if possible`, `some` for `all`.

use super::demand::{STRONG, words};

/// What makes a demand an attempt when it stands right behind SHALL or MUST.
const ATTEMPTS: &[&str] = &[
    "optionally",
    "try to",
    "attempt to",
    "aim to",
    "strive to",
    "seek to",
    "endeavor to",
    "endeavour to",
    "make an effort to",
    "make a best effort to",
    "make best efforts to",
    "use best efforts to",
    "do its best to",
    "make every effort to",
    "make a reasonable effort to",
    "ideally",
    "preferably",
    "usually",
    "generally",
    "normally",
    "typically",
    "possibly",
    "tentar",
    "intentar",
    "opcionalmente",
    "versuchen",
    "optional",
    "essayer de",
];

/// What makes a demand depend on convenience, wherever it stands.
const ESCAPES: &[&str] = &[
    "if possible",
    "when possible",
    "where possible",
    "whenever possible",
    "wherever possible",
    "as far as possible",
    "as much as possible",
    "to the extent possible",
    "if feasible",
    "when feasible",
    "where feasible",
    "if practical",
    "when practical",
    "where practical",
    "if practicable",
    "where practicable",
    "where appropriate",
    "if convenient",
    "when convenient",
    "if time permits",
    "as time permits",
    "on a best-effort basis",
    "on a best effort basis",
    "best effort",
    "best-effort",
    "optionally",
    "ideally",
    "preferably",
    "se possível",
    "quando possível",
    "sempre que possível",
    "si es posible",
    "cuando sea posible",
    "wenn möglich",
    "falls möglich",
    "nach möglichkeit",
    "si possible",
    "dans la mesure du possible",
    "尽可能",
    "盡可能",
    "如有可能",
    "如果可能",
    "在可能的情况下",
    "可能であれば",
    "できるだけ",
    "可能な限り",
];

/// Words for everything there is.
const WHOLE: &[&str] = &["all", "every", "each", "always", "todos", "todas", "alle", "tous", "toutes"];

/// Words for a part of it.
const PARTLY: &[&str] = &[
    "some",
    "certain",
    "selected",
    "many",
    "several",
    "few",
    "sometimes",
    "alguns",
    "algumas",
    "algunos",
    "algunas",
    "einige",
    "manche",
    "quelques",
    "certains",
];

/// A way out that a sentence has, as it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hedge {
    /// Its words.
    pub words: &'static str,
    /// Whether it stands right behind SHALL or MUST: then it is about all that follows.
    pub is_behind_verb: bool,
}

/// The first way out of a sentence that another does not have.
pub fn added(old: &str, new: &str) -> Option<Hedge> {
    let (old, new) = (plain(old), plain(new));
    let is_new = |hedge: &&&str| has(&new, hedge) && !has(&old, hedge);
    let attempt = ATTEMPTS
        .iter()
        .find(|attempt| has(&new, attempt) && !is_behind_verb(&old, attempt) && is_behind_verb(&new, attempt));
    match attempt {
        Some(words) => Some(Hedge { words, is_behind_verb: true }),
        None => ESCAPES.iter().find(is_new).map(|words| Hedge { words, is_behind_verb: false }),
    }
}

/// A sentence without a way out.
pub fn without(text: &str, hedge: &Hedge) -> String {
    plain(text).replace(hedge.words, " ")
}

/// A word for everything and the word for a part that took its place.
pub fn partly(old: &str, new: &str) -> Option<(String, String)> {
    let (old, new) = (plain(old), plain(new));
    let find = |text: &str, list: &[&str]| words(text).find(|word| list.contains(word)).map(str::to_owned);
    let whole = words(&old).find(|word| WHOLE.contains(word) && !words(&new).any(|other| other == *word))?;
    let part = find(&new, PARTLY).filter(|_| find(&old, PARTLY).is_none() && find(&new, WHOLE).is_none())?;
    Some((whole.to_owned(), part))
}

/// In lower case, blanks and emphasis evened out, without what stands in backquotes.
fn plain(text: &str) -> String {
    let text = text.split('`').step_by(2).collect::<Vec<_>>().join(" ").replace(['*', '_'], "").to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a phrase stands in a text, as words of their own.
fn has(text: &str, phrase: &str) -> bool {
    places(text, phrase).next().is_some()
}

fn places<'t>(text: &'t str, phrase: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(phrase).map(|(at, _)| at).filter(move |at| {
        let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '-');
        !phrase.starts_with(|c: char| c.is_ascii())
            || !is_letter(text[..*at].chars().next_back()) && !is_letter(text[at + phrase.len()..].chars().next())
    })
}

fn is_behind_verb(text: &str, phrase: &str) -> bool {
    places(text, phrase).any(|at| {
        let mut before = text[..at].split_whitespace().rev().map(|word| word.trim_matches([',', ';']));
        let last = before.next().map(|word| match word {
            "not" | "also" => before.next().unwrap_or_default(),
            word => word,
        });
        last.is_some_and(|word| STRONG.iter().any(|strong| strong.to_lowercase() == word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_out() {
        let found = |old: &str, new: &str| added(old, new).map(|hedge| hedge.words);
        let old = "The system SHALL issue an invoice.";
        assert_eq!(found(old, "The system SHALL optionally issue an invoice."), Some("optionally"));
        assert_eq!(found(old, "The system **SHALL** try\nto issue an invoice."), Some("try to"));
        assert_eq!(found(old, "The system SHALL issue an invoice, if possible."), Some("if possible"));
        assert_eq!(found("系统必须记录", "系统必须尽可能记录"), Some("尽可能"));
        for new in
            [old, "It SHALL log the attempt to pay.", "It SHALL take `if possible`.", "A retry to pay SHALL fail."]
        {
            assert_eq!(found(old, new), None, "{new}");
        }
        assert_eq!(found("It SHALL try to go.", "It SHALL try to go on."), None);
    }

    #[test]
    fn parts() {
        let words = |one: &str, two: &str| Some((one.to_owned(), two.to_owned()));
        assert_eq!(partly("It SHALL keep all invoices.", "It SHALL keep some invoices."), words("all", "some"));
        assert_eq!(partly("It SHALL keep all.", "It SHALL keep all but some."), None);
        assert_eq!(partly("It SHALL keep invoices.", "It SHALL keep some invoices."), None);
    }
}
