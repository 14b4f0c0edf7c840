//! The files of a repository that agents read, with links followed as far as they stay inside.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::problem::{Fault, Problem, fix_for};

/// Nobody writes instructions or settings of this size.
pub(super) const MAX_BYTES: u64 = 4 << 20;

/// The top of a repository.
#[derive(Debug, Clone)]
pub struct Place {
    top: PathBuf,
}

/// A file as it is, or is not yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is once links are followed.
    pub real: PathBuf,
    /// What it holds. None when it is not there.
    pub text: Option<String>,
    /// Whether it can be run. True where files have no such mark.
    pub is_executable: bool,
}

/// Why a path leads to no place of a file.
enum Astray {
    /// To where nothing of ours is ever written.
    Elsewhere(Problem),
    /// It cannot be told.
    Unknown(Problem),
}

impl From<Astray> for Problem {
    fn from(astray: Astray) -> Self {
        match astray {
            Astray::Elsewhere(problem) | Astray::Unknown(problem) => problem,
        }
    }
}

impl Place {
    /// The repository with a top.
    ///
    /// # Errors
    /// When the folder cannot be entered.
    pub fn new(top: &Path) -> io::Result<Self> {
        Ok(Self { top: fs::canonicalize(top)? })
    }

    /// Its top, without links.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Whether something is there.
    pub fn has(&self, path: &str) -> bool {
        fs::symlink_metadata(self.top.join(path)).is_ok()
    }

    /// Whether a file is there, or a link to one.
    pub fn has_file(&self, path: &str) -> bool {
        self.top.join(path).is_file()
    }

    /// A file by its path from the top.
    ///
    /// # Errors
    /// When a link on the way leads out of the repository or nowhere, and when it is no file of text that can be read.
    pub fn read(&self, path: &str) -> Result<Found, Fault> {
        let real = self.follow(path).map_err(|astray| Problem::from(astray).in_file(path))?;
        let fault =
            |message: String, fix: &str| Problem::of_file(message, format!("{fix}; nothing was written")).in_file(path);
        let is_executable = match fs::metadata(&real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Found { real, text: None, is_executable: false });
            }
            Err(error) => return Err(fault(error.to_string(), fix_for(&error, "make it readable"))),
            // Reading a pipe would wait for whoever writes to it.
            Ok(metadata) if !metadata.is_file() => {
                return Err(fault("is no regular file".to_owned(), "put a file in its place, or delete it"));
            }
            Ok(metadata) if metadata.len() > MAX_BYTES => {
                return Err(fault("is larger than 4 MiB".to_owned(), "make it smaller"));
            }
            Ok(metadata) => is_executable(&metadata),
        };
        let bytes = fs::read(&real).map_err(|error| fault(error.to_string(), fix_for(&error, "make it readable")))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let line =
                1 + error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            Problem::at(line, "is not UTF-8", "save it as UTF-8; nothing was written").in_file(path)
        })?;
        Ok(Found { real, text: Some(text), is_executable })
    }

    /// A file in which a mark of ours stands. None when it stands in none: what is not ours is not ours to complain about.
    ///
    /// # Errors
    /// When the mark is in what is no text, or it cannot be told whether it is there.
    pub fn read_marked(&self, path: &str, mark: &str) -> Result<Option<Found>, Fault> {
        let real = match self.follow(path) {
            Ok(real) => real,
            Err(Astray::Elsewhere(_)) => return Ok(None),
            Err(Astray::Unknown(problem)) => return Err(problem.in_file(path)),
        };
        if fs::metadata(&real).is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(None);
        }
        match self.read(path) {
            Ok(found) => Ok(Some(found).filter(|it| it.text.as_ref().is_some_and(|text| text.contains(mark)))),
            Err(fault) => match fs::read(&real) {
                Ok(bytes) if memmem::find(&bytes, mark.as_bytes()).is_none() => Ok(None),
                _ => Err(fault),
            },
        }
    }

    /// Where a path leads to. None when it leads elsewhere.
    pub fn real(&self, path: &str) -> Option<PathBuf> {
        self.follow(path).ok()
    }

    fn follow(&self, path: &str) -> Result<PathBuf, Astray> {
        let mut real = self.top.clone();
        for part in path.split('/') {
            let next = real.join(part);
            real = match fs::symlink_metadata(&next) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => next,
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                    let fix = "put a folder in place of the file above it; nothing was written";
                    return Err(Astray::Elsewhere(Problem::of_file("lies below a file", fix)));
                }
                Err(error) => {
                    return Err(Astray::Unknown(Problem::of_file(
                        error.to_string(),
                        "make the folders above it readable; nothing was written",
                    )));
                }
                Ok(metadata) if metadata.is_symlink() => fs::canonicalize(&next).map_err(|error| {
                    let fix = "delete the link; nothing was written";
                    let problem = Problem::of_file("a link on the way to it leads nowhere", fix);
                    // Behind a folder that must not be entered there may be something.
                    let is_hidden = error.kind() == io::ErrorKind::PermissionDenied;
                    if is_hidden { Astray::Unknown(problem) } else { Astray::Elsewhere(problem) }
                })?,
                Ok(_) => next,
            };
            let inside = real.strip_prefix(&self.top).map_err(|_| {
                let fix = "put a folder or a file in place of the link; nothing was written";
                Astray::Elsewhere(Problem::of_file("a link on the way to it leads out of the repository", fix))
            })?;
            if inside.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
                let fix = "put a folder or a file in place of the link; nothing was written";
                let problem = Problem::of_file("a link on the way to it leads into git's own folder", fix);
                return Err(Astray::Elsewhere(problem));
            }
        }
        Ok(real)
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}
