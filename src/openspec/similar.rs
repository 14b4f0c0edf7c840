//! Names that differ by a slip.

use super::near::distance;

/// Whether two names differ by a slip: one character, or two in a long word, and all of it in one word. Short words and
/// numbers that differ are meant.
pub fn is_slip(a: &str, b: &str) -> bool {
    let words = |name: &str| name.split(['-', '_', '/', '.', ' ']).map(str::to_owned).collect::<Vec<_>>();
    let (one, two) = (words(a), words(b));
    if one.len() != two.len() {
        return false;
    }
    let mut different = one.iter().zip(&two).filter(|(one, two)| one != two);
    let (Some((one, two)), None) = (different.next(), different.next()) else { return false };
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    let (short, long) = (one.chars().count().min(two.chars().count()), one.chars().count().max(two.chars().count()));
    let allowed = match short {
        0..=4 => return false,
        5..=8 => 1,
        _ => 2,
    };
    long - short <= allowed && digits(one) == digits(two) && distance(one, two) <= allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        assert!(is_slip("widget", "widgets"));
        assert!(is_slip("user-autentication", "user-authentication"));
        assert!(!is_slip("auth", "outh"));
        assert!(!is_slip("oauth-v1", "oauth-v2"));
        assert!(!is_slip("import", "export"));
        assert!(!is_slip("mcp-integration", "lsp-integration"));
        assert!(!is_slip("user-auth", "user-auth-admin"));
    }
}
