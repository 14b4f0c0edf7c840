//! Compares with how a session began: neither commits nor references that were made or moved since have a part in it.

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice, ByteVec};

use super::{Compared, Was, commit_files};
use crate::gate::criteria::digest_beyond;
use crate::gate::frozen::is_at_or_below;
use crate::gate::roots;
use crate::gate::verify::{Progress, RunError, Stop, Task, read_config, unverifiable};
use crate::openspec::project::FOLDER;
use crate::repo::graft::FileEntry;
use crate::repo::kept::KeptBlobs;
use crate::repo::node::Node;
use crate::repo::oid::{ObjectKind, Oid};
use crate::repo::open::Repository;
use crate::repo::scope::{self, Comparison, HeadSide, RequestKind};
use crate::repo::snapshot::{Kind, Snapshot, Worktree, join};
use crate::repo::store::GitError;
use crate::report::{Report, Scope};
use crate::session::{Bounds, RECORD_VERSION, Record, RecordError, RecordedFile, RecordedPath, SessionFolder};

/// How a session began.
#[derive(Debug, Clone)]
pub struct Session {
    /// What was recorded.
    pub record: Record,
    /// Where contents are kept that were not committed then.
    pub blobs: PathBuf,
}

/// Why the spec set could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    /// There is nothing to judge here, now and later.
    #[error("{0}")]
    Run(#[from] RunError),
    /// Something keeps the specs from being read.
    #[error("{message}")]
    Unverifiable {
        /// What.
        message: String,
        /// The way out.
        fix: String,
    },
}

impl From<Stop> for ObserveError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Run(error) => Self::Run(error),
            Stop::Unverifiable(reason) => Self::Unverifiable { message: reason.message, fix: reason.fix },
        }
    }
}

/// How the spec set is now.
#[derive(Debug)]
pub struct Observed {
    /// Without the names of session and client.
    pub record: Record,
    /// Contents that are not committed.
    contents: Vec<(Oid, Vec<u8>)>,
}

impl Observed {
    /// Keeps the contents that are not committed in the folder of a session.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn keep_contents(&self, folder: &SessionFolder) -> std::io::Result<()> {
        let mut kept = KeptBlobs::open(&folder.blobs());
        self.contents.iter().try_for_each(|(id, content)| kept.keep(*id, content))
    }
}

/// Reads how the spec set is now: as it lies on disk, and as the index has it. `task` says where and with which variables.
///
/// # Errors
/// See [`ObserveError`].
pub fn observe(task: &Task) -> Result<Observed, ObserveError> {
    let repository = Repository::open(&task.cwd, &task.env).map_err(RunError::from)?;
    let store = repository.store();
    let git = |error: GitError| ObserveError::from(Stop::from(error));
    let commit = store.head().map_err(git)?.commit;
    // Without a base the session is judged all the same: by what is recorded here.
    let resolved = scope::resolve(&repository, &task.env, &task.request).ok();
    let comparison = Comparison {
        base: commit,
        tip: None,
        other_bases: Vec::new(),
        base_source: SOURCE.to_owned(),
        head: HeadSide::Worktree(commit),
    };
    let base = commit_files(store, commit).map_err(git)?;
    let further_roots = own_projects(&repository);
    let (was, on_disk) = (Was::default(), None);
    let compared =
        Compared { task, repository: &repository, comparison: &comparison, base, was, further_roots, on_disk };
    let seen = match compared.look(commit, true) {
        // What is made later is compared with nothing.
        Err(Stop::Run(RunError::NoProject)) => {
            return Ok(Observed { record: compared.nothing(), contents: Vec::new() });
        }
        seen => seen?,
    };
    let paths: Vec<_> = seen.plan.paths.iter().chain(&seen.plan.gate).cloned().collect();
    let mut on_disk = seen.head.known_files();
    on_disk.extend(seen.gate.known_files());
    on_disk.sort_by(|a, b| a.path.cmp(&b.path));
    on_disk.dedup();
    let is_recorded = |file: &FileEntry| paths.iter().any(|path| is_at_or_below(file.path.as_ref(), path.as_ref()));
    let in_index: Vec<FileEntry> = seen.index.known_files().into_iter().filter(is_recorded).collect();
    let mut record = Record {
        tip: resolved.as_ref().and_then(|resolved| resolved.tip).map(|tip| tip.to_string()),
        merge_base: resolved.and_then(|resolved| resolved.base).map(|base| base.to_string()),
        roots: seen.plan.roots.iter().map(RecordedPath::from).collect(),
        paths: paths.iter().map(RecordedPath::from).collect(),
        files: on_disk.iter().map(RecordedFile::from).collect(),
        ..compared.nothing()
    };
    if let Some(config) = seen.plan.roots.first().and_then(|root| read_config(&seen.snapshot, root.as_ref()).ok()) {
        record.bounds = config.hooks.bounds();
    }
    record.set_index(&on_disk, &in_index);
    let mut contents = Vec::new();
    for file in &on_disk {
        let committed = seen.committed.find(store, file.path.as_ref()).map_err(git)?;
        if committed.is_some_and(|node| node.id == file.id) {
            continue;
        }
        let content = match (file.kind, repository.workdir()) {
            (Kind::Link, Some(top)) => fs::read_link(top.join(file.path.to_path_lossy()))
                .ok()
                .and_then(|target| Vec::from_path_buf(target).ok()),
            _ => seen.snapshot.read(file.path.as_ref()).ok(),
        };
        // What changed since it was hashed is not what was recorded; then it is missed later, and that is told.
        let content = content
            .filter(|content| Oid::of(store.hash_kind(), ObjectKind::Blob, content).is_ok_and(|id| id == file.id));
        contents.extend(content.map(|content| (file.id, content)));
    }
    Ok(Observed { record, contents })
}

/// Folders of the work tree that hold a project, in the index or not. What lies in another repository inside is judged there.
fn own_projects(repository: &Repository) -> Vec<BString> {
    let Some(top) = repository.workdir() else { return Vec::new() };
    let Ok(snapshot) = Worktree::confined(top) else { return Vec::new() };
    let found = roots::below(&snapshot, "".into()).unwrap_or_default();
    let is_own = |root: &BString| {
        let folder = top.join(root.to_path_lossy());
        folder.ancestors().take_while(|above| *above != top).all(|above| above.join(".git").symlink_metadata().is_err())
    };
    found.into_iter().filter(is_own).collect()
}

/// Digest of all files outside of the projects of a record, where checks could look at them. None when there are no checks:
/// reading everything takes its time.
pub fn outside(task: &Task, record: &Record) -> Option<String> {
    let has_checks = record.files.iter().any(|file| file.path().contains_str("/verify/"));
    let repository = Repository::open(&task.cwd, &task.env).ok().filter(|_| has_checks)?;
    let folders: Vec<BString> = record.roots.iter().map(|root| join(BString::from(root).as_ref(), FOLDER)).collect();
    digest_beyond(&repository, &folders)
}

/// Where base came from.
const SOURCE: &str = "the session's record";

impl From<RecordError> for Stop {
    fn from(error: RecordError) -> Self {
        unverifiable(
            format!("the session's record cannot be used: {error}"),
            "a person can record the specs as they are now: `specward accept --reason …`",
        )
    }
}

impl Compared<'_> {
    /// A record of no files.
    fn nothing(&self) -> Record {
        Record {
            version: RECORD_VERSION,
            specward: env!("CARGO_PKG_VERSION").to_owned(),
            session: String::new(),
            agent: String::new(),
            time: jiff::Timestamp::now().to_string(),
            top: self.repository.workdir().map(|top| top.display().to_string()).unwrap_or_default(),
            is_late: false,
            roots: Vec::new(),
            outside: None,
            head: self.comparison.base.map(|commit| commit.to_string()),
            tip: None,
            merge_base: None,
            paths: Vec::new(),
            files: Vec::new(),
            index: Vec::new(),
            bounds: Bounds::default(),
            accepted: Vec::new(),
        }
    }
}

impl Session {
    /// Judges the work tree against how the session began.
    pub(super) fn compare(
        &self,
        task: &Task,
        repository: Repository,
        scope: &mut Scope,
        progress: &Progress,
    ) -> Result<Report, Stop> {
        debug_assert_eq!(task.request.kind, RequestKind::Changed);
        let repository = repository.with_kept(KeptBlobs::open(&self.blobs));
        let store = repository.store();
        let oid = |hex: &Option<String>| -> Result<Option<Oid>, Stop> {
            let parsed: Option<Result<Oid, String>> = hex.as_ref().map(|hex| hex.parse());
            Ok(parsed.transpose().map_err(RecordError::Malformed)?)
        };
        let commit = oid(&self.record.head)?;
        let committed = commit_files(store, commit)?;
        let is_here = repository.workdir().is_some_and(|top| top.display().to_string() == self.record.top);
        let mut on_disk_now = None;
        let (base, was) = if is_here {
            let hash = store.hash_kind();
            let tree = |files: Vec<FileEntry>| Node::of_files(hash, &files).map_err(GitError::Other);
            let paths = self.record.recorded_paths();
            // Mostly nothing differs: then what is there is what was recorded, and no tree is put together from that.
            let top = repository.workdir().unwrap_or(Path::new(""));
            let now = Node::paths_on_disk(hash, top, &paths).map_err(GitError::Other)?;
            let recorded = self.record.on_disk()?;
            let on_disk = if now.known_files() == recorded { now.clone() } else { tree(recorded)? };
            on_disk_now = Some((paths.clone(), now));
            let in_index = match self.record.index.is_empty() {
                true => on_disk.clone(),
                false => tree(self.record.in_index()?)?,
            };
            let base = committed.with_paths(store, &on_disk, &paths)?;
            (base, Was { index: Some(in_index), commit: Some(committed) })
        } else {
            // A work tree that was made since holds what was committed before.
            (committed, Was::default())
        };
        let comparison = Comparison {
            base: commit,
            tip: oid(&self.record.tip)?,
            other_bases: Vec::new(),
            base_source: format!("{SOURCE} of {}", self.record.time),
            head: HeadSide::Worktree(store.head()?.commit),
        };
        scope.base = commit.map(|commit| commit.to_string());
        scope.base_source = Some(comparison.base_source.clone());
        let further_roots = if is_here { self.record.roots.iter().map(BString::from).collect() } else { Vec::new() };
        let on_disk = on_disk_now;
        Compared { task, repository: &repository, comparison: &comparison, base, was, further_roots, on_disk }
            .run(scope, progress)
    }
}
