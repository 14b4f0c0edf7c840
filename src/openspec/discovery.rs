//! Finds the `spec.md` files below a `specs/` folder, of a project or of a change.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use bstr::{BStr, BString, ByteSlice};

use super::spec::Spec;
use crate::repo::snapshot::{Entry, Kind, ReadError, Snapshot, join};

/// Main specs of a project.
#[derive(Default)]
pub struct SpecTree {
    /// Sorted by id.
    pub files: Vec<Arc<SpecFile>>,
    by_id: HashMap<String, usize>,
    /// What is called `spec.md` and is no file. The reference passes over it.
    pub odd: Vec<(BString, ReadError)>,
    /// Folders that could not be listed.
    pub unreadable: Vec<(BString, ReadError)>,
}

/// One `spec.md`.
#[derive(Debug)]
pub struct SpecFile {
    /// Folders below `specs/`, joined by `/`.
    pub id: String,
    /// Path from the snapshot's top.
    pub path: BString,
    /// Set when the file is a link that must not be followed.
    pub refused: Option<ReadError>,
    pub(super) parsed: OnceLock<Result<Spec, ReadError>>,
}

impl SpecTree {
    pub(super) fn discover(snapshot: &dyn Snapshot, top: &BStr) -> Self {
        let mut tree = Self::default();
        let found = walk_specs(snapshot, top, &mut |_, _| {});
        tree.unreadable = found.unreadable;
        tree.odd = found.odd;
        for (id, path, refused) in found.specs {
            tree.files.push(Arc::new(SpecFile::new(id, path, refused)));
        }
        tree.files.sort_by(|a, b| a.id.cmp(&b.id));
        tree.by_id = tree.files.iter().enumerate().map(|(at, file)| (file.id.clone(), at)).collect();
        tree
    }

    /// A spec by its capability.
    pub fn get(&self, id: &str) -> Option<Arc<SpecFile>> {
        self.by_id.get(id).map(|at| Arc::clone(&self.files[*at]))
    }
}

impl SpecFile {
    pub(super) fn new(id: String, path: BString, refused: Option<ReadError>) -> Self {
        Self { id, path, refused, parsed: OnceLock::new() }
    }
}

/// One capability's `spec.md`, under the conditions [`walk_specs`] would find it.
pub(super) fn find_spec(snapshot: &dyn Snapshot, top: &BStr, id: &BStr) -> Option<(BString, Option<ReadError>)> {
    let mut dir = top.to_owned();
    for part in id.split_str("/") {
        if part.is_empty() || part.starts_with(b".") {
            return None;
        }
        dir = join(dir.as_ref(), part);
        if snapshot.kind(dir.as_ref()) != Ok(Kind::Dir) {
            return None;
        }
    }
    let path = join(dir.as_ref(), "spec.md");
    match snapshot.kind(path.as_ref()).ok()? {
        Kind::File | Kind::Executable => Some((path, None)),
        Kind::Link => {
            let refused = linked_spec(snapshot, top, dir.as_ref(), path.as_ref()).ok()?;
            Some((path, refused))
        }
        _ => None,
    }
}

/// What [`walk_specs`] found.
#[derive(Default)]
pub(super) struct FoundSpecs {
    /// Capability, path, and why a link was refused.
    pub specs: Vec<(String, BString, Option<ReadError>)>,
    /// What is called `spec.md` and is no file, and linked folders.
    pub odd: Vec<(BString, ReadError)>,
    /// Folders that could not be listed, the top included unless it is missing.
    pub unreadable: Vec<(BString, ReadError)>,
}

/// Finds every `spec.md` below a capability folder. Dot names are skipped, linked folders not entered. Every other
/// file or link is handed to `other` with its path relative to `top`.
pub(super) fn walk_specs(snapshot: &dyn Snapshot, top: &BStr, other: &mut dyn FnMut(&BStr, Kind)) -> FoundSpecs {
    let mut found = FoundSpecs::default();
    let mut folders: Vec<BString> = vec![BString::default()];
    while let Some(folder) = folders.pop() {
        let dir = if folder.is_empty() { top.to_owned() } else { join(top, &folder) };
        let entries = match snapshot.list(dir.as_ref()) {
            Ok(entries) => entries,
            Err(ReadError::Missing) => continue,
            Err(error) => {
                found.unreadable.push((dir, error));
                continue;
            }
        };
        for Entry { name, kind } in entries {
            if name.starts_with(b".") {
                continue;
            }
            let relative = join(folder.as_ref(), &name);
            if name == "spec.md" && !folder.is_empty() {
                let path = join(top, &relative);
                match kind {
                    Kind::Dir => found.odd.push((path, ReadError::IsADirectory)),
                    Kind::Special | Kind::Submodule => found.odd.push((path, ReadError::NotAFile)),
                    _ => {}
                }
            }
            match kind {
                Kind::Submodule if name != "spec.md" => found.odd.push((join(top, &relative), ReadError::NotAFile)),
                Kind::Dir => folders.push(relative),
                Kind::File | Kind::Executable | Kind::Link if name == "spec.md" && !folder.is_empty() => {
                    let path = join(top, &relative);
                    let refused = if kind == Kind::Link {
                        linked_spec(snapshot, top, dir.as_ref(), path.as_ref())
                    } else {
                        Ok(None)
                    };
                    // A link to nowhere or to a folder is no content.
                    match refused {
                        Ok(refused) => found.specs.push((folder.to_str_lossy().into_owned(), path, refused)),
                        Err(error @ (ReadError::Missing | ReadError::Dangling(_) | ReadError::NotAFile)) => {
                            found.odd.push((path, error));
                        }
                        Err(error) => found.specs.push((folder.to_str_lossy().into_owned(), path, Some(error))),
                    }
                }
                Kind::Link => {
                    let path = join(top, &relative);
                    found.odd.extend(not_entered(snapshot, path.as_ref()).map(|error| (path, error)));
                    other(relative.as_ref(), kind);
                }
                _ => other(relative.as_ref(), kind),
            }
        }
    }
    found
}

/// Why readers of specs pass over what a link leads to. None when that is a file, which holds no items.
pub fn not_entered(snapshot: &dyn Snapshot, link: &BStr) -> Option<ReadError> {
    match snapshot.followed_kind(link) {
        Ok(Kind::Dir) => Some(ReadError::LinkedFolder),
        Ok(_) => None,
        Err(error) => Some(error),
    }
}

/// Whether a linked `spec.md` counts. It must lie in `specs/` or in its own capability, links followed.
fn linked_spec(snapshot: &dyn Snapshot, top: &BStr, dir: &BStr, path: &BStr) -> Result<Option<ReadError>, ReadError> {
    let real = match snapshot.resolve(path) {
        Ok(real) => real,
        Err(outside @ ReadError::Outside(_)) => return Ok(Some(outside)),
        Err(error) => return Err(error),
    };
    if !snapshot.kind(real.as_ref())?.is_file() {
        return Err(ReadError::NotAFile);
    }
    let inside = [top, dir].iter().any(|folder| {
        snapshot.resolve(folder).is_ok_and(|folder| real.starts_with(&[folder.as_slice(), b"/"].concat()))
    });
    Ok((!inside).then(|| ReadError::Outside(format!("-> {real}"))))
}
