//! Finds the projects of a repository: folders with an `openspec/` that has specs or changes.

use bstr::{BStr, BString, ByteSlice};

use super::verify::{Stop, unverifiable};
use crate::config::{self, Config, ConfigError};
use crate::openspec::project::{FOLDER, Project};
use crate::repo::snapshot::{Kind, ReadError, Snapshot, join};
use crate::report::display_path;

/// Folders that hold no project of ours, however many `openspec/` they contain.
const NOT_ENTERED: &[&[u8]] = &[b".git", b"node_modules", b"target", b"vendor"];

/// Folders are searched this deep below the top when no folder above is a project.
const SEARCH_DEPTH: usize = 8;

/// A folder and the ones above it, nearest first, the top (empty) last.
pub(super) fn upwards(from: &BStr) -> Vec<BString> {
    let mut folders = vec![from.to_owned()];
    let mut rest = from;
    while let Some(at) = rest.rfind("/") {
        rest = rest[..at].as_bstr();
        folders.push(rest.to_owned());
    }
    if !from.is_empty() {
        folders.push(BString::default());
    }
    folders
}

/// Whether a folder holds a project.
pub(super) fn is_project(snapshot: &dyn Snapshot, folder: &BStr) -> bool {
    Project::new(snapshot, folder).has_planning_folders()
}

/// The nearest project at or above a folder.
pub(super) fn nearest(snapshot: &dyn Snapshot, from: &BStr) -> Option<BString> {
    upwards(from).into_iter().find(|folder| is_project(snapshot, folder.as_ref()))
}

/// The nearest configuration at or above a folder, as the folder that holds its `openspec/`.
pub(super) fn nearest_config(snapshot: &dyn Snapshot, from: &BStr) -> Option<BString> {
    let has_config = |folder: &BString| {
        let openspec = join(folder.as_ref(), FOLDER);
        snapshot.followed_kind(join(openspec.as_ref(), config::FILE).as_ref()).is_ok()
    };
    upwards(from).into_iter().find(has_config)
}

/// Every project below a folder, sorted. Only looked for when no project is above: in most repositories the first
/// look at the top ends the search.
///
/// # Errors
/// The first folder that is there and cannot be listed: it may hold a project nobody would judge.
pub(super) fn below(snapshot: &dyn Snapshot, top: &BStr) -> Result<Vec<BString>, Stop> {
    let mut found = Vec::new();
    let mut todo = vec![(top.to_owned(), 0)];
    while let Some((folder, depth)) = todo.pop() {
        let entries = match snapshot.list(folder.as_ref()) {
            Err(ReadError::Missing | ReadError::NotADirectory) => continue,
            Err(error) => {
                let shown = display_path(folder.as_ref());
                let message = format!("{shown} was not searched for OpenSpec projects: {error}");
                return Err(unverifiable(message, "make the folder readable, or run specward in the project's folder"));
            }
            Ok(entries) => entries,
        };
        for entry in entries {
            if entry.kind != Kind::Dir || NOT_ENTERED.contains(&entry.name.as_slice()) {
                continue;
            }
            if entry.name == FOLDER && is_project(snapshot, folder.as_ref()) {
                found.push(folder.clone());
            } else if depth < SEARCH_DEPTH {
                todo.push((join(folder.as_ref(), &entry.name), depth + 1));
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The projects a configuration lists. One that no side has is a spelling mistake, and would be a project nobody judges.
///
/// # Errors
/// The first that is nowhere.
pub(super) fn listed(config: &Config, path: &BStr, sides: &[&dyn Snapshot]) -> Result<Vec<BString>, ConfigError> {
    let mut roots: Vec<BString> = config.roots.iter().map(|root| configured(root)).collect();
    let is_nowhere = |root: &&BString| !sides.iter().any(|side| is_project(*side, root.as_ref()));
    match roots.iter().find(is_nowhere) {
        None => {
            roots.sort();
            roots.dedup();
            Ok(roots)
        }
        Some(root) => Err(ConfigError {
            path: display_path(path),
            line: config.roots_line,
            message: format!("roots: `{}` holds no openspec/ with specs or changes", display_path(root.as_ref())),
        }),
    }
}

/// A folder given in a configuration, as a path from the top: no `.`, no final slash.
pub(super) fn configured(root: &str) -> BString {
    let parts: Vec<&str> = root.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    BString::from(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::snapshot::Entry;

    /// A tree whose folder `locked` cannot be listed.
    struct Locked;

    impl Snapshot for Locked {
        fn list(&self, dir: &BStr) -> Result<Vec<Entry>, ReadError> {
            match dir.to_str_lossy().as_ref() {
                "" => Ok(vec![Entry { name: "locked".into(), kind: Kind::Dir }]),
                "locked" => Err(ReadError::Io("permission denied".to_owned())),
                _ => Err(ReadError::Missing),
            }
        }

        fn read(&self, _: &BStr) -> Result<Vec<u8>, ReadError> {
            Err(ReadError::Missing)
        }

        fn kind(&self, _: &BStr) -> Result<Kind, ReadError> {
            Err(ReadError::Missing)
        }

        fn resolve(&self, path: &BStr) -> Result<BString, ReadError> {
            Ok(path.to_owned())
        }
    }

    #[test]
    fn a_folder_that_cannot_be_searched_is_told() {
        let Err(Stop::Unverifiable(reason)) = below(&Locked, "".into()) else { panic!("not told") };
        assert!(reason.message.starts_with("locked was not searched"), "{}", reason.message);
        assert!(below(&Locked, "nowhere".into()).is_ok_and(|found| found.is_empty()));
    }

    #[test]
    fn up_to_the_top() {
        assert_eq!(upwards("a/b".into()), ["a/b", "a", ""]);
        assert_eq!(upwards("".into()), [""]);
        assert_eq!(configured("./a//b/"), "a/b");
    }
}
