//! What of a line is meant rather than quoted.

/// A line with everything in backticks and quotes blanked out, byte for byte as long.
pub(in crate::openspec) fn visible(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    // A closing mark that was looked for in vain is not looked for again.
    let mut missing = [false; PAIRS.len()];
    let mut rest = line;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let pair = PAIRS.iter().position(|(open, _)| *open == c);
        let inner = pair.filter(|pair| !missing[*pair]).and_then(|pair| {
            let end = match c {
                '\'' => apostrophe(before, after)?,
                _ => after.find(PAIRS[pair].1).or_else(|| {
                    missing[pair] = true;
                    // An opening mark tells by itself.
                    (PAIRS[pair].1 != c).then_some(after.len())
                })?,
            };
            Some(end)
        });
        shown.push(c);
        rest = after;
        before = c;
        if let Some(end) = inner {
            shown.extend(std::iter::repeat_n(' ', end));
            let close = rest[end..].chars().next();
            shown.extend(close);
            rest = &rest[end + close.map_or(0, char::len_utf8)..];
            before = close.unwrap_or(' ');
        }
    }
    shown
}

const PAIRS: [(char, char); 7] =
    [('`', '`'), ('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('‘', '’'), ('\'', '\'')];

/// Where a quotation in single quotes ends, which otherwise are apostrophes.
fn apostrophe(before: char, after: &str) -> Option<usize> {
    /// Nobody quotes more in single quotes.
    const MOST: usize = 80;
    if before.is_alphanumeric() || after.starts_with(char::is_whitespace) {
        return None;
    }
    let near = after.char_indices().take(MOST);
    near.filter(|(_, c)| *c == '\'')
        .map(|(end, _)| end)
        .find(|end| !after[end + 1..].starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn quotations_are_blanked_out() {
        assert_eq!(visible("a `b` \"c\" 'd' e's"), "a ` ` \" \" ' ' e's");
        assert_eq!(visible("a “é” b \" c"), "a “  ” b \" c");
        assert_eq!(visible("it's `open"), "it's `open");
    }
}
