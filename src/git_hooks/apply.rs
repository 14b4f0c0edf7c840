//! Changes hooks: all of what was planned or nothing.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::plan::{Planned, Step, fault};
use crate::agents::problem::Fault;
use crate::folders::make_folders;

/// What was done, for whoever has to undo it.
#[derive(Debug, Default)]
#[must_use = "what was put aside stays there until this is kept or undone"]
pub struct Applied {
    /// In order.
    done: Vec<Done>,
    /// Folders that were made.
    made: Vec<PathBuf>,
}

#[derive(Debug)]
enum Done {
    /// Renamed, from and to.
    Moved(PathBuf, PathBuf),
    /// Written or deleted, and where the old file was put aside.
    Replaced(PathBuf, Option<PathBuf>),
}

/// Takes all steps of a plan. When one cannot be taken, those before are undone.
///
/// # Errors
/// When a file cannot be written, or is not as it was when the plan was made.
pub fn apply(planned: &[Planned]) -> Result<Applied, Fault> {
    let mut applied = Applied::default();
    for step in planned.iter().flat_map(|planned| &planned.steps) {
        if let Err((path, error)) = applied.take(step) {
            applied.undo();
            return Err(fault(&path, error.to_string(), "make it and its folder writable, and run the command again"));
        }
    }
    Ok(applied)
}

impl Applied {
    /// Leaves it at that.
    pub fn keep(self) {
        for done in self.done {
            if let Done::Replaced(_, Some(aside)) = done {
                drop(fs::remove_file(aside));
            }
        }
    }

    /// Puts everything back.
    pub fn undo(self) {
        // There is nothing left to do about one that cannot be put back.
        for done in self.done.into_iter().rev() {
            match done {
                Done::Moved(from, to) => drop(fs::rename(to, from)),
                Done::Replaced(path, aside) => match aside {
                    Some(aside) => drop(fs::rename(aside, path)),
                    None => drop(fs::remove_file(path)),
                },
            }
        }
        self.made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    }

    fn take(&mut self, step: &Step) -> Result<(), (PathBuf, io::Error)> {
        match step {
            Step::Move(from, to) => {
                let failed = |error| (from.clone(), error);
                if fs::symlink_metadata(to).is_ok() {
                    return Err((to.clone(), io::Error::other("is there, and would be lost")));
                }
                fs::rename(from, to).map_err(failed)?;
                self.done.push(Done::Moved(from.clone(), to.clone()));
            }
            Step::Delete(path) => {
                let aside = put_aside(path).map_err(|error| (path.clone(), error))?;
                self.done.push(Done::Replaced(path.clone(), Some(aside)));
            }
            Step::Write { path, before, text } => {
                self.write(path, before.as_deref(), text).map_err(|error| (path.clone(), error))?;
            }
        }
        Ok(())
    }

    fn write(&mut self, path: &Path, before: Option<&[u8]>, text: &str) -> io::Result<()> {
        let now = match fs::read(path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if now.as_deref() != before {
            return Err(io::Error::other("changed while it was looked at"));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        make_folders(folder, &mut self.made)?;
        let mut new = beside(folder)?;
        new.write_all(text.as_bytes())?;
        new.flush()?;
        if let Ok(old) = fs::metadata(path) {
            new.as_file().set_permissions(runnable(old.permissions()))?;
        }
        let aside = if now.is_some() { Some(put_aside(path)?) } else { None };
        self.done.push(Done::Replaced(path.to_owned(), aside));
        new.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Gives a file a name that nobody looks for.
fn put_aside(path: &Path) -> io::Result<PathBuf> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".specward-old");
    let aside = path.with_file_name(name);
    if fs::symlink_metadata(&aside).is_ok() {
        return Err(io::Error::other(format!("{} is in the way", aside.display())));
    }
    fs::rename(path, &aside)?;
    Ok(aside)
}

fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    builder.tempfile_in(folder)
}

/// Who may read a file may run it.
#[cfg(unix)]
fn runnable(mut permissions: fs::Permissions) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    let mode = permissions.mode();
    permissions.set_mode(mode | (mode & 0o444) >> 2);
    permissions
}

#[cfg(not(unix))]
fn runnable(permissions: fs::Permissions) -> fs::Permissions {
    permissions
}
