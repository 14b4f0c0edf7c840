//! The repository through gix.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bstr::{BStr, BString, ByteSlice};

use super::ancestry::{Links, merge_bases};
use super::index_scan::{self, Scanned};
use super::node::{Children, Folder, Node};
use super::oid::{HashKind, ObjectKind, Oid};
use super::snapshot::{Kind, is_below, join};
use super::store::{Commit, GitError, Head, IndexEntries, IndexEntry, Store};

/// A repository opened by gix. One handle, one object cache, guarded: few objects are read in a run.
pub(super) struct GixStore {
    repository: Mutex<gix::Repository>,
    /// Folders that were read: base and head share most of them.
    folders: Mutex<HashMap<Oid, Folder>>,
    /// Objects of a push that was not let in yet.
    incoming: Option<Mutex<gix::odb::Handle>>,
    hash: HashKind,
}

/// Tags that name one another, up to the commit. Nobody makes more.
const MAX_TAGS: usize = 16;

const OBJECT_CACHE_BYTES: usize = 4 * 1024 * 1024;

fn other(error: impl std::fmt::Display) -> GitError {
    GitError::Other(error.to_string())
}

impl GixStore {
    pub(super) fn new(mut repository: gix::Repository, incoming: Option<&Path>) -> Self {
        // Finding the merge base reads the same few commits several times.
        repository.object_cache_size(OBJECT_CACHE_BYTES);
        let hash = repository.object_hash();
        let incoming = incoming.and_then(|folder| gix::odb::at(folder, hash).ok()).map(Mutex::new);
        Self { repository: Mutex::new(repository), folders: Mutex::default(), incoming, hash }
    }

    /// An object of a push that was not let in yet, as it is stored.
    fn incoming_object(&self, id: Oid) -> Result<Option<(gix::objs::Kind, Vec<u8>)>, GitError> {
        use gix::objs::Find;
        let Some(incoming) = &self.incoming else { return Ok(None) };
        let incoming = incoming.lock().unwrap_or_else(PoisonError::into_inner);
        let mut data = Vec::new();
        let kind = incoming.try_find(&id.0, &mut data).map_err(other)?.map(|found| found.kind);
        Ok(kind.map(|kind| (kind, data)))
    }

    fn lock(&self) -> MutexGuard<'_, gix::Repository> {
        self.repository.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An object, wherever it lies.
    fn stored(&self, id: Oid) -> Result<(gix::objs::Kind, Vec<u8>), GitError> {
        let here = {
            let repository = self.lock();
            let object = repository.try_find_object(id.0).map_err(other)?;
            object.map(|mut object| (object.kind, std::mem::take(&mut object.data)))
        };
        let found = here.map_or_else(|| self.incoming_object(id), |here| Ok(Some(here)))?;
        found.ok_or_else(|| GitError::MissingObject(id.to_string()))
    }

    /// An object's content, checked against its name: an object file can be overwritten, its name cannot.
    fn object(&self, id: Oid, kind: ObjectKind) -> Result<Vec<u8>, GitError> {
        let (found, data) = self.stored(id)?;
        let expected = match kind {
            ObjectKind::Blob => gix::objs::Kind::Blob,
            ObjectKind::Tree => gix::objs::Kind::Tree,
            ObjectKind::Commit => gix::objs::Kind::Commit,
        };
        if found != expected || Oid::of(self.hash, kind, &data).map_err(GitError::Other)? != id {
            return Err(GitError::Damaged(id.to_string()));
        }
        Ok(data)
    }

    /// Folders with an `openspec` in a commit's tree, wherever the index does not say that it has the same tree. What was
    /// taken out of the index would not be found by looking through the index.
    fn unlisted_projects(
        &self,
        tree: Oid,
        cached: Option<&gix::index::extension::Tree>,
    ) -> Result<Vec<BString>, GitError> {
        let mut found = Vec::new();
        let mut todo = vec![(BString::default(), tree, cached)];
        while let Some((path, id, cached)) = todo.pop() {
            if cached.is_some_and(|cached| cached.num_entries.is_some() && cached.id == id.0) {
                continue;
            }
            for (name, node) in self.tree(id)?.iter().filter(|(_, node)| node.kind == Kind::Dir) {
                if name == FOLDER {
                    found.push(path.clone());
                    continue;
                }
                let child = cached.and_then(|cached| cached.children.iter().find(|child| child.name[..] == name[..]));
                todo.push((join(path.as_ref(), name), node.id, child));
            }
        }
        Ok(found)
    }

    fn links(&self, commit: Oid) -> Result<Links, GitError> {
        let data = self.object(commit, ObjectKind::Commit)?;
        let commit = gix::objs::CommitRef::from_bytes(&data, self.hash).map_err(other)?;
        let date = commit.committer().map_or(0, |committer| committer.seconds());
        Ok(Links { parents: commit.parents().map(Oid).collect(), date })
    }
}

impl Store for GixStore {
    fn hash_kind(&self) -> HashKind {
        self.hash
    }

    fn head(&self) -> Result<Head, GitError> {
        let repository = self.lock();
        let branch = repository.head_name().map_err(other)?.map(|name| name.as_bstr().to_string());
        let mut head = repository.head().map_err(other)?;
        let commit =
            if head.is_unborn() { None } else { head.try_peel_to_id().map_err(other)?.map(|id| Oid(id.detach())) };
        Ok(Head { branch, commit })
    }

    fn reference(&self, name: &str) -> Result<Option<Oid>, GitError> {
        let repository = self.lock();
        // The library would also look for the name below `tags/`, `heads/` and the like.
        let is_packed = || {
            let packed = repository.refs.cached_packed_buffer().ok().flatten();
            packed.is_some_and(|packed| packed.try_find(name).ok().flatten().is_some())
        };
        let is_loose = [repository.git_dir(), repository.common_dir()].iter().any(|dir| dir.join(name).is_file());
        if !is_loose && !is_packed() {
            return Ok(None);
        }
        let Some(mut reference) = repository.try_find_reference(name).map_err(other)? else { return Ok(None) };
        // The name is a full one; anything else the lookup may have found is not it.
        if reference.name().as_bstr() != name {
            return Ok(None);
        }
        // A reference to a branch that is gone, such as a stale origin/HEAD, is no reference.
        Ok(reference.peel_to_id().ok().map(|id| Oid(id.detach())))
    }

    fn symbolic_target(&self, name: &str) -> Result<Option<String>, GitError> {
        let repository = self.lock();
        let reference = repository.try_find_reference(name).map_err(other)?;
        Ok(reference.and_then(|reference| reference.target().try_name().map(|name| name.as_bstr().to_string())))
    }

    fn revision(&self, revision: &str) -> Result<Option<Oid>, GitError> {
        let repository = self.lock();
        let Ok(id) = repository.rev_parse_single(revision) else { return Ok(None) };
        let Ok(object) = id.object() else { return Err(GitError::MissingObject(id.to_string())) };
        let commit = object.peel_to_kind(gix::objs::Kind::Commit);
        Ok(commit.ok().map(|commit| Oid(commit.id)))
    }

    fn merge_bases(&self, one: Oid, other: Oid) -> Result<Vec<Oid>, GitError> {
        // What `.git/shallow` says is not believed: where history really ends, the next commit is not here.
        let is_shallow = self.lock().is_shallow().unwrap_or(true);
        let mut read = |id| match self.links(id) {
            Err(GitError::MissingObject(_)) if is_shallow => Ok(None),
            links => links.map(Some),
        };
        merge_bases(&mut read, one, other)
    }

    fn tree_of(&self, commit: Oid) -> Result<Oid, GitError> {
        let data = self.object(commit, ObjectKind::Commit)?;
        let commit = gix::objs::CommitRef::from_bytes(&data, self.hash).map_err(other)?;
        Ok(Oid(commit.tree()))
    }

    fn has_references(&self, prefix: &str) -> Result<bool, GitError> {
        let repository = self.lock();
        let references = repository.references().map_err(other)?;
        Ok(references.prefixed(prefix).map_err(other)?.next().is_some())
    }

    fn peeled(&self, id: Oid) -> Result<Option<Oid>, GitError> {
        let mut id = id;
        for _ in 0..MAX_TAGS {
            let (kind, data) = self.stored(id)?;
            match kind {
                gix::objs::Kind::Commit => return Ok(Some(id)),
                gix::objs::Kind::Tag => {
                    id = Oid(gix::objs::TagRef::from_bytes(&data, self.hash).map_err(other)?.target());
                }
                _ => return Ok(None),
            }
        }
        Err(GitError::Damaged(id.to_string()))
    }

    fn commit(&self, id: Oid) -> Result<Commit, GitError> {
        let data = self.object(id, ObjectKind::Commit)?;
        let commit = gix::objs::CommitRef::from_bytes(&data, self.hash).map_err(other)?;
        Ok(Commit { tree: Oid(commit.tree()), parents: commit.parents().map(Oid).collect() })
    }

    fn passing_tree(&self, id: Oid) -> Result<Folder, GitError> {
        if let Some(folder) = self.folders.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(Arc::clone(folder));
        }
        parse_tree(&self.object(id, ObjectKind::Tree)?, self.hash)
    }

    fn tree(&self, id: Oid) -> Result<Folder, GitError> {
        if let Some(folder) = self.folders.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(Arc::clone(folder));
        }
        let folder = parse_tree(&self.object(id, ObjectKind::Tree)?, self.hash)?;
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&folder));
        Ok(folder)
    }

    fn remember(&self, folder: &Node) {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut todo = vec![folder];
        while let Some(node) = todo.pop() {
            let Children::Here(children) = &node.children else { continue };
            folders.entry(node.id).or_insert_with(|| Arc::clone(children));
            todo.extend(children.iter().map(|(_, child)| child));
        }
    }

    fn blob(&self, id: Oid) -> Result<Vec<u8>, GitError> {
        self.object(id, ObjectKind::Blob)
    }

    fn index(&self, file: &Path, prefixes: &[BString], committed: Option<Oid>) -> Result<IndexEntries, GitError> {
        if !file.exists() {
            let project_roots = committed.map_or_else(|| Ok(Vec::new()), |tree| self.unlisted_projects(tree, None))?;
            return Ok(IndexEntries { entries: Vec::new(), project_roots });
        }
        let plain = std::fs::File::open(file).and_then(|file| index_scan::scan(file, self.hash, prefixes));
        if let Some(Scanned { entries: mut found, tree }) = plain.map_err(other)? {
            if let Some(committed) = committed {
                let cached = tree.and_then(|tree| gix::index::extension::tree::decode(&tree, self.hash, None));
                found.project_roots.extend(self.unlisted_projects(committed, cached.as_ref())?);
                found.project_roots.sort();
                found.project_roots.dedup();
            }
            return Ok(found);
        }
        // The trailing checksum would take five times as long as everything else. What a damaged index could hide,
        // the comparison with the base shows as deleted.
        let options = gix::index::decode::Options { thread_limit: Some(1), ..Default::default() };
        let index = gix::index::File::at(file, self.hash, true, options).map_err(other)?;
        let mut found = IndexEntries::default();
        for prefix in prefixes {
            // The top has no name that the others begin with.
            let folder = if prefix.is_empty() { Vec::new() } else { [prefix.as_slice(), b"/"].concat() };
            let at = index.entries().partition_point(|entry| entry.path(&index) < prefix.as_bstr());
            for entry in &index.entries()[at..] {
                let path = entry.path(&index);
                if path == prefix.as_bstr() || path.starts_with(&folder) {
                    found.entries.extend(index_entry(entry, path));
                } else if path > folder.as_bstr() && !prefix.is_empty() {
                    break;
                }
            }
        }
        if index.is_sparse() {
            // A folder that holds a prefix is all the index knows of it.
            let holds_prefix = |path: &BStr| prefixes.iter().any(|prefix| is_below(prefix.as_ref(), path));
            let folders = index.entries().iter().filter(|entry| entry.mode == gix::index::entry::Mode::DIR);
            let folders = folders.filter_map(|entry| index_entry(entry, entry.path(&index)));
            found.entries.extend(folders.filter(|entry| holds_prefix(entry.path.as_ref())));
        }
        found.project_roots = project_roots(&index);
        if let Some(committed) = committed {
            // In a sparse index whole folders are one entry, and what they hold is not listed.
            let cached = index.tree().filter(|_| !index.is_sparse());
            found.project_roots.extend(self.unlisted_projects(committed, cached)?);
        }
        Ok(found)
    }
}

/// The entries of a tree object's content. Git writes no tree with two entries of one name, or with a name that is a
/// path: of such a tree everybody sees something else, so nothing is said about it.
pub(super) fn parse_tree(data: &[u8], hash: HashKind) -> Result<Folder, GitError> {
    let entry = |entry: Result<gix::objs::tree::EntryRef<'_>, _>| {
        let entry = entry.map_err(other)?;
        let kind = kind_of(entry.mode.kind());
        Ok((entry.filename.to_owned(), Node::object(kind, Oid(entry.oid.to_owned()))))
    };
    let entries = gix::objs::TreeRefIter::from_bytes(data, hash).map(entry).collect::<Result<Vec<_>, _>>()?;
    let mut names = HashSet::with_capacity(entries.len());
    let is_name = |name: &BString| {
        !name.is_empty() && !name.contains(&b'/') && ![".", ".."].contains(&&*name.to_str_lossy()) && !is_git(name)
    };
    match entries.iter().find(|(name, _)| !is_name(name) || !names.insert(name)) {
        Some(_) => Err(GitError::Damaged(
            Oid::of(hash, ObjectKind::Tree, data).map_or_else(|error| error, |id| id.to_string()),
        )),
        None => Ok(Arc::new(entries)),
    }
}

fn is_git(name: &BString) -> bool {
    name.eq_ignore_ascii_case(b".git")
}

fn index_entry(entry: &gix::index::Entry, path: &BStr) -> Option<IndexEntry> {
    use gix::index::entry::{Flags, Mode};
    let kind = match entry.mode {
        Mode::FILE => Kind::File,
        Mode::FILE_EXECUTABLE => Kind::Executable,
        Mode::SYMLINK => Kind::Link,
        Mode::COMMIT => Kind::Submodule,
        Mode::DIR => Kind::Dir,
        _ => Kind::Special,
    };
    if entry.flags.contains(Flags::REMOVE) {
        return None;
    }
    Some(IndexEntry {
        path: BString::from(path.strip_suffix(b"/").unwrap_or(path)),
        kind,
        id: Oid(entry.id),
        is_unmerged: entry.flags.stage_raw() != 0,
        is_intent_to_add: entry.flags.contains(Flags::INTENT_TO_ADD),
    })
}

/// Paths below `folder`, relative to it, when the index says that the folder is the object `id`.
pub(super) fn listed_folder(file: &Path, id: Oid, folder: &BStr) -> Option<Vec<BString>> {
    let options = gix::index::decode::Options { thread_limit: Some(1), ..Default::default() };
    let index = gix::index::File::at(file, id.hash_kind(), true, options).ok()?;
    let mut tree = index.tree()?;
    for name in folder.split_str("/") {
        tree = tree.children.iter().find(|child| child.name.as_slice() == name)?;
    }
    if tree.num_entries.is_none() || tree.id != id.0 {
        return None;
    }
    let prefix = [folder.as_bytes(), b"/"].concat();
    let relative = |entry: &gix::index::Entry| entry.path(&index).strip_prefix(prefix.as_slice()).map(BString::from);
    Some(index.prefixed_entries(prefix.as_bstr())?.iter().filter_map(relative).collect())
}

/// What projects are found by.
const FOLDER: &str = "openspec";

/// Folders below the top with an `openspec` folder, sorted.
fn project_roots(index: &gix::index::File) -> Vec<BString> {
    const INNER: &[u8] = b"/openspec/";
    // One pass over all paths at once: in nearly every repository there is nothing to look at one by one.
    if memchr::memmem::find(index.path_backing(), INNER).is_none() {
        return Vec::new();
    }
    let finder = memchr::memmem::Finder::new(INNER);
    let root = |entry: &gix::index::Entry| {
        let path = entry.path(index);
        finder.find(path).map(|at| BString::from(&path[..at]))
    };
    let mut roots: Vec<BString> = index.entries().iter().filter_map(root).collect();
    roots.sort();
    roots.dedup();
    roots
}

fn kind_of(kind: gix::objs::tree::EntryKind) -> Kind {
    use gix::objs::tree::EntryKind;
    match kind {
        EntryKind::Tree => Kind::Dir,
        EntryKind::Blob => Kind::File,
        EntryKind::BlobExecutable => Kind::Executable,
        EntryKind::Link => Kind::Link,
        EntryKind::Commit => Kind::Submodule,
    }
}
