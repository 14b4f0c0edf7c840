//! What an import wrote, so that the next one can tell an edit by hand from a change of the source.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::detect::Kind;
use crate::digest::{is_digest, sha256};

/// The folder inside `openspec/`, and inside of a change.
pub const FOLDER: &str = "imports";

/// The only version there is.
const VERSION: u32 = 1;

/// A source as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its path from the project's folder, with `/` between folders.
    pub path: String,
    /// The tool it is written for.
    pub tool: Kind,
}

/// A record of one capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    version: u32,
    /// What was imported: another source would have the same ids for other requirements.
    pub source: Source,
    /// Digests of the parts as they were written: blocks by the source's id, and what stands around them.
    pub parts: BTreeMap<String, String>,
    /// Ids of the criteria that were written.
    pub criteria: BTreeSet<String>,
}

impl Record {
    /// A record of nothing yet.
    pub fn new(source: Source) -> Self {
        Self { version: VERSION, source, parts: BTreeMap::new(), criteria: BTreeSet::new() }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// When it is none, or of a later version. Guessing would overwrite what somebody wrote.
    pub fn parse(text: &str) -> Result<Self, String> {
        let record: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if record.version != VERSION {
            return Err(format!("version {} is not {VERSION}, the only one this program knows", record.version));
        }
        match record.parts.iter().find(|(_, digest)| !is_digest(digest)) {
            Some((part, _)) => Err(format!("`{part}` has no digest")),
            None => Ok(record),
        }
    }

    /// The record as a file.
    pub fn render(&self) -> String {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{text}\n")
    }
}

/// The digest of a part.
pub fn digest(part: &str) -> String {
    sha256(part.trim().as_bytes())
}

/// What becomes of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Created,
    /// The source changed, and nobody else did.
    Updated,
    /// It is as the source has it.
    Unchanged,
    /// Somebody edited it, and the source is as it was.
    LeftEdited,
    /// Somebody deleted it, and the source is as it was.
    LeftDeleted,
    /// Somebody edited it, and the source has another text.
    Kept,
    /// Somebody edited it, and was overruled.
    Overwritten,
    /// The source no longer has it.
    Gone,
}

impl Outcome {
    /// What becomes of a part that the source has as `new`.
    pub fn of(current: Option<&str>, recorded: Option<&str>, new: &str, is_forced: bool) -> Self {
        let (new_digest, is_same_source) = (digest(new), |recorded: &str| recorded == digest(new));
        match (current, recorded) {
            (None, Some(recorded)) if is_same_source(recorded) && !is_forced => Self::LeftDeleted,
            (None, _) => Self::Created,
            (Some(current), _) if digest(current) == new_digest => Self::Unchanged,
            (Some(current), Some(recorded)) if digest(current) == recorded => Self::Updated,
            (Some(_), _) if is_forced => Self::Overwritten,
            (Some(_), Some(recorded)) if is_same_source(recorded) => Self::LeftEdited,
            (Some(_), _) => Self::Kept,
        }
    }

    /// Whether the source's text is written.
    pub fn is_written(self) -> bool {
        matches!(self, Self::Created | Self::Updated | Self::Overwritten)
    }

    /// What the record keeps afterwards.
    pub fn recorded(self, before: Option<&str>, new: &str) -> Option<String> {
        match self {
            // As long as it is kept by hand, the change of the source stays one.
            Self::Kept | Self::Gone => before.map(str::to_owned),
            _ => Some(digest(new)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case() {
        let was = digest("a");
        for (current, recorded, new, outcome, forced) in [
            (None, false, "a", Outcome::Created, Outcome::Created),
            (None, true, "a", Outcome::LeftDeleted, Outcome::Created),
            (None, true, "b", Outcome::Created, Outcome::Created),
            (Some("a"), true, "a", Outcome::Unchanged, Outcome::Unchanged),
            (Some("a"), false, "a", Outcome::Unchanged, Outcome::Unchanged),
            (Some("a"), true, "b", Outcome::Updated, Outcome::Updated),
            (Some("h"), true, "a", Outcome::LeftEdited, Outcome::Overwritten),
            (Some("h"), true, "b", Outcome::Kept, Outcome::Overwritten),
            (Some("h"), false, "a", Outcome::Kept, Outcome::Overwritten),
        ] {
            let recorded = recorded.then_some(was.as_str());
            assert_eq!(Outcome::of(current, recorded, new, false), outcome, "{current:?} {recorded:?} {new}");
            assert_eq!(Outcome::of(current, recorded, new, true), forced, "{current:?} {recorded:?} {new}");
        }
    }

    #[test]
    fn records_come_back() {
        let mut record = Record::new(Source { path: "../x.md".to_owned(), tool: Kind::SpecKit });
        record.parts.insert("REQ 1".to_owned(), digest("x"));
        record.criteria.insert("c/req-1.1".to_owned());
        assert_eq!(Record::parse(&record.render()), Ok(record));
        assert!(Record::parse("{}").is_err());
        let text = |version: u32, digest: &str| {
            let source = r#"{"path":"x.md","tool":"kiro"}"#;
            format!(r#"{{"version":{version},"source":{source},"parts":{{"a":"{digest}"}},"criteria":[]}}"#)
        };
        assert!(Record::parse(&text(1, &digest("a"))).is_ok());
        assert!(Record::parse(&text(2, &digest("a"))).is_err());
        assert!(Record::parse(&text(1, "x")).is_err());
    }
}
