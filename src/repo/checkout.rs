//! Whether the files of a commit or an index lie on disk as they are: programs can only be run on what lies there.

use std::fs;
use std::path::Path;

use bstr::{BString, ByteSlice};
use rayon::prelude::*;

use super::node::{MAX_DEPTH, Node, TOO_DEEP};
use super::oid::{ObjectKind, Oid};
use super::snapshot::{Kind, join};
use super::store::{GitError, Store};
use crate::digest::sha256;

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
    there.id == node.id || node.kind.is_file() && (is_converted(store, node, path) || is_in_lfs(store, node, path))
}

/// What a pointer of Git LFS begins with.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Whether git has a pointer of Git LFS, and the file on disk is the one it points to: the digest says so.
fn is_in_lfs(store: &dyn Store, node: &Node, path: &Path) -> bool {
    let Ok(pointer) = store.blob(node.id) else { return false };
    let digest = pointer.lines().find_map(|line| line.strip_prefix(b"oid "));
    let (true, Some(digest)) = (pointer.starts_with(LFS), digest) else { return false };
    fs::read(path).is_ok_and(|content| sha256(&content).as_bytes() == digest)
}

/// A checkout may have turned `\n` into `\r\n`.
fn is_converted(store: &dyn Store, node: &Node, path: &Path) -> bool {
    let Ok(content) = fs::read(path) else { return false };
    let content = content.replace("\r\n", "\n");
    Oid::of(store.hash_kind(), ObjectKind::Blob, &content).is_ok_and(|id| id == node.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::node::Folder;
    use crate::repo::oid::HashKind;
    use crate::repo::store::{Commit, Head, IndexEntries};

    /// A repository with one file.
    struct One(Vec<u8>);

    impl Store for One {
        fn hash_kind(&self) -> HashKind {
            HashKind::Sha1
        }

        fn head(&self) -> Result<Head, GitError> {
            Ok(Head { branch: None, commit: None })
        }

        fn reference(&self, _: &str) -> Result<Option<Oid>, GitError> {
            Ok(None)
        }

        fn symbolic_target(&self, _: &str) -> Result<Option<String>, GitError> {
            Ok(None)
        }

        fn revision(&self, _: &str) -> Result<Option<Oid>, GitError> {
            Ok(None)
        }

        fn has_references(&self, _: &str) -> Result<bool, GitError> {
            Ok(false)
        }

        fn peeled(&self, id: Oid) -> Result<Option<Oid>, GitError> {
            Ok(Some(id))
        }

        fn merge_bases(&self, _: Oid, _: Oid) -> Result<Vec<Oid>, GitError> {
            Ok(Vec::new())
        }

        fn tree_of(&self, commit: Oid) -> Result<Oid, GitError> {
            Ok(commit)
        }

        fn commit(&self, id: Oid) -> Result<Commit, GitError> {
            Err(GitError::MissingObject(id.to_string()))
        }

        fn tree(&self, id: Oid) -> Result<Folder, GitError> {
            Err(GitError::MissingObject(id.to_string()))
        }

        fn blob(&self, _: Oid) -> Result<Vec<u8>, GitError> {
            Ok(self.0.clone())
        }

        fn index(&self, _: &Path, _: &[BString], _: Option<Oid>) -> Result<IndexEntries, GitError> {
            Ok(IndexEntries::default())
        }
    }

    fn is_there(committed: &[u8], on_disk: &[u8]) -> Result<bool, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("a"), on_disk)?;
        let id = Oid::of(HashKind::Sha1, ObjectKind::Blob, committed)?;
        let tree = Node::folder(HashKind::Sha1, vec![("a".into(), Node::object(Kind::File, id))])?;
        Ok(first_difference(&One(committed.to_owned()), &tree, folder.path(), true)?.is_none())
    }

    #[test]
    fn what_a_checkout_makes_of_a_file_is_that_file() -> Result<(), Box<dyn std::error::Error>> {
        assert!(is_there(b"a\nb\n", b"a\nb\n")? && is_there(b"a\nb\n", b"a\r\nb\r\n")?);
        assert!(!is_there(b"a\nb\n", b"a\nc\n")?);
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid {}\nsize 3\n", sha256(b"big"));
        assert!(is_there(pointer.as_bytes(), b"big")? && !is_there(pointer.as_bytes(), b"small")?);
        Ok(())
    }
}
