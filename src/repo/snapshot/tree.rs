//! A commit's files, or the index's: anything whose contents are git objects.

use bstr::{BStr, BString, ByteSlice};

use super::{Entry, Kind, MAX_FILE_BYTES, ReadError, Snapshot, join};
use crate::repo::node::Node;
use crate::repo::store::{GitError, Store};

/// Links are followed this often, so that a circle of them ends.
const MAX_LINKS: usize = 32;

/// Files as git objects, read when they are asked for.
pub struct ObjectTree<'r> {
    store: &'r dyn Store,
    top: Node,
}

impl std::fmt::Debug for ObjectTree<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObjectTree").field("top", &self.top.id).finish_non_exhaustive()
    }
}

impl<'r> ObjectTree<'r> {
    /// The files below a node.
    pub fn new(store: &'r dyn Store, top: Node) -> Self {
        Self { store, top }
    }

    /// The node at a path, links not followed.
    pub fn node(&self, path: &BStr) -> Result<Node, ReadError> {
        let mut node = self.top.clone();
        for name in path.split_str("/").filter(|name| !name.is_empty()) {
            if node.kind != Kind::Dir {
                return Err(if node.kind == Kind::Link { ReadError::Missing } else { ReadError::NotADirectory });
            }
            let children = node.children(self.store).map_err(|error| read_error(&error))?;
            let child = children.iter().find(|(child, _)| child.as_bytes() == name);
            node = child.map(|(_, child)| child.clone()).ok_or(ReadError::Missing)?;
        }
        Ok(node)
    }

    /// Follows links, each component of the path included.
    fn followed(&self, path: &BStr) -> Result<(BString, Node), ReadError> {
        let mut todo: Vec<BString> = path.rsplit_str("/").map(BString::from).collect();
        let mut done = BString::default();
        let mut links = 0;
        while let Some(name) = todo.pop() {
            match name.as_slice() {
                b"" | b"." => continue,
                b".." => {
                    let parent = done.rfind("/").unwrap_or(0);
                    if done.is_empty() {
                        return Err(ReadError::Outside(format!("{path}")));
                    }
                    done.truncate(parent);
                    continue;
                }
                _ => {}
            }
            let next = join(done.as_ref(), &name);
            let node = match self.node(next.as_ref()) {
                // Behind a link to a folder a file is missing as elsewhere; only the link itself can lead nowhere.
                Err(ReadError::Missing) if links > 0 && self.kind(path) == Ok(Kind::Link) => {
                    return Err(ReadError::Dangling(format!("-> {next}")));
                }
                node => node?,
            };
            if node.kind != Kind::Link {
                done = next;
                continue;
            }
            links += 1;
            let target = self.store.blob(node.id).map_err(|error| read_error(&error))?;
            if links > MAX_LINKS {
                return Err(ReadError::Dangling("links in a circle".to_owned()));
            }
            if target.starts_with(b"/") {
                return Err(ReadError::Outside(format!("-> {}", target.to_str_lossy())));
            }
            todo.extend(target.rsplit_str("/").map(BString::from));
        }
        let node = self.node(done.as_ref())?;
        Ok((done, node))
    }
}

fn read_error(error: &GitError) -> ReadError {
    ReadError::Io(error.to_string())
}

impl Snapshot for ObjectTree<'_> {
    fn list(&self, dir: &BStr) -> Result<Vec<Entry>, ReadError> {
        let (_, node) = self.followed(dir)?;
        match node.kind {
            Kind::Dir => {}
            Kind::Submodule => return Err(ReadError::NotAFile),
            _ => return Err(ReadError::NotADirectory),
        }
        let children = node.children(self.store).map_err(|error| read_error(&error))?;
        let entries = children.iter().map(|(name, node)| Entry { name: name.clone(), kind: node.kind }).collect();
        Ok(entries)
    }

    fn read(&self, path: &BStr) -> Result<Vec<u8>, ReadError> {
        let (_, node) = self.followed(path)?;
        match node.kind {
            Kind::File | Kind::Executable => {}
            Kind::Dir => return Err(ReadError::IsADirectory),
            _ => return Err(ReadError::NotAFile),
        }
        let bytes = self.store.blob(node.id).map_err(|error| read_error(&error))?;
        match u64::try_from(bytes.len()) {
            Ok(length) if length > MAX_FILE_BYTES => Err(ReadError::TooLarge(length)),
            _ => Ok(bytes),
        }
    }

    fn kind(&self, path: &BStr) -> Result<Kind, ReadError> {
        // The folders on the way are followed as an operating system would, the last component is not.
        match path.rfind("/") {
            None => Ok(self.node(path)?.kind),
            Some(at) => {
                let (folder, _) = self.followed(path[..at].as_bstr())?;
                Ok(self.node(join(folder.as_ref(), &path[at + 1..]).as_ref())?.kind)
            }
        }
    }

    fn resolve(&self, path: &BStr) -> Result<BString, ReadError> {
        self.followed(path).map(|(real, _)| real)
    }
}
