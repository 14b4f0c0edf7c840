//! Object ids, and the hashing that makes them.

use std::fmt;
use std::str::FromStr;

/// What an object id is made of.
pub use gix::hash::Kind as HashKind;

/// Name of a git object: the hash of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid(pub(super) gix::ObjectId);

/// Kinds of object whose names are computed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A file's content, or a link's target.
    Blob,
    /// A folder.
    Tree,
    /// A commit.
    Commit,
}

impl Oid {
    /// The name git gives to this content.
    ///
    /// # Errors
    /// When the content is part of a known collision attack.
    pub fn of(hash: HashKind, kind: ObjectKind, content: &[u8]) -> Result<Self, String> {
        let kind = match kind {
            ObjectKind::Blob => gix::objs::Kind::Blob,
            ObjectKind::Tree => gix::objs::Kind::Tree,
            ObjectKind::Commit => gix::objs::Kind::Commit,
        };
        gix::objs::compute_hash(hash, kind, content).map(Self).map_err(|error| error.to_string())
    }

    /// A name from its bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        gix::ObjectId::try_from(bytes).ok().map(Self)
    }

    /// The name that means "none".
    pub fn null(hash: HashKind) -> Self {
        Self(hash.null())
    }

    /// The hash function this name was made with.
    pub fn hash_kind(&self) -> HashKind {
        self.0.kind()
    }

    /// The bytes of the name.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Whether it is all zeros, which means "none".
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Oid {
    type Err = String;

    fn from_str(hex: &str) -> Result<Self, String> {
        gix::ObjectId::from_hex(hex.as_bytes()).map(Self).map_err(|error| error.to_string())
    }
}
