//! The spec set: which files are frozen, and which of them differ between base and head.

use bstr::{BStr, BString, ByteSlice};
use globset::GlobSet;

use crate::config;
use crate::openspec::metadata::METADATA_FILE;
use crate::openspec::project::FOLDER;
use crate::openspec::tasks;
use crate::openspec::text::FenceTracker;
use crate::repo::changes::{ChangeKind, FileChange, compare};
use crate::repo::node::Node;
use crate::repo::oid::{ObjectKind, Oid};
use crate::repo::snapshot::{Kind, ObjectTree, ReadError, Snapshot, is_below, join};
use crate::repo::store::{GitError, Store};
use crate::rules::{EditPlace, SpecEdit};

/// What is frozen in every `openspec/`.
const SPEC_SET: &[&str] =
    &["specs", "changes", "config.yaml", "config.yml", "schemas", "verify", config::FILE, config::baseline::FILE];

/// Lines shown of what went, and as many of what came.
const MAX_EVIDENCE: usize = 5;

/// Contents above this size are not searched for the first line that differs.
const MAX_COMPARED: usize = 4 * 1024 * 1024;

/// Paths to compare for the projects in `roots`, and for globs.
pub(super) fn paths(roots: &[BString], globs: &[String]) -> Vec<BString> {
    let mut paths: Vec<BString> = Vec::new();
    for root in roots {
        let folder = join(root.as_ref(), FOLDER);
        paths.extend(SPEC_SET.iter().map(|name| join(folder.as_ref(), name)));
    }
    paths.extend(globs.iter().map(|glob| literal_prefix(config::from_top(glob))));
    paths.sort();
    paths.dedup();
    // A path below another is compared with it.
    let all = paths.clone();
    paths.retain(|path| !all.iter().any(|other| is_below(path.as_ref(), other.as_ref())));
    paths
}

/// Whether a path is the other one or lies below it.
pub(super) fn is_at_or_below(path: &BStr, folder: &BStr) -> bool {
    path == folder || is_below(path, folder)
}

/// The folders of a glob that have no special character: nothing outside can match.
fn literal_prefix(glob: &str) -> BString {
    let literal = |part: &&str| !part.contains(['*', '?', '[', '{', '\\']);
    BString::from(glob.split('/').take_while(literal).collect::<Vec<_>>().join("/"))
}

/// Whether a path belongs to the spec set.
pub(super) fn is_frozen(path: &BStr, roots: &[BString], globs: &GlobSet) -> bool {
    let in_spec_set = |root: &BString| {
        let folder = join(root.as_ref(), FOLDER);
        SPEC_SET.iter().any(|name| {
            let frozen = join(folder.as_ref(), name);
            path == frozen.as_bstr() || is_below(path, frozen.as_ref()) || is_below(frozen.as_ref(), path)
        })
    };
    roots.iter().any(in_spec_set) || globs.is_match(path.to_path_lossy())
}

/// Both sides of a comparison.
pub(super) struct Sides<'a> {
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
    pub(super) fn edits(
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
    pub(super) fn side_edits(
        &self,
        place: EditPlace,
        side: &Node,
        paths: &[BString],
        is_frozen: impl Fn(&BStr) -> bool,
    ) -> Result<Vec<SpecEdit>, GitError> {
        let mut edits = Vec::new();
        for change in compare(self.store, self.base, side, paths)? {
            if !is_frozen(change.path.as_ref()) || self.stands_on_base(&change)? {
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
        let Some(tip) = self.tip else { return Ok(false) };
        let there = tip.find(self.store, change.path.as_ref())?;
        Ok(match (&change.head, there) {
            (Some(head), Some(there)) => head.problem.is_none() && head.id == there.id && head.kind == there.kind,
            (None, None) => true,
            _ => false,
        })
    }

    /// Whether a difference is none after all: what git itself makes different in a work tree, and new files that no
    /// reader of specs looks at.
    fn is_nothing(&self, change: &FileChange) -> Result<bool, GitError> {
        if change.kind == ChangeKind::ModeChanged && !self.trusts_file_mode {
            return Ok(true);
        }
        if change.kind == ChangeKind::Added && is_hidden_from_readers(change.path.as_ref()) {
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
    pub(super) fn content(&self, node: &Node, path: &BStr) -> Option<Vec<u8>> {
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
pub(super) fn difference(before: &[u8], after: &[u8]) -> (usize, Vec<String>) {
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

/// `…/openspec/changes/<id>/…/tasks.md`, not in the archive.
fn is_open_task_file(path: &BStr) -> bool {
    let parts: Vec<&[u8]> = path.split_str("/").collect();
    let is_tasks = parts.last() == Some(&b"tasks.md".as_slice());
    let change = parts
        .windows(3)
        .find(|window| window[0] == FOLDER.as_bytes() && window[1] == b"changes")
        .map(|window| window[2]);
    is_tasks && change.is_some_and(|change| change != b"archive" && change != b"tasks.md")
}

/// Whether every line that differs is a task outside a code fence whose box went from open to ticked.
fn is_only_ticked(before: &[u8], after: &[u8]) -> bool {
    let (Ok(before), Ok(after)) = (before.to_str(), after.to_str()) else { return false };
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    if old.len() != new.len() {
        return false;
    }
    let mut fences = FenceTracker::default();
    old.iter().zip(&new).all(|(old, new)| {
        let is_fenced = fences.feed(old);
        old == new || !is_fenced && is_tick(old, new)
    })
}

fn is_tick(old: &str, new: &str) -> bool {
    if tasks::task(old).is_none_or(|task| task.done) || tasks::task(new).is_none_or(|task| !task.done) {
        return false;
    }
    let Some(at) = old.find('[') else { return false };
    let (head, tail) = old.split_at(at);
    let Some(tail) = tail.strip_prefix("[ ]") else { return false };
    ["[x]", "[X]"].iter().any(|ticked| new.strip_prefix(head).and_then(|rest| rest.strip_prefix(ticked)) == Some(tail))
}

/// A link that stands for a part of the spec set: what it leads to is frozen too.
pub(super) struct Link {
    /// Where the link is.
    path: BString,
    /// Where it leads.
    real: BString,
}

impl Link {
    /// What is frozen where it leads.
    pub(super) fn frozen(&self) -> Vec<BString> {
        if self.path == FOLDER || self.path.ends_with(format!("/{FOLDER}").as_bytes()) {
            SPEC_SET.iter().map(|name| join(self.real.as_ref(), name)).collect()
        } else {
            vec![self.real.clone()]
        }
    }

    /// What a path is called through the link.
    pub(super) fn name(&self, path: &BStr) -> Option<BString> {
        let rest = path.strip_prefix(self.real.as_slice())?;
        (rest.is_empty() || rest.starts_with(b"/")).then(|| [self.path.as_slice(), rest].concat().into())
    }
}

/// Whether one of these `openspec/` folders, or what is frozen in it, is a link.
///
/// # Errors
/// When a folder's object cannot be read.
pub(super) fn has_link(store: &dyn Store, top: &Node, folders: &[BString]) -> Result<bool, GitError> {
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
pub(super) fn links(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticking() {
        let ticked = |before: &str, after: &str| is_only_ticked(before.as_bytes(), after.as_bytes());
        assert!(ticked("- [ ] a\n- [ ] b\n", "- [x] a\n- [ ] b\n"));
        assert!(ticked("- [ ] a\r\n", "- [X] a\r\n"));
        assert!(!ticked("- [x] a\n", "- [ ] a\n"));
        assert!(!ticked("- [ ] a\n", "- [x] b\n"));
        assert!(!ticked("- [ ] a\n- [ ] b\n", "- [x] a\n"));
        assert!(!ticked("```\n- [ ] a\n```\n", "```\n- [x] a\n```\n"));
        assert!(!ticked("- [ ] a\n", "- [-] a\n"));
    }

    #[test]
    fn task_files() {
        assert!(is_open_task_file("openspec/changes/c1/tasks.md".into()));
        assert!(is_open_task_file("pkg/openspec/changes/c1/sub/tasks.md".into()));
        assert!(!is_open_task_file("openspec/changes/archive/c1/tasks.md".into()));
        assert!(!is_open_task_file("openspec/changes/tasks.md".into()));
        assert!(!is_open_task_file("openspec/changes/c1/design.md".into()));
    }

    #[test]
    fn globs_start_at_their_literal_folder() {
        assert_eq!(paths(&[], &["tests/**/*.rs".into(), "tests/a".into(), "Makefile".into()]), ["Makefile", "tests"]);
        assert_eq!(literal_prefix("*.toml"), "");
    }
}
