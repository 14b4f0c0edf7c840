//! An OpenSpec project: its root, its items, its schemas. Everything is read through a snapshot.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use super::metadata;
use super::schema::{self, Schema};
use super::spec::Spec;
use crate::repo::snapshot::{Entry, Kind, ReadError, Snapshot, join};

/// The folder every project keeps its specs in.
pub const FOLDER: &str = "openspec";

/// A project inside a snapshot.
pub struct Project<'s> {
    snapshot: &'s dyn Snapshot,
    root: BString,
    folder: BString,
    specs: OnceLock<SpecTree>,
    /// Main specs that were asked for by name before all were listed.
    named: Mutex<HashMap<String, Option<Arc<SpecFile>>>>,
    configured_schema: OnceLock<Option<String>>,
    schema_names: OnceLock<Vec<String>>,
    schemas: Mutex<HashMap<String, Arc<Result<Schema, String>>>>,
}

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
pub struct SpecFile {
    /// Folders below `specs/`, joined by `/`.
    pub id: String,
    /// Path from the snapshot's top.
    pub path: BString,
    /// Set when the file is a link that must not be followed.
    pub refused: Option<ReadError>,
    parsed: OnceLock<Result<Spec, ReadError>>,
}

impl std::fmt::Debug for Project<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Project").field("root", &self.root).finish_non_exhaustive()
    }
}

impl<'s> Project<'s> {
    /// The project whose `openspec/` folder lies in `root` (empty for the snapshot's top).
    pub fn new(snapshot: &'s dyn Snapshot, root: impl Into<BString>) -> Self {
        let root = root.into();
        let folder = join(root.as_ref(), FOLDER);
        Self {
            snapshot,
            folder,
            root,
            specs: OnceLock::new(),
            named: Mutex::default(),
            configured_schema: OnceLock::new(),
            schema_names: OnceLock::new(),
            schemas: Mutex::default(),
        }
    }

    /// Where files come from.
    pub fn snapshot(&self) -> &'s dyn Snapshot {
        self.snapshot
    }

    /// The folder that holds `openspec/`.
    pub fn root(&self) -> &BStr {
        self.root.as_ref()
    }

    /// `openspec/`.
    pub fn folder(&self) -> &BStr {
        self.folder.as_ref()
    }

    /// A path below `openspec/`.
    pub fn path(&self, inner: &str) -> BString {
        join(self.folder(), inner)
    }

    /// Whether the folder has what makes it a project: `specs/` or `changes/`.
    pub fn has_planning_folders(&self) -> bool {
        ["specs", "changes"].iter().any(|name| self.snapshot.is_dir(self.path(name).as_ref()))
    }

    /// The path of `config.yaml`, or of `config.yml` when only that is there.
    pub fn config_path(&self) -> Option<BString> {
        ["config.yaml", "config.yml"]
            .iter()
            .map(|name| self.path(name))
            .find(|path| self.snapshot.followed_kind(path.as_ref()).is_ok())
    }

    /// Main specs, found once.
    pub fn specs(&self) -> &SpecTree {
        self.specs.get_or_init(|| SpecTree::discover(self.snapshot, self.path("specs").as_ref()))
    }

    /// A main spec by its capability. Only looks at that one unless all were listed already.
    pub fn spec(&self, id: &str) -> Option<Arc<SpecFile>> {
        if let Some(tree) = self.specs.get() {
            return tree.get(id);
        }
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = named.get(id) {
            return file.clone();
        }
        let file = find_spec(self.snapshot, self.path("specs").as_ref(), id);
        let file = file.map(|(path, refused)| Arc::new(SpecFile::new(id.to_owned(), path, refused)));
        named.insert(id.to_owned(), file.clone());
        file
    }

    /// The main spec a delta is for, none when the capability is new. Other than [`Project::spec`] it goes through
    /// linked capability folders, as archiving does.
    ///
    /// # Errors
    /// When something is there that is no file, or a link that must not be followed.
    pub fn target(&self, capability: &str) -> Result<Option<Arc<SpecFile>>, ReadError> {
        if let Some(file) = self.spec(capability) {
            return match &file.refused {
                Some(refused) => Err(refused.clone()),
                None => Ok(Some(file)),
            };
        }
        let path = join(join(self.path("specs").as_ref(), capability).as_ref(), "spec.md");
        match self.snapshot.followed_kind(path.as_ref()) {
            Ok(kind) if kind.is_file() => Ok(Some(Arc::new(SpecFile::new(capability.to_owned(), path, None)))),
            Ok(Kind::Dir) => Err(ReadError::IsADirectory),
            Ok(_) => Err(ReadError::NotAFile),
            Err(ReadError::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Parses a main spec, once.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn parsed<'a>(&self, file: &'a SpecFile) -> Result<&'a Spec, &'a ReadError> {
        file.parsed
            .get_or_init(|| match &file.refused {
                Some(refused) => Err(refused.clone()),
                None => self.snapshot.read(file.path.as_ref()).map(Spec::parse),
            })
            .as_ref()
    }

    /// Names of open changes: folders of `changes/` except `archive` and dot names, sorted.
    ///
    /// # Errors
    /// When the folder is there but cannot be listed.
    pub fn change_names(&self) -> Result<Vec<BString>, ReadError> {
        let mut names = self.folders(self.path("changes").as_ref())?;
        names.retain(|name| name != "archive");
        Ok(names)
    }

    /// Names of archived changes, sorted.
    ///
    /// # Errors
    /// When the folder is there but cannot be listed.
    pub fn archived_names(&self) -> Result<Vec<BString>, ReadError> {
        self.folders(self.path("changes/archive").as_ref())
    }

    fn folders(&self, dir: &BStr) -> Result<Vec<BString>, ReadError> {
        let entries = match self.snapshot.list(dir) {
            Err(ReadError::Missing) => Vec::new(),
            entries => entries?,
        };
        let is_folder = |entry: &Entry| entry.kind == Kind::Dir && !entry.name.starts_with(b".");
        let mut names: Vec<BString> = entries.into_iter().filter(is_folder).map(|entry| entry.name).collect();
        names.sort();
        Ok(names)
    }

    /// The schema `config.yaml` names, if any.
    pub fn configured_schema(&self) -> Option<&str> {
        let read = || metadata::configured_schema(&self.snapshot.read(self.config_path()?.as_ref()).ok()?);
        self.configured_schema.get_or_init(read).as_deref()
    }

    /// Whether a change may name this schema.
    pub fn knows_schema(&self, name: &str) -> bool {
        self.schema_names().iter().any(|known| known == name)
    }

    /// Names of the schemas there are: the built-in one and the project's own. A user's private ones are not looked
    /// at: what they hold is not in the repository, so nobody else could repeat the verdict.
    pub fn schema_names(&self) -> &[String] {
        self.schema_names.get_or_init(|| {
            let folder = self.path("schemas");
            let mut names = vec![schema::BUILT_IN.to_owned()];
            for entry in self.snapshot.list(folder.as_ref()).unwrap_or_default() {
                let dir = join(folder.as_ref(), &entry.name);
                let is_folder =
                    entry.kind == Kind::Dir || entry.kind == Kind::Link && self.snapshot.is_dir(dir.as_ref());
                // One behind a link out of the tree has a name, though it cannot be used.
                let has_schema = || {
                    let file = self.snapshot.followed_kind(join(dir.as_ref(), "schema.yaml").as_ref());
                    matches!(file, Ok(_) | Err(ReadError::Outside(_)))
                };
                if is_folder && !is_transient(&entry.name) && has_schema() {
                    names.push(entry.name.to_str_lossy().into_owned());
                }
            }
            names.sort();
            names.dedup();
            names
        })
    }

    /// Whether the project replaces or adds this schema itself.
    pub fn own_schema_path(&self, name: &str) -> Option<BString> {
        let is_name = !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0']);
        if !is_name {
            return None;
        }
        let dir = self.path(&format!("schemas/{name}"));
        let path = join(dir.as_ref(), "schema.yaml");
        let real_dir = self.snapshot.resolve(dir.as_ref()).ok()?;
        let real_path = self.snapshot.resolve(path.as_ref()).ok()?;
        // A link out of the schema's own folder is not followed by the reference either.
        real_path.starts_with(&[real_dir.as_slice(), b"/"].concat()).then_some(path)
    }

    /// A schema by name.
    pub fn schema(&self, name: &str) -> Arc<Result<Schema, String>> {
        let name = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).unwrap_or(name);
        let mut schemas = self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(schema) = schemas.get(name) {
            return Arc::clone(schema);
        }
        let schema = Arc::new(match self.own_schema_path(name) {
            Some(path) => {
                let bytes = self.snapshot.read(path.as_ref()).map_err(|error| format!("schema `{name}`: {error}"));
                bytes.and_then(|bytes| Schema::parse(&bytes).map_err(|error| format!("schema `{name}`: {error}")))
            }
            None if name == schema::BUILT_IN => Ok(Schema::built_in()),
            None => Err(format!("schema `{name}` not found; known: {}", self.schema_names().join(", "))),
        });
        schemas.insert(name.to_owned(), Arc::clone(&schema));
        schema
    }
}

/// Folders the reference makes while it copies a schema.
fn is_transient(name: &BString) -> bool {
    name.starts_with(b".fork-staging-")
        || name.starts_with(b".init-staging-")
        || name.contains_str(".fork-backup-")
        || name.contains_str(".init-backup-")
}

impl SpecTree {
    fn discover(snapshot: &dyn Snapshot, top: &BStr) -> Self {
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
    fn new(id: String, path: BString, refused: Option<ReadError>) -> Self {
        Self { id, path, refused, parsed: OnceLock::new() }
    }
}

/// One capability's `spec.md`, under the conditions [`walk_specs`] would find it.
fn find_spec(snapshot: &dyn Snapshot, top: &BStr, id: &str) -> Option<(BString, Option<ReadError>)> {
    let mut dir = top.to_owned();
    for part in id.split('/') {
        if part.is_empty() || part.starts_with('.') {
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
    /// What is called `spec.md` and is no file.
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
                _ => other(relative.as_ref(), kind),
            }
        }
    }
    found
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
