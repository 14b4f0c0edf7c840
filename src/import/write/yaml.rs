//! Scalars of YAML.

/// A text in double quotes: the only style in which any text can be written on one line.
pub fn quoted(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 2);
    written.push('"');
    for c in text.chars() {
        match c {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            c if is_plain(c) => written.push(c),
            c if u32::from(c) <= 0xffff => written.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => written.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    written.push('"');
    written
}

/// Whether a character may stand in a file as it is.
fn is_plain(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openspec::yaml::parse;

    #[test]
    fn any_text_comes_back() {
        for text in ["", "a: b # c", "\"\\\n\t", "- x", "\u{1}\u{85}\u{2028}\u{feff}🎯", "{{x}} & *y !z %", "'"] {
            let value = parse(&format!("k: {}\n", quoted(text))).map(|value| value["k"].clone());
            assert_eq!(value.ok().as_ref().and_then(|value| value.as_str()), Some(text), "{text:?}");
        }
    }
}
