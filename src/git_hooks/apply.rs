//! Changes hooks: all of what was planned or nothing.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::plan::{Planned, Step, fault};
use crate::agents::problem::Fault;
use crate::agents::write::runnable;
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
    /// Made a link.
    Linked(PathBuf),
    /// Deleted a link, which led there.
    Unlinked(PathBuf, PathBuf),
    /// Deleted an empty folder.
    Tidied(PathBuf),
    /// Written or deleted, and where the old file was put aside.
    Replaced(PathBuf, Option<PathBuf>),
}

/// Why a step was not taken.
struct NotTaken(Fault);

impl From<(PathBuf, io::Error)> for NotTaken {
    fn from((path, error): (PathBuf, io::Error)) -> Self {
        let fix = "make it and its folder writable, and run the command again";
        Self(fault(&path, error.to_string(), fix))
    }
}

/// Takes all steps of a plan. When one cannot be taken, those before are undone.
///
/// # Errors
/// When a file cannot be written, or is not as it was when the plan was made.
pub fn apply(planned: &[Planned]) -> Result<Applied, Fault> {
    let mut applied = Applied::default();
    for step in planned.iter().flat_map(|planned| &planned.steps) {
        if let Err(NotTaken(fault)) = applied.take(step) {
            applied.undo();
            return Err(fault);
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
                Done::Linked(path) => drop(fs::remove_file(path)),
                Done::Unlinked(path, target) => drop(link(&target, &path)),
                Done::Tidied(folder) => drop(fs::create_dir(folder)),
                Done::Replaced(path, aside) => match aside {
                    Some(aside) => drop(fs::rename(aside, path)),
                    None => drop(fs::remove_file(path)),
                },
            }
        }
        self.made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    }

    fn take(&mut self, step: &Step) -> Result<(), NotTaken> {
        match step {
            Step::Move(from, to) => {
                self.make_way(to)?;
                fs::rename(from, to).map_err(|error| (from.clone(), error))?;
                self.done.push(Done::Moved(from.clone(), to.clone()));
            }
            Step::MoveLink { from, to, target } => {
                self.make_way(to)?;
                link(target, to).map_err(|error| (to.clone(), error))?;
                self.done.push(Done::Linked(to.clone()));
                let failed = |error| (from.clone(), error);
                let old = fs::read_link(from).map_err(failed)?;
                fs::remove_file(from).map_err(failed)?;
                self.done.push(Done::Unlinked(from.clone(), old));
            }
            Step::Tidy(folder) => {
                // Something else is in it, or it is gone: both are well.
                if fs::remove_dir(folder).is_ok() {
                    self.done.push(Done::Tidied(folder.clone()));
                }
            }
            Step::Delete(path) => {
                let aside = put_aside(path)?;
                self.done.push(Done::Replaced(path.clone(), Some(aside)));
            }
            Step::Write { path, before, text } => {
                self.write(path, before.as_deref(), text)?;
            }
        }
        Ok(())
    }

    /// Makes the folder of a file that will be there, and is not yet.
    fn make_way(&mut self, path: &Path) -> Result<(), NotTaken> {
        if fs::symlink_metadata(path).is_ok() {
            return Err((path.to_owned(), io::Error::other("is there, and would be lost")).into());
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        Ok(make_folders(folder, &mut self.made).map_err(|error| (folder.to_owned(), error))?)
    }

    fn write(&mut self, path: &Path, before: Option<&[u8]>, text: &str) -> Result<(), NotTaken> {
        let failed = |error| NotTaken::from((path.to_owned(), error));
        let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        // Whatever else came to lie there is refused below, and not waited for.
        let now = if is_file { Some(fs::read(path).map_err(failed)?) } else { None };
        if now.as_deref() != before {
            return Err(failed(io::Error::other("changed while it was looked at")));
        }
        let new = self.beside(path, text).map_err(failed)?;
        let aside = if now.is_some() { Some(put_aside(path)?) } else { None };
        self.done.push(Done::Replaced(path.to_owned(), aside));
        new.persist_noclobber(path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Writes a program beside the place where it will be.
    fn beside(&mut self, path: &Path, text: &str) -> io::Result<NamedTempFile> {
        let folder = path.parent().unwrap_or(Path::new("."));
        make_folders(folder, &mut self.made)?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let mut new = builder.tempfile_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.flush()?;
        if let Ok(old) = fs::metadata(path) {
            new.as_file().set_permissions(runnable(old.permissions()))?;
        }
        Ok(new)
    }
}

/// Gives a file a name that nobody looks for.
fn put_aside(path: &Path) -> Result<PathBuf, NotTaken> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".specward-old");
    let aside = path.with_file_name(name);
    if fs::symlink_metadata(&aside).is_ok() {
        let message = "is in the way: a run that was interrupted left it";
        let fix = "look whether it holds anything that you want to keep, remove it, and run the command again";
        return Err(NotTaken(fault(&aside, message, fix)));
    }
    fs::rename(path, &aside).map_err(|error| (path.to_owned(), error))?;
    Ok(aside)
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(windows)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, path)
}
