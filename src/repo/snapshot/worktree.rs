//! A folder on disk.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::SystemTime;

use bstr::{BStr, BString, ByteSlice, ByteVec};

use super::{Entry, Kind, MAX_FILE_BYTES, ReadError, Snapshot};

/// The files below a folder as they lie on disk.
#[derive(Debug)]
pub struct Worktree {
    top: PathBuf,
    /// `top` without links, the boundary no link may lead out of.
    boundary: PathBuf,
    /// Folders known to lie inside the boundary, when links to folders are held to it as links to files are.
    inside: Option<RwLock<HashSet<PathBuf>>>,
}

impl Worktree {
    /// The tree below `top`.
    ///
    /// # Errors
    /// When `top` is not a folder that can be entered.
    pub fn new(top: impl Into<PathBuf>) -> io::Result<Self> {
        let top = top.into();
        let boundary = fs::canonicalize(&top)?;
        Ok(Self { top, boundary, inside: None })
    }

    /// The tree below `top`, nothing of which may lie elsewhere: a folder that is a link out of it is refused too.
    ///
    /// The reference enters such folders, so its drop-in commands do. For a verdict nothing outside the repository may
    /// count.
    ///
    /// # Errors
    /// When `top` is not a folder that can be entered.
    pub fn confined(top: impl Into<PathBuf>) -> io::Result<Self> {
        Ok(Self { inside: Some(RwLock::default()), ..Self::new(top)? })
    }

    /// The folder.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// When a path was last written to. Links are followed wherever they lead: nothing behind them is read.
    ///
    /// # Errors
    /// When nothing has that path, a link leads nowhere or in a circle, or the file may not be looked at.
    pub fn modified(&self, path: &BStr) -> Result<SystemTime, ReadError> {
        let path = self.absolute(path);
        let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
        modified.map_err(|error| match error.kind() {
            // A circle of links has no error kind of its own yet.
            kind if kind != io::ErrorKind::PermissionDenied && path.is_symlink() => ReadError::Dangling(target(&path)),
            _ => read_error(&error),
        })
    }

    fn absolute(&self, path: &BStr) -> PathBuf {
        if path.is_empty() { self.top.clone() } else { self.top.join(path.to_path_lossy()) }
    }

    /// The absolute path, when the folders on the way to it lie inside.
    fn reach(&self, path: &BStr) -> Result<PathBuf, ReadError> {
        let absolute = self.absolute(path);
        if let (Some(inside), Some(folder)) = (&self.inside, absolute.parent())
            && !path.is_empty()
        {
            self.confine(inside, folder)?;
        }
        Ok(absolute)
    }

    /// Refuses a folder outside. One look at each folder of the tree, however many files it holds.
    fn confine(&self, inside: &RwLock<HashSet<PathBuf>>, folder: &Path) -> Result<(), ReadError> {
        if folder == self.top || inside.read().unwrap_or_else(PoisonError::into_inner).contains(folder) {
            return Ok(());
        }
        if folder.components().any(|part| part == Component::ParentDir) {
            // `..` behind a link is not the folder above; only the system can tell.
            self.follow(folder)?;
        } else {
            folder.parent().map_or(Ok(()), |parent| self.confine(inside, parent))?;
            if fs::symlink_metadata(folder).map_err(|error| read_error(&error))?.is_symlink() {
                self.follow(folder)?;
            }
        }
        inside.write().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned());
        Ok(())
    }

    /// Follows a path's links and refuses what lies outside.
    fn follow(&self, path: &Path) -> Result<PathBuf, ReadError> {
        let real = fs::canonicalize(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if path.is_symlink() => ReadError::Dangling(target(path)),
            _ => read_error(&error),
        })?;
        if real.starts_with(&self.boundary) { Ok(real) } else { Err(ReadError::Outside(target(path))) }
    }
}

/// Where a link points, for a message.
fn target(path: &Path) -> String {
    fs::read_link(path).map_or_else(|_| path.display().to_string(), |target| format!("-> {}", target.display()))
}

fn read_error(error: &io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound => ReadError::Missing,
        io::ErrorKind::NotADirectory => ReadError::NotADirectory,
        io::ErrorKind::IsADirectory => ReadError::IsADirectory,
        _ => ReadError::Io(error.to_string()),
    }
}

/// What a directory entry is. Whether a file may be executed takes a look at the file itself.
pub(in crate::repo) fn kind_of_type(file_type: fs::FileType) -> Kind {
    if file_type.is_dir() {
        Kind::Dir
    } else if file_type.is_symlink() {
        Kind::Link
    } else if file_type.is_file() {
        Kind::File
    } else {
        Kind::Special
    }
}

/// What a file is, its executable bit included.
pub(in crate::repo) fn kind_of(metadata: &fs::Metadata) -> Kind {
    match kind_of_type(metadata.file_type()) {
        Kind::File if is_executable(metadata) => Kind::Executable,
        kind => kind,
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

impl Snapshot for Worktree {
    fn list(&self, dir: &BStr) -> Result<Vec<Entry>, ReadError> {
        let absolute = self.reach(dir)?;
        if let Some(inside) = &self.inside {
            self.confine(inside, &absolute)?;
        }
        let entries = fs::read_dir(absolute).map_err(|error| read_error(&error))?;
        let mut list = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| read_error(&error))?;
            let file_type = entry.file_type().map_err(|error| read_error(&error))?;
            // Whether a file may be executed matters only where trees are compared, which asks `kind`: no stat here.
            let kind = kind_of_type(file_type);
            let name = Vec::from_os_string(entry.file_name())
                .map_err(|name| ReadError::Io(format!("a name that cannot be read: {}", name.display())))?;
            list.push(Entry { name: name.into(), kind });
        }
        Ok(list)
    }

    fn read(&self, path: &BStr) -> Result<Vec<u8>, ReadError> {
        let mut absolute = self.reach(path)?;
        let mut metadata = fs::symlink_metadata(&absolute).map_err(|error| read_error(&error))?;
        if metadata.is_symlink() {
            absolute = self.follow(&absolute)?;
            metadata = fs::symlink_metadata(&absolute).map_err(|error| read_error(&error))?;
        }
        if metadata.is_dir() {
            return Err(ReadError::IsADirectory);
        }
        // A pipe would make us wait for ever.
        if !metadata.is_file() {
            return Err(ReadError::NotAFile);
        }
        if metadata.len() > MAX_FILE_BYTES {
            return Err(ReadError::TooLarge(metadata.len()));
        }
        fs::read(&absolute).map_err(|error| read_error(&error))
    }

    fn kind(&self, path: &BStr) -> Result<Kind, ReadError> {
        let metadata = fs::symlink_metadata(self.reach(path)?).map_err(|error| read_error(&error))?;
        Ok(kind_of(&metadata))
    }

    fn resolve(&self, path: &BStr) -> Result<BString, ReadError> {
        let real = self.follow(&self.absolute(path))?;
        let relative = real.strip_prefix(&self.boundary).map_err(|_| ReadError::Outside(real.display().to_string()))?;
        Vec::from_os_string(relative.as_os_str().to_owned())
            .map(BString::from)
            .map_err(|name| ReadError::Io(format!("a name that cannot be read: {}", name.display())))
    }
}
