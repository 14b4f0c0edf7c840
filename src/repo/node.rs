//! A file or folder by its git name, whichever side it comes from: two that have one name are the same.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice, ByteVec};
use rayon::prelude::*;

use super::oid::{HashKind, ObjectKind, Oid};
use super::snapshot::{Kind, MAX_FILE_BYTES, join, kind_of, kind_of_type};
use super::store::{GitError, IndexEntry, Store};

/// From this many names in one folder on, threads pay for their start.
const PARALLEL_FROM: usize = 512;

/// Folders nested deeper than this are not entered: nobody keeps specs there, and a stack has an end.
pub const MAX_DEPTH: usize = 256;

/// What is said then.
pub(super) const TOO_DEEP: &str = "folders are nested too deep";

/// A file, folder, link or submodule with the name git has or would have for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its object's name. For what git has no object for (a pipe, an unreadable file) the null name.
    pub id: Oid,
    /// What a folder holds.
    pub children: Children,
    /// Why it could not be read, when it could not.
    pub problem: Option<String>,
}

/// Names in a folder and what they are. Shared, so that a node is cheap to copy.
pub type Folder = Arc<Vec<(BString, Node)>>;

/// What a folder holds, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Children {
    /// Nothing: it is no folder.
    None,
    /// Known.
    Here(Folder),
    /// To be read from the repository.
    InStore,
}

impl Node {
    /// Something git has an object for.
    pub fn object(kind: Kind, id: Oid) -> Self {
        let children = if kind == Kind::Dir { Children::InStore } else { Children::None };
        Self { kind, id, children, problem: None }
    }

    /// A folder, named by what it holds.
    ///
    /// # Errors
    /// When its content cannot be hashed.
    pub fn folder(hash: HashKind, mut children: Vec<(BString, Node)>) -> Result<Self, String> {
        children.sort_by(|(a, _), (b, _)| a.cmp(b));
        let id = tree_id(hash, &children)?;
        Ok(Self { kind: Kind::Dir, id, children: Children::Here(Arc::new(children)), problem: None })
    }

    /// A folder without anything in it.
    ///
    /// # Errors
    /// Never in practice.
    pub fn empty(hash: HashKind) -> Result<Self, String> {
        Self::folder(hash, Vec::new())
    }

    /// What the folder holds.
    ///
    /// # Errors
    /// When its object cannot be read.
    pub fn children(&self, store: &dyn Store) -> Result<Folder, GitError> {
        match &self.children {
            Children::None => Ok(Folder::default()),
            Children::Here(children) => Ok(Arc::clone(children)),
            Children::InStore => store.tree(self.id),
        }
    }

    /// The node at a path below this one, links not followed.
    ///
    /// # Errors
    /// When a folder's object cannot be read.
    pub fn find(&self, store: &dyn Store, path: &BStr) -> Result<Option<Self>, GitError> {
        let mut node = self.clone();
        for name in path.split_str("/").filter(|name| !name.is_empty()) {
            let child =
                node.children(store)?.iter().find(|(child, _)| child.as_bytes() == name).map(|(_, node)| node.clone());
            match child {
                Some(child) => node = child,
                None => return Ok(None),
            }
        }
        Ok(Some(node))
    }

    /// Paths of the links below this node, as far as it is known without the repository.
    pub fn links(&self) -> Vec<BString> {
        let mut found = Vec::new();
        let mut todo = vec![(BString::default(), self)];
        while let Some((path, node)) = todo.pop() {
            let Children::Here(children) = &node.children else { continue };
            for (name, child) in children.iter() {
                let path = join(path.as_ref(), name);
                match child.kind {
                    Kind::Link => found.push(path),
                    _ => todo.push((path, child)),
                }
            }
        }
        found
    }

    /// What lies at a path on disk, hashed: sizes and times are not asked, contents are. None when nothing is there.
    pub fn on_disk(hash: HashKind, path: &Path) -> Option<Self> {
        let metadata = fs::symlink_metadata(path).ok()?;
        Some(Self::of_kind(hash, path, kind_of(&metadata), 0))
    }

    /// What lies at some paths below a folder on disk, as a tree that holds nothing else. A link or file where a path
    /// goes on ends it there: what is behind a link is not at that path.
    ///
    /// # Errors
    /// When a folder's content cannot be hashed.
    pub fn paths_on_disk(hash: HashKind, top: &Path, paths: &[BString]) -> Result<Self, String> {
        let mut tree = Sparse::default();
        for path in paths {
            let mut disk = top.to_owned();
            let mut names: Vec<&[u8]> = path.split_str("/").filter(|name| !name.is_empty()).collect();
            let last = names.pop();
            let mut at = &mut tree;
            let mut is_there = true;
            for name in names {
                disk.push(name.to_path_lossy());
                at = at.folders.entry(BString::from(name)).or_default();
                match fs::symlink_metadata(&disk) {
                    Ok(metadata) if metadata.is_dir() => {}
                    Ok(_) => {
                        at.whole = Self::on_disk(hash, &disk);
                        is_there = false;
                    }
                    Err(_) => is_there = false,
                }
                if !is_there {
                    break;
                }
            }
            if !is_there {
                continue;
            }
            match last {
                Some(name) => {
                    disk.push(name.to_path_lossy());
                    at.folders.entry(BString::from(name)).or_default().whole = Self::on_disk(hash, &disk);
                }
                None => at.whole = Self::on_disk(hash, &disk),
            }
        }
        tree.into_node(hash)?.map_or_else(|| Self::empty(hash), Ok)
    }

    fn of_kind(hash: HashKind, path: &Path, kind: Kind, depth: usize) -> Self {
        let node = match kind {
            Kind::Dir if depth >= MAX_DEPTH => Err(TOO_DEEP.to_owned()),
            Kind::Dir => Self::disk_folder(hash, path, depth),
            Kind::Link => Self::disk_link(hash, path),
            Kind::File | Kind::Executable => Self::disk_file(hash, path),
            Kind::Submodule | Kind::Special => Err("it is a pipe, socket or device".to_owned()),
        };
        node.unwrap_or_else(|problem| Self {
            kind,
            id: Oid::null(hash),
            children: Children::None,
            problem: Some(problem),
        })
    }

    fn disk_folder(hash: HashKind, path: &Path, depth: usize) -> Result<Self, String> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| error.to_string())? {
            let entry = entry.map_err(|error| error.to_string())?;
            let file_type = entry.file_type().map_err(|error| error.to_string())?;
            names.push((entry.file_name(), kind_of_type(file_type)));
        }
        let child = |(name, kind): (std::ffi::OsString, Kind)| {
            let child = path.join(&name);
            let name =
                Vec::from_os_string(name).map_err(|name| format!("a name that cannot be read: {}", name.display()))?;
            // A repository inside: git would not look at it, so what it holds cannot be compared. It is shown as one thing.
            let node = if name == b".git" {
                Self {
                    kind,
                    id: Oid::null(hash),
                    children: Children::None,
                    problem: Some("it is a repository of its own".to_owned()),
                }
            } else {
                Self::of_kind(hash, &child, kind, depth + 1)
            };
            Ok((BString::from(name), node))
        };
        let children = if names.len() < PARALLEL_FROM {
            names.into_iter().map(child).collect::<Result<Vec<_>, String>>()?
        } else {
            names.into_par_iter().map(child).collect::<Result<Vec<_>, String>>()?
        };
        // Git does not know empty folders.
        let children = children.into_iter().filter(|(_, node)| !node.is_empty_folder()).collect();
        Self::folder(hash, children)
    }

    fn is_empty_folder(&self) -> bool {
        matches!(&self.children, Children::Here(children) if children.is_empty())
    }

    fn disk_link(hash: HashKind, path: &Path) -> Result<Self, String> {
        let target = fs::read_link(path).map_err(|error| error.to_string())?;
        let target = Vec::from_path_buf(target)
            .map_err(|target| format!("a target that cannot be read: {}", target.display()))?;
        Ok(Self::object(Kind::Link, Oid::of(hash, ObjectKind::Blob, &target)?))
    }

    fn disk_file(hash: HashKind, path: &Path) -> Result<Self, String> {
        let mut file = fs::File::open(path).map_err(|error| error.to_string())?;
        let metadata = file.metadata().map_err(|error| error.to_string())?;
        if metadata.len() > MAX_FILE_BYTES {
            return Err(format!("{} bytes are too many", metadata.len()));
        }
        let size = usize::try_from(metadata.len()).unwrap_or(0);
        let mut content = vec![0; size + 1];
        let first = file.read(&mut content).map_err(|error| error.to_string())?;
        content.truncate(first);
        // As many bytes as it has, with room for one more: that is all of it, without asking again.
        if first != size {
            file.by_ref().take(MAX_FILE_BYTES + 1).read_to_end(&mut content).map_err(|error| error.to_string())?;
        }
        Ok(Self::object(kind_of(&metadata), Oid::of(hash, ObjectKind::Blob, &content)?))
    }

    /// The folders and files that index entries make up, from the top of the tree. Unmerged entries and intentions to
    /// add are left out.
    ///
    /// # Errors
    /// When a folder's content cannot be hashed.
    pub fn of_index(hash: HashKind, entries: &[IndexEntry]) -> Result<Self, String> {
        let mut entries: Vec<(&[u8], &IndexEntry)> = entries
            .iter()
            .filter(|entry| !entry.is_unmerged && !entry.is_intent_to_add)
            .map(|entry| (entry.path.as_slice(), entry))
            .collect();
        entries.sort_by(|a, b| a.0.cmp(b.0));
        Self::of_sorted(hash, &entries, 0)
    }

    fn of_sorted(hash: HashKind, entries: &[(&[u8], &IndexEntry)], depth: usize) -> Result<Self, String> {
        if depth >= MAX_DEPTH {
            return Err(TOO_DEEP.to_owned());
        }
        let mut children: Vec<(BString, Node)> = Vec::new();
        let mut rest = entries;
        while let Some(((path, entry), after)) = rest.split_first() {
            let Some(slash) = path.find_byte(b'/') else {
                children.push((BString::from(*path), Self::object(entry.kind, entry.id)));
                rest = after;
                continue;
            };
            let (name, _) = path.split_at(slash);
            let is_inside = |path: &[u8]| path.len() > slash && path.starts_with(name) && path[slash] == b'/';
            let count = rest.iter().take_while(|(path, _)| is_inside(path)).count();
            let inner: Vec<(&[u8], &IndexEntry)> =
                rest[..count].iter().map(|(path, entry)| (&path[slash + 1..], *entry)).collect();
            children.push((BString::from(name), Self::of_sorted(hash, &inner, depth + 1)?));
            rest = &rest[count..];
        }
        Self::folder(hash, children)
    }
}

/// A tree that is known at some paths only.
#[derive(Default)]
struct Sparse {
    whole: Option<Node>,
    folders: std::collections::BTreeMap<BString, Sparse>,
}

impl Sparse {
    fn into_node(self, hash: HashKind) -> Result<Option<Node>, String> {
        if self.whole.is_some() || self.folders.is_empty() {
            return Ok(self.whole);
        }
        let mut children = Vec::new();
        for (name, sparse) in self.folders {
            if let Some(node) = sparse.into_node(hash)? {
                children.push((name, node));
            }
        }
        Node::folder(hash, children).map(Some)
    }
}

/// The name git gives to a folder. Its entries are in git's order: folders sort as if their name ended in a slash.
fn tree_id(hash: HashKind, children: &[(BString, Node)]) -> Result<Oid, String> {
    let mut order: Vec<&(BString, Node)> = children.iter().collect();
    let key = |(name, node): &&(BString, Node)| {
        let mut key = name.to_vec();
        if node.kind == Kind::Dir {
            key.push(b'/');
        }
        key
    };
    order.sort_by_cached_key(key);
    let mut content = Vec::with_capacity(children.len() * 40);
    for (name, node) in order {
        let mode: &[u8] = match node.kind {
            Kind::File => b"100644 ",
            Kind::Executable => b"100755 ",
            Kind::Dir => b"40000 ",
            Kind::Link => b"120000 ",
            Kind::Submodule => b"160000 ",
            Kind::Special => b"0 ",
        };
        content.extend_from_slice(mode);
        content.extend_from_slice(name);
        content.push(0);
        content.extend_from_slice(node.id.as_bytes());
    }
    Oid::of(hash, ObjectKind::Tree, &content)
}
