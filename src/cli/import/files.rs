//! The files of a project that an import reads and writes: all of them or none, and none outside of the project.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Files;
use crate::cli::failure::Failure;
use crate::folders::make_folders;
use crate::import::plan::Edit;

/// A project's folder, without links.
pub(super) struct Place<'r> {
    root: &'r Path,
}

/// A file that is written next, beside the one whose place it takes.
struct Staged {
    path: PathBuf,
    new: NamedTempFile,
    before: Option<Vec<u8>>,
}

impl<'r> Place<'r> {
    pub fn new(root: &'r Path) -> Self {
        Self { root }
    }

    /// The files there are of some paths.
    ///
    /// # Errors
    /// When one leads out of the project, is no file, or cannot be read.
    pub fn read_all(&self, paths: &[String]) -> Result<Files, Failure> {
        let mut files = Files::new();
        for path in paths {
            let real = self.real(path)?;
            // Reading a pipe would wait for whoever writes to it.
            if fs::metadata(&real).is_ok_and(|metadata| !metadata.is_file()) {
                return Err(fault(path, "is no regular file", "put a file in its place, or delete it"));
            }
            match fs::read(&real) {
                Ok(bytes) => {
                    let text = String::from_utf8(bytes).map_err(|_| fault(path, "is not UTF-8", "save it as UTF-8"))?;
                    files.insert(path.clone(), text);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(fault(path, &error.to_string(), "put a file that can be read in its place")),
            }
        }
        Ok(files)
    }

    /// Writes files. When one cannot be written, those before are put back.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn write_all(&self, edits: &[Edit]) -> Result<(), Failure> {
        let mut made = Vec::new();
        let result = self.stage(edits, &mut made).and_then(|staged| take_places(staged, edits));
        if result.is_err() {
            // Only folders that hold nothing go.
            made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
        }
        result
    }

    fn stage(&self, edits: &[Edit], made: &mut Vec<PathBuf>) -> Result<Vec<Staged>, Failure> {
        let mut staged = Vec::new();
        for edit in edits {
            let path = self.real(&edit.path)?;
            let failed = |error: io::Error| unwritten(&edit.path, &error);
            let folder = path.parent().unwrap_or(self.root).to_owned();
            make_folders(&folder, made).map_err(failed)?;
            staged.push(stage(path, &folder, &edit.after).map_err(failed)?);
        }
        Ok(staged)
    }

    /// A path once links are followed, as far as anything is there.
    fn real(&self, path: &str) -> Result<PathBuf, Failure> {
        let mut real = self.root.to_owned();
        let outside = || fault(path, "leads out of the project", "put a folder or a file in place of the link");
        let nowhere = || fault(path, "a link on the way to it leads nowhere", "delete the link");
        for part in path.split('/') {
            let next = real.join(part);
            real = match fs::symlink_metadata(&next) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => next.clone(),
                Err(error) => return Err(fault(path, &error.to_string(), "make the folders above it readable")),
                Ok(metadata) if metadata.is_symlink() => fs::canonicalize(&next).map_err(|_| nowhere())?,
                Ok(_) => next.clone(),
            };
            if !real.starts_with(self.root) {
                return Err(outside());
            }
            if real != next && real.is_dir() {
                let message = "lies below a linked folder, in which nothing is read";
                return Err(fault(path, message, "put a folder in place of the link"));
            }
        }
        Ok(real)
    }
}

fn fault(path: &str, message: &str, fix: &str) -> Failure {
    Failure::new("unwritable_target", format!("{path}: {message}")).fix(fix)
}

fn unwritten(path: &str, error: &io::Error) -> Failure {
    let fix = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on the disk",
        _ => "make the folder writable",
    };
    fault(path, &error.to_string(), fix)
}

fn stage(path: PathBuf, folder: &Path, text: &str) -> io::Result<Staged> {
    let before = match fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix sets a mode"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = builder.tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    if let Ok(metadata) = fs::metadata(&path) {
        if metadata.permissions().readonly() {
            return Err(io::Error::other("it must not be written to"));
        }
        new.as_file().set_permissions(metadata.permissions())?;
    }
    Ok(Staged { path, new, before })
}

fn take_places(staged: Vec<Staged>, edits: &[Edit]) -> Result<(), Failure> {
    let mut done: Vec<(PathBuf, Option<Vec<u8>>)> = Vec::new();
    for (file, edit) in staged.into_iter().zip(edits) {
        if let Err(error) = file.new.persist(&file.path) {
            for (path, before) in done.into_iter().rev() {
                // There is nothing left to do about one that cannot be put back.
                drop(before.map_or_else(|| fs::remove_file(&path), |before| fs::write(&path, before)));
            }
            return Err(unwritten(&edit.path, &error.error));
        }
        done.push((file.path, file.before));
    }
    Ok(())
}
