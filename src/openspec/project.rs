//! An OpenSpec project: its root, its items, its schemas. Everything is read through a snapshot.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use super::claims::{Claims, OpenDelta};
use super::discovery::{SpecFile, SpecTree, find_spec, not_entered};
use super::metadata;
use super::schema::{self, Schema};
use super::spec::Spec;
use crate::repo::history::History;
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
    compared: Option<Box<Compared<'s>>>,
    claims: Claims,
}

/// What a project is compared with, when it is.
#[derive(Debug)]
pub struct Compared<'s> {
    /// The project as it was where head's work began.
    pub base: Project<'s>,
    /// The project as the base branch has it by now, when that is something else.
    pub tip: Option<Project<'s>>,
    /// What was committed up to head; none before the first commit.
    pub history: Option<&'s History<'s>>,
    /// What was committed up to where head's work began.
    pub base_history: Option<&'s History<'s>>,
}

impl<'s> Compared<'s> {
    /// The project as the base branch has it by now.
    pub fn newest_base(&self) -> &Project<'s> {
        self.tip.as_ref().unwrap_or(&self.base)
    }
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
            compared: None,
            claims: Claims::default(),
        }
    }

    /// The same project, with what it is compared with.
    #[must_use]
    pub fn compared_with(self, compared: Compared<'s>) -> Self {
        Self { compared: Some(Box::new(compared)), ..self }
    }

    /// What the project is compared with. None when a whole tree is judged.
    pub fn compared(&self) -> Option<&Compared<'s>> {
        self.compared.as_deref()
    }

    /// Deltas of all open changes for one capability, sorted by change: head's, and those of changes that base has open
    /// and head does not know.
    pub fn open_deltas(&self, capability: &str) -> Arc<Vec<OpenDelta>> {
        self.claims.of(self, capability)
    }

    /// A capability that an open change has a delta for and whose name differs from this one in spelling only, and the
    /// change.
    pub fn claimed_in_other_spelling(&self, capability: &str) -> Option<(String, String)> {
        self.claims.spelt_otherwise(self, capability)
    }

    /// Whether an open change is refused by itself; asked of `find_out` once a change.
    pub fn is_refused(&self, change: &str, find_out: impl FnOnce() -> bool) -> bool {
        self.claims.is_refused(change, find_out)
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

    /// Whether the folder has what makes it a project: `specs/` or `changes/`. One that leads out of the tree is there,
    /// though nobody may look into it.
    pub fn has_planning_folders(&self) -> bool {
        let is_there = |name: &str| {
            let kind = self.snapshot.followed_kind(self.path(name).as_ref());
            matches!(kind, Ok(Kind::Dir) | Err(ReadError::Outside(_)))
        };
        ["specs", "changes"].iter().any(|name| is_there(name))
    }

    /// The path of `config.yaml`, or of `config.yml` when only that is there.
    pub fn config_path(&self) -> Option<BString> {
        ["config.yaml", "config.yml"].iter().map(|name| self.path(name)).find(|path| {
            match self.snapshot.followed_kind(path.as_ref()) {
                Ok(_) | Err(ReadError::Outside(_)) => true,
                Err(_) => false,
            }
        })
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
        let file = find_spec(self.snapshot, self.path("specs").as_ref(), id.into());
        let file = file.map(|(path, refused)| Arc::new(SpecFile::new(id.to_owned(), path, refused)));
        named.insert(id.to_owned(), file.clone());
        file
    }

    /// A main spec by its folder below `specs/`, whose name need not be UTF-8.
    pub fn spec_at(&self, folder: &BStr) -> Option<Arc<SpecFile>> {
        if let Ok(id) = folder.to_str() {
            return self.spec(id);
        }
        let (path, refused) = find_spec(self.snapshot, self.path("specs").as_ref(), folder)?;
        Some(Arc::new(SpecFile::new(folder.to_str_lossy().into_owned(), path, refused)))
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

    /// Links where open changes are expected, with why nothing behind them is read. Neither the reference nor archiving
    /// takes one for a change, so what it shows is judged by nobody.
    pub fn linked_changes(&self) -> Vec<(BString, ReadError)> {
        let folder = self.path("changes");
        // A folder that cannot be listed is reported with its names.
        let entries = self.snapshot.list(folder.as_ref()).unwrap_or_default();
        let links = entries.into_iter().filter(|entry| entry.kind == Kind::Link && !entry.name.starts_with(b"."));
        let mut found: Vec<(BString, ReadError)> = links
            .filter_map(|entry| {
                let path = join(folder.as_ref(), &entry.name);
                not_entered(self.snapshot, path.as_ref()).map(|error| (path, error))
            })
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
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
