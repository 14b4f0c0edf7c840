//! The work tree as head: what of it is compared, as it lies on disk, as the index has it and as it was committed.

use std::path::Path;

use bstr::BString;

use super::{Compared, Plan, commit_files};
use crate::gate::explained;
use crate::gate::frozen;
use crate::gate::verify::{Progress, Stop, folder_error, unverifiable};
use crate::openspec::project::FOLDER;
use crate::repo::changes::{changed_projects, compare};
use crate::repo::node::Node;
use crate::repo::oid::Oid;
use crate::repo::snapshot::{Snapshot, Worktree};
use crate::repo::store::GitError;
use crate::report::{Reason, Report, Scope, Verdict};

/// A work tree and what is below it, at the paths that are compared.
pub(super) struct Seen {
    pub(super) snapshot: Worktree,
    pub(super) plan: Plan,
    /// As it lies on disk.
    pub(super) head: Node,
    /// The files outside of `openspec/` that decide whether the gate runs, as they lie on disk.
    pub(super) gate: Node,
    pub(super) index: Node,
    /// The commit that is checked out.
    pub(super) committed: Node,
}

impl Compared<'_> {
    pub(super) fn run_worktree(
        &self,
        scope: &mut Scope,
        progress: &Progress,
        commit: Option<Oid>,
    ) -> Result<Report, Stop> {
        let Seen { snapshot, plan, head, gate, index, committed } = self.look(commit, false)?;
        let paths = plan.paths.clone();
        let (mut report, differs) =
            self.judge(scope, progress, (&snapshot, &head, &gate), Some((&index, &committed)), plan)?;
        // Checks run programs of those who are judged.
        if report.trees.files.is_some() && self.changed_meanwhile(&head, &paths) {
            report.reasons.push(Reason {
                message: "files of the spec set changed while the checks ran, so what was judged is not what is there"
                    .to_owned(),
                fix: "see what a check writes into `openspec/`, and verify again".to_owned(),
            });
            report.verdict = report.verdict.worst(Verdict::Unverifiable);
        }
        // Nothing was compared: neither commits nor files differ. At a terminal that is an answer, in CI it is a gate
        // that never looks, and a base that was named is not what was meant. A session's record was made to compare with.
        let is_empty = self.comparison.base == commit && !differs && self.task.session.is_none();
        let was_named = !self.comparison.base_source.starts_with("HEAD,")
            && !self.comparison.base_source.starts_with("default branch");
        if is_empty && (was_named || self.task.env.is_set("CI")) {
            let message = format!(
                "base is the commit that is checked out ({}) and no spec file differs from it: nothing was compared",
                commit.map(|commit| commit.to_string()).unwrap_or_default()
            );
            return Err(unverifiable(message, "name the commit the work started from: `--base REV`"));
        }
        Ok(report)
    }

    /// Reads the work tree, the index and the commit at the paths that are compared. Files outside of `openspec/` that
    /// decide whether the gate runs are among them where edits have to be explained, or when all are wanted.
    pub(super) fn look(&self, commit: Option<Oid>, wants_gate: bool) -> Result<Seen, Stop> {
        let store = self.repository.store();
        let Some(top) = self.repository.workdir() else {
            return Err(unverifiable("there is no work tree to judge", "name the commit to judge: `--head REV`"));
        };
        let snapshot = Worktree::confined(top).map_err(|error| folder_error(top, &error))?;
        let (path, committed) = (self.repository.index_path(), commit_files(store, commit)?);
        // Where everything is in one place, as nearly everywhere, the index is read once.
        let mut read = vec![BString::from(FOLDER)];
        if wants_gate || self.task.session.is_some() {
            read.extend(explained::gate_paths(&[]));
        }
        let (mut index, _, mut inner) = self.read_index(&path, &read, commit.map(|_| committed.id))?;
        inner.extend(changed_projects(store, &self.base, &committed, FOLDER)?);
        let mut plan = self.plan(&snapshot, self.prefix(), inner)?;
        if wants_gate {
            plan.gate = explained::gate_paths(&plan.roots);
        }
        let head = self.head_with_links(top, &snapshot, &mut plan)?;
        let is_read = |path: &BString| read.iter().any(|read| frozen::is_at_or_below(path.as_ref(), read.as_ref()));
        if !plan.paths.iter().chain(&plan.gate).all(is_read) {
            let paths: Vec<BString> = plan.paths.iter().chain(&plan.gate).cloned().collect();
            (index, _, _) = self.read_index(&path, &paths, None)?;
        }
        let gate = match self.read_before(&plan.gate) {
            Some(gate) => gate,
            None => Node::paths_on_disk(store.hash_kind(), top, &plan.gate).map_err(GitError::Other)?,
        };
        Ok(Seen { snapshot, plan, head, gate, index, committed })
    }

    /// What lies on disk at some paths, and maybe at others, when it was read already.
    fn read_before(&self, paths: &[BString]) -> Option<Node> {
        let (read, node) = self.on_disk.as_ref()?;
        let is_read = |path: &BString| read.iter().any(|read| frozen::is_at_or_below(path.as_ref(), read.as_ref()));
        paths.iter().all(is_read).then(|| node.clone())
    }

    /// Whether files are not as they were when they were read.
    fn changed_meanwhile(&self, head: &Node, paths: &[BString]) -> bool {
        let (top, store) = (self.repository.workdir(), self.repository.store());
        let now = top.map(|top| Node::paths_on_disk(store.hash_kind(), top, paths));
        // Of the tree that was read only these paths are asked for.
        let is_same = |now: &Node| compare(store, head, now, paths).is_ok_and(|changes| changes.is_empty());
        !now.is_some_and(|now| now.is_ok_and(|now| is_same(&now)))
    }

    /// The work tree's files at the compared paths, where links among them lead included: what a frozen link shows is
    /// frozen too.
    fn head_with_links(&self, top: &Path, snapshot: &Worktree, plan: &mut Plan) -> Result<Node, Stop> {
        let hash = self.repository.store().hash_kind();
        loop {
            let head = match self.read_before(&plan.paths) {
                Some(head) => head,
                None => Node::paths_on_disk(hash, top, &plan.paths).map_err(GitError::Other)?,
            };
            let asked = plan.paths.clone();
            let is_asked =
                |path: &&BString| asked.iter().any(|asked| frozen::is_at_or_below(path.as_ref(), asked.as_ref()));
            // A link that leads out or nowhere is compared as the link it is; judging the tree refuses it.
            let mut behind: Vec<BString> =
                head.links().iter().filter(is_asked).filter_map(|path| snapshot.resolve(path.as_ref()).ok()).collect();
            behind.retain(|real| !plan.paths.iter().any(|path| frozen::is_at_or_below(real.as_ref(), path.as_ref())));
            behind.sort();
            behind.dedup();
            if behind.is_empty() {
                return Ok(head);
            }
            plan.further.extend(behind.iter().cloned());
            plan.paths.extend(behind);
        }
    }
}
