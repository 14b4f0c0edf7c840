//! When a file came to be as it is: a walk back through the commits before head.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use super::node::Node;
use super::oid::Oid;
use super::snapshot::{Kind, ObjectTree};
use super::store::{Commit, GitError, Store};

/// Commits one walk looks at, so that it ends within a second.
const MAX_COMMITS: usize = 5_000;

/// Where each object costs a process or a fetch.
const MAX_SLOW_COMMITS: usize = 150;

/// The commits head stands on.
#[derive(Clone)]
pub struct History<'r> {
    store: &'r dyn Store,
    start: Oid,
    is_shallow: bool,
    known: Arc<Known>,
}

/// What walks have read: the next one mostly goes the same way.
#[derive(Default)]
struct Known {
    /// None where history was cut off.
    commits: Mutex<HashMap<Oid, Option<Commit>>>,
    /// What a name in a top folder is: nearly every commit has another one.
    children: Mutex<HashMap<(Oid, BString), Option<Oid>>>,
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
        Self { store, start, is_shallow, known: Arc::default() }
    }

    /// The commit it is the history of.
    pub fn start(&self) -> Oid {
        self.start
    }

    /// The history of one of its commits.
    #[must_use]
    pub fn at(&self, commit: Oid) -> Self {
        Self { start: commit, ..self.clone() }
    }

    /// The commits a commit stands on, as far as they are here.
    ///
    /// # Errors
    /// When the commit cannot be read.
    pub fn parents(&self, commit: Oid) -> Result<Vec<Oid>, GitError> {
        let Some(commit) = self.commit(commit)? else { return Ok(Vec::new()) };
        let mut here = Vec::with_capacity(commit.parents.len());
        for parent in commit.parents {
            if self.commit(parent)?.is_some() {
                here.push(parent);
            }
        }
        Ok(here)
    }

    /// None where history was cut off.
    fn commit(&self, id: Oid) -> Result<Option<Commit>, GitError> {
        if let Some(known) = lock(&self.known.commits).get(&id) {
            return Ok(known.clone());
        }
        let commit = match self.store.commit(id) {
            Err(GitError::MissingObject(_)) if self.is_shallow => None,
            commit => Some(commit?),
        };
        lock(&self.known.commits).insert(id, commit.clone());
        Ok(commit)
    }

    /// What a folder has under a name: a folder, or a file.
    fn child(&self, folder: Oid, name: &[u8], is_file: bool) -> Result<Option<Oid>, GitError> {
        let entries = self.store.passing_tree(folder)?;
        let child = entries.iter().find(|(child, _)| child.as_bytes() == name).map(|(_, node)| node);
        let is_right = |node: &&Node| if is_file { node.kind.is_file() } else { node.kind == Kind::Dir };
        Ok(child.filter(is_right).map(|node| node.id))
    }

    fn child_of_top(&self, top: Oid, name: &[u8], is_file: bool) -> Result<Option<Oid>, GitError> {
        let key = (top, BString::from(name));
        if let Some(known) = lock(&self.known.children).get(&key) {
            return Ok(*known);
        }
        let child = self.child(top, name, is_file)?;
        lock(&self.known.children).insert(key, child);
        Ok(child)
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
        Walk { history: self.clone(), path: path.to_owned(), commits: HashMap::new() }
    }

    fn max_commits(&self) -> usize {
        if self.store.is_slow() { MAX_SLOW_COMMITS } else { MAX_COMMITS }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        let Some(Commit { tree, parents }) = self.history.commit(commit)? else { return Ok(None) };
        let trail = self.trail(tree, known.unwrap_or_default())?;
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
            let is_file = names.peek().is_none();
            let child = match at {
                0 => self.history.child_of_top(trail[at], name, is_file)?,
                _ => self.history.child(trail[at], name, is_file)?,
            };
            let Some(child) = child else { break };
            trail.push(child);
        }
        Ok(trail)
    }
}
