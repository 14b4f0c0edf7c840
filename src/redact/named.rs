//! Values that the name before them calls a secret: `password=…`, `"token": "…"`, `--api-key …`.

use std::sync::LazyLock;

use regex::Regex;

use super::ordinary::{is_expression, is_ordinary, is_placeholder, is_prose, is_random};
use super::values::{self, Separator, Value};
use super::{Span, compiled};

/// What a line has to have.
pub const TRIGGERS: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "credential",
    "auth",
    "session",
    "signature",
    "salt",
    "mnemonic",
    "seed",
];

/// Names of passwords. Any value of four characters is one.
const PASSWORDS: &str = "password|passwd|passcode|passphrase|pass[ _-]phrase|pwd|[_-]pass|mnemonic|seed[_-]phrase";

/// Names of other secrets. Ordinary words beside them are none unless they are assigned.
const SECRETS: &str = "secret|token|(?:api|access|secret|private|account|auth|signing|encryption|master|shared[_-]?access|storage|license|subscription)[ _-]?key(?:[_-]?id)?";

/// Names beside which only what is long and random is a secret.
const HINTS: &str = "key|credentials?|auth|session(?:[_-]?id)?|signature|salt|seed";

/// What may follow a name: whose it is, how it is written.
const SUFFIX: &str = "(?:[_-]?(?:[0-9]{1,3}|prod|production|dev|test|staging|stage|live|old|new|value|base|base64|b64|plain|plaintext|text|string|raw|hash|default|main|root|admin|user|api))?";

/// Keys that identify and do not open anything.
const PLAIN_KEYS: &[&str] = &[
    "cache",
    "primary",
    "foreign",
    "public",
    "sort",
    "partition",
    "group",
    "row",
    "map",
    "lock",
    "dedup",
    "idempotency",
    "index",
    "object",
    "host",
    "pub",
];

/// A name with what parts it from its value: an option's blank, or a colon or equals sign after quotes.
static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(&format!(
        r#"(?i-u:(?:{PASSWORDS}|{SECRETS}|{HINTS}){SUFFIX})\\*["'`]?\]?(?:[ \t]*(?::=|=>|={{1,3}}|:)[ \t]*|[ \t]+)"#
    ))
});

/// How sure a name makes it that its value is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Password,
    Secret,
    Hint,
}

impl Name {
    /// What a telling word means, as the pattern found it.
    fn of(word: &str) -> Self {
        let word = word.trim_start_matches(['_', '-']).to_ascii_lowercase();
        let begins = |starts: &[&str]| starts.iter().any(|start| word.starts_with(start));
        if begins(&["pass", "pwd", "mnemonic"]) || word.contains("phrase") {
            Self::Password
        } else if begins(&["secret", "token"]) || word.contains("key") && !begins(&["key"]) {
            Self::Secret
        } else {
            Self::Hint
        }
    }
}

/// Finds named values in a line.
pub fn find(line: &str, spans: &mut Vec<Span>) {
    let Some(names) = NAMES.as_ref() else { return };
    let is_before = |c: char| c.is_whitespace() || "-+>*|\"'".contains(c);
    let first = line.find(|c| !is_before(c)).unwrap_or(line.len());
    let line_end = line.trim_end().len();
    let mut from = 0;
    while let Some(found) = names.find_at(line, from) {
        from = found.end();
        let before_separator = found.as_str().trim_end_matches([' ', '\t', ':', '=', '>']);
        let word = before_separator.trim_end_matches(['\\', '"', '\'', '`', ']']);
        let start = name_start(line, found.start());
        let place = Place {
            before: &line[..start],
            name: &line[start..found.start() + word.len()],
            is_quoted: word.len() < before_separator.len(),
            is_first: start <= first,
            kind: Name::of(word),
        };
        let Some(separator) = Separator::of(&found.as_str()[before_separator.len()..], place.name) else { continue };
        let in_query = place.before.ends_with(['?', '&']);
        let Some(value) = values::scan(line, found.end(), in_query) else { continue };
        if is_secret(&place, separator, &value, line) {
            let is_whole_line = place.is_of_words() && separator != Separator::Blank && !value.is_quoted;
            let end = if is_whole_line { line_end } else { value.end(line) };
            from = from.max(end);
            spans.push(value.start..end);
        }
    }
}

/// Where a name stands.
struct Place<'a> {
    /// The line up to it.
    before: &'a str,
    /// With all that belongs to it: `DB_PASSWORD`, `--token`.
    name: &'a str,
    /// Whether a quote ends it.
    is_quoted: bool,
    /// Whether nothing but indentation, a list's dash or a difference's sign comes before it.
    is_first: bool,
    kind: Name,
}

impl Place<'_> {
    /// Whether words come before it, so that it may be part of a sentence.
    fn is_in_prose(&self) -> bool {
        let before = self.before.trim_end_matches(['"', '\'', '`', '\\']);
        let is_blank = before.ends_with([' ', '\t']);
        is_blank && before.trim_end().ends_with(|c: char| c.is_alphanumeric() || ",.;:)".contains(c))
    }

    /// Whether it names several words: a passphrase.
    fn is_of_words(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        name.contains("phrase") || name.contains("mnemonic")
    }
}

/// Longest name looked at.
const MAX_NAME: usize = 128;

/// Where the name begins that has a telling word at `at`.
fn name_start(line: &str, at: usize) -> usize {
    let bytes = &line.as_bytes()[..at];
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.$".contains(byte);
    at - bytes.iter().rev().take(MAX_NAME).take_while(is_part).count()
}

fn is_secret(place: &Place<'_>, separator: Separator, value: &Value<'_>, line: &str) -> bool {
    let text = value.text;
    if text.chars().nth(3).is_none() || is_placeholder(text) {
        return false;
    }
    let is_named_path = |name: &str| place.name.to_ascii_lowercase().ends_with(name) && text.contains(['/', '\\']);
    // The working directory.
    if is_named_path("pwd") && (text.starts_with(['/', '~', '.']) || text.get(1..2) == Some(":")) {
        return false;
    }
    if place.kind == Name::Hint {
        return is_random(text) && !is_plain_key(place.name, text);
    }
    if !value.is_quoted && (is_expression(text) || text.starts_with(['{', '[', '(']) && separator != Separator::Tight) {
        return false;
    }
    let is_word = is_ordinary(text);
    let next_is_word = || !value.is_long && is_prose(values::word_after(line, value.start + text.len()));
    match separator {
        Separator::Tight => true,
        Separator::Blank => !(is_word && (next_is_word() || text.chars().all(|c| c.is_ascii_uppercase() || c == '_'))),
        Separator::Colon if place.is_quoted => true,
        _ if value.is_quoted => separator == Separator::Equals || !(place.is_in_prose() && is_word),
        Separator::Colon | Separator::Equals => match place.kind {
            Name::Password if place.is_first => place.is_of_words() || !(is_prose(text) && next_is_word()),
            _ => !is_word && !is_small_number(text),
        },
    }
}

/// `token: 12345` says where or which.
fn is_small_number(text: &str) -> bool {
    text.len() < 6 && text.trim_end_matches([',', ';', '.', ')']).chars().all(|c| c.is_ascii_digit())
}

/// Whether a key identifies something: by its name, or because a digest is what it is.
fn is_plain_key(name: &str, text: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_digest = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.ends_with("key") && (is_digest || PLAIN_KEYS.iter().any(|plain| name.contains(plain)))
}
