//! Which language prose is in, as far as that has to be known: English, a script that tells, or unknown.

use crate::openspec::js;

/// Words that are English and nothing else, as far as short texts go. `is` and `in` are Dutch, `a` is half of Europe.
const ENGLISH: &[&str] = &[
    "the",
    "of",
    "and",
    "with",
    "that",
    "this",
    "these",
    "those",
    "it",
    "its",
    "be",
    "are",
    "was",
    "were",
    "been",
    "has",
    "have",
    "not",
    "but",
    "for",
    "from",
    "by",
    "at",
    "or",
    "an",
    "to",
    "if",
    "when",
    "then",
    "should",
    "shall",
    "must",
    "will",
    "can",
    "may",
    "would",
    "could",
    "there",
    "here",
    "nothing",
    "each",
    "every",
    "all",
    "any",
    "only",
    "just",
    "no",
    "new",
    "same",
    "into",
    "after",
    "before",
    "which",
    "where",
    "who",
    "user",
    "users",
    "returns",
    "return",
    "shows",
    "works",
    "work",
    "see",
    "notes",
    "note",
    "rationale",
    "given",
    "does",
    "do",
    "did",
    "without",
];

/// Whether some lines of prose are in English: one English word, hardly a letter English has not.
pub fn is_english<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let (mut words, mut plain, mut foreign) = (0_usize, 0_usize, 0_usize);
    for line in lines {
        for (at, part) in line.split('`').enumerate() {
            // Every other part is code.
            if at % 2 == 1 {
                continue;
            }
            for word in part.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
                if word.is_ascii() {
                    plain += word.len();
                    words += usize::from(
                        !word.eq_ignore_ascii_case("scenario")
                            && ENGLISH.iter().any(|english| english.eq_ignore_ascii_case(word)),
                    );
                } else {
                    foreign += word.chars().filter(|c| !c.is_ascii()).count();
                }
            }
        }
    }
    words > 0 && foreign * 20 <= plain
}

/// Whether the script tells that the language is Chinese, Japanese or Korean, whose keywords are known.
pub fn is_known_script<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let is_known = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    lines.flat_map(str::chars).any(is_known)
}

/// Whether an emphasised text is one word with nothing else in bold: where a keyword of an unknown language would be.
pub fn is_single_word(rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
    let after = js::trim_start(rest[end..].trim_start_matches([':', '：']));
    end > 0 && after.starts_with(['*', '_', '】', ']', '」'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english() {
        assert!(is_english(["Nothing here is testable."].into_iter()));
        assert!(!is_english(["Dat is alles"].into_iter()));
        assert!(!is_english(["`the code`"].into_iter()));
        assert!(!is_english(["事件 the 写入日志"].into_iter()));
    }

    #[test]
    fn single_words() {
        assert!(is_single_word("Gdy** x") && is_single_word("Wtedy:** x"));
        assert!(!is_single_word("the user** x") && !is_single_word("x"));
    }
}
