//! Links that stand for a part of the spec set.

use bstr::{BStr, BString};

use super::SPEC_SET;
use crate::openspec::project::FOLDER;
use crate::repo::node::Node;
use crate::repo::snapshot::{Kind, ObjectTree, ReadError, Snapshot, join};
use crate::repo::store::{GitError, Store};

/// A link that stands for a part of the spec set: what it leads to is frozen too.
pub(in crate::gate) struct Link {
    /// Where the link is.
    path: BString,
    /// Where it leads.
    real: BString,
}

impl Link {
    /// What is frozen where it leads.
    pub(in crate::gate) fn frozen(&self) -> Vec<BString> {
        if self.path == FOLDER || self.path.ends_with(format!("/{FOLDER}").as_bytes()) {
            SPEC_SET.iter().map(|name| join(self.real.as_ref(), name)).collect()
        } else {
            vec![self.real.clone()]
        }
    }

    /// What a path is called through the link.
    pub(in crate::gate) fn name(&self, path: &BStr) -> Option<BString> {
        let rest = path.strip_prefix(self.real.as_slice())?;
        (rest.is_empty() || rest.starts_with(b"/")).then(|| [self.path.as_slice(), rest].concat().into())
    }
}

/// Whether one of these `openspec/` folders, or what is frozen in it, is a link.
///
/// # Errors
/// When a folder's object cannot be read.
pub(in crate::gate) fn has_link(store: &dyn Store, top: &Node, folders: &[BString]) -> Result<bool, GitError> {
    for folder in folders {
        let inner = SPEC_SET.iter().map(|name| join(folder.as_ref(), name));
        for path in std::iter::once(folder.clone()).chain(inner) {
            if top.find(store, path.as_ref())?.is_some_and(|node| node.kind == Kind::Link) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Where `openspec/` and what is frozen in it really lie when they are links, in either tree.
///
/// # Errors
/// When a link of head leads out of the tree, where nothing can be compared.
pub(in crate::gate) fn links(
    base: &ObjectTree<'_>,
    head: &dyn Snapshot,
    roots: &[BString],
) -> Result<Vec<Link>, (BString, ReadError)> {
    let mut found = Vec::new();
    for root in roots {
        let folder = join(root.as_ref(), FOLDER);
        let inner = SPEC_SET.iter().map(|name| join(folder.as_ref(), name));
        for path in std::iter::once(folder.clone()).chain(inner) {
            if base.kind(path.as_ref()) == Ok(Kind::Link) {
                found.extend(base.resolve(path.as_ref()).map(|real| Link { path: path.clone(), real }));
            }
            if head.kind(path.as_ref()) == Ok(Kind::Link) {
                match head.resolve(path.as_ref()) {
                    Ok(real) => found.push(Link { path, real }),
                    Err(error @ ReadError::Outside(_)) => return Err((path, error)),
                    Err(_) => {}
                }
            }
        }
    }
    Ok(found)
}
