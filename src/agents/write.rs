//! Writes what was planned: all of it or none.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::place::Place;
use super::plan::Planned;
use super::problem::{Fault, Problem, fix_for};
use crate::folders::make_folders;

/// A file that is ready, beside the one whose place it takes. None when that one is deleted.
struct Staged<'p> {
    planned: &'p Planned,
    new: Option<TempPath>,
}

/// Writes and deletes files, and folders that are left empty. When one cannot be, those before are put back.
///
/// # Errors
/// When one cannot be written or deleted, or is not as it was when the plan was made.
pub fn all<'p>(place: &Place, changes: impl Iterator<Item = &'p Planned>) -> Result<(), Fault> {
    let mut made = Vec::new();
    let staged: Result<Vec<Staged<'_>>, Fault> = changes.map(|planned| stage(place, planned, &mut made)).collect();
    let result = staged.and_then(take_places);
    match &result {
        Ok(removed) => removed.iter().for_each(|path| remove_empty(place, path)),
        // Only folders that hold nothing go.
        Err(_) => made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder))),
    }
    result.map(drop)
}

fn stage<'p>(place: &Place, planned: &'p Planned, made: &mut Vec<PathBuf>) -> Result<Staged<'p>, Fault> {
    if place.read(&planned.path)?.text != planned.before {
        let problem = Problem::of_file("changed while it was looked at", "run the command again; nothing was written");
        return Err(problem.in_file(&planned.path));
    }
    let failed = |error: io::Error| unwritten(planned, &error);
    let old = match fs::metadata(&planned.real) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        return Err(failed(io::Error::other("must not be written to")));
    }
    let folder = planned.real.parent().unwrap_or(place.top());
    make_folders(folder, made).map_err(failed)?;
    let mut new = empty_beside(folder, planned.is_executable).map_err(failed)?;
    let Some(text) = &planned.after else {
        // That a file could be made there shows that one can be deleted.
        return Ok(Staged { planned, new: None });
    };
    new.write_all(text.as_bytes()).and_then(|()| new.flush()).map_err(failed)?;
    // Who may read the old file may read the new one, and nobody else.
    if let Some(old) = old {
        keep_owner(new.as_file(), &old);
        let permissions = if planned.is_executable { runnable(old.permissions()) } else { old.permissions() };
        new.as_file().set_permissions(permissions).map_err(failed)?;
    }
    // A closed file does not count among those that may be open at once.
    Ok(Staged { planned, new: Some(new.into_temp_path()) })
}

/// Gives a new file to whom the old one belongs, as far as one may: a file of another person stays theirs when root
/// writes to it.
#[cfg(unix)]
fn keep_owner(new: &fs::File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    drop(fchown(new, None, Some(old.gid())));
    drop(fchown(new, Some(old.uid()), None));
}

#[cfg(not(unix))]
fn keep_owner(_: &fs::File, _: &fs::Metadata) {}

/// Who may read a file may run it.
#[cfg(unix)]
pub(crate) fn runnable(mut permissions: fs::Permissions) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    let mode = permissions.mode();
    permissions.set_mode(mode | (mode & 0o444) >> 2);
    permissions
}

#[cfg(not(unix))]
pub(crate) fn runnable(permissions: fs::Permissions) -> fs::Permissions {
    permissions
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix marks programs"))]
fn empty_beside(folder: &Path, is_executable: bool) -> io::Result<NamedTempFile> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix sets a mode"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(if is_executable { 0o777 } else { 0o666 }));
    builder.tempfile_in(folder)
}

/// Puts all in their places, and gives the paths of the files that are gone.
fn take_places(staged: Vec<Staged<'_>>) -> Result<Vec<&Path>, Fault> {
    let mut done: Vec<(&Planned, Option<fs::Permissions>)> = Vec::new();
    for Staged { planned, new } in staged {
        let permissions = fs::metadata(&planned.real).map(|metadata| metadata.permissions()).ok();
        let result = match new {
            Some(new) => new.persist(&planned.real).map_err(|error| error.error),
            None => fs::remove_file(&planned.real),
        };
        if let Err(error) = result {
            // There is nothing left to do about one that cannot be put back.
            done.iter().rev().for_each(|(planned, permissions)| drop(put_back(planned, permissions.clone())));
            return Err(unwritten(planned, &error));
        }
        done.push((planned, permissions));
    }
    Ok(done.iter().filter(|(planned, _)| planned.after.is_none()).map(|(planned, _)| planned.real.as_path()).collect())
}

fn put_back(planned: &Planned, permissions: Option<fs::Permissions>) -> io::Result<()> {
    match &planned.before {
        None => fs::remove_file(&planned.real),
        Some(text) => {
            fs::write(&planned.real, text)?;
            permissions.map_or(Ok(()), |permissions| fs::set_permissions(&planned.real, permissions))
        }
    }
}

/// Deletes the folders above a deleted file that hold nothing any more. Git keeps none of them.
fn remove_empty(place: &Place, path: &Path) {
    drop(remove_compiled(path));
    let below_top = path.ancestors().skip(1).take_while(|folder| *folder != place.top());
    for folder in below_top {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

/// Deletes what Python made of a file that is gone.
fn remove_compiled(path: &Path) -> io::Result<()> {
    let (Some(stem), Some("py")) = (path.file_stem(), path.extension().and_then(|it| it.to_str())) else {
        return Ok(());
    };
    let folder = path.with_file_name("__pycache__");
    if !fs::symlink_metadata(&folder)?.is_dir() {
        return Ok(());
    }
    let start = format!("{}.", stem.to_string_lossy());
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&start) && name.ends_with(".pyc") {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir(&folder)
}

fn unwritten(planned: &Planned, error: &io::Error) -> Fault {
    // The name of a file that is gone again helps nobody.
    let message = error.to_string();
    let message = message.split(" at path ").next().unwrap_or_default();
    let fix = fix_for(error, "make the file and its folder writable");
    Problem::of_file(message, format!("{fix}; nothing was written")).in_file(&planned.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(place: &Place, path: &str, before: Option<&str>, after: Option<&str>) -> Planned {
        let real = place.top().join(path);
        let (before, after) = (before.map(str::to_owned), after.map(str::to_owned));
        Planned {
            path: path.to_owned(),
            real,
            before,
            after,
            is_executable: false,
            was_executable: false,
            kept: None,
            note: None,
        }
    }

    #[cfg(unix)]
    #[test]
    fn who_owns_a_file_goes_on_owning_it() {
        use std::os::unix::fs::{MetadataExt, chown};
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::new(folder.path()).expect("a place");
        let path = place.top().join("a");
        fs::write(&path, "old").expect("a file");
        // Only root gives files away; for everybody else the file stays with the one who owns it already.
        drop(chown(&path, Some(4711), Some(4712)));
        let owner = |path: &Path| fs::metadata(path).map(|it| (it.uid(), it.gid())).expect("a file");
        let before = owner(&path);
        all(&place, [&planned(&place, "a", Some("old"), Some("new"))].into_iter()).expect("written");
        assert_eq!((fs::read_to_string(&path).expect("a file").as_str(), owner(&path)), ("new", before));
    }

    #[test]
    fn what_is_wrong_is_told_without_the_name_of_a_passing_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::new(folder.path()).expect("a place");
        let planned = planned(&place, "a", None, Some("x"));
        let error = tempfile::tempfile_in(place.top().join("none")).expect_err("no folder");
        let told = unwritten(&planned, &error);
        assert!(!told.problem.message.contains("none") && told.problem.message.starts_with("No such file"), "{told}");
        let many = io::Error::other("Too many open files (os error 24) at path \"/x/.tmp1\"");
        let told = unwritten(&planned, &many);
        assert!(told.problem.fix.contains("ulimit -n") && !told.problem.message.contains("tmp1"), "{told}");
    }

    #[test]
    fn all_or_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::new(folder.path()).expect("a place");
        let top = place.top().to_owned();
        fs::write(top.join("a"), "old").expect("a file");
        fs::create_dir_all(top.join("x/y")).expect("folders");
        fs::write(top.join("x/y/b"), "gone").expect("a file");
        fs::create_dir_all(top.join("full/inside")).expect("folders");
        let good = [
            planned(&place, "a", Some("old"), Some("new")),
            planned(&place, "x/y/b", Some("gone"), None),
            planned(&place, "n/m/c", None, Some("made")),
        ];
        // A folder that holds something cannot be replaced by a file, which shows only when it is done.
        let bad = Planned { real: top.join("full"), ..planned(&place, "d", None, Some("x")) };
        let fault = all(&place, good.iter().chain([&bad])).expect_err("a fault");
        assert_eq!(fault.path, "d");
        let text = |path: &str| fs::read_to_string(top.join(path)).ok();
        assert_eq!((text("a").as_deref(), text("x/y/b").as_deref(), text("n/m/c")), (Some("old"), Some("gone"), None));
        assert!(!top.join("n").exists());
        assert_eq!(fs::read_dir(&top).expect("a folder").count(), 3, "nothing is left beside them");
        // Somebody wrote to it after the plan was made.
        let stale = planned(&place, "a", Some("older"), Some("new"));
        assert!(all(&place, [&good[2], &stale].into_iter()).is_err_and(|fault| fault.path == "a"));
        assert!(!top.join("n").exists());
        all(&place, good.iter()).expect("written");
        assert_eq!((text("a").as_deref(), text("n/m/c").as_deref()), (Some("new"), Some("made")));
        assert!(!top.join("x").exists(), "folders that are left empty go");
    }
}
