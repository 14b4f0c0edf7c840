//! Files of criteria, edited as text: what somebody wrote into them stays byte for byte.

use std::collections::BTreeSet;

use bstr::ByteSlice;

use self::list::List;
use self::matching::Fates;
use super::yaml::quoted;
use crate::criteria::{Criterion, file};

mod list;
mod matching;
mod scalars;

/// A criterion as an import wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// The source's ids of its requirement and of itself, with which the two names begin.
    pub numbers: [String; 2],
    /// Its requirement's name.
    pub requirement: String,
    /// Its scenario's name.
    pub scenario: String,
    /// Its sentence.
    pub ears: String,
}

/// What is to be done to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Entries that are added where there is none, and brought up to date where there is one.
    pub written: Vec<Entry>,
    /// Requirements whose blocks are written, by the source's id: scenarios they had before are gone.
    pub rewritten: Vec<String>,
    /// Requirements whose blocks stay as they are, and so do their entries.
    pub unwritten: Vec<String>,
    /// Requirements that the source no longer has. They stay, and their checks follow a sentence that moved.
    pub left: Vec<String>,
    /// Ids of the entries that imports before this one wrote.
    pub recorded: BTreeSet<String>,
}

impl Wanted {
    /// Whether nothing is to be done.
    pub fn is_idle(&self) -> bool {
        self.written.is_empty() && self.rewritten.is_empty()
    }
}

/// What was done to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edited {
    /// The text.
    pub text: String,
    /// How many entries are new.
    pub added: usize,
    /// What becomes of entries with checks.
    pub filled: Vec<Filled>,
}

/// What becomes of an entry that somebody gave checks, by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filled {
    /// Its sentence has another number now.
    Moved {
        /// Its id before.
        from: String,
        /// Its id now.
        to: String,
    },
    /// It has another sentence now than the one its checks prove.
    Reworded {
        /// Its id.
        id: String,
        /// The sentence.
        sentence: String,
    },
    /// The source no longer has its sentence. The entry stays.
    Gone {
        /// Its id.
        id: String,
    },
}

/// Why a file cannot be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Uneditable {
    /// It cannot be read.
    #[error("{0}")]
    Bad(#[from] file::FileFault),
    /// With what is imported it could not be read.
    #[error("with what is imported it could not be read: {0}")]
    Refused(file::FileFault),
    /// Its list is written on one line, or in another way that leaves no place for an entry.
    #[error(
        "its list of criteria is written in a way that no entry can be added to; write each entry as `- requirement: …` on lines of its own"
    )]
    Style,
}

/// The file for a capability with what is wanted of it.
///
/// # Errors
/// When the file as it stands cannot be read, or no place for an entry can be found.
pub fn edit(before: Option<&str>, capability: &str, wanted: &Wanted) -> Result<Edited, Uneditable> {
    let Some(before) = before else {
        let entries: String = wanted.written.iter().map(|entry| rendered(entry, "  ")).collect();
        let list = if entries.is_empty() { "criteria: []\n".to_owned() } else { format!("criteria:\n{entries}") };
        let text = format!("# Fill in `verify`: until then each criterion is UNVERIFIABLE.\nversion: 1\n{list}");
        let edited = Edited { text, added: wanted.written.len(), filled: Vec::new() };
        confirm(&edited, capability, wanted, &[], 0)?;
        return Ok(edited);
    };
    let known = parse(before, capability)?;
    let mut lines: Vec<String> = before.split_inclusive('\n').map(str::to_owned).collect();
    let end_of = end_of_line(before);
    let mut list = List::of(&lines, &known).ok_or(Uneditable::Style)?;
    let has_comment = |at: usize| {
        let entry = lines[list.entries[at].clone()].iter();
        entry.map(|line| line.trim_start()).any(|line| line.starts_with('#'))
    };
    let fates = Fates::of(&known, capability, wanted, has_comment);
    if !fates.new.is_empty() {
        if let Some((line, text)) = list.empty.take() {
            lines[line] = text;
        }
        let text: String = fates.new.iter().map(|entry| rendered(entry, &list.indent)).collect();
        let ended = list.end.checked_sub(1).and_then(|last| lines.get_mut(last));
        if let Some(last) = ended.filter(|last| !last.ends_with('\n')) {
            last.push_str(end_of);
        }
        lines.insert(list.end, text.replace('\n', end_of));
    }
    // From the end on, so that the lines before stay where they are.
    for (at, range) in list.entries.iter().enumerate().rev() {
        if let Some(values) = fates.changed.get(&at) {
            scalars::update(&mut lines[range.clone()], values);
        } else if fates.dropped.contains(&at) {
            lines.drain(range.clone());
        }
    }
    let edited = Edited { text: lines.concat(), added: fates.new.len(), filled: fates.filled };
    confirm(&edited, capability, wanted, &known, fates.dropped.len())?;
    Ok(edited)
}

fn parse(text: &str, capability: &str) -> Result<Vec<Criterion>, file::FileFault> {
    file::parse(text.as_bytes(), b"".as_bstr(), capability)
}

/// Reads the text again: what was wanted has to be in it and no check may be lost, or it is not written.
fn confirm(
    edited: &Edited,
    capability: &str,
    wanted: &Wanted,
    before: &[Criterion],
    dropped: usize,
) -> Result<(), Uneditable> {
    let now = parse(&edited.text, capability).map_err(Uneditable::Refused)?;
    let names: BTreeSet<(&str, &str)> =
        now.iter().map(|criterion| (criterion.requirement.as_str(), criterion.scenario.as_str())).collect();
    let is_there = |entry: &Entry| names.contains(&(entry.requirement.as_str(), entry.scenario.as_str()));
    let checks = |all: &[Criterion]| all.iter().map(|criterion| criterion.checks.len()).sum::<usize>();
    let is_complete = wanted.written.iter().all(is_there)
        && now.len() + dropped == before.len() + edited.added
        && checks(&now) == checks(before);
    is_complete.then_some(()).ok_or(Uneditable::Style)
}

/// The ends of lines a text uses.
fn end_of_line(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn rendered(entry: &Entry, indent: &str) -> String {
    format!(
        "{indent}- requirement: {}\n{indent}  scenario: {}\n{indent}  id: {}\n{indent}  ears: {}\n{indent}  verify: []\n",
        quoted(&entry.requirement),
        quoted(&entry.scenario),
        entry.id,
        quoted(&entry.ears)
    )
}

#[cfg(test)]
mod tests;
