//! When a file came to be as it is: a walk back through the commits before head.

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};

use super::node::Node;
use super::oid::Oid;
use super::snapshot::{Kind, ObjectTree};
use super::store::{GitError, Store};

/// Commits one walk looks at, so that it ends within a second.
const MAX_COMMITS: usize = 5_000;

/// Where each object costs a process or a fetch.
const MAX_SLOW_COMMITS: usize = 150;

/// The commits head stands on.
#[derive(Clone, Copy)]
pub struct History<'r> {
    store: &'r dyn Store,
    start: Oid,
    is_shallow: bool,
}

impl std::fmt::Debug for History<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("History").field("start", &self.start).finish_non_exhaustive()
    }
}

/// Where a walk ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The oldest commit found in which the file is as it is in head.
    pub commit: Oid,
    /// Why it may have been so before.
    pub ending: Ending,
}

/// Why a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// No parent has the file as it is: it came to be in that commit.
    Found,
    /// The commits before were not cloned.
    CutOff,
    /// There are more commits than a walk looks at.
    TooFar,
}

/// One file through history. Remembers what it has read, for several questions about the same file.
pub struct Walk<'h> {
    history: History<'h>,
    path: BString,
    commits: HashMap<Oid, Visited>,
}

/// A commit as a walk sees it.
#[derive(Clone)]
struct Visited {
    parents: Vec<Oid>,
    /// Object names from the top folder down to the file. Shorter when it is not there.
    trail: Vec<Oid>,
}

impl<'r> History<'r> {
    /// The history of a commit, itself included.
    pub fn new(store: &'r dyn Store, start: Oid, is_shallow: bool) -> Self {
        Self { store, start, is_shallow }
    }

    /// The history of one of its commits.
    #[must_use]
    pub fn at(&self, commit: Oid) -> Self {
        Self { start: commit, ..*self }
    }

    /// The commits a commit stands on, as far as they are here.
    ///
    /// # Errors
    /// When the commit cannot be read.
    pub fn parents(&self, commit: Oid) -> Result<Vec<Oid>, GitError> {
        let mut parents = self.store.parents(commit)?;
        if self.is_shallow {
            parents.retain(|parent| self.store.parents(*parent).is_ok());
        }
        Ok(parents)
    }

    /// A commit's files.
    ///
    /// # Errors
    /// When the commit cannot be read.
    pub fn files(&self, commit: Oid) -> Result<ObjectTree<'r>, GitError> {
        Ok(ObjectTree::new(self.store, Node::object(Kind::Dir, self.store.tree_of(commit)?)))
    }

    /// A file's content.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn content(&self, id: Oid) -> Result<Vec<u8>, GitError> {
        self.store.blob(id)
    }

    /// Starts at head with a file. Links are not followed.
    pub fn walk(&self, path: &BStr) -> Walk<'r> {
        Walk { history: *self, path: path.to_owned(), commits: HashMap::new() }
    }

    fn max_commits(&self) -> usize {
        if self.store.is_slow() { MAX_SLOW_COMMITS } else { MAX_COMMITS }
    }
}

impl Walk<'_> {
    /// The commit in which the file came to be what `is_same` recognises by its object name. None when the newest
    /// commit does not have it so: then it is newer than all commits.
    ///
    /// Where histories meet, the first parent that has the file so is followed: a merge that left it alone did not touch
    /// it.
    ///
    /// # Errors
    /// When an object is damaged, or missing though history was not cut off.
    pub fn origin(
        &mut self,
        is_same: &mut dyn FnMut(Oid) -> Result<bool, GitError>,
    ) -> Result<Option<Origin>, GitError> {
        let mut commit = self.history.start;
        let Some(mut visited) = self.visit(commit, None)? else { return Ok(None) };
        if !self.has(&visited, is_same)? {
            return Ok(None);
        }
        for _ in 0..self.history.max_commits() {
            let mut next = None;
            let mut is_cut_off = false;
            for parent in &visited.parents {
                let Some(seen) = self.visit(*parent, Some(&visited.trail))? else {
                    is_cut_off = true;
                    continue;
                };
                // The same object is the same file, whatever is asked about it.
                if seen.trail.last() == visited.trail.last() && seen.trail.len() == visited.trail.len()
                    || self.has(&seen, is_same)?
                {
                    next = Some((*parent, seen));
                    break;
                }
            }
            match next {
                Some((parent, seen)) => (commit, visited) = (parent, seen),
                None => {
                    let ending = if is_cut_off { Ending::CutOff } else { Ending::Found };
                    return Ok(Some(Origin { commit, ending }));
                }
            }
        }
        Ok(Some(Origin { commit, ending: Ending::TooFar }))
    }

    fn has(&self, visited: &Visited, is_same: &mut dyn FnMut(Oid) -> Result<bool, GitError>) -> Result<bool, GitError> {
        match visited.trail.last() {
            Some(file) if visited.trail.len() == self.path.split_str("/").count() + 1 => is_same(*file),
            _ => Ok(false),
        }
    }

    /// None where history was cut off.
    fn visit(&mut self, commit: Oid, known: Option<&[Oid]>) -> Result<Option<Visited>, GitError> {
        if let Some(visited) = self.commits.get(&commit) {
            return Ok(Some(visited.clone()));
        }
        let store = self.history.store;
        let parents = match store.parents(commit) {
            Err(GitError::MissingObject(_)) if self.history.is_shallow => return Ok(None),
            parents => parents?,
        };
        let trail = self.trail(store.tree_of(commit)?, known.unwrap_or_default())?;
        let visited = Visited { parents, trail };
        self.commits.insert(commit, visited.clone());
        Ok(Some(visited))
    }

    /// Follows the path down from a top folder, until it meets a folder that a neighbouring commit has too.
    fn trail(&self, top: Oid, known: &[Oid]) -> Result<Vec<Oid>, GitError> {
        let mut trail = vec![top];
        let mut names = self.path.split_str("/").peekable();
        while let Some(name) = names.next() {
            let at = trail.len() - 1;
            if known.get(at) == Some(&trail[at]) {
                trail.extend_from_slice(&known[at + 1..]);
                break;
            }
            let folder = self.history.store.passing_tree(trail[at])?;
            let is_last = names.peek().is_none();
            let child = folder.iter().find(|(child, _)| child.as_bytes() == name).map(|(_, node)| node);
            match child {
                Some(node) if is_last && node.kind.is_file() || !is_last && node.kind == Kind::Dir => {
                    trail.push(node.id);
                }
                _ => break,
            }
        }
        Ok(trail)
    }
}
