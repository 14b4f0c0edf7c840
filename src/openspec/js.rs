//! JavaScript's idea of white space and length, which is the reference's.
//!
//! The reference is written in JavaScript, so `\s`, `trim()` and `.length` in its rules mean what ECMAScript says.
//! Rust's `char::is_whitespace` differs on U+FEFF (JavaScript: space) and U+0085 (JavaScript: no space), and lengths
//! there are UTF-16 code units.

/// White space as ECMAScript's `\s` and `String.prototype.trim` see it.
pub fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

/// What `.` in a JavaScript regular expression does not match.
pub fn is_line_terminator(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// `String.prototype.trim`.
pub fn trim(s: &str) -> &str {
    s.trim_matches(is_space)
}

/// `String.prototype.trimStart`.
pub fn trim_start(s: &str) -> &str {
    s.trim_start_matches(is_space)
}

/// `String.prototype.trimEnd`.
pub fn trim_end(s: &str) -> &str {
    s.trim_end_matches(is_space)
}

/// `String.prototype.length`: UTF-16 code units.
pub fn length(s: &str) -> usize {
    if s.is_ascii() { s.len() } else { s.encode_utf16().count() }
}

/// Strips `prefix` compared without regard to ASCII case, as a JavaScript `/i` does for ASCII patterns.
pub fn strip_prefix_ignore_case<'a>(s: &'a str, prefix: &str) -> Option<&'a str> {
    let head = s.as_bytes().get(..prefix.len())?;
    // An ASCII prefix that matches byte for byte ends on a character boundary.
    head.eq_ignore_ascii_case(prefix.as_bytes()).then(|| &s[prefix.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bom_is_space_and_next_line_is_not() {
        assert_eq!(trim("\u{feff} a\u{a0}"), "a");
        assert_eq!(trim("\u{85}a"), "\u{85}a");
    }

    #[test]
    fn astral_characters_count_twice() {
        assert_eq!(length("a😀"), 3);
    }
}
