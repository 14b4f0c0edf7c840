//! What differs between two trees below given paths.

use bstr::{BStr, BString, ByteSlice};

use super::node::{Folder, MAX_DEPTH, Node, TOO_DEEP};
use super::snapshot::{Kind, join};
use super::store::{GitError, Store};

/// A file that differs between base and head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Path from the top of the tree.
    pub path: BString,
    /// How it differs.
    pub kind: ChangeKind,
    /// What base has.
    pub base: Option<Node>,
    /// What head has.
    pub head: Option<Node>,
}

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Only head has it.
    Added,
    /// Only base has it.
    Deleted,
    /// Both have it, with other contents.
    Modified,
    /// It became something else: a link, a folder, a submodule.
    TypeChanged,
    /// Only the executable bit differs.
    ModeChanged,
    /// Head has something there that cannot be read.
    Unreadable,
}

impl ChangeKind {
    /// "this file was …"
    pub fn past_participle(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Deleted => "deleted",
            Self::Modified => "edited",
            Self::TypeChanged => "replaced by something of another kind (file, link, folder, submodule)",
            Self::ModeChanged => "made executable, or no longer",
            Self::Unreadable => "made unreadable",
        }
    }
}

/// Compares two trees at and below the given paths. Equal names end the work at once, so it costs what differs.
///
/// # Errors
/// When a folder's object cannot be read.
pub fn compare(store: &dyn Store, base: &Node, head: &Node, paths: &[BString]) -> Result<Vec<FileChange>, GitError> {
    let mut changes = Vec::new();
    for path in paths {
        let (base, head) = (base.find(store, path.as_ref())?, head.find(store, path.as_ref())?);
        compare_nodes(store, path.as_ref(), base, head, &mut changes)?;
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes.dedup();
    Ok(changes)
}

fn compare_nodes(
    store: &dyn Store,
    path: &BStr,
    base: Option<Node>,
    head: Option<Node>,
    changes: &mut Vec<FileChange>,
) -> Result<(), GitError> {
    let mut report = |kind, base, head| changes.push(FileChange { path: path.to_owned(), kind, base, head });
    match (base, head) {
        (base, head) if is_too_deep(path) => return too_deep(path, base, head, changes),
        (None, None) => {}
        (base, Some(head)) if head.problem.is_some() => report(ChangeKind::Unreadable, base, Some(head)),
        (Some(base), Some(head)) if base.id == head.id && base.kind == head.kind => {}
        (Some(base), Some(head)) => match (base.kind, head.kind) {
            (Kind::Dir, Kind::Dir) => return compare_folders(store, path, &base, &head, changes),
            (Kind::Dir, _) => {
                report(ChangeKind::TypeChanged, Some(base.clone()), Some(head));
                return all_below(store, path, &base, ChangeKind::Deleted, changes);
            }
            (_, Kind::Dir) => {
                report(ChangeKind::TypeChanged, Some(base), Some(head.clone()));
                return all_below(store, path, &head, ChangeKind::Added, changes);
            }
            (one, other) if one.is_file() && other.is_file() => {
                let kind = if base.id == head.id { ChangeKind::ModeChanged } else { ChangeKind::Modified };
                report(kind, Some(base), Some(head));
            }
            (one, other) if one == other => report(ChangeKind::Modified, Some(base), Some(head)),
            _ => report(ChangeKind::TypeChanged, Some(base), Some(head)),
        },
        (Some(base), None) if base.kind == Kind::Dir => {
            return all_below(store, path, &base, ChangeKind::Deleted, changes);
        }
        (None, Some(head)) if head.kind == Kind::Dir => {
            return all_below(store, path, &head, ChangeKind::Added, changes);
        }
        (Some(base), None) => report(ChangeKind::Deleted, Some(base), None),
        (None, Some(head)) => report(ChangeKind::Added, None, Some(head)),
    }
    Ok(())
}

fn compare_folders(
    store: &dyn Store,
    path: &BStr,
    base: &Node,
    head: &Node,
    changes: &mut Vec<FileChange>,
) -> Result<(), GitError> {
    let (base, head) = (base.children(store)?, head.children(store)?);
    let find = |list: &[(BString, Node)], name: &BString| {
        list.iter().find(|(other, _)| other == name).map(|(_, node)| node.clone())
    };
    // Both sides are short or nearly equal; only names that differ in their object go on.
    let head_by_name: std::collections::HashMap<&BString, &Node> =
        head.iter().map(|(name, node)| (name, node)).collect();
    for (name, node) in base.iter() {
        let other = head_by_name.get(name).copied();
        if other.is_some_and(|other| other.id == node.id && other.kind == node.kind && other.problem.is_none()) {
            continue;
        }
        compare_nodes(store, join(path, name).as_ref(), Some(node.clone()), other.cloned(), changes)?;
    }
    let base_names: std::collections::HashSet<&BString> = base.iter().map(|(name, _)| name).collect();
    for (name, _) in head.iter().filter(|(name, _)| !base_names.contains(name)) {
        compare_nodes(store, join(path, name).as_ref(), None, find(&head, name), changes)?;
    }
    Ok(())
}

fn all_below(
    store: &dyn Store,
    path: &BStr,
    node: &Node,
    kind: ChangeKind,
    changes: &mut Vec<FileChange>,
) -> Result<(), GitError> {
    for (name, child) in node.children(store)?.iter() {
        let path = join(path, name);
        if is_too_deep(path.as_ref()) {
            let (base, head) = if kind == ChangeKind::Deleted { (Some(child), None) } else { (None, Some(child)) };
            too_deep(path.as_ref(), base.cloned(), head.cloned(), changes)?;
            continue;
        }
        // A folder that could not be read has nothing below that would be reported in its place.
        if child.kind == Kind::Dir && child.problem.is_none() {
            all_below(store, path.as_ref(), child, kind, changes)?;
            continue;
        }
        let kind = if child.problem.is_some() { ChangeKind::Unreadable } else { kind };
        let (base, head) =
            if kind == ChangeKind::Deleted { (Some(child.clone()), None) } else { (None, Some(child.clone())) };
        changes.push(FileChange { path, kind, base, head });
    }
    Ok(())
}

fn is_too_deep(path: &BStr) -> bool {
    path.split_str("/").nth(MAX_DEPTH).is_some()
}

/// What differs so far down is not looked at, and that is said in its place.
fn too_deep(
    path: &BStr,
    base: Option<Node>,
    head: Option<Node>,
    changes: &mut Vec<FileChange>,
) -> Result<(), GitError> {
    let kind = if head.is_some() { ChangeKind::Unreadable } else { ChangeKind::Deleted };
    let head = head.map(|head| Node { problem: Some(TOO_DEEP.to_owned()), ..head });
    changes.push(FileChange { path: path.to_owned(), kind, base, head });
    Ok(())
}

/// Folders `openspec` anywhere below two trees that differ, as the paths of the folders that hold them. Folders that
/// are equal are not entered, so projects the diff does not touch are not found.
///
/// # Errors
/// When a folder's object cannot be read.
pub fn changed_projects(store: &dyn Store, base: &Node, head: &Node, folder: &str) -> Result<Vec<BString>, GitError> {
    let mut found = Vec::new();
    let mut todo = vec![(BString::default(), Some(base.clone()), Some(head.clone()))];
    while let Some((path, base, head)) = todo.pop() {
        let children = |node: &Option<Node>| match node {
            Some(node) if node.kind == Kind::Dir => node.children(store),
            _ => Ok(Folder::default()),
        };
        let (base, head) = (children(&base)?, children(&head)?);
        let lookup = |list: &[(BString, Node)], name: &BString| {
            list.iter().find(|(other, _)| other == name).map(|(_, node)| node.clone())
        };
        let mut names: Vec<&BString> =
            base.iter().chain(head.iter()).filter(|(_, node)| node.kind == Kind::Dir).map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        for name in names {
            let (one, other) = (lookup(&base, name), lookup(&head, name));
            if one.as_ref().map(|node| node.id) == other.as_ref().map(|node| node.id) {
                continue;
            }
            if name.as_bstr() == folder {
                found.push(path.clone());
            } else {
                todo.push((join(path.as_ref(), name), one, other));
            }
        }
    }
    found.sort();
    Ok(found)
}
