//! Suggestions for names nobody knows.

use crate::openspec::near::distance;

/// Most names that are suggested for one that is unknown.
const SUGGESTIONS: usize = 5;

/// The candidates that take the fewest edits to become `name`.
pub fn nearest(name: &str, candidates: impl Iterator<Item = String>) -> Vec<String> {
    let mut scored: Vec<(usize, String)> =
        candidates.map(|candidate| (distance(name, &candidate), candidate)).collect();
    scored.sort_by_key(|(distance, _)| *distance);
    scored.into_iter().take(SUGGESTIONS).map(|(_, candidate)| candidate).collect()
}
