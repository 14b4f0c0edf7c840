//! Objects that are kept beside the repository's own: contents that were never committed.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bstr::BString;

use super::node::{Folder, Node};
use super::oid::{HashKind, ObjectKind, Oid};
use super::store::{Commit, GitError, Head, IndexEntries, Store};

/// A folder of contents, a file each, called by git's name for it.
#[derive(Debug, Clone, Default)]
pub struct KeptBlobs {
    folder: PathBuf,
    known: HashSet<Oid>,
}

impl KeptBlobs {
    /// The contents in a folder; none when there is no such folder.
    pub fn open(folder: &Path) -> Self {
        let names = fs::read_dir(folder).into_iter().flatten().flatten();
        let known = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        Self { folder: folder.to_owned(), known }
    }

    /// Keeps a content.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, id: Oid, content: &[u8]) -> io::Result<()> {
        if self.known.contains(&id) {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(content)?;
        file.persist(self.folder.join(id.to_string()))?;
        self.known.insert(id);
        Ok(())
    }

    fn blob(&self, id: Oid) -> Option<Result<Vec<u8>, GitError>> {
        if !self.known.contains(&id) {
            return None;
        }
        let content = match fs::read(self.folder.join(id.to_string())) {
            Ok(content) => content,
            Err(error) => return Some(Err(GitError::Other(format!("the kept content {id} cannot be read: {error}")))),
        };
        // Anybody can write there: a content proves itself.
        let is_it = Oid::of(id.hash_kind(), ObjectKind::Blob, &content).is_ok_and(|found| found == id);
        Some(if is_it { Ok(content) } else { Err(GitError::Damaged(id.to_string())) })
    }
}

/// A repository's objects and kept ones.
pub(super) struct WithKept {
    pub(super) store: Box<dyn Store>,
    pub(super) kept: KeptBlobs,
}

impl Store for WithKept {
    fn hash_kind(&self) -> HashKind {
        self.store.hash_kind()
    }

    fn head(&self) -> Result<Head, GitError> {
        self.store.head()
    }

    fn reference(&self, name: &str) -> Result<Option<Oid>, GitError> {
        self.store.reference(name)
    }

    fn symbolic_target(&self, name: &str) -> Result<Option<String>, GitError> {
        self.store.symbolic_target(name)
    }

    fn revision(&self, revision: &str) -> Result<Option<Oid>, GitError> {
        self.store.revision(revision)
    }

    fn has_references(&self, prefix: &str) -> Result<bool, GitError> {
        self.store.has_references(prefix)
    }

    fn peeled(&self, id: Oid) -> Result<Option<Oid>, GitError> {
        self.store.peeled(id)
    }

    fn merge_bases(&self, one: Oid, other: Oid) -> Result<Vec<Oid>, GitError> {
        self.store.merge_bases(one, other)
    }

    fn tree_of(&self, commit: Oid) -> Result<Oid, GitError> {
        self.store.tree_of(commit)
    }

    fn commit(&self, id: Oid) -> Result<Commit, GitError> {
        self.store.commit(id)
    }

    fn tree(&self, id: Oid) -> Result<Folder, GitError> {
        self.store.tree(id)
    }

    fn remember(&self, folder: &Node) {
        self.store.remember(folder);
    }

    fn passing_tree(&self, id: Oid) -> Result<Folder, GitError> {
        self.store.passing_tree(id)
    }

    fn is_slow(&self) -> bool {
        self.store.is_slow()
    }

    fn blob(&self, id: Oid) -> Result<Vec<u8>, GitError> {
        self.kept.blob(id).unwrap_or_else(|| self.store.blob(id))
    }

    fn index(&self, file: &Path, prefixes: &[BString], committed: Option<Oid>) -> Result<IndexEntries, GitError> {
        self.store.index(file, prefixes, committed)
    }
}
