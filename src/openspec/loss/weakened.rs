//! Demands that bind less than they did.

use super::demand::{self, Bound, Strength};
use super::parts::{Class, Unit};
use super::words::Words;
use super::{cut, hedge};

/// A demand that was weakened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weakened {
    /// 0-based line, counted from the old block's header.
    pub old_line: usize,
    /// 0-based line, counted from the new block's header.
    pub line: usize,
    /// What it was.
    pub old: String,
    /// What it is.
    pub new: String,
    /// How.
    pub how: Weakening,
}

/// Ways to weaken a demand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Weakening {
    /// SHALL became MAY: both words as written.
    Word(String, String),
    /// SHALL is gone: the word as written.
    NoWord(String),
    /// What was forbidden no longer is.
    Allowed,
    /// A limit became wider: before and after, as written.
    Loosened(String, String),
    /// A limit is gone, as written.
    Unbounded(String),
    /// A way out was added, such as "if possible".
    Hedged(String),
    /// Words of the demand are gone and nothing is said instead.
    Shortened(String),
}

/// Sentences with fewer of their words left may just be about the same topic.
const SAME: f64 = 0.6;

/// What is told without any word for it needs more.
const SURELY_SAME: f64 = 0.75;

/// How much of one is in the other, whichever is more: a demand without its limit is shorter.
fn sameness(old: &Unit, new: &Unit) -> f64 {
    old.words.kept_in(&new.words).max(new.words.kept_in(&old.words))
}

/// How a sentence that became another, or was replaced by it, binds less.
pub fn sentence(old: &Unit, new: &Unit, all: &[&Unit]) -> Option<Weakened> {
    let kept = sameness(old, new);
    let same = || {
        let how = words(old, new, kept).or_else(|| hedged(old, new)).or_else(|| partly(old, new));
        how.or_else(|| bound(old, new, all))
    };
    let how = if kept < SAME { None } else { same() };
    let how = how.or_else(|| shorter(old, new, all)).or_else(|| {
        let binds = old.is_normative && new.is_normative && demand::strong_word(&old.text).is_some();
        binds.then(|| cut::shortened(old, new, &others(new, all)).map(Weakening::Shortened)).flatten()
    });
    how.map(|how| weakened(old, new, how))
}

/// How a step that became another binds less. The present tense binds in a step; what happens first binds nobody.
pub fn step(old: &Unit, new: &Unit, all: &[&Unit]) -> Option<Weakened> {
    if old.class != Class::Then {
        return None;
    }
    let kept = sameness(old, new);
    let is_free = || {
        let weak = demand::weak_word(&new.text)?;
        let is_free = ["may", "might", "optionally", "optional"].contains(&weak.to_lowercase().as_str());
        let binds = demand::strength(&old.text) != Strength::Weak && demand::strength(&new.text) == Strength::Weak;
        match demand::strong_word(&old.text) {
            Some(strong) if binds => Some(Weakening::Word(strong, weak)),
            None if binds && is_free && kept >= SURELY_SAME => Some(Weakening::Word("its demand".to_owned(), weak)),
            _ => None,
        }
    };
    let same = || is_free().or_else(|| hedged(old, new)).or_else(|| partly(old, new)).or_else(|| bound(old, new, all));
    let how = if kept < SAME { None } else { same() };
    how.or_else(|| shorter(old, new, all)).map(|how| weakened(old, new, how))
}

/// What the other sentences say.
fn others(unit: &Unit, all: &[&Unit]) -> Words {
    Words::union(all.iter().filter(|other| !std::ptr::eq(**other, unit)).map(|other| &other.words))
}

/// A limit or number that is gone from a sentence of few other words, in which it made up most of the difference.
fn shorter(old: &Unit, new: &Unit, all: &[&Unit]) -> Option<Weakening> {
    let rest = Words::of(&demand::without_bounds(&old.text));
    let is_same = rest.len() < old.words.len()
        && rest.kept_in(&new.words) >= 0.8
        && !rest.is_empty()
        && new.words.len() <= rest.len() + 3;
    let bound = if is_same { bound(old, new, all) } else { None };
    bound.or_else(|| {
        let gone = !is_named(&new.text);
        gone.then(|| cut::quantity(old, new, &others(new, all)).map(Weakening::Unbounded)).flatten()
    })
}

/// A way out for a demand that is otherwise the same.
fn hedged(old: &Unit, new: &Unit) -> Option<Weakening> {
    let hedge = hedge::added(&old.text, &new.text)?;
    let rest = Words::of(&hedge::without(&new.text, &hedge));
    // In a sentence that says more it may be about that.
    let is_same = old.words.kept_in(&rest) >= SURELY_SAME && rest.kept_in(&old.words) >= 0.85
        || hedge.is_behind_verb && demand::counts(&new.text).0 <= 1;
    is_same.then(|| Weakening::Hedged(hedge.words.to_owned()))
}

/// Some for all of a demand that is otherwise the same.
fn partly(old: &Unit, new: &Unit) -> Option<Weakening> {
    let (whole, part) = hedge::partly(&old.text, &new.text)?;
    let rest = |text: &str, word: &str| {
        let folded = text.to_lowercase();
        Words::of(&demand::words(&folded).filter(|other| *other != word).collect::<Vec<_>>().join(" "))
    };
    let (one, two) = (rest(&old.text, &whole), rest(&new.text, &part));
    (one.kept_in(&two) >= SURELY_SAME && two.kept_in(&one) >= SURELY_SAME).then_some(Weakening::Word(whole, part))
}

fn weakened(old: &Unit, new: &Unit, how: Weakening) -> Weakened {
    Weakened { old_line: old.line, line: new.line, old: old.text.clone(), new: new.text.clone(), how }
}

fn words(old: &Unit, new: &Unit, kept: f64) -> Option<Weakening> {
    let strong = demand::strong_word(&old.text)?;
    match demand::strength(&new.text) {
        Strength::Weak => return Some(Weakening::Word(strong, demand::weak_word(&new.text)?)),
        // An item of a list whose introduction binds is bound.
        Strength::Told if !new.is_normative && kept >= SURELY_SAME && strong.is_ascii() => {
            return Some(Weakening::NoWord(strong));
        }
        Strength::Told | Strength::Strong => {}
    }
    // One of several demands of a sentence that says the same otherwise.
    let ((strong_before, weak_before), (strong_after, weak_after)) =
        (demand::counts(&old.text), demand::counts(&new.text));
    if strong_after < strong_before && weak_after > weak_before && old.words.likeness(&new.words) >= SURELY_SAME {
        return Some(Weakening::Word(strong, demand::weak_word(&new.text)?));
    }
    // A sentence that says much more is about something else.
    let is_same = kept >= SURELY_SAME && old.words.likeness(&new.words) > 0.5;
    let is_allowed = is_same && demand::is_prohibition(&old.text) && !demand::has_negation(&new.text);
    is_allowed.then_some(Weakening::Allowed)
}

fn bound(old: &Unit, new: &Unit, all: &[&Unit]) -> Option<Weakening> {
    let after = demand::bounds(&new.text);
    let same_kind = |one: &Bound, two: &Bound| one.is_upper == two.is_upper && one.unit == two.unit;
    for bound in demand::bounds(&old.text) {
        let mut alike = after.iter().filter(|other| same_kind(&bound, other)).peekable();
        if let Some(first) = alike.peek().map(|first| first.text.clone()) {
            let is_wider =
                |other: &Bound| if bound.is_upper { other.value > bound.value } else { other.value < bound.value };
            if alike.all(is_wider) {
                return Some(Weakening::Loosened(bound.text, first));
            }
            continue;
        }
        // A number in the sentence can be the limit in other words; so can the same limit in another sentence.
        let has_number = new.text.chars().any(|c| c.is_ascii_digit());
        let is_elsewhere =
            all.iter().any(|unit| demand::bounds(&unit.text).iter().any(|other| same_kind(&bound, other)));
        if !has_number && !is_elsewhere && !is_named(&new.text) {
            return Some(Weakening::Unbounded(bound.text));
        }
    }
    None
}

/// Whether a limit is told by a name: a configured time-out is a limit.
fn is_named(text: &str) -> bool {
    let folded = text.to_lowercase();
    [
        "configur",
        "limit",
        "timeout",
        "time-out",
        "deadline",
        "budget",
        "threshold",
        "maximum",
        "minimum",
        "within",
        "at most",
        "at least",
        "immediately",
        "window",
        "interval",
        "定义",
        "配置",
        "超时",
    ]
    .iter()
    .any(|word| folded.contains(word))
}
