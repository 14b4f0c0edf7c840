//! `verify`: base and head, what differs, what that touches, the verdict.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use bstr::{BStr, BString, ByteVec};
use jiff::civil::Date;

use super::baseline::Recorded;
use super::comparison::{Session, verify_comparison};
use super::criteria::TreeBench;
use super::lint::Lint;
use super::roots;
use super::run::Run;
use crate::config::{self, Config, ConfigError};
use crate::openspec::project::FOLDER;
use crate::repo::environment::Environment;
use crate::repo::node::Node;
use crate::repo::oid::Oid;
use crate::repo::open::{self, OpenError, Repository};
use crate::repo::scope::{self, Request, RequestKind, Undetermined};
use crate::repo::snapshot::{Kind, ObjectTree, ReadError, Snapshot, Worktree, join};
use crate::repo::store::GitError;
use crate::report::{Reason, Report, Scope, Shard, Trees, display_path};
use crate::rules::Freeze;

/// What a run is asked to do.
#[derive(Debug, Clone, Default)]
pub struct Task {
    /// Base and head.
    pub request: Request,
    /// Items to judge; all when empty.
    pub ids: Vec<String>,
    /// Whether edits of the spec set fail the run: not asked; asked, base's configuration says how; or how.
    pub frozen_spec: Option<Option<Freeze>>,
    /// Whether warnings fail the run.
    pub strict: bool,
    /// Where the run was started.
    pub cwd: PathBuf,
    /// Variables that decide about base and head.
    pub env: Environment,
    /// The day it is, in UTC.
    pub today: Date,
    /// Name of the run, unique. Sorts by time.
    pub run_id: String,
    /// Which checks are run, and how.
    pub checks: Checks,
    /// To lint, and do nothing else.
    pub lint: Option<Lint>,
    /// Which part of the run to tell of, when several runners share it.
    pub shard: Option<Shard>,
    /// Whether this is the last gate before others get what is judged: base's configuration says how strictly, `explained`
    /// where it says nothing, and files of the gate are looked at in every mode.
    pub is_last: bool,
    /// To compare with how a session began, and with no commit.
    pub session: Option<Session>,
}

/// Which checks of criteria are run, and how.
#[derive(Debug, Clone, Default)]
pub struct Checks {
    /// Whether none is.
    pub is_off: bool,
    /// Whether the judge is not asked.
    pub is_without_judge: bool,
    /// Ids of the criteria that are run; those of the judged items when empty.
    pub only: Vec<String>,
    /// How many commands run at a time; what is configured when not given.
    pub jobs: Option<usize>,
    /// The whole environment of the process, of which commands get what is allowed.
    pub inherited: Vec<(OsString, OsString)>,
    /// Whether this process is itself part of a check: the name of it.
    pub inside: Option<String>,
}

/// How far a run is, for whoever watches.
#[derive(Debug, Default)]
pub struct Progress {
    /// Items judged.
    pub done: AtomicUsize,
    /// Items to judge.
    pub total: AtomicUsize,
    /// Checks that ended.
    pub checks_done: AtomicUsize,
    /// Checks to run.
    pub checks_total: AtomicUsize,
    /// Checks that are running: what, and since when.
    pub running: Mutex<Vec<(String, Instant)>>,
}

/// Why a run could not happen. Exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No repository, or none that can be used.
    #[error("{0}")]
    Open(#[from] OpenError),
    /// The configuration cannot be used.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// No `openspec/` anywhere.
    #[error("there is no OpenSpec project here, above or below")]
    NoProject,
    /// A named item does not exist.
    #[error("unknown item `{0}`{1}")]
    UnknownItem(String, String),
    /// A named criterion does not exist.
    #[error("unknown criterion `{0}`{1}")]
    UnknownCriterion(String, String),
    /// A check runs the gate.
    #[error("specward was started inside its own check {0}: it would run that check again")]
    Recursion(String),
    /// The working directory cannot be entered.
    #[error("{0}: {1}")]
    Folder(String, String),
}

impl RunError {
    /// The way out.
    pub fn fix(&self) -> String {
        match self {
            Self::Open(error) => error.fix(),
            Self::Config(_) => "mend the file; `docs/configuration.md` lists its keys".to_owned(),
            Self::NoProject => "run `openspec init`, or create `openspec/specs/` and `openspec/changes/`".to_owned(),
            Self::UnknownItem(..) => "`specward list` and `specward list --specs` name what there is".to_owned(),
            Self::UnknownCriterion(..) => "the files in `openspec/verify/` name what there is".to_owned(),
            Self::Recursion(_) => "let the check run the tests themselves, or `specward verify --no-checks`".to_owned(),
            Self::Folder(..) => "run specward in a folder that exists".to_owned(),
        }
    }
}

/// Something that leaves a run without a verdict on its items: UNVERIFIABLE, with the way out.
pub(super) enum Stop {
    Run(RunError),
    Unverifiable(Reason),
}

impl Stop {
    /// The report of a run that was stopped.
    fn report(self, run_id: &str, scope: Scope) -> Result<Report, RunError> {
        match self {
            Self::Run(error) => Err(error),
            Self::Unverifiable(reason) => Ok(Report::stopped(run_id, scope, reason)),
        }
    }
}

impl<E: Into<RunError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Run(error.into())
    }
}

impl From<Undetermined> for Stop {
    fn from(error: Undetermined) -> Self {
        Self::Unverifiable(Reason { message: error.message, fix: error.fix })
    }
}

impl From<GitError> for Stop {
    fn from(error: GitError) -> Self {
        Undetermined::from(error).into()
    }
}

pub(super) fn unverifiable(message: impl Into<String>, fix: impl Into<String>) -> Stop {
    Stop::Unverifiable(Reason { message: message.into(), fix: fix.into() })
}

/// Runs the gate.
///
/// # Errors
/// When the run could not happen at all. What could not be checked is in the report, with verdict UNVERIFIABLE.
pub fn verify(task: &Task, progress: &Progress) -> Result<Report, RunError> {
    let frozen_spec = task.frozen_spec.is_some();
    let mut scope = Scope {
        frozen_spec,
        strict: task.strict,
        only: task.checks.only.clone(),
        no_checks: task.checks.is_off,
        no_judge: task.checks.is_without_judge,
        shard: task.shard,
        ..Scope::default()
    };
    let outcome = match task.request.kind {
        RequestKind::Tree => verify_tree(task, &mut scope, progress, false).map(|(report, _)| report),
        RequestKind::Changed | RequestKind::Staged => verify_comparison(task, &mut scope, progress),
    };
    outcome.or_else(|stop| {
        let mut report = stop.report(&task.run_id, scope)?;
        // It is a run as any other, and stored.
        report.common_dir = tree(&task.cwd).ok().and_then(|(_, top)| open::common_dir_of(&top));
        Ok(report)
    })
}

/// Whether there is an OpenSpec project here: around a folder or below it, on disk, in the index, or where the work started
/// from. True when the disk or the index
/// cannot be read; a repository that cannot be opened has none but those on disk.
pub fn has_project(cwd: &Path, env: &Environment) -> bool {
    let on_disk = || -> Result<bool, Stop> {
        let (cwd, top) = tree(cwd)?;
        let worktree = Worktree::confined(&top).map_err(|error| folder_error(&top, &error))?;
        Ok(!find_roots(&worktree, relative(&top, &cwd).as_ref())?.is_empty())
    };
    let in_git = || -> Result<bool, RunError> {
        let repository = Repository::open(cwd, env)?;
        let store = repository.store();
        let index = store.index(&repository.index_path(), &[BString::from(FOLDER)], None);
        if index.map_or(true, |index| !index.project_roots.is_empty() || !index.entries.is_empty()) {
            return Ok(true);
        }
        // It may have been there until it was taken out and committed.
        let request = Request { kind: RequestKind::Changed, ..Request::default() };
        let resolved = scope::resolve(&repository, env, &request).ok();
        let commits = resolved.into_iter().flat_map(|resolved| [resolved.base, resolved.tip]).flatten();
        let has_folder = |commit| {
            let tree = Node::object(Kind::Dir, store.tree_of(commit)?);
            Ok::<_, GitError>(tree.find(store, FOLDER.into())?.is_some())
        };
        Ok(commits.into_iter().any(|commit| has_folder(commit).unwrap_or(true)))
    };
    on_disk().unwrap_or(true) || in_git().unwrap_or(false)
}

/// Whether a commit holds an OpenSpec project, anywhere in it. True when that cannot be told.
pub fn commit_has_project(repository: &Repository, commit: Oid) -> bool {
    let store = repository.store();
    let Ok(tree) = store.tree_of(commit) else { return true };
    let files = ObjectTree::new(store, Node::object(Kind::Dir, tree));
    roots::is_project(&files, BStr::new(""))
        || roots::below(&files, BStr::new("")).map_or(true, |found| !found.is_empty())
}

/// What a baseline of each project could hold, by the whole tree as it lies on disk.
#[derive(Debug)]
pub struct Recording {
    /// The outcome. When there are reasons in it, nothing is known.
    pub report: Report,
    /// The top of the tree on disk.
    pub top: PathBuf,
    /// One for each project.
    pub projects: Vec<Recorded>,
}

/// Finds what a baseline could hold.
///
/// # Errors
/// As [`verify`].
pub fn record(task: &Task, progress: &Progress) -> Result<Recording, RunError> {
    let mut scope = Scope::default();
    let (_, top) = tree(&task.cwd)?;
    match verify_tree(task, &mut scope, progress, true) {
        Ok((report, projects)) => Ok(Recording { report, top, projects }),
        Err(stop) => Ok(Recording { report: stop.report(&task.run_id, scope)?, top, projects: Vec::new() }),
    }
}

/// The whole tree as it lies on disk. Needs no git.
fn verify_tree(
    task: &Task,
    scope: &mut Scope,
    progress: &Progress,
    is_recording: bool,
) -> Result<(Report, Vec<Recorded>), Stop> {
    scope.kind = "tree".to_owned();
    scope.head = "worktree".to_owned();
    let (cwd, top) = tree(&task.cwd)?;
    let worktree = Worktree::confined(&top).map_err(|error| folder_error(&top, &error))?;
    let prefix = relative(&top, &cwd);
    let found = find_roots(&worktree, prefix.as_ref())?;
    if found.is_empty() {
        return Err(RunError::NoProject.into());
    }
    let bench = TreeBench { top: &top, files: &worktree, env: &task.env };
    let trees = Trees::default();
    let run = Run { task, progress, head: &worktree, diff: None, bench: &bench, trees, is_recording };
    run.judge(scope, found, &[])
}

/// A folder and the top of the tree it belongs to, without links.
pub(super) fn tree(cwd: &Path) -> Result<(PathBuf, PathBuf), RunError> {
    let cwd = std::fs::canonicalize(cwd).map_err(|error| folder_error(cwd, &error))?;
    let top = cwd.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or_else(|| top_without_git(&cwd));
    let top = top.to_owned();
    Ok((cwd, top))
}

/// Without a repository the topmost folder with an `openspec/` is the tree.
fn top_without_git(cwd: &Path) -> &Path {
    cwd.ancestors().filter(|folder| folder.join(FOLDER).is_dir()).last().unwrap_or(cwd)
}

pub(super) fn folder_error(folder: &Path, error: &std::io::Error) -> RunError {
    RunError::Folder(folder.display().to_string(), error.to_string())
}

pub(super) fn relative(top: &Path, folder: &Path) -> BString {
    let relative = folder.strip_prefix(top).unwrap_or(Path::new("")).to_owned();
    BString::from(Vec::from_path_buf(relative).unwrap_or_default())
}

/// The nearest project, those its configuration lists, or all below when none is above.
fn find_roots(snapshot: &dyn Snapshot, prefix: &BStr) -> Result<Vec<BString>, Stop> {
    if let Some(folder) = roots::nearest_config(snapshot, prefix) {
        let path = join(join(folder.as_ref(), FOLDER).as_ref(), config::FILE);
        let listed = roots::listed(&read_config(snapshot, folder.as_ref())?, path.as_ref(), &[snapshot])?;
        if !listed.is_empty() {
            return Ok(listed);
        }
    }
    match roots::nearest(snapshot, prefix) {
        Some(root) => Ok(vec![root]),
        None => roots::below(snapshot, prefix),
    }
}

pub(super) fn read_config(snapshot: &dyn Snapshot, root: &BStr) -> Result<Config, ConfigError> {
    let folder = join(root, FOLDER);
    let path = join(folder.as_ref(), config::FILE);
    let shown = display_path(path.as_ref());
    // That the whole folder leads out of the tree is told as that.
    let is_outside = || matches!(snapshot.resolve(folder.as_ref()), Err(ReadError::Outside(_)));
    match snapshot.read(path.as_ref()) {
        Err(ReadError::Outside(_)) if is_outside() => Ok(Config::default()),
        Ok(bytes) => Config::parse(&bytes, &shown),
        Err(ReadError::Missing | ReadError::NotADirectory) => Ok(Config::default()),
        Err(error) => Err(ConfigError { path: shown, line: 1, message: error.to_string() }),
    }
}
