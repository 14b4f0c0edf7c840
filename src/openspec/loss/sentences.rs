//! Cuts a paragraph into sentences.

use super::script::is_ideographic;

/// What ends with a full stop and ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "etc", "vs", "cf", "no", "fig", "approx", "resp", "dr", "mr", "mrs", "ca", "incl", "excl", "z.b",
    "d.h", "bzw", "usw", "p.ex", "ex", "p. ex", "sr", "sra", "art", "ver", "min", "max", "al",
];

/// The sentences of a paragraph, trimmed, none empty. A semicolon divides too: what stands after it is a demand of its
/// own. What is in backquotes is not looked into.
pub fn split(paragraph: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let (mut start, mut in_code, mut depth) = (0, false, 0_usize);
    let mut characters = paragraph.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        match c {
            '`' => in_code = !in_code,
            '(' | '（' | '[' => depth += 1,
            ')' | '）' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if in_code || depth > 0 {
            continue;
        }
        let ends = match c {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | ';' => {
                let after = &paragraph[at + 1..];
                let rest = after.trim_start_matches(['"', '\'', '*', '_', ')', '”', '’', '」']);
                let begins = rest.trim_start_matches(char::is_whitespace);
                let is_spaced = begins.len() < rest.len();
                is_spaced && (c == ';' || begins_sentence(begins) && !is_abbreviated(&paragraph[start..at], c))
            }
            _ => false,
        };
        if ends {
            let mut end = at + c.len_utf8();
            while let Some((_, mark)) =
                characters.next_if(|(_, c)| matches!(c, '"' | '\'' | '*' | '_' | ')' | '”' | '’' | '」'))
            {
                end += mark.len_utf8();
            }
            sentences.push(paragraph[start..end].trim());
            start = end;
        }
    }
    sentences.push(paragraph[start..].trim());
    sentences.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    sentences
}

fn begins_sentence(rest: &str) -> bool {
    let first = rest.trim_start_matches(['*', '_', '"', '\'', '(', '“', '‘', '[', '¿', '¡']).chars().next();
    first.is_some_and(|c| c.is_uppercase() || c == '`' || c.is_numeric() || is_ideographic(c))
}

fn is_abbreviated(before: &str, mark: char) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    // After a number it is a unit.
    let rest = before[..before.len() - word.len()].trim_end();
    let is_unit = rest.ends_with(|c: char| c.is_ascii_digit());
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    mark == '.' && !is_unit && (is_initial || ABBREVIATIONS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_stops_in_words_divide_nothing() {
        let text = "It SHALL read e.g. Config.yaml (v1.2. Or later) in ca. 3 s. It MUST NOT fail! `a. B` stays.";
        assert_eq!(
            split(text),
            ["It SHALL read e.g. Config.yaml (v1.2. Or later) in ca. 3 s.", "It MUST NOT fail!", "`a. B` stays."]
        );
    }

    #[test]
    fn semicolons_and_chinese_stops() {
        assert_eq!(split("It MAY stop; it MUST NOT crash."), ["It MAY stop;", "it MUST NOT crash."]);
        assert_eq!(split("系统必须记录。不得删除！结束"), ["系统必须记录。", "不得删除！", "结束"]);
    }

    #[test]
    fn emphasis_stays_with_its_sentence() {
        assert_eq!(split("**It SHALL go.** Then stop."), ["**It SHALL go.**", "Then stop."]);
    }

    #[test]
    fn units_end_sentences() {
        assert_eq!(split("It SHALL take 5 min. It MUST end."), ["It SHALL take 5 min.", "It MUST end."]);
    }
}
