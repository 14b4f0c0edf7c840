//! What the YAML parser says, in plain words, with what to do about it.

use std::borrow::Cow;

use serde_yaml::budget::BudgetBreach;
use serde_yaml::{Error, MessageFormatter, UserMessageFormatter};

use super::YamlError;

/// Keys or values that are listed in a message.
const MAX_LISTED: usize = 12;

/// What is wrong, and where: the place is not in the message.
pub fn told(error: &Error) -> YamlError {
    let line = error.location().map_or(1, |location| usize::try_from(location.line()).unwrap_or(1).max(1));
    let mut inner = error;
    while let Error::AliasError { error, .. } | Error::WithSnippet { error, .. } = inner {
        inner = error;
    }
    let message = message(inner);
    let is_plain = |c: &char| !c.is_control();
    let message: String = message.lines().next().unwrap_or("it is not valid YAML").chars().filter(is_plain).collect();
    YamlError { line, message }
}

fn message(error: &Error) -> Cow<'_, str> {
    const SEVERAL: &str = "there are several documents in it; write one, without a line `---` in between";
    const ALIASES: &str =
        "its aliases (`*name`) stand for more than is read; write out what they stand for, or use fewer";
    const TOO_DEEP: &str = "lists and keys stand too deep inside each other; nest them less";
    Cow::Borrowed(match error {
        Error::MultipleDocuments { .. } => SEVERAL,
        Error::Budget { breach, .. } => match breach {
            BudgetBreach::Documents { .. } => SEVERAL,
            BudgetBreach::Depth { .. } => TOO_DEEP,
            BudgetBreach::Aliases { .. }
            | BudgetBreach::Anchors { .. }
            | BudgetBreach::AliasAnchorRatio { .. }
            | BudgetBreach::RecordedAnchorEvents { .. }
            | BudgetBreach::RecordedAnchorBytes { .. } => ALIASES,
            BudgetBreach::MergeKeys { .. } => "it merges keys (`<<`) too often; write them out",
            BudgetBreach::SequenceUnbalanced => "a bracket is closed that was not opened; correct the brackets",
            _ => "there is more in it than is read, also behind aliases; shorten it",
        },
        Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::RecursiveReferencesRequireWeakTypes { .. } => ALIASES,
        Error::Eof { .. } => "it ends too early; close what is open, or write what is missing",
        Error::UnknownAnchor { .. } => {
            "an alias (`*name`) stands for nothing: there is no `&name` before it; correct its name"
        }
        Error::ContainerEndMismatch { .. } => "a bracket is closed that was not opened; correct the brackets",
        Error::InvalidBooleanStrict { .. } => "there has to be `true` or `false`",
        Error::NullIntoString { .. } => "there is nothing where text has to be; write it, or `''`",
        Error::Unexpected { expected, .. } => {
            return Cow::Owned(match part(expected) {
                Some(part) => format!("there has to be {part}"),
                None => "something else has to stand here; compare it with the documentation".to_owned(),
            });
        }
        Error::InvalidScalar { ty, .. } => return Cow::Owned(format!("there has to be {}", kind(ty))),
        Error::SerdeInvalidType { unexpected, expected, .. }
        | Error::SerdeInvalidValue { unexpected, expected, .. } => {
            return Cow::Owned(format!("there is {} where {} has to be", kind(unexpected), kind(expected)));
        }
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            return Cow::Owned(format!("`{variant}` makes no sense here; write {}", listed(expected, " or ")));
        }
        Error::SerdeUnknownField { field, expected, .. } => {
            return Cow::Owned(format!("there is no key `{field}` here, only {}", listed(expected, " and ")));
        }
        Error::SerdeMissingField { field, .. } => return Cow::Owned(format!("the key `{field}` is missing; add it")),
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            return Cow::Owned(format!("the key `{key}` stands there twice; delete one"));
        }
        Error::DuplicateMappingKey { key: None, .. } => "a key stands there twice; delete one",
        Error::UnsupportedTag { tag, .. } => return Cow::Owned(format!("the tag `{tag}` is not read; delete it")),
        _ => {
            let message = UserMessageFormatter.format_message(error);
            // The scanner has no other sign of it.
            return if message.contains("recursion limit exceeded") { Cow::Borrowed(TOO_DEEP) } else { message };
        }
    })
}

/// What a part of a document is called.
fn part(expected: &str) -> Option<&'static str> {
    Some(match expected {
        "sequence start" => "a list (`[a, b]`, or lines with `- `)",
        "mapping start" => "keys and values (`key: value`)",
        "mapping end" | "empty mapping end" => "one key and no more",
        "string scalar" | "scalar" => "one text or number",
        _ => return None,
    })
}

/// What a kind of value is called; names of programmers' types are not everybody's.
fn kind(name: &str) -> Cow<'_, str> {
    Cow::Borrowed(match name {
        "sequence" | "a sequence" => "a list",
        "map" | "a map" => "a group of keys",
        "unit" | "unit value" | "null" => "nothing",
        "string" | "a string" => "text",
        "bool" | "boolean" | "a boolean" => "`true` or `false`",
        "float" | "f32" | "f64" | "floating point" => "a number",
        "usize" | "u8" | "u16" | "u32" | "u64" | "u128" => "a whole number, 0 or more",
        "isize" | "i8" | "i16" | "i32" | "i64" | "i128" | "an integer" | "integer" => "a whole number",
        _ if name.starts_with("struct ") => "a group of keys",
        _ => {
            if let Some(text) = name.strip_prefix("string ") {
                return Cow::Owned(format!("the text {text}"));
            }
            let number = name.strip_prefix("integer ").or_else(|| name.strip_prefix("floating point "));
            if let Some(number) = number.or_else(|| name.strip_prefix("boolean ")) {
                return Cow::Borrowed(number);
            }
            return Cow::Borrowed(name);
        }
    })
}

fn listed(names: &[&str], last: &str) -> String {
    let shown: Vec<String> = names.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    match shown.split_last() {
        _ if names.is_empty() => "nothing".to_owned(),
        _ if shown.len() < names.len() => format!("{}, …", shown.join(", ")),
        Some((end, before)) if !before.is_empty() => format!("{}{last}{end}", before.join(", ")),
        _ => shown.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only read to fail")]
    struct Shape {
        list: Option<Vec<String>>,
        number: Option<u32>,
        flag: Option<bool>,
        word: Option<Word>,
        keys: Option<BTreeMap<String, String>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Word {
        One,
        TwoThree,
    }

    #[track_caller]
    fn assert_told(text: &str, line: usize, message: &str) {
        let error = super::super::read::<Shape>(text, serde_yaml::Budget::default()).map_err(|e| (e.line, e.message));
        assert_eq!(error.err(), Some((line, message.to_owned())), "{text}");
    }

    #[test]
    fn plain_words() {
        assert_told("list: a\n", 1, "there has to be a list (`[a, b]`, or lines with `- `)");
        assert_told("\nnumber: x\n", 2, "there has to be a whole number, 0 or more");
        assert_told("flag: maybe\n", 1, "there has to be `true` or `false`");
        assert_told("word: four\n", 1, "`four` makes no sense here; write `one` or `two-three`");
        assert_told("wrod: one\n", 1, "there is no key `wrod` here, only `list`, `number`, `flag`, `word` and `keys`");
        assert_told("word: one\nword: one\n", 2, "the key `word` stands there twice; delete one");
        assert_told(
            "list: *x\n",
            1,
            "an alias (`*name`) stands for nothing: there is no `&name` before it; correct its name",
        );
        assert_told(
            "list: []\n---\nlist: []\n",
            3,
            "there are several documents in it; write one, without a line `---` in between",
        );
        let many = format!("list: {}{}\n", "[".repeat(5_000), "]".repeat(5_000));
        let error =
            super::super::read::<serde_json::Value>(&many, serde_yaml::Budget::default()).map_err(|e| e.message);
        assert!(error.as_ref().is_err_and(|message| message.contains("too deep inside each other")), "{error:?}");
    }
}
