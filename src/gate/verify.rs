//! `verify`: base and head, what differs, what that touches, the verdict.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bstr::{BStr, BString, ByteSlice, ByteVec};
use rayon::prelude::*;

use super::affected::Affected;
use super::frozen::{self, Link, Sides};
use super::judge::{self, PARALLEL_FROM, RuleSet};
use super::roots;
use crate::config::{self, Config, ConfigError};
use crate::openspec::change::Change;
use crate::openspec::collate;
use crate::openspec::project::{FOLDER, Project, SpecFile};
use crate::repo::changes::{ChangeKind, changed_projects, compare};
use crate::repo::environment::Environment;
use crate::repo::node::{MAX_DEPTH, Node};
use crate::repo::oid::Oid;
use crate::repo::open::{OpenError, Repository};
use crate::repo::scope::{self, Comparison, HeadSide, Request, RequestKind, Undetermined};
use crate::repo::snapshot::{Kind, ObjectTree, ReadError, Snapshot, Worktree, join};
use crate::repo::store::{GitError, Store};
use crate::report::{Finding, Item, ItemKind, JudgedItem, Reason, Report, Scope, Verdict, count, display_path};
use crate::rules::{self, Check, DiffView, Sink, SpecEdit};

/// What a run is asked to do.
#[derive(Debug, Clone, Default)]
pub struct Task {
    /// Base and head.
    pub request: Request,
    /// Items to judge; all when empty.
    pub ids: Vec<String>,
    /// Whether an edit of the spec set fails the run.
    pub frozen_spec: bool,
    /// Whether warnings fail the run.
    pub strict: bool,
    /// Where the run was started.
    pub cwd: PathBuf,
    /// Variables that decide about base and head.
    pub env: Environment,
}

/// How far a run is, for whoever watches.
#[derive(Debug, Default)]
pub struct Progress {
    /// Items judged.
    pub done: AtomicUsize,
    /// Items to judge.
    pub total: AtomicUsize,
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
            Self::Folder(..) => "run specward in a folder that exists".to_owned(),
        }
    }
}

/// Something that leaves a run without a verdict on its items: UNVERIFIABLE, with the way out.
enum Stop {
    Run(RunError),
    Unverifiable(Reason),
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

fn unverifiable(message: impl Into<String>, fix: impl Into<String>) -> Stop {
    Stop::Unverifiable(Reason { message: message.into(), fix: fix.into() })
}

/// Runs the gate.
///
/// # Errors
/// When the run could not happen at all. What could not be checked is in the report, with verdict UNVERIFIABLE.
pub fn verify(task: &Task, progress: &Progress) -> Result<Report, RunError> {
    let mut scope = Scope { frozen_spec: task.frozen_spec, strict: task.strict, ..Scope::default() };
    let outcome = match task.request.kind {
        RequestKind::Tree => verify_tree(task, &mut scope, progress),
        RequestKind::Changed | RequestKind::Staged => verify_comparison(task, &mut scope, progress),
    };
    match outcome {
        Ok(report) => Ok(report),
        Err(Stop::Run(error)) => Err(error),
        Err(Stop::Unverifiable(reason)) => Ok(Report {
            scope,
            verdict: Verdict::Unverifiable,
            items: Vec::new(),
            left_alone: 0,
            findings: Vec::new(),
            reasons: vec![reason],
            spec_changes: None,
            notes: Vec::new(),
            scenarios: 0,
        }),
    }
}

/// The whole tree as it lies on disk. Needs no git.
fn verify_tree(task: &Task, scope: &mut Scope, progress: &Progress) -> Result<Report, Stop> {
    scope.kind = "tree".to_owned();
    scope.head = "worktree".to_owned();
    let cwd = std::fs::canonicalize(&task.cwd).map_err(|error| folder_error(&task.cwd, &error))?;
    let top = cwd.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or_else(|| top_without_git(&cwd));
    let worktree = Worktree::confined(top).map_err(|error| folder_error(top, &error))?;
    let prefix = relative(top, &cwd);
    let found = find_roots(&worktree, prefix.as_ref())?;
    if found.is_empty() {
        return Err(RunError::NoProject.into());
    }
    let run = Run { task, progress, head: &worktree, diff: None };
    run.judge(scope, found, &[])
}

/// Without a repository the topmost folder with an `openspec/` is the tree.
fn top_without_git(cwd: &Path) -> &Path {
    cwd.ancestors().filter(|folder| folder.join(FOLDER).is_dir()).last().unwrap_or(cwd)
}

fn folder_error(folder: &Path, error: &std::io::Error) -> RunError {
    RunError::Folder(folder.display().to_string(), error.to_string())
}

fn relative(top: &Path, folder: &Path) -> BString {
    let relative = folder.strip_prefix(top).unwrap_or(Path::new("")).to_owned();
    BString::from(Vec::from_path_buf(relative).unwrap_or_default())
}

/// The nearest project, those its configuration lists, or all below when none is above.
fn find_roots(snapshot: &dyn Snapshot, prefix: &BStr) -> Result<Vec<BString>, ConfigError> {
    if let Some(folder) = roots::nearest_config(snapshot, prefix) {
        let listed = read_config(snapshot, folder.as_ref())?.roots;
        if !listed.is_empty() {
            return Ok(listed.iter().map(|root| roots::configured(root)).collect());
        }
    }
    Ok(match roots::nearest(snapshot, prefix) {
        Some(root) => vec![root],
        None => roots::below(snapshot, prefix),
    })
}

fn read_config(snapshot: &dyn Snapshot, root: &BStr) -> Result<Config, ConfigError> {
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

/// Base against head.
fn verify_comparison(task: &Task, scope: &mut Scope, progress: &Progress) -> Result<Report, Stop> {
    let is_staged = task.request.kind == RequestKind::Staged;
    scope.kind = if is_staged { "staged" } else { "changed" }.to_owned();
    scope.head = if is_staged { "index" } else { "worktree" }.to_owned();
    let repository = match Repository::open(&task.cwd, &task.env) {
        Err(error @ OpenError::Redirected(_)) => return Err(Undetermined::from(error).into()),
        repository => repository?,
    };
    let comparison = scope::resolve(&repository, &task.env, &task.request)?;
    scope.base = comparison.base.map(|base| base.to_string());
    scope.base_source = Some(comparison.base_source.clone());
    if let HeadSide::Commit(commit) = comparison.head {
        scope.head = commit.to_string();
    }
    let store = repository.store();
    let base = match comparison.base {
        Some(commit) => Node::object(Kind::Dir, store.tree_of(commit)?),
        None => Node::empty(store.hash_kind()).map_err(GitError::Other)?,
    };
    Compared { task, repository: &repository, comparison: &comparison, base }.run(scope, progress)
}

/// A comparison whose base is known.
struct Compared<'a> {
    task: &'a Task,
    repository: &'a Repository,
    comparison: &'a Comparison,
    base: Node,
}

impl Compared<'_> {
    fn run(&self, scope: &mut Scope, progress: &Progress) -> Result<Report, Stop> {
        let store = self.repository.store();
        match self.comparison.head {
            HeadSide::Commit(commit) => {
                let head = Node::object(Kind::Dir, store.tree_of(commit)?);
                let snapshot = ObjectTree::new(store, head.clone());
                let changed = |folder: &str| changed_projects(store, &self.base, &head, folder);
                let plan = self.plan(&snapshot, self.prefix(), changed(FOLDER)?)?;
                self.judge(scope, progress, &snapshot, &head, None, plan)
            }
            HeadSide::Index => {
                let path = self.repository.hook_index_path().map_err(Undetermined::from)?;
                let committed = self.comparison.base.map(|commit| store.tree_of(commit)).transpose()?;
                // First where projects are, then what these have, then what else is protected.
                let (_, _, inner) = self.read_index(&path, &[], committed)?;
                let near = roots::upwards(self.prefix().as_ref());
                let mut paths: Vec<BString> =
                    near.iter().chain(&inner).map(|root| join(root.as_ref(), FOLDER)).collect();
                let (mut index, ..) = self.read_index(&path, &paths, None)?;
                if frozen::has_link(store, &index, &paths)? {
                    // Where a link leads is known once everything is.
                    paths = vec![BString::default()];
                    (index, ..) = self.read_index(&path, &paths, None)?;
                }
                let plan = self.plan(&ObjectTree::new(store, index), self.prefix(), inner)?;
                paths.extend(plan.paths.iter().cloned());
                let (index, unmerged, _) = self.read_index(&path, &paths, None)?;
                if let Some(path) = unmerged {
                    let message = format!("the index has unmerged versions of {path}");
                    return Err(unverifiable(message, "finish the merge: edit the file and `git add` it"));
                }
                let snapshot = ObjectTree::new(store, index.clone());
                self.judge(scope, progress, &snapshot, &index, None, plan)
            }
            HeadSide::Worktree(commit) => self.run_worktree(scope, progress, commit),
        }
    }

    fn run_worktree(&self, scope: &mut Scope, progress: &Progress, commit: Oid) -> Result<Report, Stop> {
        let store = self.repository.store();
        let Some(top) = self.repository.workdir() else {
            return Err(unverifiable("there is no work tree to judge", "name the commit to judge: `--head REV`"));
        };
        let snapshot = Worktree::confined(top).map_err(|error| folder_error(top, &error))?;
        let (path, tree) = (self.repository.index_path(), store.tree_of(commit)?);
        let (mut index, _, mut inner) = self.read_index(&path, &[BString::from(FOLDER)], Some(tree))?;
        let committed = Node::object(Kind::Dir, tree);
        inner.extend(changed_projects(store, &self.base, &committed, FOLDER)?);
        let plan = self.plan(&snapshot, self.prefix(), inner)?;
        let top_folder = BString::from(format!("{FOLDER}/"));
        if !plan.paths.iter().all(|path| path.starts_with(&top_folder)) {
            (index, _, _) = self.read_index(&path, &plan.paths, None)?;
        }
        let head = Node::paths_on_disk(store.hash_kind(), top, &plan.paths).map_err(GitError::Other)?;
        let report = self.judge(scope, progress, &snapshot, &head, Some((&index, &committed)), plan)?;
        // Nothing was compared: neither commits nor files differ. At a terminal that is an answer, in CI it is a gate
        // that never looks, and a base that was named is not what was meant.
        let is_empty = self.comparison.base == Some(commit) && report.spec_changes.as_ref().is_some_and(Vec::is_empty);
        let was_named = !self.comparison.base_source.starts_with("HEAD,")
            && !self.comparison.base_source.starts_with("default branch");
        if is_empty && (was_named || self.task.env.is_set("CI")) {
            let message = format!(
                "base is the commit that is checked out ({commit}) and no spec file differs from it: nothing was compared"
            );
            return Err(unverifiable(message, "name the commit the work started from: `--base REV`"));
        }
        Ok(report)
    }

    /// Where the run was started, from the top of the tree.
    fn prefix(&self) -> BString {
        let cwd = std::fs::canonicalize(&self.task.cwd).unwrap_or_else(|_| self.task.cwd.clone());
        self.repository.workdir().map_or_else(BString::default, |top| relative(top, &cwd))
    }

    /// The index's files at some paths, the first one with several versions, and projects below the top.
    fn read_index(
        &self,
        file: &Path,
        paths: &[BString],
        committed: Option<Oid>,
    ) -> Result<(Node, Option<String>, Vec<BString>), Stop> {
        let store = self.repository.store();
        let index = store.index(file, paths, committed)?;
        let unmerged =
            index.entries.iter().find(|entry| entry.is_unmerged).map(|entry| display_path(entry.path.as_ref()));
        // A path below another was asked for with it.
        let mut entries = index.entries;
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        entries.dedup();
        let node = Node::of_index(store.hash_kind(), &entries).map_err(GitError::Other)?;
        Ok((node, unmerged, index.project_roots))
    }

    /// Which projects are compared, and which paths.
    fn plan(&self, head: &dyn Snapshot, prefix: BString, inner: Vec<BString>) -> Result<Plan, Stop> {
        let base = ObjectTree::new(self.repository.store(), self.base.clone());
        // Each side's own configuration says which projects it has, and all of them are compared: neither a new
        // `openspec/` nearer to the code nor roots listed anew hide what base has.
        let sides: [&dyn Snapshot; 2] = [&base, head];
        let (mut found, mut globs, mut configs) = (Vec::new(), Vec::new(), Vec::new());
        for (at, side) in sides.into_iter().enumerate() {
            let mut listed = Vec::new();
            if let Some(folder) = roots::nearest_config(side, prefix.as_ref()) {
                // A base that cannot be read configures nothing; head's faults are the user's to mend.
                let config = match read_config(side, folder.as_ref()) {
                    Err(_) if at == 0 => Config::default(),
                    config => config?,
                };
                listed.extend(config.roots.iter().map(|root| roots::configured(root)));
                globs.extend(config.protect);
                configs.push(join(join(folder.as_ref(), FOLDER).as_ref(), config::FILE));
            }
            if listed.is_empty() {
                let near = roots::upwards(prefix.as_ref()).into_iter().chain(inner.iter().cloned());
                found.extend(near.filter(|root| roots::is_project(side, root.as_ref())));
            } else {
                found.extend(listed);
            }
        }
        if found.is_empty() {
            found = sides.iter().flat_map(|side| roots::below(*side, prefix.as_ref())).collect();
        }
        found.sort();
        found.dedup();
        if found.is_empty() {
            return Err(RunError::NoProject.into());
        }
        let has_base_project = found.iter().any(|root| roots::is_project(&base, root.as_ref()));
        for root in &found {
            globs.extend(read_config(&base, root.as_ref()).unwrap_or_default().protect);
            globs.extend(read_config(head, root.as_ref())?.protect);
        }
        let links = frozen::links(&base, head, &found).map_err(|(path, error)| {
            let message = format!("{} was not read: {error}", display_path(path.as_ref()));
            unverifiable(message, "put the files in place of the link")
        })?;
        let mut paths = frozen::paths(&found, &globs);
        let further: Vec<BString> = configs.into_iter().chain(links.iter().flat_map(Link::frozen)).collect();
        paths.extend(further.iter().cloned());
        Ok(Plan { roots: found, globs, paths, further, links, has_base_project })
    }

    fn judge(
        &self,
        scope: &mut Scope,
        progress: &Progress,
        snapshot: &dyn Snapshot,
        head: &Node,
        below: Option<(&Node, &Node)>,
        plan: Plan,
    ) -> Result<Report, Stop> {
        let store: &dyn Store = self.repository.store();
        let is_worktree = matches!(self.comparison.head, HeadSide::Worktree(_));
        let (index, commit) = below.unzip();
        let trusts_file_mode = !is_worktree || self.repository.trusts_file_mode();
        let sides = Sides { store, base: &self.base, head, snapshot, index, commit, is_worktree, trusts_file_mode };
        let config = Config { protect: plan.globs, ..Config::default() };
        let globs = config.protected().map_err(|error| {
            let message = format!("the `protect` lists of base and head cannot be used together: {error}");
            unverifiable(message, "shorten them")
        })?;
        let is_frozen = |path: &BStr| {
            frozen::is_frozen(path, &plan.roots, &globs)
                || plan.further.iter().any(|further| frozen::is_at_or_below(path, further.as_ref()))
        };
        let edits = sides.edits(&plan.paths, is_frozen)?;
        self.check_other_bases(&plan.paths, is_frozen)?;
        if plan.has_base_project
            && !plan.roots.iter().any(|root| roots::is_project(snapshot, root.as_ref()))
            && !self.task.frozen_spec
        {
            return Err(unverifiable(
                "base has an OpenSpec project and head has none",
                "restore `openspec/`, or verify with `--frozen-spec`",
            ));
        }
        let listed = |folder: &BStr, id: Oid| match self.comparison.head {
            HeadSide::Commit(_) => self.repository.listed_in_index(folder, id),
            HeadSide::Worktree(_) | HeadSide::Index => None,
        };
        let run = Run {
            task: self.task,
            progress,
            head: snapshot,
            diff: Some(Diff { store, head, listed: &listed, links: &plan.links }),
        };
        run.judge(scope, plan.roots, &edits)
    }
}

impl Compared<'_> {
    /// Histories that merged one another have several merge bases. When these have different specs, a merge that threw
    /// an edit of the specs away looks like no edit from one of them.
    fn check_other_bases(&self, paths: &[BString], is_frozen: impl Fn(&BStr) -> bool) -> Result<(), Stop> {
        let store = self.repository.store();
        for commit in &self.comparison.other_bases {
            let other = Node::object(Kind::Dir, store.tree_of(*commit)?);
            let changes = compare(store, &self.base, &other, paths)?;
            if let Some(change) = changes.iter().find(|change| is_frozen(change.path.as_ref())) {
                let path = display_path(change.path.as_ref());
                let message =
                    format!("base and head have several merge bases, and {path} is not the same in all of them");
                return Err(unverifiable(
                    message,
                    "merge the base branch into this one, so that there is one merge base",
                ));
            }
        }
        Ok(())
    }
}

/// What is compared.
struct Plan {
    roots: Vec<BString>,
    globs: Vec<String>,
    paths: Vec<BString>,
    /// Frozen paths outside of any `openspec/`, or where there is no project beside them.
    further: Vec<BString>,
    links: Vec<Link>,
    has_base_project: bool,
}

/// A run whose files are known.
struct Run<'a> {
    task: &'a Task,
    progress: &'a Progress,
    head: &'a dyn Snapshot,
    /// What it was compared with, when it was.
    diff: Option<Diff<'a>>,
}

/// One item to judge.
enum Work<'p> {
    Spec(&'p Project<'p>, &'p Config, Arc<SpecFile>),
    Change(&'p Project<'p>, &'p Config, BString),
}

/// One judged item.
struct Judged {
    item: JudgedItem,
    findings: Vec<Finding>,
    scenarios: usize,
}

impl Run<'_> {
    fn judge(&self, scope: &mut Scope, roots: Vec<BString>, edits: &[SpecEdit]) -> Result<Report, Stop> {
        scope.roots = roots
            .iter()
            .map(|root| if root.is_empty() { ".".to_owned() } else { display_path(root.as_ref()) })
            .collect();
        let configs: Vec<Config> =
            roots.iter().map(|root| read_config(self.head, root.as_ref())).collect::<Result<_, _>>()?;
        scope.strict |= configs.iter().any(|config| config.strict);
        let projects: Vec<Project<'_>> = roots.into_iter().map(|root| Project::new(self.head, root)).collect();
        let (mut work, mut problems) = (Vec::new(), Vec::new());
        for (project, config) in projects.iter().zip(&configs) {
            let selected = self.select(project, config, edits, &mut problems);
            // `config.yaml` decides how changes are read.
            if selected.iter().any(|work| matches!(work, Work::Change(..))) {
                problems.extend(judge_configuration(project, scope.strict));
            }
            work.extend(selected);
        }
        let total = self
            .diff
            .as_ref()
            .map_or(work.len(), |diff| projects.iter().map(|project| diff.count(project.folder())).sum());
        self.restrict(&mut work)?;
        let left_alone = total.saturating_sub(work.len());
        self.progress.total.store(work.len(), Ordering::Relaxed);
        let one = |work: &Work<'_>| {
            let judged = self.judge_one(work, scope.strict);
            self.progress.done.fetch_add(1, Ordering::Relaxed);
            judged
        };
        let mut judged: Vec<Judged> = if work.len() < PARALLEL_FROM {
            work.iter().map(one).collect()
        } else {
            work.par_iter().map(one).collect()
        };
        judged.extend(problems);
        judged.extend(self.judge_diff(edits));
        judged.extend(self.judge_unreadable(edits));
        judged.sort_by_cached_key(|judged| {
            let item = &judged.item.item;
            (item.kind != ItemKind::Project, item.root.clone(), item.kind, collate::key(&item.id))
        });
        Ok(self.report(scope, judged, left_alone, edits))
    }

    /// The items of a project that are to be judged.
    fn select<'p>(
        &self,
        project: &'p Project<'p>,
        config: &'p Config,
        edits: &[SpecEdit],
        problems: &mut Vec<Judged>,
    ) -> Vec<Work<'p>> {
        let affected = match &self.diff {
            Some(diff) => {
                let paths = edits.iter().flat_map(|edit| diff.names(edit.change.path.as_ref())).collect::<Vec<_>>();
                Affected::by(project, paths.iter().map(|path| path.as_ref()))
            }
            None => Affected { all: true, ..Affected::default() },
        };
        if !affected.all {
            // Only what the diff names is looked at: how many other items there are must not matter.
            let is_there = |name: &BString| {
                project.snapshot().kind(join(project.path("changes").as_ref(), name).as_ref()) == Ok(Kind::Dir)
            };
            let changes = affected.changes.into_iter().filter(|name| !name.starts_with(b".") && is_there(name));
            let mut work: Vec<Work<'p>> = changes.map(|name| Work::Change(project, config, name)).collect();
            for id in &affected.specs {
                match project.spec_at(id.as_ref()) {
                    Some(file) => work.push(Work::Spec(project, config, file)),
                    None => problems.extend(self.odd_spec(project, id.as_ref())),
                }
            }
            return work;
        }
        let names = project.change_names().unwrap_or_else(|error| {
            problems.push(self.unreadable_folder(project, project.path("changes"), &error));
            Vec::new()
        });
        for (path, error) in project.specs().unreadable.iter().chain(&project.specs().odd) {
            problems.push(self.unreadable_folder(project, path.clone(), error));
        }
        let mut work: Vec<Work<'p>> = names.into_iter().map(|name| Work::Change(project, config, name)).collect();
        work.extend(project.specs().files.iter().map(|file| Work::Spec(project, config, Arc::clone(file))));
        work
    }

    /// Keeps the items that were named.
    fn restrict(&self, work: &mut Vec<Work<'_>>) -> Result<(), Stop> {
        if self.task.ids.is_empty() {
            return Ok(());
        }
        let names: Vec<Item> = work.iter().map(Work::item).collect();
        let is_named = |item: &Item, id: &String| {
            *item.id == **id || item.name() == *id || format!("{}/{}", item.kind.word(), item.id) == *id
        };
        for id in &self.task.ids {
            if !names.iter().any(|item| is_named(item, id)) {
                if self.diff.is_some() {
                    let message = format!("`{id}` is not among the items that the diff touches");
                    return Err(unverifiable(message, "leave the name out, or verify it without `--changed`"));
                }
                let near = crate::gate::nearest(id, names.iter().map(|item| item.id.to_string()));
                let hint = if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) };
                return Err(RunError::UnknownItem(id.clone(), hint).into());
            }
        }
        work.retain(|work| self.task.ids.iter().any(|id| is_named(&work.item(), id)));
        Ok(())
    }

    fn judge_one(&self, work: &Work<'_>, strict: bool) -> Judged {
        let item = work.item();
        let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work.judge(&item)));
        let (mut findings, title, scenarios) =
            judged.unwrap_or_else(|_| (judge::crashed(&item, work.path().as_ref()), None, 0));
        work.config().apply(&mut findings);
        findings.retain(|finding| !finding.is_echo);
        findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        let verdict = judge::verdict(&findings, strict);
        let title = title.unwrap_or_else(|| item.id.to_string());
        Judged { item: JudgedItem { item, title, verdict }, findings, scenarios }
    }

    /// Rules about the difference itself.
    fn judge_diff(&self, edits: &[SpecEdit]) -> Option<Judged> {
        let count_edits = edits.iter().filter(|edit| !edit.is_ticking).count();
        if !self.task.frozen_spec || count_edits == 0 {
            return None;
        }
        let item = Item::new(BStr::new(""), ItemKind::Project, "frozen-spec");
        let mut findings = Vec::new();
        let view = DiffView { edits };
        for rule in rules::all() {
            if let Check::Diff(check) = rule.check {
                check(&view, &mut Sink::new(rule, &item, BStr::new(""), None, &mut findings));
            }
        }
        let verdict = judge::verdict(&findings, true);
        let title = format!("{} of the spec set edited", count(count_edits, "file"));
        Some(Judged { item: JudgedItem { item, title, verdict }, findings, scenarios: 0 })
    }

    /// What head has in the spec set and nobody can read was not judged, frozen or not.
    fn judge_unreadable(&self, edits: &[SpecEdit]) -> Option<Judged> {
        // What a submodule holds is in another repository.
        let is_submodule =
            |edit: &&SpecEdit| edit.change.head.as_ref().is_some_and(|node| node.kind == Kind::Submodule);
        let unreadable = edits.iter().filter(|edit| edit.change.kind == ChangeKind::Unreadable || is_submodule(edit));
        let item = Item::new(BStr::new(""), ItemKind::Project, "unreadable");
        let mut findings = Vec::new();
        for edit in unreadable {
            let problem = edit.change.head.as_ref().and_then(|node| node.problem.clone());
            let error = problem.map_or(ReadError::NotAFile, ReadError::Io);
            judge::report_unreadable(&item, edit.change.path.as_ref(), "file", &error, &mut findings);
        }
        let verdict = judge::verdict(&findings, true);
        let title = format!("{} could not be read", count(findings.len(), "file"));
        (!findings.is_empty()).then_some(Judged { item: JudgedItem { item, title, verdict }, findings, scenarios: 0 })
    }

    /// What lies where a touched spec should be and is no file. Nothing there is a deletion, which is no fault of itself.
    fn odd_spec(&self, project: &Project<'_>, id: &BStr) -> Option<Judged> {
        let path = join(join(project.path("specs").as_ref(), id).as_ref(), "spec.md");
        let error = match self.head.followed_kind(path.as_ref()) {
            Ok(Kind::Dir) => ReadError::IsADirectory,
            Ok(_) => ReadError::NotAFile,
            Err(ReadError::Missing | ReadError::NotADirectory) => return None,
            Err(error) => error,
        };
        Some(self.unreadable_folder(project, path, &error))
    }

    fn unreadable_folder(&self, project: &Project<'_>, path: BString, error: &ReadError) -> Judged {
        let item = Item::new(project.root(), ItemKind::Project, &display_path(path.as_ref()));
        let mut findings = Vec::new();
        judge::report_unreadable(&item, path.as_ref(), "file", error, &mut findings);
        let verdict = judge::verdict(&findings, true);
        Judged { item: JudgedItem { item, title: "could not be read".to_owned(), verdict }, findings, scenarios: 0 }
    }

    fn report(&self, scope: &Scope, judged: Vec<Judged>, left_alone: usize, edits: &[SpecEdit]) -> Report {
        let mut reasons = Vec::new();
        let mut notes = Vec::new();
        if judged.is_empty() {
            match &self.diff {
                None => reasons.push(Reason {
                    message: "there is nothing to judge: no spec and no open change".to_owned(),
                    fix: "run specward where `openspec/` has specs or changes".to_owned(),
                }),
                Some(_) if edits.is_empty() => notes.push("no spec or change differs between base and head".to_owned()),
                Some(_) => notes.push("what differs belongs to no spec and no open change of head".to_owned()),
            }
        }
        let worst = judged.iter().map(|judged| judged.item.verdict).fold(Verdict::Pass, Verdict::worst);
        let verdict = if reasons.is_empty() { worst } else { worst.worst(Verdict::Unverifiable) };
        let changed_paths =
            edits.iter().filter(|edit| !edit.is_ticking).map(|edit| display_path(edit.change.path.as_ref())).collect();
        let mut report = Report {
            scope: scope.clone(),
            verdict,
            items: Vec::with_capacity(judged.len()),
            left_alone,
            findings: Vec::new(),
            reasons,
            spec_changes: self.diff.as_ref().map(|_| changed_paths),
            notes,
            scenarios: judged.iter().map(|judged| judged.scenarios).sum(),
        };
        for judged in judged {
            report.items.push(judged.item);
            report.findings.extend(judged.findings);
        }
        report
    }
}

/// A project's own configuration, when something is wrong with it.
fn judge_configuration(project: &Project<'_>, strict: bool) -> Option<Judged> {
    let item = Item::new(project.root(), ItemKind::Project, "configuration");
    let findings = judge::configuration(project, &item);
    let verdict = judge::verdict(&findings, strict);
    let title = "the project's configuration".to_owned();
    (!findings.is_empty()).then_some(Judged { item: JudgedItem { item, title, verdict }, findings, scenarios: 0 })
}

/// What a run knows of the comparison it judges.
struct Diff<'a> {
    store: &'a dyn Store,
    head: &'a Node,
    /// Files of a folder with that object name, when the index happens to list them.
    listed: &'a (dyn Fn(&BStr, Oid) -> Option<Vec<BString>> + Sync),
    links: &'a [Link],
}

impl Diff<'_> {
    /// A path and those it has through links.
    fn names(&self, path: &BStr) -> Vec<BString> {
        let linked = self.links.iter().filter_map(|link| link.name(path));
        std::iter::once(path.to_owned()).chain(linked).collect()
    }

    /// Specs and open changes below an `openspec/` of head. What cannot be read is not counted: it is reported.
    fn count(&self, folder: &BStr) -> usize {
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

impl Work<'_> {
    fn item(&self) -> Item {
        match self {
            Self::Spec(project, _, file) => Item::new(project.root(), ItemKind::Spec, &file.id),
            Self::Change(project, _, name) => Item::new(project.root(), ItemKind::Change, &name.to_str_lossy()),
        }
    }

    fn config(&self) -> &Config {
        match self {
            Self::Spec(_, config, _) | Self::Change(_, config, _) => config,
        }
    }

    fn path(&self) -> BString {
        match self {
            Self::Spec(_, _, file) => file.path.clone(),
            Self::Change(project, _, name) => join(project.path("changes").as_ref(), name),
        }
    }

    /// Findings, title and number of scenarios.
    fn judge(&self, item: &Item) -> (Vec<Finding>, Option<String>, usize) {
        match self {
            Self::Spec(project, _, file) => {
                let findings = judge::main_spec(project, file, item, RuleSet::All);
                let Ok(spec) = project.parsed(file) else { return (findings, None, 0) };
                let scenarios =
                    spec.requirements.iter().map(|requirement| requirement.scenarios_with_content().count()).sum();
                (findings, title(&spec.text), scenarios)
            }
            Self::Change(project, _, name) => {
                let change = Change::load(project, name.as_ref());
                let findings = judge::change(project, &change, item, RuleSet::All);
                if findings.is_empty() {
                    return (findings, None, 0);
                }
                let proposal = project.snapshot().read(change.path("proposal.md").as_ref()).ok();
                let title = proposal.and_then(|bytes| title(&crate::openspec::text::Text::from_bytes(bytes)));
                (findings, title, 0)
            }
        }
    }
}

/// A document's first level-1 heading, on one line.
fn title(text: &crate::openspec::text::Text) -> Option<String> {
    let heading = crate::openspec::heading::headings(text).into_iter().find(|heading| heading.level == 1)?;
    Some(crate::report::shown_line(heading.title)).filter(|title| !title.is_empty())
}
