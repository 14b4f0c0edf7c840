//! Counts the items a diff does not touch, without reading more than it must.

use bstr::{BStr, BString, ByteSlice};

use super::explained::Explained;
use super::frozen::Link;
use crate::repo::history::History;
use crate::repo::node::{MAX_DEPTH, Node};
use crate::repo::oid::Oid;
use crate::repo::snapshot::{Kind, Snapshot, join};
use crate::repo::store::Store;
use crate::rules::Freeze;

/// What a run knows of the comparison it judges.
pub(super) struct Diff<'a> {
    pub(super) store: &'a dyn Store,
    /// What base has.
    pub(super) base: &'a dyn Snapshot,
    /// What the base branch has by now, when that is something else.
    pub(super) tip: Option<&'a dyn Snapshot>,
    /// The commits head stands on.
    pub(super) history: Option<&'a History<'a>>,
    /// The commits base stands on.
    pub(super) base_history: Option<&'a History<'a>>,
    pub(super) head: &'a Node,
    /// Files of a folder with that object name, when the index happens to list them.
    pub(super) listed: &'a (dyn Fn(&BStr, Oid) -> Option<Vec<BString>> + Sync),
    pub(super) links: &'a [Link],
    /// What is asked of edits.
    pub(super) freeze: Freeze,
    /// What explaining them came to.
    pub(super) explained: Explained,
}

impl Diff<'_> {
    /// A path and those it has through links.
    pub(super) fn names(&self, path: &BStr) -> Vec<BString> {
        let linked = self.links.iter().filter_map(|link| link.name(path));
        std::iter::once(path.to_owned()).chain(linked).collect()
    }

    /// Specs and open changes below an `openspec/` of head. What cannot be read is not counted: it is reported.
    pub(super) fn count(&self, folder: &BStr) -> usize {
        let node = |name: &str| self.head.find(self.store, join(folder, name).as_ref()).ok().flatten();
        let specs = node("specs").map_or(0, |specs| match (self.listed)(join(folder, "specs").as_ref(), specs.id) {
            Some(paths) => paths.iter().filter(|path| is_spec_path(path.as_ref())).count(),
            None => count_specs(self.store, &specs, 0),
        });
        let changes = node("changes").and_then(|changes| {
            let children = changes.children(self.store).ok()?;
            let is_change = |name: &BString, kind| kind == Kind::Dir && name != "archive" && !name.starts_with(b".");
            Some(children.iter().filter(|(name, node)| is_change(name, node.kind)).count())
        });
        specs + changes.unwrap_or_default()
    }
}

/// `…/spec.md` below a capability, no dot name in between.
fn is_spec_path(path: &BStr) -> bool {
    let parts: Vec<&[u8]> = path.split_str("/").collect();
    parts.len() > 1 && parts.last() == Some(&b"spec.md".as_slice()) && parts.iter().all(|part| !part.starts_with(b"."))
}

fn count_specs(store: &dyn Store, folder: &Node, depth: usize) -> usize {
    if depth > MAX_DEPTH {
        return 0;
    }
    let Ok(children) = folder.children(store) else { return 0 };
    let count = |(name, node): &(BString, Node)| match node.kind {
        _ if name.starts_with(b".") => 0,
        Kind::Dir => count_specs(store, node, depth + 1),
        _ => usize::from(depth > 0 && name == "spec.md"),
    };
    children.iter().map(count).sum()
}
