//! Where checks look and run: head's files, as snapshots and as commands see them.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bstr::{BString, ByteSlice};

use crate::digest::sha256;
use crate::gate::comparison::commit_files;
use crate::gate::frozen::is_at_or_below;
use crate::redact::redact;
use crate::repo::changes::{FileChange, compare};
use crate::repo::checkout;
use crate::repo::environment::Environment;
use crate::repo::node::Node;
use crate::repo::oid::Oid;
use crate::repo::open::{self, Repository};
use crate::repo::scope::HeadSide;
use crate::repo::snapshot::{ObjectTree, Snapshot, Worktree};
use crate::repo::store::{GitError, Store};
use crate::report::{Reason, display_path};

/// Bytes that are looked at behind a limit, for a secret that it cuts.
const MARGIN: usize = 16 * 1024;

/// Where checks look and run. Each answer is worked out when it is asked for: most runs have no checks.
pub(in crate::gate) trait Bench: Sync {
    /// The folder on disk that has head's files.
    ///
    /// # Errors
    /// When what lies on disk is something else.
    fn folder(&self) -> Result<PathBuf, Reason>;

    /// Shows all of head's files.
    ///
    /// # Errors
    /// When they cannot be read as a whole.
    fn with_files(&self, look: &mut dyn FnMut(&dyn Snapshot)) -> Result<(), Reason>;

    /// What of some paths differs between base and head. None when there is no base.
    fn differing(&self, paths: &[BString]) -> Option<Result<Vec<FileChange>, GitError>>;

    /// Whether anything outside of some folders differs between base and head. True when nobody can tell, false when there
    /// is no base.
    fn differs_beyond(&self, folders: &[BString]) -> bool;

    /// The difference between base and head as text without secrets, at most `limit` bytes, and whether that is all. None
    /// when there is no base, or no git program to ask.
    fn difference(&self, limit: usize) -> Option<(String, bool)>;

    /// Git's name for the files it follows as they lie on disk. None outside of a repository.
    fn digest(&self) -> Option<String>;

    /// The folder that all work trees of the repository share. None outside of a repository.
    fn common_dir(&self) -> Option<PathBuf>;
}

/// A whole tree as it lies on disk, with or without git.
pub(in crate::gate) struct TreeBench<'a> {
    pub(in crate::gate) top: &'a Path,
    pub(in crate::gate) files: &'a Worktree,
    pub(in crate::gate) env: &'a Environment,
}

impl Bench for TreeBench<'_> {
    fn folder(&self) -> Result<PathBuf, Reason> {
        Ok(self.top.to_owned())
    }

    fn with_files(&self, look: &mut dyn FnMut(&dyn Snapshot)) -> Result<(), Reason> {
        look(self.files);
        Ok(())
    }

    fn differing(&self, _: &[BString]) -> Option<Result<Vec<FileChange>, GitError>> {
        None
    }

    fn differs_beyond(&self, _: &[BString]) -> bool {
        false
    }

    fn difference(&self, _: usize) -> Option<(String, bool)> {
        None
    }

    fn digest(&self) -> Option<String> {
        let repository = Repository::open(self.top, self.env).ok()?;
        followed(&repository).map(|node| node.id.to_string())
    }

    fn common_dir(&self) -> Option<PathBuf> {
        open::common_dir_of(self.top)
    }
}

/// Base against head.
pub(in crate::gate) struct ComparedBench<'a> {
    pub(in crate::gate) repository: &'a Repository,
    pub(in crate::gate) base_commit: Option<Oid>,
    pub(in crate::gate) base: &'a Node,
    pub(in crate::gate) side: HeadSide,
    /// Head's files, for a work tree or an index only some of them.
    pub(in crate::gate) head: &'a Node,
    pub(in crate::gate) snapshot: &'a dyn Snapshot,
    /// Digest of all files outside of the projects, when base was written down.
    outside: Option<&'a str>,
    /// The folder on disk, when it is known whether it has head's files.
    folder: OnceLock<Result<PathBuf, Reason>>,
    followed: OnceLock<Option<Node>>,
    whole: OnceLock<Result<Node, GitError>>,
}

impl<'a> ComparedBench<'a> {
    pub(in crate::gate) fn new(
        repository: &'a Repository,
        (base_commit, base): (Option<Oid>, &'a Node),
        (side, head, snapshot): (HeadSide, &'a Node, &'a dyn Snapshot),
        outside: Option<&'a str>,
    ) -> Self {
        Self {
            repository,
            base_commit,
            base,
            side,
            head,
            snapshot,
            outside,
            folder: OnceLock::new(),
            followed: OnceLock::new(),
            whole: OnceLock::new(),
        }
    }

    fn store(&self) -> &dyn Store {
        self.repository.store()
    }

    /// The files the index lists, as they lie on disk, read once.
    fn followed(&self) -> Option<Node> {
        self.followed.get_or_init(|| followed(self.repository)).clone()
    }

    /// All files of a head that is no work tree, read once.
    fn whole(&self) -> Result<Node, GitError> {
        if self.side != HeadSide::Index {
            return Ok(self.head.clone());
        }
        let read = || {
            let path = self.repository.hook_index_path().map_err(|error| GitError::Other(error.to_string()))?;
            let index = self.store().index(&path, &[BString::default()], None)?;
            Node::of_index(self.store().hash_kind(), &index.entries).map_err(GitError::Other)
        };
        self.whole.get_or_init(read).clone()
    }

    /// Adds new files that git does not follow yet, which `git diff` passes over.
    fn add_untracked(&self, text: &mut Vec<u8>, limit: usize) {
        for path in self.repository.untracked().unwrap_or_default() {
            if text.len() > limit {
                break;
            }
            let content = self.snapshot.read(path.as_ref()).unwrap_or_default();
            text.extend_from_slice(
                format!("new file, not followed by git: {}\n", display_path(path.as_ref())).as_bytes(),
            );
            for line in content.lines().take(limit) {
                text.push(b'+');
                text.extend_from_slice(line);
                text.push(b'\n');
            }
        }
    }

    fn find_folder(&self) -> Result<PathBuf, Reason> {
        let what = if self.side == HeadSide::Index { "the index" } else { "the commit that is judged" };
        let Some(top) = self.repository.workdir() else {
            return Err(reason(
                "this is a bare repository: there are no files to run a check on",
                "run specward in a checkout of the commit, or pass `--no-checks`",
            ));
        };
        if matches!(self.side, HeadSide::Worktree(_)) {
            return Ok(top.to_owned());
        }
        let differing = self.whole().and_then(|whole| {
            checkout::first_difference(self.store(), &whole, top, self.repository.trusts_file_mode())
        });
        match differing {
            Ok(None) => Ok(top.to_owned()),
            Ok(Some(path)) => Err(reason(
                format!(
                    "{} is not on disk as {what} has it, so checks would run on something else",
                    display_path(path.as_ref())
                ),
                match self.side {
                    HeadSide::Index => "stash what is not staged (`git stash --keep-index`), or pass `--no-checks`",
                    _ => "check the commit out, or pass `--no-checks`",
                },
            )),
            Err(error) => {
                Err(reason(format!("{what} cannot be compared with the files on disk: {error}"), "run `git fsck`"))
            }
        }
    }
}

impl Bench for ComparedBench<'_> {
    fn folder(&self) -> Result<PathBuf, Reason> {
        self.folder.get_or_init(|| self.find_folder()).clone()
    }

    fn with_files(&self, look: &mut dyn FnMut(&dyn Snapshot)) -> Result<(), Reason> {
        if self.side != HeadSide::Index {
            look(self.snapshot);
            return Ok(());
        }
        let whole = self
            .whole()
            .map_err(|error| reason(error.to_string(), "run `git status` and mend what it complains about"))?;
        look(&ObjectTree::new(self.store(), whole));
        Ok(())
    }

    fn differing(&self, paths: &[BString]) -> Option<Result<Vec<FileChange>, GitError>> {
        let head = match (self.side, self.repository.workdir()) {
            (HeadSide::Worktree(_), Some(top)) => {
                Node::paths_on_disk(self.store().hash_kind(), top, paths).map_err(GitError::Other)
            }
            _ => self.whole(),
        };
        Some(head.and_then(|head| compare(self.store(), self.base, &head, paths)))
    }

    fn differs_beyond(&self, folders: &[BString]) -> bool {
        let is_beyond = |path: &BString| !folders.iter().any(|folder| is_at_or_below(path.as_ref(), folder.as_ref()));
        let differs = |head: Option<&Node>| {
            let changes = head.map(|head| compare(self.store(), self.base, head, &[BString::default()]));
            // What cannot be compared may differ.
            changes.and_then(Result::ok).is_none_or(|changes| changes.iter().any(|change| is_beyond(&change.path)))
        };
        let HeadSide::Worktree(commit) = self.side else { return differs(self.whole().ok().as_ref()) };
        let committed = commit_files(self.store(), commit).ok();
        // What was different from the commit already is not the work that is judged.
        if self.outside.is_some() && digest_beyond(self.repository, folders).as_deref() == self.outside {
            return false;
        }
        // Commits are compared in no time; every file on disk is read.
        differs(committed.as_ref())
            || differs(self.followed().as_ref())
            || self.repository.untracked().map_or(true, |paths| paths.iter().any(is_beyond))
    }

    fn difference(&self, limit: usize) -> Option<(String, bool)> {
        let mut text = self.repository.difference(self.base_commit?, self.side).ok()?;
        if matches!(self.side, HeadSide::Worktree(_)) {
            self.add_untracked(&mut text, limit + MARGIN);
        }
        // A secret that stands where the text is cut is known as one by what follows.
        let shown = text[..text.len().min(limit + MARGIN)].to_str_lossy();
        let mut redacted = redact(&shown).text.into_owned();
        let is_all = text.len() <= limit && redacted.len() <= limit;
        let end = (0..=limit.min(redacted.len())).rev().find(|at| redacted.is_char_boundary(*at));
        redacted.truncate(end.unwrap_or(0));
        Some((redacted, is_all))
    }

    fn digest(&self) -> Option<String> {
        match self.side {
            HeadSide::Worktree(_) => self.followed().map(|node| node.id.to_string()),
            _ => self.whole().ok().map(|whole| whole.id.to_string()),
        }
    }

    fn common_dir(&self) -> Option<PathBuf> {
        Some(self.repository.common_dir().to_owned())
    }
}

fn reason(message: impl Into<String>, fix: impl Into<String>) -> Reason {
    Reason { message: message.into(), fix: fix.into() }
}

/// Digest of the files that git follows or could follow, as they lie on disk outside of some folders.
pub(in crate::gate) fn digest_beyond(repository: &Repository, folders: &[BString]) -> Option<String> {
    let top = repository.workdir()?;
    let untracked = Node::paths_on_disk(repository.store().hash_kind(), top, &repository.untracked().ok()?).ok()?;
    let mut files = followed(repository)?.known_files();
    files.extend(untracked.known_files());
    files.retain(|file| !folders.iter().any(|folder| is_at_or_below(file.path.as_ref(), folder.as_ref())));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup();
    let lines = files.iter().map(|file| format!("{:?} {} {}\n", file.kind, file.id, display_path(file.path.as_ref())));
    Some(sha256(lines.collect::<String>().as_bytes()))
}

/// The files the index lists, as they lie on disk.
fn followed(repository: &Repository) -> Option<Node> {
    let (store, top) = (repository.store(), repository.workdir()?);
    let index = store.index(&repository.index_path(), &[BString::default()], None).ok()?;
    let paths: Vec<BString> = index.entries.into_iter().map(|entry| entry.path).collect();
    Node::paths_on_disk(store.hash_kind(), top, &paths).ok()
}
