//! Finds the projects of a repository: folders with an `openspec/` that has specs or changes.

use bstr::{BStr, BString, ByteSlice};

use crate::config::{self, Config, ConfigError};
use crate::openspec::project::{FOLDER, Project};
use crate::repo::snapshot::{Kind, Snapshot, join};
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
pub(super) fn below(snapshot: &dyn Snapshot, top: &BStr) -> Vec<BString> {
    let mut found = Vec::new();
    let mut todo = vec![(top.to_owned(), 0)];
    while let Some((folder, depth)) = todo.pop() {
        for entry in snapshot.list(folder.as_ref()).unwrap_or_default() {
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
    found
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

    #[test]
    fn up_to_the_top() {
        assert_eq!(upwards("a/b".into()), ["a/b", "a", ""]);
        assert_eq!(upwards("".into()), [""]);
        assert_eq!(configured("./a//b/"), "a/b");
    }
}
