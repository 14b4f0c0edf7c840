//! Where a path lies: in which work tree, below which projects.

use std::fs;
use std::path::{Component, Path, PathBuf};

use bstr::{BString, ByteSlice};

use crate::config;
use crate::criteria::folder;
use crate::openspec::project::FOLDER;
use crate::repo::snapshot::join;

/// Most links followed on the way to one path.
const MAX_LINKS: usize = 40;

/// The top of the work tree a folder lies in, links resolved: the nearest folder with `.git`, or without one the
/// farthest that holds an OpenSpec project. None: nothing here is ours.
pub fn top(folder: &Path) -> Option<PathBuf> {
    let folder = resolved(folder);
    let git = folder.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok());
    git.or_else(|| folder.ancestors().filter(|above| is_project(above)).last()).map(Path::to_owned)
}

/// Whether a folder holds an OpenSpec project.
pub fn is_project(folder: &Path) -> bool {
    let openspec = folder.join(FOLDER);
    ["specs", "changes", folder::FOLDER].iter().any(|name| openspec.join(name).is_dir())
        || [config::FILE, "config.yaml"].iter().any(|name| openspec.join(name).is_file())
}

/// The project a path below the top belongs to, as a path from the top: the outermost, for a project inside of another
/// one is test data.
pub(super) fn project(top: &Path, path: &Path) -> Option<BString> {
    let above: Vec<&Path> = path.ancestors().take_while(|above| above.starts_with(top)).collect();
    let root = above.into_iter().rev().find(|above| is_project(above))?;
    below(top, root)
}

/// Whether there is a project at the top, or on the way from there to a folder.
pub fn has_project(top: &Path, folder: &Path) -> bool {
    project(top, &resolved(folder)).is_some()
}

/// A path as it is called from the top. None outside of it, and where a name is no text.
pub(super) fn below(top: &Path, path: &Path) -> Option<BString> {
    let mut found = BString::default();
    for part in path.strip_prefix(top).ok()?.components() {
        match part {
            Component::Normal(name) => found = join(found.as_ref(), name.as_encoded_bytes().as_bstr()),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(found)
}

/// A path without `.` and `..`, links left alone.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                found.pop();
            }
            part => found.push(part),
        }
    }
    found
}

/// Where a path leads: every link followed, the last one too, whether or not the file is there.
pub(super) fn resolved(path: &Path) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    let mut found = PathBuf::new();
    let mut todo: Vec<std::ffi::OsString> = Vec::new();
    let push = |todo: &mut Vec<std::ffi::OsString>, path: &Path| {
        todo.extend(path.components().rev().map(|part| part.as_os_str().to_owned()));
    };
    push(&mut todo, path);
    let mut links = 0;
    while let Some(part) = todo.pop() {
        match Path::new(&part).components().next() {
            Some(Component::CurDir) | None => {}
            Some(Component::ParentDir) => {
                found.pop();
            }
            Some(Component::Normal(name)) => {
                let next = found.join(name);
                match fs::read_link(&next).ok().filter(|_| links < MAX_LINKS) {
                    Some(to) => {
                        links += 1;
                        push(&mut todo, &to);
                    }
                    None => found = next,
                }
            }
            // A root, which begins the path anew.
            Some(start) => found.push(start),
        }
    }
    found
}
