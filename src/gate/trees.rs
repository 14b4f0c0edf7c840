//! Names of what a comparison judged, for whoever keeps the report.

use bstr::BString;

use crate::digest::sha256;
use crate::repo::node::Node;
use crate::repo::scope::HeadSide;
use crate::repo::store::{GitError, Store};
use crate::report::{Trees, display_path};

/// Names of base and head, and of what head has at the compared paths.
///
/// # Errors
/// When a folder cannot be read.
pub(super) fn names(
    store: &dyn Store,
    (base, head): (&Node, &Node),
    side: HeadSide,
    paths: &[BString],
) -> Result<Trees, GitError> {
    let head_tree = match side {
        HeadSide::Commit(_) => Some(head.id),
        HeadSide::Worktree(commit) => Some(store.tree_of(commit)?),
        HeadSide::Index => None,
    };
    let mut specs = String::new();
    for path in paths {
        if let Some(node) = head.find(store, path.as_ref())? {
            specs += &format!("{} {}\n", node.id, display_path(path.as_ref()));
        }
    }
    Ok(Trees {
        base: Some(base.id.to_string()),
        head: head_tree.map(|id| id.to_string()),
        specs: Some(sha256(specs.as_bytes())),
        ..Trees::default()
    })
}
