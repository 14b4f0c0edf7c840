//! Words that are spelled with more than their letters: invisible characters, entities, escapes, emphasis inside of a word,
//! wide letters. Who reads the page sees the plain word, so the plain word is looked for.

/// What a plain word has behind it where it was longer as written.
pub(super) const FILLER: u8 = 0;

/// The text with such words as they are shown, each filled up to be byte for byte as long.
pub(super) fn unmasked(text: String) -> String {
    if !may_be_masked(&text) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    for piece in text.split_inclusive(' ') {
        let word = piece.trim_end_matches(' ');
        let start = shown.len();
        plain(word, &mut shown);
        let filled = word.len().saturating_sub(shown.len() - start);
        shown.extend(std::iter::repeat_n(char::from(FILLER), filled));
        shown.push_str(&piece[word.len()..]);
    }
    if shown.len() == text.len() { shown } else { text }
}

fn may_be_masked(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3(b'&', b'\\', b'*', bytes).is_some()
        || !text.is_ascii() && text.contains(|c| is_invisible(c) || wide(c).is_some())
}

/// Adds a word as it is shown, which is never longer.
fn plain(word: &str, shown: &mut String) {
    let is_split = is_split_by_stars(word);
    let mut before = ' ';
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let (next, left) = match c {
            '&' => entity(after).map_or((Some('&'), after), |(c, left)| (Some(c).filter(|c| !is_invisible(*c)), left)),
            '\\' => match after.chars().next() {
                Some(escaped) if escaped.is_ascii_punctuation() => (Some(escaped), &after[1..]),
                _ => (Some('\\'), after),
            },
            '*' if is_split
                && before.is_alphanumeric()
                && after.trim_start_matches('*').starts_with(char::is_alphanumeric) =>
            {
                (None, after.trim_start_matches('*'))
            }
            _ if is_invisible(c) => (None, after),
            _ => (Some(wide(c).unwrap_or(c)), after),
        };
        if let Some(next) = next {
            shown.push(next);
            before = next;
        }
        rest = left;
    }
}

/// Whether emphasis begins or ends inside of a word: `**qui**ckly`. `a*b` is none.
fn is_split_by_stars(word: &str) -> bool {
    let mut runs = 0;
    let mut before = ' ';
    for c in word.chars() {
        runs += usize::from(c == '*' && before != '*');
        before = c;
    }
    runs > 1
}

/// Characters without a width, and the soft hyphen.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{34f}' | '\u{180e}')
}

/// The plain form of a letter or digit of full width.
fn wide(c: char) -> Option<char> {
    let is_wide = matches!(c, '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}');
    is_wide.then(|| char::from_u32(u32::from(c) - 0xfee0)).flatten()
}

/// The character of an entity, and what stands behind it. Of the named ones only the invisible ones matter.
fn entity(after: &str) -> Option<(char, &str)> {
    /// The longest that is read: `&zwnj;`, `&#x1F600;`.
    const MOST: usize = 10;
    let end = after.bytes().take(MOST).position(|byte| byte == b';')?;
    let (name, rest) = (&after[..end], &after[end + 1..]);
    let c = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?).filter(|c| !c.is_control())?
        }
        None if matches!(name, "nbsp" | "ensp" | "emsp" | "thinsp") => ' ',
        None if matches!(name, "shy" | "zwnj" | "zwj") => '\u{200b}',
        None => return None,
    };
    // No longer than it is written: `&#1;`
    (c.len_utf8() <= end + 2).then_some((c, rest))
}

#[cfg(test)]
mod tests {
    use super::unmasked;

    #[test]
    fn words_as_they_are_shown() {
        for (text, expected) in [
            ("go qui\u{200b}ckly now", "go quickly\0\0\0 now"),
            ("qui\u{ad}ckly", "quickly\0\0"),
            ("&#113;uick&#x6c;y", "quickly\0\0\0\0\0\0\0\0\0\0"),
            ("qui&shy;ckly", "quickly\0\0\0\0\0"),
            ("is&nbsp;fast", "is fast\0\0\0\0\0"),
            ("a\\_b \\- \\", "a_b\0 -\0 \\"),
            ("**qui**ckly *fast* a*b", "**quickly\0\0 *fast* a*b"),
            ("ｆａｓｔ", "fast\0\0\0\0\0\0\0\0"),
            ("AT&T & &amp; &#0; fast", "AT&T & &amp; &#0; fast"),
            ("系统&#31995;", "系统系\0\0\0\0\0"),
        ] {
            let shown = unmasked(text.to_owned());
            assert_eq!((shown.as_str(), shown.len()), (expected, text.len()));
        }
    }
}
