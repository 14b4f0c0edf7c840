//! Tells ordinary words from what may be a secret.

/// Longest part of a name or path that people write.
const MAX_WORD: usize = 20;

/// Words that stand where a value would and are none. Lower case.
const NO_VALUES: &[&str] = &[
    "any",
    "bool",
    "boolean",
    "bytes",
    "default",
    "empty",
    "expired",
    "false",
    "field",
    "hidden",
    "incorrect",
    "input",
    "int",
    "invalid",
    "mandatory",
    "mismatch",
    "missing",
    "none",
    "null",
    "number",
    "omitted",
    "option",
    "optional",
    "password",
    "prompt",
    "redacted",
    "rejected",
    "required",
    "secret",
    "secretstring",
    "set",
    "str",
    "string",
    "text",
    "token",
    "true",
    "undefined",
    "unknown",
    "unset",
    "wrong",
];

/// Whether a value is made of words as people write them: letters, joined by `-`, `_`, `.` or `/`. Names, paths and
/// types are; what a machine made up has digits, symbols, or letters of any case in a row.
pub fn is_ordinary(value: &str) -> bool {
    let value = value.trim_matches(|c: char| c.is_ascii_punctuation());
    !value.is_empty() && value.split(['-', '_', '.', '/']).all(is_word)
}

/// One word, or a few written in camel case.
fn is_word(part: &str) -> bool {
    if part.len() > MAX_WORD || !part.chars().all(char::is_alphabetic) {
        return false;
    }
    let bytes = part.as_bytes();
    let humps = bytes.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    humps <= 2
}

/// Whether a word is one of a sentence: small letters only, but for the first.
pub fn is_prose(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.all(|c| c.is_lowercase() || c == '\'' || c == '-')
}

/// Whether a value only stands for one: a variable, a blank to fill in, stars, or a word that says what belongs there.
pub fn is_placeholder(value: &str) -> bool {
    let bare = value.trim_end_matches([',', ';', ')', '}', '.', ':', '"', '\'']);
    let lower = bare.to_lowercase();
    NO_VALUES.contains(&lower.trim_start_matches('&')) || is_variable(value) || is_blank(value)
}

fn is_variable(value: &str) -> bool {
    let value = value.trim_end_matches([',', ';', '"', '\'', ')']);
    for (open, close) in [("${{", "}}"), ("${", "}"), ("$(", ")"), ("{{", "}}"), ("%", "%")] {
        // `$(` lost its end above.
        if value.len() > open.len() && value.starts_with(open) && (value.ends_with(close) || open == "$(") {
            return true;
        }
    }
    // A value may begin with a dollar sign too, so only what is written as variables are.
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    value.strip_prefix('$').is_some_and(is_name)
        || ["process.env.", "os.environ", "env.", "secrets.", "vars.", "var.", "self.", "this."]
            .iter()
            .any(|start| value.starts_with(start))
}

/// `<token>`, `****`, `....`, `xxxx`.
fn is_blank(value: &str) -> bool {
    let value = value.trim_end_matches([',', ';', ')']);
    let is_tag = value.len() > 2
        && value.starts_with('<')
        && value.ends_with('>')
        && value[1..value.len() - 1].chars().all(|c| c.is_alphanumeric() || "-_ .".contains(c));
    let first = value.chars().next().unwrap_or_default();
    is_tag || "*•.xX…".contains(first) && value.chars().all(|c| c == first)
}

/// Whether a value is code that gets one: a call, an index, a path of names, a generic type.
pub fn is_expression(value: &str) -> bool {
    let value = value.trim_end_matches([';', ',', '?', ' ']).trim_start_matches('&');
    let end = value.find(|c: char| !(c.is_alphanumeric() || "_.:".contains(c))).unwrap_or(value.len());
    let (name, rest) = value.split_at(end);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_closed = |open: char, close: char| rest.starts_with(open) && rest.contains(close);
    is_name && (name.contains("::") || is_closed('(', ')') || is_closed('[', ']') || is_closed('<', '>'))
}

/// Whether a value is long and random: hexadecimal digits or Base64 with letters and digits mixed.
pub fn is_random(value: &str) -> bool {
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c);
    if value.len() < 20 || !value.chars().all(is_base64) {
        return false;
    }
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    digits >= 3 && letters >= 3 && entropy(value) > 3.0
}

/// Bits each character tells.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn entropy(value: &str) -> f64 {
    let mut counts = [0_usize; 256];
    value.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let total = value.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| *count as f64 / total).map(|part| -part * part.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_paths_are_ordinary() {
        for value in ["identifier", "documentation/README.md", "my-secret-name", "String", "myTokenName", "EOF"] {
            assert!(is_ordinary(value), "{value}");
        }
        for value in ["hunter2", "p@ssword", "aBcDeFgHiJkL", "abcdefghijklmnopqrstuvwxyz", "", "--"] {
            assert!(!is_ordinary(value), "{value}");
        }
    }

    #[test]
    fn placeholders_and_expressions() {
        for value in ["$TOKEN", "${TOKEN}", "${{ secrets.X }}", "<your token>", "****", "required,", "&str"] {
            assert!(is_placeholder(value), "{value}");
        }
        for value in ["$ecret1", "$2b$12$abcdef", "hunter2", "<a>b", "xxyy"] {
            assert!(!is_placeholder(value), "{value}");
        }
        for value in ["next_token();", "Option<String>,", "Token::Ident", "args[1]"] {
            assert!(is_expression(value), "{value}");
        }
        assert!(!is_expression("abc(def") && !is_expression("hunter2"));
    }

    #[test]
    fn random_values() {
        assert!(is_random("3f2a9c1b7d5e8f60a4b2c9d1"));
        assert!(!is_random("aaaaaaaaaaaaaaaaaaaaaaaaaaa111"));
        assert!(!is_random("documentation-of-the-thing"));
    }
}
