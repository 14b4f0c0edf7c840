//! What log writers put before a line.

use std::sync::LazyLock;

use regex::Regex;

/// Prefixes that may stand before a line, several after each other.
const MOST: usize = 4;

/// A level or a name in brackets, a time, a level, the name of a container or task, a step of a build.
static PREFIX: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let time = r"\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?";
    let stamp = format!(r"(?:\d{{4}}-\d\d-\d\d[T ]?)?(?:{time})?");
    let level = "(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR)";
    let any = [
        r"\[[\w.:/@#-]+\]:?".to_owned(),
        format!(r"\[{stamp}\]"),
        format!(r"\d{{4}}-\d\d-\d\d[T ]{time}"),
        time.to_owned(),
        format!("{level}:?"),
        r"[\w.:/@#-]+ *\|".to_owned(),
        r"[\w./@#-]+:test[\w-]*:".to_owned(),
        r"#\d+ \d+\.\d+".to_owned(),
        r"\d+:".to_owned(),
    ];
    Regex::new(&format!(r"^(?:{})(?: +|\t)", any.join("|"))).ok()
});

/// The line behind such prefixes, itself when it has none.
pub(super) fn without_prefix(line: &str) -> &str {
    let Some(prefix) = PREFIX.as_ref() else { return line };
    let mut rest = line;
    for _ in 0..MOST {
        // deno's summary begins with a word and a bar too.
        if rest.starts_with("ok |") || rest.starts_with("FAILED |") {
            break;
        }
        let Some(found) = prefix.find(rest) else { break };
        rest = rest.get(found.end()..).unwrap_or_default().trim_start();
    }
    rest
}
