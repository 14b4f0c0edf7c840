//! Whether the files of a commit or an index lie on disk as they are: programs can only be run on what lies there.

use std::fs;
use std::path::Path;

use bstr::{BString, ByteSlice};
use rayon::prelude::*;

use super::node::{MAX_DEPTH, Node, TOO_DEEP};
use super::oid::{ObjectKind, Oid};
use super::snapshot::{Kind, join};
use super::store::{GitError, Store};

/// The first file of a tree that is not on disk, or is there with other content. Files on disk that the tree does not
/// have are not looked for, and what a submodule holds is in another repository.
///
/// # Errors
/// When a folder of the tree cannot be read.
pub fn first_difference(
    store: &dyn Store,
    tree: &Node,
    top: &Path,
    trusts_file_mode: bool,
) -> Result<Option<BString>, GitError> {
    let mut files = Vec::new();
    collect(store, tree, &BString::default(), 0, &mut files)?;
    let differs =
        |(path, node): &(BString, Node)| !is_on_disk(store, node, &top.join(path.to_path_lossy()), trusts_file_mode);
    Ok(files.par_iter().find_first(|file| differs(file)).map(|(path, _)| path.clone()))
}

fn collect(
    store: &dyn Store,
    folder: &Node,
    path: &BString,
    depth: usize,
    files: &mut Vec<(BString, Node)>,
) -> Result<(), GitError> {
    if depth > MAX_DEPTH {
        return Err(GitError::Other(TOO_DEEP.to_owned()));
    }
    for (name, node) in folder.children(store)?.iter() {
        let path = join(path.as_ref(), name);
        match node.kind {
            Kind::Dir => collect(store, node, &path, depth + 1, files)?,
            Kind::Submodule => {}
            _ => files.push((path, node.clone())),
        }
    }
    Ok(())
}

fn is_on_disk(store: &dyn Store, node: &Node, path: &Path, trusts_file_mode: bool) -> bool {
    let Some(there) = Node::on_disk(store.hash_kind(), path) else { return false };
    let is_same_kind = there.kind == node.kind || !trusts_file_mode && there.kind.is_file() && node.kind.is_file();
    if !is_same_kind || there.problem.is_some() {
        return false;
    }
    there.id == node.id || node.kind.is_file() && is_converted(store, node, path)
}

/// A checkout may have turned `\n` into `\r\n`.
fn is_converted(store: &dyn Store, node: &Node, path: &Path) -> bool {
    let Ok(content) = fs::read(path) else { return false };
    let content = content.replace("\r\n", "\n");
    Oid::of(store.hash_kind(), ObjectKind::Blob, &content).is_ok_and(|id| id == node.id)
}
