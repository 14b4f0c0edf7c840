//! What an import would write: every file as it would be afterwards, and what becomes of each part.

use std::collections::BTreeMap;

use similar::TextDiff;

use self::planner::Planner;
use super::model::Document;
use super::record::{self, Outcome, Record, Source};
use super::write::criteria::{Filled, Uneditable};
use super::write::sections::Origin;

mod planner;
mod texts;

/// Lines of a diff around what differs.
const CONTEXT: usize = 2;

/// Where an import goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Capability, and the source's path as it is told.
    pub origin: Origin,
    /// The source's path from the project's folder, wherever it lies.
    pub source_path: String,
    /// The change it goes to. None for the main spec.
    pub change: Option<String>,
    /// Where the criteria are, from the project's folder.
    pub criteria_path: String,
    /// Whether there is a main spec of the capability.
    pub has_main_spec: bool,
    /// Whether edits by hand are overwritten.
    pub is_forced: bool,
}

impl Target {
    fn folder(&self) -> String {
        self.change.as_ref().map_or("openspec".to_owned(), |change| format!("openspec/changes/{change}"))
    }

    /// The spec or the delta.
    pub fn spec_path(&self) -> String {
        format!("{}/specs/{}/spec.md", self.folder(), self.origin.capability)
    }

    /// What was written before.
    pub fn record_path(&self) -> String {
        format!("{}/{}/{}.json", self.folder(), record::FOLDER, self.origin.capability)
    }

    /// All files an import may write.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = vec![self.spec_path(), self.criteria_path.clone(), self.record_path()];
        if self.change.is_some() {
            paths.extend(["proposal.md", "design.md", "tasks.md"].map(|name| format!("{}/{name}", self.folder())));
        }
        paths
    }
}

/// A file as it would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// From the project's folder.
    pub path: String,
    /// What it holds now. None when it is new.
    pub before: Option<String>,
    /// What it would hold.
    pub after: String,
}

/// A part of a file and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The requirement's id, or a word for what it is.
    pub name: String,
    /// The file it stands in.
    pub path: String,
    /// What becomes of it.
    pub outcome: Outcome,
    /// What differs between what stands there and the source. Empty when nothing is to be shown.
    pub diff: String,
}

/// What an import would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Files that would change, the record last.
    pub edits: Vec<Edit>,
    /// Parts, in order.
    pub parts: Vec<Part>,
    /// How many criteria would be added.
    pub added: usize,
    /// What becomes of criteria with checks whose sentences moved, changed or went.
    pub filled: Vec<Filled>,
}

impl Plan {
    /// Parts the source has another text for than somebody wrote.
    pub fn kept(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.outcome == Outcome::Kept)
    }

    /// Whether nobody has to look at anything: no edit stands against the source, and all checks are where they belong.
    pub fn is_settled(&self) -> bool {
        let is_moved = |filled: &Filled| matches!(filled, Filled::Moved { .. });
        self.kept().next().is_none() && self.filled.iter().all(is_moved)
    }
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unplanned {
    /// The record cannot be read.
    #[error("{path}: {reason}")]
    Record {
        /// Its path.
        path: String,
        /// Why.
        reason: String,
    },
    /// Another source was imported there.
    #[error(
        "{path}: `{}`, written for {}, was imported here; the ids of `{other}` would take the place of its own",
        .known.path, .known.tool.name()
    )]
    OtherSource {
        /// The record's path.
        path: String,
        /// What was imported.
        known: Source,
        /// What is to be imported now.
        other: String,
    },
    /// The criteria cannot be edited.
    #[error("{path}: {reason}")]
    Criteria {
        /// Their path.
        path: String,
        /// Why.
        reason: Uneditable,
    },
}

/// The id of a criterion in a file of criteria.
pub fn criterion_id(capability: &str, id: &str) -> String {
    let plain =
        |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c.to_ascii_lowercase() } else { '-' };
    format!("{capability}/{}", id.chars().map(plain).collect::<String>())
}

/// Plans an import over the files that are there, by their paths from the project's folder.
///
/// # Errors
/// When a file is there that cannot be understood.
pub fn plan(document: &Document, target: &Target, files: &BTreeMap<String, String>) -> Result<Plan, Unplanned> {
    let record_path = target.record_path();
    let read =
        |text: &String| Record::parse(text).map_err(|reason| Unplanned::Record { path: record_path.clone(), reason });
    let before = files.get(&record_path).map(read).transpose()?;
    let source = Source { path: target.source_path.clone(), tool: document.kind };
    if let Some(record) = before.as_ref().filter(|record| record.source != source && !target.is_forced) {
        let (known, other) = (record.source.clone(), source.path);
        return Err(Unplanned::OtherSource { path: record_path, known, other });
    }
    Planner::new(document, target, files, source, before).run()
}

/// What differs between two texts, in the form patches have.
pub fn diff(before: &str, after: &str) -> String {
    let ended =
        |text: &str| if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let (before, after) = (ended(before), ended(after));
    TextDiff::from_lines(&before, &after).unified_diff().context_radius(CONTEXT).to_string()
}

#[cfg(test)]
mod tests;
