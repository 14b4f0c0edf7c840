//! YAML as the reference's parser reads it: version 1.2, core schema, no duplicate keys.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_yaml::{Budget, MergeKeyPolicy};

pub use words::told;

mod words;

/// A document that is not YAML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// 1-based line, 1 when the parser names none.
    pub line: usize,
    /// What is wrong, on one line.
    pub message: String,
}

/// Parses a document into untyped values. An empty document is null.
///
/// # Errors
/// When the text is not YAML, repeats a key, holds several documents or expands beyond the parser's budget.
pub fn parse(text: &str) -> Result<Value, YamlError> {
    read(text, Budget::default())
}

/// Parses a document into values of any kind, as [`parse`] does.
///
/// # Errors
/// As those of [`parse`], and when the values are not of that kind.
pub fn read<T: DeserializeOwned>(text: &str, budget: Budget) -> Result<T, YamlError> {
    // The reference's parser takes a lone carriage return for content, ours for a line end: what one of them reads
    // differently is refused.
    if let Some(line) = lone_carriage_return(text) {
        return Err(YamlError { line, message: "there is a carriage return that ends no line".to_owned() });
    }
    let content = text.trim_start_matches('\u{feff}');
    if let Some(line) = content.lines().position(|line| !line.trim().is_empty())
        && content.lines().nth(line).is_some_and(|line| line.starts_with('\t'))
    {
        return Err(YamlError {
            line: line + 1,
            message: "a tab indents this line, which YAML does not allow".to_owned(),
        });
    }
    let is_old = text.lines().any(|line| line.trim_end() == "%YAML 1.1");
    let options = serde_yaml::options! {
        strict_booleans: !is_old,
        reject_unsupported_tags: true,
        underscored_numbers_as_strings: true,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        with_snippet: false,
        budget: Some(budget),
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| words::told(&error))
}

fn lone_carriage_return(text: &str) -> Option<usize> {
    let is_lone = |at: &usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    let at = memchr::memchr_iter(b'\r', text.as_bytes()).find(is_lone)?;
    Some(memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1)
}

/// 1-based line of a key, quoted or not, when it stands at the start of a line.
pub fn line_of_key(text: &str, key: &str) -> Option<usize> {
    let is_key = |line: &str| {
        let line = line.trim_start_matches('\u{feff}').trim_start();
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
        let unquoted = match quote {
            Some(quote) => line[1..].strip_prefix(key).and_then(|rest| rest.strip_prefix(quote)),
            None => line.strip_prefix(key),
        };
        unquoted.is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    text.split(['\n', '\r']).position(is_key).map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn core_schema() {
        assert_eq!(
            parse("a: yes\nb: true\nc: 2026-01-02\nd: ~\ne: 1\n"),
            Ok(json!({"a": "yes", "b": true, "c": "2026-01-02", "d": null, "e": 1}))
        );
        assert_eq!(parse(""), Ok(json!(null)));
        assert_eq!(parse("\u{feff}a: b\r\n"), Ok(json!({"a": "b"})));
        assert!(parse("a: 1\na: 2\n").is_err());
        assert!(parse("a: [\n").is_err());
    }

    #[test]
    fn alias_bombs_are_refused() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let before = level - 1;
            bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{before}"); 9].join(", "));
        }
        assert!(parse(&bomb).is_err());
    }
}
