//! A tree of files as of some moment: a folder on disk, the index, a commit.

use bstr::{BStr, BString};

mod overlay;
mod tree;
mod worktree;

pub use overlay::Overlay;
pub use tree::ObjectTree;
pub use worktree::Worktree;
pub(in crate::repo) use worktree::{kind_of, kind_of_type};

/// Files above this size are refused: an offset must fit in 32 bits with room, and no spec is that long.
pub const MAX_FILE_BYTES: u64 = 512 * 1024 * 1024;

/// What a directory entry is, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A regular file.
    File,
    /// A regular file somebody may execute.
    Executable,
    /// A folder.
    Dir,
    /// A symbolic link.
    Link,
    /// A submodule.
    Submodule,
    /// A socket, pipe or device.
    Special,
}

impl Kind {
    /// Whether it is a regular file, executable or not.
    pub fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Executable)
    }
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The last path component.
    pub name: BString,
    /// What it is.
    pub kind: Kind,
}

/// Why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Nothing has that path.
    #[error("no such file or folder")]
    Missing,
    /// A folder was asked for and there is something else.
    #[error("not a folder")]
    NotADirectory,
    /// A file was asked for and there is a folder.
    #[error("is a folder, not a file")]
    IsADirectory,
    /// A link leads out of the tree. Nothing behind it was read.
    #[error("the link leads out of where it may lead ({0})")]
    Outside(String),
    /// A link leads nowhere.
    #[error("the link leads nowhere ({0})")]
    Dangling(String),
    /// A link to a folder, where links to folders are not followed.
    #[error("it is a link to a folder, which readers of specs do not enter")]
    LinkedFolder,
    /// A pipe, socket, device or submodule.
    #[error("not a regular file")]
    NotAFile,
    /// More than [`MAX_FILE_BYTES`].
    #[error("{0} bytes are more than the {MAX_FILE_BYTES} that are read")]
    TooLarge(u64),
    /// The operating system or the object database said no.
    #[error("{0}")]
    Io(String),
}

impl ReadError {
    /// Whether it only says that nothing is there.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }
}

/// Reads files by their path from the tree's top, with `/` between components and no leading one.
///
/// Links are followed inside the tree and refused where they leave it.
pub trait Snapshot: Sync {
    /// The entries of a folder, unordered.
    fn list(&self, dir: &BStr) -> Result<Vec<Entry>, ReadError>;

    /// The bytes of a file.
    fn read(&self, path: &BStr) -> Result<Vec<u8>, ReadError>;

    /// What a path is, links not followed.
    fn kind(&self, path: &BStr) -> Result<Kind, ReadError>;

    /// The path a path really has once its links are followed.
    fn resolve(&self, path: &BStr) -> Result<BString, ReadError>;

    /// Whether a regular file is there, behind a link or not.
    fn is_file(&self, path: &BStr) -> bool {
        self.followed_kind(path).is_ok_and(Kind::is_file)
    }

    /// Whether a folder is there, behind a link or not.
    fn is_dir(&self, path: &BStr) -> bool {
        self.followed_kind(path) == Ok(Kind::Dir)
    }

    /// What a path is once links are followed.
    fn followed_kind(&self, path: &BStr) -> Result<Kind, ReadError> {
        match self.kind(path)? {
            Kind::Link => self.kind(self.resolve(path)?.as_ref()),
            kind => Ok(kind),
        }
    }
}

/// Whether a path lies below a folder, the top included.
pub fn is_below(path: &BStr, folder: &BStr) -> bool {
    path != folder && (folder.is_empty() || path.starts_with(folder) && path.get(folder.len()) == Some(&b'/'))
}

/// `dir/name`, or `name` at the top.
pub fn join(dir: &BStr, name: impl AsRef<[u8]>) -> BString {
    let mut path = BString::from(Vec::with_capacity(dir.len() + 1 + name.as_ref().len()));
    path.extend_from_slice(dir);
    if !path.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name.as_ref());
    path
}
