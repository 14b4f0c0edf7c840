//! Which files differ between base and head, and where.

use bstr::{BStr, BString, ByteSlice};

use super::ticking::{is_only_ticked, is_open_task_file};
use crate::openspec::metadata::METADATA_FILE;
use crate::openspec::project::FOLDER;
use crate::repo::changes::{ChangeKind, FileChange, compare};
use crate::repo::node::Node;
use crate::repo::oid::{ObjectKind, Oid};
use crate::repo::snapshot::Snapshot;
use crate::repo::store::{GitError, Store};
use crate::rules::{EditPlace, SpecEdit};

/// Lines shown of what went, and as many of what came.
const MAX_EVIDENCE: usize = 5;

/// Contents above this size are not searched for the first line that differs.
const MAX_COMPARED: usize = 4 * 1024 * 1024;

/// What lay below a work tree when base was written down: what a side still has from then was not edited since.
#[derive(Debug, Default)]
pub(in crate::gate) struct Was {
    /// The index.
    pub index: Option<Node>,
    /// The commit that was checked out.
    pub commit: Option<Node>,
}

/// Both sides of a comparison.
pub(in crate::gate) struct Sides<'a> {
    /// Objects of either side.
    pub store: &'a dyn Store,
    /// The base's files.
    pub base: &'a Node,
    /// Head's files, at least at the compared paths.
    pub head: &'a Node,
    /// Head's files, for their contents.
    pub snapshot: &'a dyn Snapshot,
    /// The index on top of a work tree.
    pub index: Option<&'a Node>,
    /// The commit below a work tree.
    pub commit: Option<&'a Node>,
    /// What index and commit had when base was written down.
    pub was: &'a Was,
    /// The files of the commit base means itself, which may be ahead of the merge base.
    pub tip: Option<&'a Node>,
    /// Whether head is a work tree, where git may convert line ends.
    pub is_worktree: bool,
    /// Whether the executable bit means anything on head's side.
    pub trusts_file_mode: bool,
}

impl Sides<'_> {
    /// Files below `paths` that differ and are frozen.
    ///
    /// # Errors
    /// When an object cannot be read.
    pub(in crate::gate) fn edits(
        &self,
        paths: &[BString],
        is_frozen: impl Fn(&BStr) -> bool,
    ) -> Result<Vec<SpecEdit>, GitError> {
        let mut edits: Vec<SpecEdit> = Vec::new();
        let mut known: std::collections::HashSet<BString> = std::collections::HashSet::new();
        let sides =
            [(EditPlace::Head, Some(self.head)), (EditPlace::Index, self.index), (EditPlace::Commit, self.commit)];
        for (place, side) in sides {
            let Some(side) = side else { continue };
            let is_new = |path: &BStr| is_frozen(path) && !known.contains(path);
            for edit in self.side_edits(place, side, paths, is_new)? {
                // A ticked box in the work tree says nothing about what the index holds at that path.
                if !edit.is_ticking {
                    known.insert(edit.change.path.clone());
                }
                edits.push(edit);
            }
        }
        edits.sort_by(|a, b| a.change.path.cmp(&b.change.path));
        Ok(edits)
    }

    /// Files of one side that differ from base and are frozen, whatever the other sides have.
    ///
    /// # Errors
    /// When an object cannot be read.
    pub(in crate::gate) fn side_edits(
        &self,
        place: EditPlace,
        side: &Node,
        paths: &[BString],
        is_frozen: impl Fn(&BStr) -> bool,
    ) -> Result<Vec<SpecEdit>, GitError> {
        let mut edits = Vec::new();
        for change in compare(self.store, self.base, side, paths)? {
            if !is_frozen(change.path.as_ref()) || self.stands_on_base(&change)? || self.was_there(&change, place)? {
                continue;
            }
            // No reader of specs looks at it, on whatever side it is.
            if change.kind == ChangeKind::Added && is_hidden_from_readers(change.path.as_ref()) {
                continue;
            }
            if place != EditPlace::Head || !self.is_nothing(&change)? {
                edits.push(self.edit(change, place)?);
            }
        }
        Ok(edits)
    }

    /// Whether head has the file as base has it by now: then the edit came from there.
    fn stands_on_base(&self, change: &FileChange) -> Result<bool, GitError> {
        self.tip.map_or(Ok(false), |tip| self.is_as_in(tip, change))
    }

    /// Whether index or commit had the file as it is when base was written down.
    fn was_there(&self, change: &FileChange, place: EditPlace) -> Result<bool, GitError> {
        let was = match place {
            EditPlace::Head => None,
            EditPlace::Index => self.was.index.as_ref(),
            EditPlace::Commit => self.was.commit.as_ref(),
        };
        was.map_or(Ok(false), |was| self.is_as_in(was, change))
    }

    /// Whether head has the file as some tree has it.
    fn is_as_in(&self, tree: &Node, change: &FileChange) -> Result<bool, GitError> {
        let there = tree.find(self.store, change.path.as_ref())?;
        Ok(match (&change.head, there) {
            (Some(head), Some(there)) => head.problem.is_none() && head.id == there.id && head.kind == there.kind,
            (None, None) => true,
            _ => false,
        })
    }

    /// Whether a difference is none after all, but what git itself makes different in a work tree.
    fn is_nothing(&self, change: &FileChange) -> Result<bool, GitError> {
        if change.kind == ChangeKind::ModeChanged && !self.trusts_file_mode {
            return Ok(true);
        }
        self.is_converted(change)
    }

    /// A checkout may turn `\n` into `\r\n`. That is believed when the index still has what base has.
    fn is_converted(&self, change: &FileChange) -> Result<bool, GitError> {
        let (Some(base), Some(head), Some(index), true) = (&change.base, &change.head, self.index, self.is_worktree)
        else {
            return Ok(false);
        };
        if change.kind != ChangeKind::Modified || !base.kind.is_file() {
            return Ok(false);
        }
        let staged = index.find(self.store, change.path.as_ref())?;
        if staged.is_none_or(|staged| staged.id != base.id) {
            return Ok(false);
        }
        let Some(head) = self.content(head, change.path.as_ref()) else { return Ok(false) };
        Ok(head.contains_str("\r\n") && head.replace("\r\n", "\n") == self.store.blob(base.id)?)
    }

    /// Whether all that happened to an open change's `tasks.md` is that open boxes were ticked.
    fn is_ticking(&self, change: &FileChange, place: EditPlace) -> Result<bool, GitError> {
        let (Some(base), Some(head)) = (&change.base, &change.head) else { return Ok(false) };
        let is_same_kind = base.kind == head.kind && head.kind.is_file();
        if change.kind != ChangeKind::Modified || !is_same_kind || !is_open_task_file(change.path.as_ref()) {
            return Ok(false);
        }
        let Some(mut after) = self.content(head, change.path.as_ref()) else { return Ok(false) };
        let before = self.store.blob(base.id)?;
        // A box ticked in a file whose line ends a checkout converted.
        if self.is_worktree && place == EditPlace::Head && !before.contains_str("\r\n") {
            after = after.replace("\r\n", "\n");
        }
        Ok(is_only_ticked(&before, &after))
    }

    /// The content a node has the name of, from the repository or from head's files. What a file holds by now may be
    /// something else than what was compared, and an index may name what nobody has.
    pub(in crate::gate) fn content(&self, node: &Node, path: &BStr) -> Option<Vec<u8>> {
        if let Ok(content) = self.store.blob(node.id) {
            return Some(content);
        }
        let content = self.snapshot.read(path).ok()?;
        let id = Oid::of(self.store.hash_kind(), ObjectKind::Blob, &content).ok()?;
        (id == node.id).then_some(content)
    }

    fn edit(&self, change: FileChange, place: EditPlace) -> Result<SpecEdit, GitError> {
        let is_ticking = self.is_ticking(&change, place)?;
        let is_shown = place == EditPlace::Head;
        let (line, evidence) = if is_shown { self.first_difference(&change) } else { (0, Vec::new()) };
        Ok(SpecEdit { change, place, is_ticking, line, evidence })
    }

    /// Where the files begin to differ, and what went and came there.
    fn first_difference(&self, change: &FileChange) -> (usize, Vec<String>) {
        let is_readable =
            |node: &Option<Node>| node.as_ref().is_some_and(|node| node.kind.is_file() && node.problem.is_none());
        let before = match &change.base {
            Some(base) if base.kind.is_file() => self.store.blob(base.id).unwrap_or_default(),
            _ => Vec::new(),
        };
        let after = if is_readable(&change.head) {
            self.snapshot.read(change.path.as_ref()).unwrap_or_default()
        } else {
            Vec::new()
        };
        if change.kind == ChangeKind::ModeChanged { (0, Vec::new()) } else { difference(&before, &after) }
    }
}

/// Where two contents begin to differ, as a 0-based line, and what went (`-`) and came (`+`) there.
pub(in crate::gate) fn difference(before: &[u8], after: &[u8]) -> (usize, Vec<String>) {
    if before.len().max(after.len()) > MAX_COMPARED {
        return (0, Vec::new());
    }
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (before.lines().collect(), after.lines().collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let same_end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(old, new)| old == new).count();
    let marked = |mark: char, lines: &[&[u8]]| -> Vec<String> {
        let lines = &lines[start..lines.len() - same_end];
        lines.iter().take(MAX_EVIDENCE).map(|line| format!("{mark} {}", line.to_str_lossy())).collect()
    };
    let mut evidence = marked('-', &old);
    evidence.extend(marked('+', &new));
    (start.min(new.len().saturating_sub(1)), evidence)
}

/// Whether a path below an `openspec/specs/` or `openspec/changes/` has a name that readers of specs pass over: editors
/// and desktops leave such files. A repository inside is no such thing.
fn is_hidden_from_readers(path: &BStr) -> bool {
    let parts: Vec<&[u8]> = path.split_str("/").collect();
    let is_set = |pair: &[&[u8]]| pair[0] == FOLDER.as_bytes() && [b"specs".as_slice(), b"changes"].contains(&pair[1]);
    let Some(at) = parts.windows(2).position(is_set) else { return false };
    let is_read =
        |name: &[u8]| !name.starts_with(b".") || name == METADATA_FILE.as_bytes() || name.eq_ignore_ascii_case(b".git");
    !parts[at + 2..].iter().all(|name| is_read(name))
}
