//! A clone without all objects.

use std::path::Path;

use bstr::BString;

use super::git_cli::GitCli;
use super::gix_store::GixStore;
use super::node::{Folder, Node};
use super::oid::{HashKind, Oid};
use super::store::{Commit, GitError, Head, IndexEntries, Store};

/// A clone without all objects: what gix does not find, git fetches.
pub(super) struct Partial {
    pub(super) here: GixStore,
    pub(super) remote: GitCli,
}

impl Partial {
    fn or_fetch<T>(
        &self,
        found: Result<T, GitError>,
        fetch: impl FnOnce(&GitCli) -> Result<T, GitError>,
    ) -> Result<T, GitError> {
        match found {
            Err(GitError::MissingObject(_) | GitError::Other(_)) => fetch(&self.remote),
            found => found,
        }
    }
}

impl Store for Partial {
    fn hash_kind(&self) -> HashKind {
        self.here.hash_kind()
    }

    fn head(&self) -> Result<Head, GitError> {
        self.here.head()
    }

    fn reference(&self, name: &str) -> Result<Option<Oid>, GitError> {
        self.here.reference(name)
    }

    fn symbolic_target(&self, name: &str) -> Result<Option<String>, GitError> {
        self.here.symbolic_target(name)
    }

    fn revision(&self, revision: &str) -> Result<Option<Oid>, GitError> {
        self.or_fetch(self.here.revision(revision), |git| git.revision(revision))
    }

    fn has_references(&self, prefix: &str) -> Result<bool, GitError> {
        self.here.has_references(prefix)
    }

    fn peeled(&self, id: Oid) -> Result<Option<Oid>, GitError> {
        self.or_fetch(self.here.peeled(id), |git| git.peeled(id))
    }

    fn merge_bases(&self, one: Oid, other: Oid) -> Result<Vec<Oid>, GitError> {
        self.or_fetch(self.here.merge_bases(one, other), |git| git.merge_bases(one, other))
    }

    fn tree_of(&self, commit: Oid) -> Result<Oid, GitError> {
        self.or_fetch(self.here.tree_of(commit), |git| git.tree_of(commit))
    }

    fn commit(&self, id: Oid) -> Result<Commit, GitError> {
        self.or_fetch(self.here.commit(id), |git| Store::commit(git, id))
    }

    fn remember(&self, folder: &Node) {
        self.here.remember(folder);
    }

    fn passing_tree(&self, id: Oid) -> Result<Folder, GitError> {
        self.or_fetch(self.here.passing_tree(id), |git| git.tree(id))
    }

    fn is_slow(&self) -> bool {
        // Each folder may have to be fetched.
        true
    }

    fn tree(&self, id: Oid) -> Result<Folder, GitError> {
        self.or_fetch(self.here.tree(id), |git| git.tree(id))
    }

    fn blob(&self, id: Oid) -> Result<Vec<u8>, GitError> {
        self.or_fetch(self.here.blob(id), |git| git.blob(id))
    }

    fn index(&self, file: &Path, prefixes: &[BString], committed: Option<Oid>) -> Result<IndexEntries, GitError> {
        let here = self.here.index(file, prefixes, committed);
        self.or_fetch(here, |git| git.index(file, prefixes, committed))
    }
}
