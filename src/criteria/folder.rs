//! Finds the files of criteria below `openspec/verify/`.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::file::{self, FileFault};
use super::model::Criterion;
use crate::openspec::discovery::not_entered;
use crate::openspec::project::Project;
use crate::repo::snapshot::{Entry, Kind, ReadError, join};

/// The folder inside `openspec/`.
pub const FOLDER: &str = "verify";

/// Ends of a file's name, in the order in which they are looked for.
const EXTENSIONS: [&str; 2] = [".yaml", ".yml"];

/// Folders inside each other that are looked into.
const MAX_DEPTH: usize = 32;

/// A file of criteria.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriteriaFile {
    /// From the top of the tree.
    pub path: BString,
    /// The folders and the name below `openspec/verify/`, without the extension.
    pub capability: String,
    /// What it holds.
    pub outcome: Result<Vec<Criterion>, Fault>,
}

/// Why a file of criteria, or a folder of them, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It could not be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// What it says makes no sense.
    #[error(transparent)]
    Bad(#[from] FileFault),
    /// Its name is one that nobody looks for.
    #[error("files of criteria are called `<capability>.yaml`, in small letters at the end: this one is not read")]
    Name,
    /// The same capability has another file; its path.
    #[error("`{0}` is for the same capability; put both into one file")]
    Twice(BString),
}

impl Fault {
    /// 0-based line it is about.
    pub fn line(&self) -> usize {
        match self {
            Self::Bad(fault) => fault.line,
            _ => 0,
        }
    }
}

impl CriteriaFile {
    /// Its criteria; none when it cannot be used.
    pub fn criteria(&self) -> &[Criterion] {
        self.outcome.as_deref().unwrap_or_default()
    }
}

/// The criteria of one capability. None when it has no file.
pub fn load(project: &Project<'_>, capability: &str) -> Option<CriteriaFile> {
    if capability.split('/').any(|part| part.is_empty() || part.starts_with('.')) {
        return None;
    }
    let mut dir = project.path(FOLDER);
    let (folders, name) = capability.rsplit_once('/').map_or((None, capability), |(dir, name)| (Some(dir), name));
    // The same links lead nowhere as when all are loaded.
    for part in std::iter::once(None).chain(folders.into_iter().flat_map(|folders| folders.split('/').map(Some))) {
        if let Some(part) = part {
            dir = join(dir.as_ref(), part);
        }
        let is_top = part.is_none();
        let error = match project.snapshot().kind(dir.as_ref()) {
            Ok(Kind::Dir) => continue,
            Err(ReadError::Missing | ReadError::NotADirectory) => return None,
            // Beside folders of capabilities a file may be called anything.
            Ok(Kind::File | Kind::Executable) if !is_top => return None,
            Ok(Kind::Link) => not_entered(project.snapshot(), dir.as_ref()).unwrap_or(ReadError::NotADirectory),
            Ok(_) => ReadError::NotADirectory,
            Err(error) => error,
        };
        // What may be there and cannot be read is not nothing.
        let capability = capability.to_owned();
        return Some(CriteriaFile { path: dir, capability, outcome: Err(Fault::Unreadable(error)) });
    }
    let paths = EXTENSIONS.map(|extension| join(dir.as_ref(), format!("{name}{extension}")));
    let is_nothing = |kind| matches!(kind, Ok(Kind::Dir) | Err(ReadError::Missing | ReadError::NotADirectory));
    let there = |path: &&BString| !is_nothing(project.snapshot().kind(path.as_ref()));
    let paths: Vec<&BString> = paths.iter().filter(there).collect();
    let (path, other) = (*paths.first()?, paths.get(1));
    Some(read(project, capability, path.as_ref(), other.map(|path| path.as_bstr())))
}

/// All files of criteria of a project, sorted by capability. A folder that cannot be listed is one that cannot be used.
pub fn load_all(project: &Project<'_>) -> Vec<CriteriaFile> {
    let mut walk = Walk { project, by_capability: BTreeMap::new(), faults: Vec::new() };
    let top = project.path(FOLDER);
    match project.snapshot().kind(top.as_ref()) {
        Ok(Kind::Dir) => walk.folder(top.as_ref(), "", 0),
        Err(ReadError::Missing) => {}
        Ok(Kind::Link) => {
            let error = not_entered(project.snapshot(), top.as_ref()).unwrap_or(ReadError::NotADirectory);
            walk.fault("", top, error);
        }
        Ok(_) => walk.fault("", top, ReadError::NotADirectory),
        Err(error) => walk.fault("", top, error),
    }
    let mut files = walk.faults;
    for (capability, paths) in &walk.by_capability {
        let other = paths.get(1).map(|path| path.as_bstr());
        files.push(read(project, capability, paths[0].as_ref(), other));
    }
    files.sort_by(|a, b| (&a.capability, &a.path).cmp(&(&b.capability, &b.path)));
    files
}

/// Whether a path is that of a file of criteria, and of which capability, when it is given from `openspec/verify/`.
pub fn capability_of(inner: &BStr) -> Option<String> {
    let name = EXTENSIONS.iter().find_map(|extension| inner.strip_suffix(extension.as_bytes()))?;
    let is_part = |part: &[u8]| !part.is_empty() && !part.starts_with(b".");
    name.split_str("/").all(is_part).then(|| name.to_str_lossy().into_owned())
}

/// Whether a file that is not read was meant to be: `auth.YAML`.
fn is_meant(name: &BStr) -> bool {
    let lower = name.to_ascii_lowercase();
    EXTENSIONS.iter().any(|extension| lower.ends_with(extension.as_bytes()))
}

struct Walk<'p> {
    project: &'p Project<'p>,
    by_capability: BTreeMap<String, Vec<BString>>,
    faults: Vec<CriteriaFile>,
}

impl Walk<'_> {
    fn folder(&mut self, dir: &BStr, prefix: &str, depth: usize) {
        if depth > MAX_DEPTH {
            let error = ReadError::Io(format!("more than {MAX_DEPTH} folders lie inside each other"));
            return self.fault(prefix.trim_end_matches('/'), dir.to_owned(), error);
        }
        let mut entries = match self.project.snapshot().list(dir) {
            Ok(entries) => entries,
            Err(error) => return self.fault(prefix.trim_end_matches('/'), dir.to_owned(), error),
        };
        // `.yaml` before `.yml`.
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for Entry { name, kind } in entries {
            if name.starts_with(b".") {
                continue;
            }
            let path = join(dir, &name);
            if let (Some(capability), true) = (capability_of(name.as_ref()), kind != Kind::Dir) {
                self.by_capability.entry(format!("{prefix}{capability}")).or_default().push(path);
                continue;
            }
            let inner = format!("{prefix}{}", name.to_str_lossy());
            match kind {
                Kind::Dir => self.folder(path.as_ref(), &format!("{inner}/"), depth + 1),
                // Its files would look as if they counted.
                Kind::Link => {
                    if let Some(error) = not_entered(self.project.snapshot(), path.as_ref()) {
                        self.fault(&inner, path, error);
                    }
                }
                Kind::Submodule => self.fault(&inner, path, ReadError::NotAFile),
                _ if is_meant(name.as_ref()) => {
                    self.faults.push(CriteriaFile { path, capability: inner, outcome: Err(Fault::Name) });
                }
                Kind::File | Kind::Executable | Kind::Special => {}
            }
        }
    }

    fn fault(&mut self, capability: &str, path: BString, error: ReadError) {
        let capability = capability.to_owned();
        self.faults.push(CriteriaFile { path, capability, outcome: Err(Fault::Unreadable(error)) });
    }
}

fn read(project: &Project<'_>, capability: &str, path: &BStr, other: Option<&BStr>) -> CriteriaFile {
    let outcome = || match other {
        Some(other) => Err(Fault::Twice(other.to_owned())),
        None => Ok(file::parse(&project.snapshot().read(path)?, path, capability)?),
    };
    CriteriaFile { path: path.to_owned(), capability: capability.to_owned(), outcome: outcome() }
}

#[cfg(test)]
mod tests;
