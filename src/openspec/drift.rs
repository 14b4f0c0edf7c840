//! What became of a requirement since a delta that claims it was last touched.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString};

use super::delta::{Delta, Operation};
use super::project::Project;
use super::requirement::Block;
use super::spec::Spec;
use super::units::Units;
use crate::repo::history::{Ending, History, Origin, Walk};
use crate::repo::oid::Oid;
use crate::repo::snapshot::join;
use crate::repo::store::GitError;

/// A change is followed through this many other names.
const MAX_MOVES: usize = 8;

/// An operation of a delta on a requirement that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'d> {
    /// MODIFIED, REMOVED or RENAMED.
    pub operation: Operation,
    /// The name the delta gives; the old one of a rename.
    pub name: &'d str,
    /// 0-based line.
    pub line: usize,
    /// The block MODIFIED writes, or the new name of a rename: what is looked for in history.
    text: &'d str,
}

impl Entry<'_> {
    /// What the main spec shall have in place of the requirement.
    pub fn units(&self) -> Units {
        if self.operation == Operation::Modified { Units::of(self.text) } else { Units::default() }
    }

    fn is_same(&self, other: &Entry<'_>) -> bool {
        let says_the_same = || match self.operation {
            Operation::Modified => self.units().same_as(&other.units()),
            _ => self.text == other.text,
        };
        self.operation == other.operation && self.name == other.name && says_the_same()
    }
}

/// The operations of a delta on requirements that are there already. A rename whose requirement is modified too is one
/// with that.
pub fn entries(delta: &Delta) -> Vec<Entry<'_>> {
    let modified = delta.modified.iter().map(|block| Entry {
        operation: Operation::Modified,
        name: &block.name,
        line: block.line,
        text: delta.raw(block),
    });
    let removed = delta.removed.iter().map(|removal| Entry {
        operation: Operation::Removed,
        name: &removal.name,
        line: removal.line,
        text: "",
    });
    let is_modified = |name: &str| delta.modified.iter().any(|block| block.name == name);
    let renamed = delta.renamed.iter().filter(|rename| !is_modified(&rename.to)).map(|rename| Entry {
        operation: Operation::Renamed,
        name: &rename.from,
        line: rename.from_line,
        text: &rename.to,
    });
    modified.chain(removed).chain(renamed).collect()
}

/// The block of a main spec that a name in a delta stands for, the delta's renames followed back. Renames in a circle
/// end the search.
pub fn replaced<'s>(spec: &'s Spec, delta: &Delta, name: &str) -> Option<&'s Block> {
    let mut seen = HashSet::new();
    let mut name = name;
    while seen.insert(name) {
        if let Some(block) = spec.blocks.iter().find(|block| block.name == name) {
            return Some(block);
        }
        name = &delta.renamed.iter().find(|rename| rename.to == name)?.from;
    }
    None
}

/// The main spec when a delta's entry was last touched.
#[derive(Debug, Clone, Copy)]
pub struct Then {
    /// The commit that touched it, or the oldest one that could be looked at.
    pub commit: Oid,
    /// Whether it may have been touched in an earlier commit that could not be looked at.
    pub ending: Ending,
}

/// One delta file through history, with the main specs of the commits that touched it.
pub struct Past<'h> {
    history: &'h History<'h>,
    walk: Walk<'h>,
    path: BString,
    /// Delta files by object name.
    deltas: HashMap<Oid, Delta>,
    root: BString,
    capability: String,
    specs: HashMap<Oid, Option<Spec>>,
    /// The open changes of files that are no commit yet.
    names: Option<Vec<BString>>,
}

impl<'h> Past<'h> {
    /// The past of the delta file at `path`, which is for `capability` of the project in `root`.
    pub fn new(history: &'h History<'h>, path: &BStr, root: &BStr, capability: &str) -> Self {
        Self {
            history,
            walk: history.walk(path),
            path: path.to_owned(),
            deltas: HashMap::new(),
            root: root.to_owned(),
            capability: capability.to_owned(),
            specs: HashMap::new(),
            names: None,
        }
    }

    /// The same for files that may be newer than the newest commit and have these open changes: a change of another name
    /// that is gone may be this one.
    #[must_use]
    pub fn renamed_among(self, names: Vec<BString>) -> Self {
        Self { names: Some(names), ..self }
    }

    /// When an entry came to say what it says. None when no commit has it so. White space, wrapping and list markers do
    /// not count as a touch.
    ///
    /// # Errors
    /// When an object cannot be read.
    pub fn touched(&mut self, entry: &Entry<'_>) -> Result<Option<Then>, GitError> {
        let (history, deltas) = (self.history, &mut self.deltas);
        let mut is_same = |file: Oid| has_entry(deltas, history, file, entry);
        let mut path = self.path.clone();
        let mut origin = match self.walk.origin(&mut is_same)? {
            Some(origin) => origin,
            None => match self.moved_since(entry)? {
                Some((origin, moved)) => {
                    path = moved;
                    origin
                }
                None => return Ok(None),
            },
        };
        for _ in 0..MAX_MOVES {
            if origin.ending != Ending::Found {
                break;
            }
            let Some((parent, moved)) = self.moved(entry, origin.commit, path.as_ref())? else { break };
            let (history, deltas) = (self.history, &mut self.deltas);
            let mut is_same = |file: Oid| has_entry(deltas, history, file, entry);
            let mut walk = history.at(parent).walk(moved.as_ref());
            let Some(before) = walk.origin(&mut is_same)? else { break };
            (origin, path) = (before, moved);
        }
        Ok(Some(Then { commit: origin.commit, ending: origin.ending }))
    }

    /// Where the entry is in the newest commit, when its change has another name in the files that are judged.
    fn moved_since(&mut self, entry: &Entry<'_>) -> Result<Option<(Origin, BString)>, GitError> {
        let (Some(names), path) = (self.names.clone(), self.path.clone()) else { return Ok(None) };
        let Some(moved) = self.moved_from(entry, self.history.start(), &names, path.as_ref())? else { return Ok(None) };
        let (history, deltas) = (self.history, &mut self.deltas);
        let mut is_same = |file: Oid| has_entry(deltas, history, file, entry);
        let origin = history.walk(moved.as_ref()).origin(&mut is_same)?;
        Ok(origin.map(|origin| (origin, moved)))
    }

    /// Where the entry was before the commit that brought it, when that only gave its change another name.
    fn moved(&mut self, entry: &Entry<'_>, commit: Oid, path: &BStr) -> Result<Option<(Oid, BString)>, GitError> {
        let files = self.history.files(commit)?;
        let names = Project::new(&files, self.root.clone()).change_names().unwrap_or_default();
        for parent in self.history.parents(commit)? {
            if let Some(moved) = self.moved_from(entry, parent, &names, path)? {
                return Ok(Some((parent, moved)));
            }
        }
        Ok(None)
    }

    /// The entry in a change that a commit has open and that has none of these names.
    fn moved_from(
        &mut self,
        entry: &Entry<'_>,
        commit: Oid,
        names: &[BString],
        path: &BStr,
    ) -> Result<Option<BString>, GitError> {
        let files = self.history.files(commit)?;
        let project = Project::new(&files, self.root.clone());
        let gone = project.change_names().unwrap_or_default().into_iter().filter(|name| !names.contains(name));
        for name in gone {
            let folder = join(project.path("changes").as_ref(), &name);
            let candidate = join(folder.as_ref(), format!("specs/{}/spec.md", self.capability));
            let Ok(node) = files.node(candidate.as_ref()) else { continue };
            if node.kind.is_file() && candidate != path && has_entry(&mut self.deltas, self.history, node.id, entry)? {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    /// The main spec as a commit has it.
    ///
    /// # Errors
    /// When the commit cannot be read.
    pub fn spec_at(&mut self, commit: Oid) -> Result<Option<&Spec>, GitError> {
        if !self.specs.contains_key(&commit) {
            let files = self.history.files(commit)?;
            let project = Project::new(&files, self.root.clone());
            let target = project.target(&self.capability).ok().flatten();
            let bytes = target.and_then(|file| files_content(&project, file.path.as_ref()));
            self.specs.insert(commit, bytes.map(Spec::parse));
        }
        Ok(self.specs.get(&commit).and_then(Option::as_ref))
    }
}

/// Whether a delta file, named by its object, has an entry that says the same.
fn has_entry(
    deltas: &mut HashMap<Oid, Delta>,
    history: &History<'_>,
    file: Oid,
    entry: &Entry<'_>,
) -> Result<bool, GitError> {
    use std::collections::hash_map::Entry::{Occupied, Vacant};
    let delta = match deltas.entry(file) {
        Occupied(known) => known.into_mut(),
        Vacant(free) => free.insert(Delta::parse(history.content(file)?)),
    };
    Ok(entries(delta).iter().any(|other| entry.is_same(other)))
}

fn files_content(project: &Project<'_>, path: &BStr) -> Option<Vec<u8>> {
    project.snapshot().read(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_and_modified_requirement_is_one_entry() {
        let delta = Delta::parse(
            b"## RENAMED Requirements\nFROM: ### Requirement: A\nTO: ### Requirement: B\n## MODIFIED Requirements\n### Requirement: B\nx\n"
                .to_vec(),
        );
        let found = entries(&delta);
        assert_eq!(
            found.iter().map(|entry| (entry.operation, entry.name)).collect::<Vec<_>>(),
            [(Operation::Modified, "B")]
        );
        let spec = Spec::parse(b"## Requirements\n### Requirement: A\ny\n".to_vec());
        assert_eq!(replaced(&spec, &delta, "B").map(|block| block.line), Some(1));
        assert_eq!(replaced(&spec, &delta, "C"), None);
    }

    #[test]
    fn white_space_is_no_touch() {
        let one = Delta::parse(b"## MODIFIED Requirements\n### Requirement: A\nx y\n- z\n".to_vec());
        let other = Delta::parse(b"## MODIFIED Requirements\n\n### Requirement: A\nx\ny\n\n* z\n".to_vec());
        assert!(entries(&one)[0].is_same(&entries(&other)[0]));
    }
}
