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
const SUFFIX: &str = "(?:[_-]?(?:[0-9]{1,3}|prod|production|dev|test|staging|stage|live|old|new|value|base64|b64|plain|plaintext|text|string|raw|hash|default|main|root|admin|user|api))?";

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
        r#"(?i-u:(?:(?P<password>{PASSWORDS})|(?P<secret>{SECRETS})|(?P<hint>{HINTS})){SUFFIX})(?P<quotes>\\*["'`]?\]?)(?P<separator>[ \t]*(?::=|=>|={{1,3}}|:)[ \t]*|[ \t]+)"#
    ))
});

/// How sure a name makes it that its value is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Password,
    Secret,
    Hint,
}

/// Finds named values in a line.
pub fn find(line: &str, spans: &mut Vec<Span>) {
    let Some(names) = NAMES.as_ref() else { return };
    let mut from = 0;
    while let Some(found) = names.captures_at(line, from) {
        let (Some(whole), Some(separator), Some(quotes)) =
            (found.get(0), found.name("separator"), found.name("quotes"))
        else {
            return;
        };
        from = whole.end();
        let kind = match (found.name("password"), found.name("secret")) {
            (Some(_), _) => Name::Password,
            (_, Some(_)) => Name::Secret,
            _ => Name::Hint,
        };
        let start = name_start(line, whole.start());
        let place =
            Place { before: &line[..start], name: &line[start..quotes.start()], is_quoted: !quotes.is_empty(), kind };
        let Some(separator) = Separator::of(separator.as_str(), place.name) else { continue };
        let in_query = place.before.ends_with(['?', '&']);
        let Some(value) = values::scan(line, whole.end(), in_query) else { continue };
        if is_secret(&place, separator, &value, line) {
            let is_whole_line = place.is_of_words() && separator != Separator::Blank && !value.is_quoted;
            let end = if is_whole_line { value.rest_end } else { value.span.end };
            let span = value.span.start..end;
            from = from.max(span.end);
            spans.push(span);
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

    /// Whether nothing but indentation, a list's dash or a difference's sign comes before it.
    fn is_first(&self) -> bool {
        self.before.chars().all(|c| c.is_whitespace() || "-+>*|\"'".contains(c))
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
    let next_is_word = line[value.span.end..value.rest_end].split_whitespace().next().is_some_and(is_prose);
    match separator {
        Separator::Tight => true,
        Separator::Blank => !(is_word && (next_is_word || text.chars().all(|c| c.is_ascii_uppercase() || c == '_'))),
        Separator::Colon if place.is_quoted => true,
        _ if value.is_quoted => separator == Separator::Equals || !(place.is_in_prose() && is_word),
        Separator::Colon | Separator::Equals => match place.kind {
            Name::Password if place.is_first() => place.is_of_words() || !(is_prose(text) && next_is_word),
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
