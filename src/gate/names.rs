//! Suggestions for names nobody knows.

/// Most names that are suggested for one that is unknown.
const SUGGESTIONS: usize = 5;

/// The candidates that take the fewest edits to become `name`.
pub fn nearest(name: &str, candidates: impl Iterator<Item = String>) -> Vec<String> {
    let mut scored: Vec<(usize, String)> =
        candidates.map(|candidate| (distance(name, &candidate), candidate)).collect();
    scored.sort_by_key(|(distance, _)| *distance);
    scored.into_iter().take(SUGGESTIONS).map(|(_, candidate)| candidate).collect()
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
    }
}
