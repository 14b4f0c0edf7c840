//! Which sentence of the new text says what a sentence of the old one said.

use super::parts::{Class, Unit};

/// From this share of words on, one sentence is another, reworded.
const REWORDED: f64 = 0.5;

/// A sentence that was cut short keeps fewer: what is left of it has nearly no other words.
const CUT_SHORT: f64 = 0.35;

/// From this share on, a sentence is contained in one that was taken for another already.
const CONTAINED: f64 = 0.8;

/// What became of the old units.
#[derive(Debug, Default)]
pub struct Matching {
    /// Old and new unit that say the same, or nearly.
    pub pairs: Vec<(usize, usize)>,
    /// Old units that are gone, and the new one that was taken as put in their place.
    pub replaced: Vec<(usize, usize)>,
    /// Old units that nothing says any more and nothing was put in place of.
    pub lost: Vec<usize>,
}

/// Finds for each old unit the new one that says it. An old unit that has none is taken as replaced by a new one that
/// says something of its own, one each, when `may_replace` allows the two: what was changed on purpose is not lost.
pub fn matching(
    old: &[&Unit],
    new: &[&Unit],
    is_elsewhere: impl Fn(&Unit) -> bool,
    may_replace: impl Fn(&Unit, &Unit) -> bool,
) -> Matching {
    let mut scored: Vec<(f64, usize, usize)> = Vec::new();
    for (o, one) in old.iter().enumerate() {
        for (n, two) in new.iter().enumerate() {
            // Containment tells whether the old one survives; likeness which of several it became.
            let kept = one.words.kept_in(&two.words);
            scored.push((kept + one.words.likeness(&two.words) / 2.0, o, n));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.abs_diff(a.2).cmp(&b.1.abs_diff(b.2))));
    let mut became = vec![None; old.len()];
    let mut is_used = vec![false; new.len()];
    for &(_, o, n) in &scored {
        let fits = || is_reworded(old[o], new[n]) && !is_contrary(old[o], new[n]);
        if became[o].is_none() && !is_used[n] && fits() {
            (became[o], is_used[n]) = (Some(n), true);
        }
    }
    let pairs = became.iter().enumerate().filter_map(|(o, n)| Some((o, (*n)?))).collect();
    let mut left: Vec<usize> = (0..old.len())
        .filter(|o| became[*o].is_none())
        .filter(|o| !new.iter().any(|unit| contains(unit, old[*o])) && !is_elsewhere(old[*o]))
        .collect();
    let mut replaced = Vec::new();
    for &(_, o, n) in &scored {
        if !is_used[n] && left.contains(&o) && may_replace(old[o], new[n]) {
            is_used[n] = true;
            left.retain(|other| *other != o);
            replaced.push((o, n));
        }
    }
    Matching { pairs, replaced, lost: left }
}

/// Whether a unit says what another does, among other things.
pub fn contains(outer: &Unit, inner: &Unit) -> bool {
    inner.words.kept_in(&outer.words) >= CONTAINED && !is_contrary(inner, outer)
}

fn is_reworded(old: &Unit, new: &Unit) -> bool {
    let kept = old.words.kept_in(&new.words);
    kept >= REWORDED || kept >= CUT_SHORT && new.words.len() > 1 && new.words.kept_in(&old.words) >= CONTAINED
}

/// Whether one forbids and the other does not while they share no more than a topic.
fn is_contrary(old: &Unit, new: &Unit) -> bool {
    super::demand::is_prohibition(&old.text)
        && !super::demand::has_negation(&new.text)
        && old.words.kept_in(&new.words) < 0.75
}

/// Whether steps play the same part, as far as it is known.
pub fn same_part(old: &Unit, new: &Unit) -> bool {
    old.class == new.class || old.class == Class::Unknown || new.class == Class::Unknown
}
