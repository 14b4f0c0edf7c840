//! Puts files of one tree into another, and takes a tree apart into files.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::node::{Children, MAX_DEPTH, Node, TOO_DEEP};
use super::oid::Oid;
use super::snapshot::{Kind, join};
use super::store::{GitError, IndexEntry, Store};

/// A file of a tree: its path, what it is, and git's name for its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// From the top.
    pub path: BString,
    /// A file, link or submodule.
    pub kind: Kind,
    /// Its object.
    pub id: Oid,
}

impl Node {
    /// The files below this node that are known without the repository and could be read, in order of their paths.
    pub fn known_files(&self) -> Vec<FileEntry> {
        let mut files = Vec::new();
        let mut todo = vec![(BString::default(), self)];
        while let Some((path, node)) = todo.pop() {
            match &node.children {
                Children::Here(children) => {
                    todo.extend(children.iter().map(|(name, child)| (join(path.as_ref(), name), child)));
                }
                _ if node.problem.is_some() || node.kind == Kind::Dir => {}
                _ => files.push(FileEntry { path, kind: node.kind, id: node.id }),
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// The tree that some files make up.
    ///
    /// # Errors
    /// When a folder's content cannot be hashed.
    pub fn of_files(hash: super::oid::HashKind, files: &[FileEntry]) -> Result<Self, String> {
        let entry = |file: &FileEntry| IndexEntry {
            path: file.path.clone(),
            kind: file.kind,
            id: file.id,
            is_unmerged: false,
            is_intent_to_add: false,
        };
        Self::of_index(hash, &files.iter().map(entry).collect::<Vec<_>>())
    }

    /// This tree with what another one has at some paths, and at no others. What the other one has not is not there then.
    ///
    /// # Errors
    /// When a folder's object cannot be read.
    pub fn with_paths(&self, store: &dyn Store, other: &Self, paths: &[BString]) -> Result<Self, GitError> {
        let paths: Vec<&BStr> = paths.iter().map(|path| path.as_bstr()).collect();
        let grafted = graft(store, Some(self), Some(other), &paths, 0)?;
        grafted.map_or_else(|| Self::empty(store.hash_kind()).map_err(GitError::Other), Ok)
    }
}

fn graft(
    store: &dyn Store,
    own: Option<&Node>,
    other: Option<&Node>,
    paths: &[&BStr],
    depth: usize,
) -> Result<Option<Node>, GitError> {
    if paths.iter().any(|path| path.is_empty()) {
        return Ok(other.cloned());
    }
    if depth >= MAX_DEPTH {
        return Err(GitError::Other(TOO_DEEP.to_owned()));
    }
    let mut inner: BTreeMap<&[u8], Vec<&BStr>> = BTreeMap::new();
    for path in paths {
        let (name, rest) = path.split_once_str("/").unwrap_or((path, b""));
        inner.entry(name).or_default().push(rest.as_bstr());
    }
    let folder = |node: Option<&Node>| match node {
        Some(node) if node.kind == Kind::Dir => node.children(store).map(|children| children.as_ref().clone()),
        _ => Ok(Vec::new()),
    };
    // What is no folder on the other side has nothing at a path below it, and stands there itself.
    if let Some(other) = other.filter(|other| other.kind != Kind::Dir) {
        return Ok(Some(other.clone()));
    }
    let (mut children, others) = (folder(own)?, folder(other)?);
    for (name, paths) in inner {
        let find =
            |list: &[(BString, Node)]| list.iter().find(|(child, _)| child == name).map(|(_, node)| node.clone());
        let (mine, theirs) = (find(&children), find(&others));
        let child = graft(store, mine.as_ref(), theirs.as_ref(), &paths, depth + 1)?;
        children.retain(|(child, _)| child != name);
        children.extend(child.map(|child| (BString::from(name), child)));
    }
    if children.is_empty() {
        return Ok(None);
    }
    Node::folder(store.hash_kind(), children).map(Some).map_err(GitError::Other)
}
