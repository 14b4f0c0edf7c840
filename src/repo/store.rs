//! What is needed of git, whoever provides it.

use std::path::Path;

use bstr::BString;

use super::node::{Folder, Node};
use super::oid::{HashKind, Oid};
use super::snapshot::Kind;

/// A git operation that did not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// An object is not in the repository: a shallow or partial clone, or damage.
    #[error("object {0} is not here")]
    MissingObject(String),
    /// An object's content does not hash to its name, or is nothing git would write.
    #[error("object {0} is damaged: its content does not match its name, or is malformed")]
    Damaged(String),
    /// A name could be several things.
    #[error("`{name}` is ambiguous: {candidates}")]
    Ambiguous {
        /// The name as given.
        name: String,
        /// What it could be.
        candidates: String,
    },
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

/// An entry of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntry {
    /// Path from the top.
    pub path: BString,
    /// What it is. A folder in a sparse index is one entry.
    pub kind: Kind,
    /// Its object.
    pub id: Oid,
    /// Whether a merge left several versions of it.
    pub is_unmerged: bool,
    /// Whether only the intention to add it is recorded, not its content.
    pub is_intent_to_add: bool,
}

/// The index below the paths that were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexEntries {
    /// Entries in index order.
    pub entries: Vec<IndexEntry>,
    /// Folders called `openspec` anywhere in the index, without that last component; and those of the commit wherever the
    /// index is not as the commit is.
    pub project_roots: Vec<BString>,
}

/// Where HEAD points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Full name of the branch, none when detached.
    pub branch: Option<String>,
    /// The commit, none when the branch has none yet.
    pub commit: Option<Oid>,
}

/// A commit without its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its top folder.
    pub tree: Oid,
    /// The commits it stands on, in its order.
    pub parents: Vec<Oid>,
}

/// A git repository's objects, references and index.
pub trait Store: Sync + Send {
    /// The hash function of the repository.
    fn hash_kind(&self) -> HashKind;

    /// Where HEAD points.
    fn head(&self) -> Result<Head, GitError>;

    /// The commit of a full reference name (`refs/…`), none when there is no such reference.
    fn reference(&self, name: &str) -> Result<Option<Oid>, GitError>;

    /// The reference a symbolic reference points to, none when it is none.
    fn symbolic_target(&self, name: &str) -> Result<Option<String>, GitError>;

    /// Whether there is any reference whose full name begins so.
    fn has_references(&self, prefix: &str) -> Result<bool, GitError>;

    /// The commit a revision means, none when it means nothing.
    fn revision(&self, revision: &str) -> Result<Option<Oid>, GitError>;

    /// The commit that an object is, or that a tag leads to. None when it is, or leads to, something else.
    fn peeled(&self, id: Oid) -> Result<Option<Oid>, GitError>;

    /// The best common ancestors: none when the histories are unrelated, several when they merged one another.
    fn merge_bases(&self, one: Oid, other: Oid) -> Result<Vec<Oid>, GitError>;

    /// The top folder of a commit.
    fn tree_of(&self, commit: Oid) -> Result<Oid, GitError>;

    /// What a commit holds and which commits it stands on.
    fn commit(&self, id: Oid) -> Result<Commit, GitError>;

    /// A folder's entries.
    fn tree(&self, id: Oid) -> Result<Folder, GitError>;

    /// Keeps a folder and those in it that are known, so that they need not be read. Their names are made from what they
    /// hold, so this cannot change what a name means.
    fn remember(&self, _folder: &Node) {}

    /// A folder's entries, which nobody will ask for again: they are not kept.
    fn passing_tree(&self, id: Oid) -> Result<Folder, GitError> {
        self.tree(id)
    }

    /// Whether reading an object costs so much that a long history should not be walked.
    fn is_slow(&self) -> bool {
        false
    }

    /// A file's content.
    fn blob(&self, id: Oid) -> Result<Vec<u8>, GitError>;

    /// Entries of an index file below one of the prefixes, which are paths without a final slash. `committed` is the top
    /// folder of the commit the index is about.
    fn index(&self, file: &Path, prefixes: &[BString], committed: Option<Oid>) -> Result<IndexEntries, GitError>;
}
