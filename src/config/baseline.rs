//! `openspec/specward-baseline.yaml`: findings that were there when it was written. They do not fail, new ones do.
//!
//! YAML, as the configuration beside it, so that a person can read what is let through and a merge can be resolved line
//! by line.

use serde::Deserialize;

use super::ConfigError;

/// The file's name inside `openspec/`.
pub const FILE: &str = "specward-baseline.yaml";

/// What a file begins with.
const HEADER: &str = "# Findings that were there when `specward baseline` wrote this. They do not fail, new ones do.\n";

/// Version of the file's shape.
const VERSION: u32 = 1;

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "specward baseline")]
pub struct Baseline {
    /// Version of this shape, 1.
    pub version: u32,
    /// One entry for each finding.
    #[serde(default)]
    pub findings: Vec<Entry>,
}

/// A finding. Ordered as the file is: by path, rule, what it is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The file it stands in, from the folder that holds `openspec/`.
    pub path: String,
    /// Id of the rule.
    pub rule: String,
    /// The requirement or heading it is about, for people.
    #[serde(default)]
    pub about: String,
    /// What stays the same when lines move.
    pub fingerprint: String,
}

impl Entry {
    /// Whether it is the same finding. What it says for people does not count.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.fingerprint, &self.rule, &self.path) == (&other.fingerprint, &other.rule, &other.path)
    }
}

impl Baseline {
    /// Parses the file's bytes.
    ///
    /// # Errors
    /// When it is not YAML of this shape.
    pub fn parse(bytes: &[u8], path: &str) -> Result<Self, ConfigError> {
        let fail = |line: usize, message: String| ConfigError { path: path.to_owned(), line, message };
        let text = std::str::from_utf8(bytes).map_err(|_| fail(1, "is not UTF-8".to_owned()))?;
        // Nine nodes an entry: a project may have many more findings than a configuration has words. Nothing of it is
        // written with aliases, so it cannot expand.
        let options = serde_yaml::options! {
            strict_booleans: true,
            with_snippet: false,
            budget: serde_yaml::budget! { max_nodes: 2_500_000, max_events: 5_000_000, max_aliases: 0 },
        };
        let baseline: Option<Self> = serde_yaml::from_str_with_options(text, options).map_err(|error| {
            let told = crate::openspec::yaml::told(&error);
            fail(told.line, told.message)
        })?;
        let Some(baseline) = baseline else {
            return Err(fail(1, "is empty; `specward baseline` writes it".to_owned()));
        };
        if baseline.version != VERSION {
            let line = crate::openspec::yaml::line_of_key(text, "version").unwrap_or(1);
            return Err(fail(line, format!("has version {}; this specward knows {VERSION}", baseline.version)));
        }
        Ok(baseline)
    }

    /// The file's text, entries sorted.
    pub fn render(entries: &[Entry]) -> String {
        let mut entries: Vec<&Entry> = entries.iter().collect();
        entries.sort();
        let mut text = format!("{HEADER}version: {VERSION}\n");
        if entries.is_empty() {
            text += "findings: []\n";
            return text;
        }
        text += "findings:\n";
        for entry in entries {
            text += &format!("  - path: {}\n    rule: {}\n", quoted(&entry.path), quoted(&entry.rule));
            if !entry.about.is_empty() {
                text += &format!("    about: {}\n", quoted(&entry.about));
            }
            text += &format!("    fingerprint: {}\n", quoted(&entry.fingerprint));
        }
        text
    }
}

/// A string of JSON, which every YAML reader takes as the same string.
fn quoted(text: &str) -> String {
    crate::report::escape_hidden(serde_json::Value::from(text).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, about: &str) -> Entry {
        let text = |text: &str| text.to_owned();
        Entry {
            path: text(path),
            rule: text("spec/no-body"),
            about: text(about),
            fingerprint: text("1234567890123456"),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let entries = vec![entry("a: b", ""), entry("c", "# \"q\" \u{202e}\u{1b} ñ \\ 漢字 😀")];
        let text = Baseline::render(&entries);
        let read = Baseline::parse(text.as_bytes(), "x").map(|baseline| baseline.findings);
        assert_eq!(read, Ok(entries.clone()), "{text}");
        let reversed: Vec<Entry> = entries.into_iter().rev().collect();
        assert_eq!(Baseline::render(&reversed), text);
        assert!(Baseline::parse(Baseline::render(&[]).as_bytes(), "x").is_ok_and(|read| read.findings.is_empty()));
    }

    #[test]
    fn a_project_may_have_many_findings() {
        let entries: Vec<Entry> = (0..30_000).map(|number| entry("a", &number.to_string())).collect();
        let read = Baseline::parse(Baseline::render(&entries).as_bytes(), "x");
        assert_eq!(read.map(|baseline| baseline.findings.len()), Ok(30_000));
    }

    #[test]
    fn what_cannot_be_read_names_its_line() {
        for (text, line) in [
            ("", 1),
            ("version: 2\n", 1),
            ("findings: []\n", 1),
            ("version: 1\nfindings:\n  - rule: a\n    pth: b\n", 4),
            ("version: 1\nfindings: [\n", 2),
            ("version: 1\n<<<<<<< HEAD\nfindings: []\n=======\n", 2),
        ] {
            let error = Baseline::parse(text.as_bytes(), "x").map_err(|error| error.line);
            assert_eq!(error, Err(line), "{text}");
        }
    }
}
