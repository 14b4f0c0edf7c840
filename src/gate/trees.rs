//! Names of what was judged, for whoever keeps the report.

use std::path::Path;

use bstr::BString;

use super::frozen;
use crate::digest::sha256;
use crate::repo::environment::Environment;
use crate::repo::node::Node;
use crate::repo::open::Repository;
use crate::repo::scope::HeadSide;
use crate::repo::store::{GitError, Store};
use crate::report::{Report, Trees, display_path};

/// Adds names to the report of a whole tree: of the commit below it, and of its spec set as it lies on disk. Nothing
/// outside of a repository. Only worth its time when somebody keeps the report.
pub fn name_whole_tree(report: &mut Report, cwd: &Path, env: &Environment) {
    let Ok(repository) = Repository::open(cwd, env) else { return };
    let store = repository.store();
    let commit = store.head().ok().and_then(|head| head.commit);
    report.trees.head = commit.and_then(|commit| store.tree_of(commit).ok()).map(|tree| tree.to_string());
    let roots = report.scope.roots.iter().map(|root| if root == "." { "" } else { root }.into());
    let paths = frozen::paths(&roots.collect::<Vec<BString>>(), &[]);
    let on_disk = repository.workdir().map(|top| Node::paths_on_disk(store.hash_kind(), top, &paths));
    if let Some(Ok(node)) = on_disk {
        report.trees.specs = digest(store, &node, &paths).ok();
    }
}

/// Digest of what a side has at some paths.
fn digest(store: &dyn Store, side: &Node, paths: &[BString]) -> Result<String, GitError> {
    let mut specs = String::new();
    for path in paths {
        if let Some(node) = side.find(store, path.as_ref())? {
            specs += &format!("{} {}\n", node.id, display_path(path.as_ref()));
        }
    }
    Ok(sha256(specs.as_bytes()))
}

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
        HeadSide::Worktree(commit) => commit.map(|commit| store.tree_of(commit)).transpose()?,
        HeadSide::Index => None,
    };
    Ok(Trees {
        base: Some(base.id.to_string()),
        head: head_tree.map(|id| id.to_string()),
        specs: Some(digest(store, head, paths)?),
        ..Trees::default()
    })
}
