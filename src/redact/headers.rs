//! Credentials in HTTP headers, in arguments and files of command-line clients, and in elements of XML.

use std::sync::LazyLock;

use regex::Regex;

use super::ordinary::{is_ordinary, is_placeholder};
use super::{Span, compiled};

/// What a line has to have.
pub const TRIGGERS: &[&str] = &["authorization", "bearer", "basic ", "cookie", "login ", "curl ", "</"];

/// A place where a credential stands: the first group.
struct Place {
    pattern: &'static str,
    /// Whether words are credentials there too.
    any_word: bool,
}

const PLACES: &[Place] = &[
    // With a scheme; what follows it may have any form.
    Place {
        pattern: r#"authorization\\*["']?\s*[:=]\s*\\*["']?(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s+([^"'\\\r\n]+)"#,
        any_word: true,
    },
    Place { pattern: r#"authorization\\*["']?\s*[:=]\s*\\*["']?([^\s"'\\,]{8,})"#, any_word: false },
    Place { pattern: r"\bbearer\s+([a-z0-9._~+/=-]{8,})", any_word: false },
    Place { pattern: r"\bbasic\s+([a-z0-9+/]{8,}={0,2})", any_word: false },
    Place { pattern: r#"\b(?:set-)?cookie\\*["']?\s*:\s*\\*["']?[^=\s"']+=([^"'\\\r\n]{4,})"#, any_word: true },
    Place { pattern: r#"\bcurl\s.*\s(?:-u|--user)[ =]?["']?[^\s:"']+:([^\s"']+)"#, any_word: true },
    Place { pattern: r#"\blogin\s.*\s-p[ =]?["']?([^\s"']{4,})"#, any_word: true },
    Place {
        pattern: r"<[\w:.-]*(?:password|passwd|passphrase|secret|token|api[_-]?key)>([^<\r\n]{4,})</",
        any_word: true,
    },
    // netrc
    Place { pattern: r"\blogin\s+\S+\s+password\s+(\S+)", any_word: true },
];

static COMPILED: LazyLock<Vec<(Regex, bool)>> = LazyLock::new(|| {
    let one = |place: &Place| Some((compiled(&format!("(?i){}", place.pattern))?, place.any_word));
    PLACES.iter().filter_map(one).collect()
});

/// Finds credentials in a line.
pub fn find(line: &str, spans: &mut Vec<Span>) {
    for (pattern, any_word) in COMPILED.iter() {
        for found in pattern.captures_iter(line).filter_map(|found| found.get(1)) {
            let value = found.as_str().trim_end();
            let is_word = !any_word && is_ordinary(value);
            if !is_word && !is_placeholder(value) {
                spans.push(found.start()..found.start() + value.len());
            }
        }
    }
}
