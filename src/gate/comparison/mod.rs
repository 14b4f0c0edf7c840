//! Base against head: which projects and paths are compared, and what differs in them.

mod session;
mod worktree;

pub use session::{ObserveError, Observed, Session, observe, outside};

use std::path::Path;

use bstr::{BStr, BString, ByteSlice};

use super::criteria::ComparedBench;
use super::explained::{self, Asked};
use super::frozen::{self, Link, Sides, Was};
use super::left_alone::Diff;
use super::roots;
use super::run::Run;
use super::trees;
use super::verify::{Progress, RunError, Stop, Task, read_config, relative, unverifiable};
use crate::config::{self, Config};
use crate::openspec::project::FOLDER;
use crate::repo::changes::{changed_projects, compare};
use crate::repo::history::History;
use crate::repo::node::Node;
use crate::repo::oid::Oid;
use crate::repo::open::{OpenError, Repository};
use crate::repo::scope::{self, Comparison, HeadSide, RequestKind, Undetermined};
use crate::repo::snapshot::{Kind, ObjectTree, Snapshot, join};
use crate::repo::store::{GitError, Store};
use crate::report::{Report, Scope, display_path};
use crate::rules::Freeze;

/// Base against head.
pub(super) fn verify_comparison(task: &Task, scope: &mut Scope, progress: &Progress) -> Result<Report, Stop> {
    let is_staged = task.request.kind == RequestKind::Staged;
    scope.kind = if is_staged { "staged" } else { "changed" }.to_owned();
    scope.head = if is_staged { "index" } else { "worktree" }.to_owned();
    let repository = match Repository::open(&task.cwd, &task.env) {
        Err(error @ OpenError::Redirected(_)) => return Err(Undetermined::from(error).into()),
        repository => repository?,
    };
    if let Some(session) = &task.session {
        return session.compare(task, repository, scope, progress);
    }
    let comparison = scope::resolve(&repository, &task.env, &task.request)?;
    scope.base = comparison.base.map(|base| base.to_string());
    scope.base_source = Some(comparison.base_source.clone());
    if let HeadSide::Commit(commit) = comparison.head {
        scope.head = commit.to_string();
    }
    let store = repository.store();
    let base = commit_files(store, comparison.base)?;
    let (was, further_roots, on_disk) = (Was::default(), Vec::new(), None);
    Compared { task, repository: &repository, comparison: &comparison, base, was, further_roots, on_disk }
        .run(scope, progress)
}

/// The files of a commit; none when there is no commit.
pub(super) fn commit_files(store: &dyn Store, commit: Option<Oid>) -> Result<Node, GitError> {
    match commit {
        Some(commit) => Ok(Node::object(Kind::Dir, store.tree_of(commit)?)),
        None => Node::empty(store.hash_kind()).map_err(GitError::Other),
    }
}

/// A comparison whose base is known.
struct Compared<'a> {
    task: &'a Task,
    repository: &'a Repository,
    comparison: &'a Comparison,
    base: Node,
    was: Was,
    /// Projects to compare besides those that are found.
    further_roots: Vec<BString>,
    /// What lies on disk at some paths, when that was read already.
    on_disk: Option<(Vec<BString>, Node)>,
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
                self.judge(scope, progress, (&snapshot, &head, &head), None, plan).map(|(report, _)| report)
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
                paths.extend(plan.paths.iter().chain(&plan.gate).cloned());
                let (index, unmerged, _) = self.read_index(&path, &paths, None)?;
                if let Some(path) = unmerged {
                    let message = format!("the index has unmerged versions of {path}");
                    return Err(unverifiable(message, "finish the merge: edit the file and `git add` it"));
                }
                let snapshot = ObjectTree::new(store, index.clone());
                self.judge(scope, progress, (&snapshot, &index, &index), None, plan).map(|(report, _)| report)
            }
            HeadSide::Worktree(commit) => self.run_worktree(scope, progress, commit),
        }
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
        let mut frozen: [Option<Freeze>; 2] = [None; 2];
        for (at, side) in sides.into_iter().enumerate() {
            let mut listed = Vec::new();
            if let Some(folder) = roots::nearest_config(side, prefix.as_ref()) {
                // A base that cannot be read configures nothing; head's faults are the user's to mend.
                let config = match read_config(side, folder.as_ref()) {
                    Err(_) if at == 0 => Config::default(),
                    config => config?,
                };
                let path = join(join(folder.as_ref(), FOLDER).as_ref(), config::FILE);
                listed = match roots::listed(&config, path.as_ref(), &sides) {
                    Err(_) if at == 0 => Vec::new(),
                    listed => listed?,
                };
                frozen[at] = frozen[at].max(config.frozen);
                globs.extend(config.protect);
                configs.push(path);
            }
            if listed.is_empty() {
                let near = roots::upwards(prefix.as_ref())
                    .into_iter()
                    .chain(inner.iter().cloned())
                    .chain(self.further_roots.iter().cloned());
                found.extend(near.filter(|root| roots::is_project(side, root.as_ref())));
            } else {
                found.extend(listed);
            }
        }
        if found.is_empty() {
            for side in sides {
                found.extend(roots::below(side, prefix.as_ref())?);
            }
        }
        found.sort();
        found.dedup();
        if found.is_empty() {
            return Err(RunError::NoProject.into());
        }
        let has_base_project = found.iter().any(|root| roots::is_project(&base, root.as_ref()));
        for root in &found {
            let folder = join(root.as_ref(), FOLDER);
            if sides.iter().any(|side| side.kind(folder.as_ref()) == Ok(Kind::Submodule)) {
                let message =
                    format!("{} is a submodule: its files are in another repository", display_path(folder.as_ref()));
                return Err(unverifiable(message, "run specward inside the submodule"));
            }
            let of_both = [read_config(&base, root.as_ref()).unwrap_or_default(), read_config(head, root.as_ref())?];
            for (at, config) in of_both.into_iter().enumerate() {
                frozen[at] = frozen[at].max(config.frozen);
                globs.extend(config.protect);
            }
        }
        let links = frozen::links(&base, head, &found).map_err(|(path, error)| {
            let message = format!("{} was not read: {error}", display_path(path.as_ref()));
            unverifiable(message, "put the files in place of the link")
        })?;
        let mut paths = frozen::paths(&found, &globs);
        let further: Vec<BString> = configs.into_iter().chain(links.iter().flat_map(Link::frozen)).collect();
        paths.extend(further.iter().cloned());
        // Where there was no project when a session began, its first one is a new file like any other.
        let is_new = self.task.session.is_some() && !has_base_project;
        let freeze = self.freeze(frozen[0].or(is_new.then_some(Freeze::Explained)), frozen[1]);
        // An agent that took the hooks out would not be judged again.
        let guards_gate =
            freeze == Freeze::Explained || freeze == Freeze::Strict && self.task.session.is_some() || self.task.is_last;
        let gate = if guards_gate { explained::gate_paths(&found) } else { Vec::new() };
        Ok(Plan { roots: found, globs, paths, further, links, has_base_project, freeze, gate })
    }

    /// The report, and whether there was anything to compare: spec files that differ, be it in ticked boxes, or criteria.
    fn judge(
        &self,
        scope: &mut Scope,
        progress: &Progress,
        (snapshot, head, gate): (&dyn Snapshot, &Node, &Node),
        below: Option<(&Node, &Node)>,
        plan: Plan,
    ) -> Result<(Report, bool), Stop> {
        scope.frozen_spec = plan.freeze != Freeze::Off;
        scope.frozen_mode = (plan.freeze == Freeze::Explained).then(|| "explained".to_owned());
        let store: &dyn Store = self.repository.store();
        let is_worktree = matches!(self.comparison.head, HeadSide::Worktree(_));
        let (index, commit) = below.unzip();
        let trusts_file_mode = !is_worktree || self.repository.trusts_file_mode();
        let tip = match self.comparison.tip.filter(|tip| Some(*tip) != self.comparison.base) {
            Some(tip) => Some(Node::object(Kind::Dir, store.tree_of(tip)?)),
            None => None,
        };
        let tip = tip.as_ref();
        let sides = Sides {
            tip,
            store,
            base: &self.base,
            head,
            snapshot,
            index,
            commit,
            was: &self.was,
            is_worktree,
            trusts_file_mode,
        };
        let config = Config { protect: plan.globs.clone(), ..Config::default() };
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
            && plan.freeze == Freeze::Off
        {
            return Err(unverifiable(
                "base has an OpenSpec project and head has none",
                "restore `openspec/`, or verify with `--frozen-spec`",
            ));
        }
        // A new `openspec/` beside those of base is none of theirs: only where there was none at all nothing was agreed.
        let is_first = plan.freeze == Freeze::Explained
            && !plan.has_base_project
            && roots::below(&ObjectTree::new(store, self.base.clone()), "".into())?.is_empty();
        let asked = Asked {
            freeze: plan.freeze,
            roots: &plan.roots,
            links: &plan.links,
            is_first,
            paths: &plan.paths,
            gate: &plan.gate,
        };
        let explained = asked.explain(&sides, gate, &edits, is_frozen)?;
        let listed = |folder: &BStr, id: Oid| match self.comparison.head {
            HeadSide::Commit(_) => self.repository.listed_in_index(folder, id),
            HeadSide::Worktree(_) | HeadSide::Index => None,
        };
        // Which other open changes claim the same requirements takes a look into each of them.
        if matches!(self.comparison.head, HeadSide::Commit(_)) && !edits.is_empty() {
            let changes: Vec<BString> =
                plan.roots.iter().map(|root| join(join(root.as_ref(), FOLDER).as_ref(), "changes")).collect();
            self.repository.remember_folders(&changes, |path| !path.contains_str("/changes/archive/"));
        }
        let base = ObjectTree::new(store, self.base.clone());
        let tip = tip.map(|tip| ObjectTree::new(store, tip.clone()));
        let newest = match self.comparison.head {
            HeadSide::Commit(commit) => Some(commit),
            HeadSide::Worktree(commit) => commit,
            HeadSide::Index => self.comparison.base,
        };
        let history = newest.map(|commit| History::new(store, commit, self.repository.is_shallow()));
        let base_history = history.as_ref().zip(self.comparison.base).map(|(history, base)| history.at(base));
        let diff = Diff {
            store,
            base: &base,
            tip: tip.as_ref().map(|tip| tip as &dyn Snapshot),
            history: history.as_ref(),
            base_history: base_history.as_ref(),
            head,
            listed: &listed,
            links: &plan.links,
            freeze: plan.freeze,
            explained,
        };
        let bench = ComparedBench::new(
            self.repository,
            (self.comparison.base, &self.base),
            (self.comparison.head, head, snapshot),
            self.task.session.as_ref().and_then(|session| session.record.outside.as_deref()),
        );
        let trees = trees::names(store, (&self.base, head), self.comparison.head, &plan.paths)?;
        let run = Run {
            task: self.task,
            progress,
            head: snapshot,
            diff: Some(diff),
            bench: &bench,
            trees,
            is_recording: false,
        };
        run.judge(scope, plan.roots, &edits).map(|(report, _)| {
            // Criteria that run because other files differ were asked for something.
            let is_about_something = !edits.is_empty() || !report.criteria.is_empty();
            (report, is_about_something)
        })
    }
}

impl Compared<'_> {
    /// What is asked of edits. The command line has the last word; base's configuration decides what it leaves open, and
    /// head's, which may be the work of whoever is judged, can only ask for more.
    fn freeze(&self, base: Option<Freeze>, head: Option<Freeze>) -> Freeze {
        let head = head.unwrap_or_default();
        match self.task.frozen_spec {
            Some(Some(asked)) => asked,
            Some(None) if self.task.is_last => base.unwrap_or(Freeze::Explained).max(head),
            Some(None) => base.unwrap_or(Freeze::Strict).max(head),
            None => base.unwrap_or_default().max(head),
        }
    }

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
    freeze: Freeze,
    /// Paths outside of `openspec/` where files are that decide whether the gate runs.
    gate: Vec<BString>,
}
