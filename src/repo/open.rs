//! Finds the repository and refuses what would make a verdict about the wrong one.

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString};

use super::environment::Environment;
use super::git_cli::GitCli;
use super::gix_store::{self, GixStore};
use super::kept::{KeptBlobs, WithKept};
use super::node::Node;
use super::oid::Oid;
use super::partial::Partial;
use super::remotes::Remotes;
use super::scope::HeadSide;
use super::store::{GitError, Store};

/// Why there is no repository to work with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Neither here nor above.
    #[error("not a git repository, nor is any folder above")]
    NotARepository,
    /// It belongs to somebody else.
    #[error("the repository at {0} belongs to another user")]
    Untrusted(String),
    /// The environment or the configuration points somewhere else.
    #[error("{0}")]
    Redirected(String),
    /// It is there and cannot be read.
    #[error("{0}")]
    Broken(String),
}

impl OpenError {
    /// The way out.
    pub fn fix(&self) -> String {
        match self {
            Self::NotARepository => "run specward inside the repository it shall judge".to_owned(),
            Self::Untrusted(path) => format!("if you trust it: git config --global --add safe.directory {path}"),
            Self::Redirected(_) => "unset the variable or the setting, and run specward again".to_owned(),
            Self::Broken(_) => "run `git status` and mend what it complains about".to_owned(),
        }
    }
}

/// An opened repository.
pub struct Repository {
    store: Box<dyn Store>,
    /// The top of the work tree; none in a bare repository.
    workdir: Option<PathBuf>,
    git_dir: PathBuf,
    common_dir: PathBuf,
    is_shallow: bool,
    trusts_file_mode: bool,
    index_override: Option<PathBuf>,
    hooks_path: Option<PathBuf>,
    comment: Option<String>,
    remotes: Remotes,
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository").field("git_dir", &self.git_dir).finish_non_exhaustive()
    }
}

/// An index above this size takes longer to read than the folders it would save.
const MAX_HINT_BYTES: u64 = 256 * 1024;

/// Settings that could make history look different from what it is: replaced objects and a commit graph that anybody
/// who writes to the repository can forge.
const OVERRIDES: [&str; 2] = ["core.useReplaceRefs=false", "core.commitGraph=false"];

impl Repository {
    /// Opens the repository that holds `cwd`.
    ///
    /// The variables git sets for its hooks are understood; when they point to another repository than the one around
    /// `cwd` that is an error, since nobody could tell which of the two was meant.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(cwd: &Path, env: &Environment) -> Result<Self, OpenError> {
        let options = || gix::open::Options::default().config_overrides(OVERRIDES).bail_if_untrusted(true);
        let trust = gix::sec::trust::Mapping { full: options(), reduced: options() };
        let opened = gix::ThreadSafeRepository::discover_opts(cwd, gix::discover::upwards::Options::default(), trust);
        let repository = match opened {
            Ok(repository) => repository.to_thread_local(),
            Err(error) => return Err(explain(cwd, &error.to_string())),
        };
        let git_dir = absolute(cwd, repository.git_dir());
        let common_dir = absolute(cwd, repository.common_dir());
        let workdir = repository.workdir().map(|path| absolute(cwd, path));
        check_redirection(cwd, env, &git_dir, workdir.as_deref())?;
        let is_shallow = repository.is_shallow().unwrap_or(true);
        let config = repository.config_snapshot();
        let trusts_file_mode = config.boolean("core.fileMode").unwrap_or(true);
        let is_reftable = config.string("extensions.refStorage").is_some_and(|kind| kind.as_slice() != b"files");
        let is_partial = config.string("extensions.partialClone").is_some() || has_promisor_remote(&config);
        let cli = GitCli::new(&git_dir, repository.object_hash());
        let index_override = env.path("GIT_INDEX_FILE").map(|path| absolute(cwd, &path));
        let hooks_path = config.trusted_path("core.hooksPath").ok().flatten();
        // A path that cannot be told is no path of this repository's.
        let hooks_path = hooks_path.or_else(|| Some(config.string("core.hooksPath")?.to_string().into()));
        let comment = config.string("core.commentString").or_else(|| config.string("core.commentChar"));
        let comment = comment.map(|text| text.to_string());
        let remotes = Remotes::of(&config);
        // What is pushed lies apart until a hook has let it in.
        let incoming = env.path("GIT_QUARANTINE_PATH");
        let store: Box<dyn Store> = if is_reftable {
            Box::new(cli)
        } else if is_partial {
            Box::new(Partial { here: GixStore::new(repository, incoming.as_deref()), remote: cli })
        } else {
            Box::new(GixStore::new(repository, incoming.as_deref()))
        };
        Ok(Self {
            store,
            workdir,
            git_dir,
            common_dir,
            is_shallow,
            trusts_file_mode,
            index_override,
            hooks_path,
            comment,
            remotes,
        })
    }

    /// Adds contents that are kept beside the repository's objects.
    #[must_use]
    pub fn with_kept(mut self, kept: KeptBlobs) -> Self {
        self.store = Box::new(WithKept { store: self.store, kept });
        self
    }

    /// Objects, references and index.
    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// The top of the work tree; none in a bare repository.
    pub fn workdir(&self) -> Option<&Path> {
        self.workdir.as_deref()
    }

    /// The folder that all work trees of the repository share: `.git` of the first one.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The folder of this work tree's own files, such as its HEAD and its index.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Whether a merge is going on in this work tree.
    pub fn is_merging(&self) -> bool {
        self.git_dir.join("MERGE_HEAD").exists()
    }

    /// What `core.hooksPath` says, as it says it but for a leading `~`. None when nothing is set.
    pub fn hooks_path(&self) -> Option<&Path> {
        self.hooks_path.as_deref()
    }

    /// What `core.commentChar` says. None when nothing is set.
    pub fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    /// The remotes that are set up.
    pub(super) fn remotes(&self) -> &Remotes {
        &self.remotes
    }

    /// Whether history was cut off when the repository was cloned.
    pub fn is_shallow(&self) -> bool {
        self.is_shallow
    }

    /// Whether the executable bit of files in the work tree means anything.
    pub fn trusts_file_mode(&self) -> bool {
        self.trusts_file_mode
    }

    /// The repository's own index file.
    pub fn index_path(&self) -> PathBuf {
        self.git_dir.join("index")
    }

    /// The difference between a commit and head as text, by the git program.
    ///
    /// # Errors
    /// When there is no such program, or it fails.
    pub fn difference(&self, base: Oid, head: HeadSide) -> Result<Vec<u8>, GitError> {
        let git = GitCli::new(&self.git_dir, self.store.hash_kind());
        let base = base.to_string();
        match head {
            HeadSide::Commit(commit) => git.difference(None, &[&base, &commit.to_string()]),
            HeadSide::Index => git.difference(self.workdir(), &["--cached", &base]),
            HeadSide::Worktree(_) => git.difference(self.workdir(), &[&base]),
        }
    }

    /// Files of the work tree that are neither in the index nor ignored, by the git program. None when there is no work
    /// tree.
    ///
    /// # Errors
    /// When there is no such program, or it fails.
    pub fn untracked(&self) -> Result<Vec<BString>, GitError> {
        let git = GitCli::new(&self.git_dir, self.store.hash_kind());
        self.workdir().map_or(Ok(Vec::new()), |top| git.untracked(top))
    }

    /// Paths below a folder, relative to it, as the index lists them; only when the index is small and says that the
    /// folder is the object `id`. Anybody can write an index: good for a number in a report, never for a verdict.
    pub fn listed_in_index(&self, folder: &BStr, id: Oid) -> Option<Vec<BString>> {
        let path = self.index_path();
        let is_small = fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= MAX_HINT_BYTES);
        if is_small { gix_store::listed_folder(&path, id, folder) } else { None }
    }

    /// Reads the folders below some paths from the index, when it is small, in place of an object for each. Their names are
    /// computed from what is in them, so what an index says that is not so changes nothing.
    pub fn remember_folders(&self, below: &[BString], is_wanted: impl Fn(&BStr) -> bool) {
        let path = self.index_path();
        if !fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= MAX_HINT_BYTES) {
            return;
        }
        let store = self.store();
        let Ok(mut index) = store.index(&path, below, None) else { return };
        index.entries.retain(|entry| is_wanted(entry.path.as_ref()));
        if let Ok(node) = Node::of_index(store.hash_kind(), &index.entries) {
            store.remember(&node);
        }
    }

    /// The index git hands to a hook, which may be another one than [`Repository::index_path`].
    ///
    /// # Errors
    /// When it lies outside the repository: such an index says nothing about what will be committed here.
    pub fn hook_index_path(&self) -> Result<PathBuf, OpenError> {
        let Some(path) = &self.index_override else { return Ok(self.index_path()) };
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if real(path).starts_with(real(&self.git_dir)) {
            return Ok(path.clone());
        }
        Err(OpenError::Redirected(format!("GIT_INDEX_FILE is {}, outside the repository", path.display())))
    }
}

/// The folder all work trees of the repository at `top` share, by its files alone: a whole tree is judged without git.
pub fn common_dir_of(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    // In a linked work tree and in a submodule `.git` is a file that names the folder.
    let git_dir = top.join(pointer(&git)?.strip_prefix("gitdir: ")?);
    let shared = pointer(&git_dir.join("commondir")).map(|shared| git_dir.join(shared));
    Some(absolute(top, &shared.unwrap_or(git_dir))).filter(|folder| folder.is_dir())
}

/// The line in a small file that points somewhere. Anything but a file is no such thing: a pipe would be waited for.
fn pointer(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    let is_small = metadata.is_file() && metadata.len() <= MAX_POINTER_BYTES;
    is_small.then(|| fs::read_to_string(path).ok()).flatten().map(|text| text.trim_end().to_owned())
}

/// A path and some words.
const MAX_POINTER_BYTES: u64 = 64 * 1024;

fn explain(cwd: &Path, error: &str) -> OpenError {
    // gix tells apart what went wrong only in words.
    let is_untrusted = error.contains("safe.directory") || error.contains("unsafe") || error.contains("not owned");
    match nearest_git(cwd) {
        Some(place) if is_untrusted => OpenError::Untrusted(place.display().to_string()),
        Some(place) => OpenError::Broken(format!("the repository at {} cannot be opened: {error}", place.display())),
        None => OpenError::NotARepository,
    }
}

/// The folder whose `.git` is nearest, whatever state it is in.
fn nearest_git(cwd: &Path) -> Option<PathBuf> {
    cwd.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
}

fn absolute(cwd: &Path, path: &Path) -> PathBuf {
    let joined = cwd.join(path);
    fs::canonicalize(&joined).unwrap_or(joined)
}

fn check_redirection(cwd: &Path, env: &Environment, git_dir: &Path, workdir: Option<&Path>) -> Result<(), OpenError> {
    let redirected = |message: String| Err(OpenError::Redirected(message));
    if let Some(given) = env.path("GIT_DIR") {
        let given = absolute(cwd, &given);
        if given != git_dir {
            return redirected(format!(
                "GIT_DIR is {}, but this is the repository at {}",
                given.display(),
                git_dir.display()
            ));
        }
    }
    if let Some(given) = env.path("GIT_WORK_TREE") {
        let given = absolute(cwd, &given);
        if workdir != Some(given.as_path()) {
            return redirected(format!("GIT_WORK_TREE is {}, not the work tree around this folder", given.display()));
        }
    }
    let here = fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned());
    if let Some(workdir) = workdir
        && !here.starts_with(workdir)
        && !here.starts_with(git_dir)
    {
        let name = if env.path("GIT_WORK_TREE").is_some() { "GIT_WORK_TREE" } else { "core.worktree" };
        return redirected(format!("{name} is {}, and this folder is outside", workdir.display()));
    }
    // A setting that points at a folder around or below this one would have another `openspec/` looked at. Where a
    // submodule's or a linked work tree's own setting points, there is a `.git` too.
    let nearest = nearest_git(&here).filter(|_| !here.starts_with(git_dir));
    if let (Some(workdir), Some(nearest)) = (workdir, nearest)
        && workdir != nearest
    {
        return redirected(format!(
            "core.worktree is {}, but the work tree around this folder is {}",
            workdir.display(),
            nearest.display()
        ));
    }
    Ok(())
}

fn has_promisor_remote(config: &gix::config::Snapshot<'_>) -> bool {
    let sections = config.plumbing().sections_by_name("remote");
    sections
        .into_iter()
        .flatten()
        .any(|section| section.value("promisor").is_some() || section.value("partialclonefilter").is_some())
}
