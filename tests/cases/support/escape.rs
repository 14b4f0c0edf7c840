//! What Markdown cannot carry, written with a backslash.

use std::iter::Peekable;
use std::str::Chars;

/// Reads `\r`, `\n`, `\t`, `\0`, `\\`, `\xFF` (any byte), `\u{feff}` and a backslash at a line's end (which joins the
/// line with the next one).
pub fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        match chars.next() {
            Some('r') => bytes.push(b'\r'),
            Some('n') => bytes.push(b'\n'),
            Some('t') => bytes.push(b'\t'),
            Some('0') => bytes.push(0),
            Some('\\') => bytes.push(b'\\'),
            Some('\n') => {}
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&digits, 16).map_err(|_| format!("`\\x{digits}` is no byte"))?);
            }
            Some('u') => bytes.extend_from_slice(unicode(&mut chars)?.encode_utf8(&mut [0; 4]).as_bytes()),
            other => return Err(format!("`\\{}` means nothing", other.map_or(String::new(), String::from))),
        }
    }
    Ok(bytes)
}

fn unicode(chars: &mut Peekable<Chars<'_>>) -> Result<char, String> {
    let digits: String = chars.by_ref().take_while(|c| *c != '}').collect();
    let number = digits.strip_prefix('{').and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.and_then(char::from_u32).ok_or_else(|| format!("`\\u{digits}}}` is no character"))
}

#[test]
fn escapes() {
    assert_eq!(unescape("a\\r\n\\xFF\\0\\u{feff}\\\\\\\nb"), Ok(b"a\r\n\xFF\0\xEF\xBB\xBF\\b".to_vec()));
    assert!(unescape("\\q").is_err());
    assert!(unescape("\\u{110000}").is_err());
}
