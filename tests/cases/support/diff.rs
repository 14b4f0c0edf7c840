//! Shows how two texts differ.

/// The lines of both, `-` before those only the first has and `+` before those only the second has.
pub fn lines(expected: &str, actual: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    // Length of the longest common subsequence of what is left from each pair of positions. Outputs are short.
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let without = common[i + 1][j].max(common[i][j + 1]);
            common[i][j] = if old[i] == new[j] { common[i + 1][j + 1] + 1 } else { without };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut shown = String::new();
    while i < old.len() || j < new.len() {
        let (mark, line) = if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
            (' ', old[i - 1])
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            i += 1;
            ('-', old[i - 1])
        } else {
            j += 1;
            ('+', new[j - 1])
        };
        shown += &format!("  {mark} {line}\n");
    }
    shown
}

#[test]
fn marks() {
    assert_eq!(lines("a\nb\nc\n", "a\nx\nc\nd\n"), "    a\n  - b\n  + x\n    c\n  + d\n");
}
