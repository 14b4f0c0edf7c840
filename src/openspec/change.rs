//! A change: its deltas, its metadata, its task files.

use std::sync::OnceLock;

use bstr::{BStr, BString, ByteSlice};

use super::artifacts;
use super::collate;
use super::delta::Delta;
use super::discovery::walk_specs;
use super::metadata::MetadataState;
use super::misplaced::{MisplacedDelta, is_other_text};
use super::project::Project;
use super::proposal_form::{Form, ProposalFile};
use super::schema::BUILT_IN;
use super::tasks::{Progress, tasks};
use crate::repo::snapshot::{Kind, ReadError, Snapshot, join};

/// An open or archived change with everything the rules look at.
#[derive(Debug)]
pub struct Change {
    /// Folder name.
    pub id: String,
    /// Its folder.
    pub dir: BString,
    /// `.openspec.yaml`.
    pub metadata: MetadataState,
    /// Delta files by capability.
    pub deltas: Vec<DeltaFile>,
    /// Whether a `spec.md` lies in `specs/` itself, where nobody reads it.
    pub has_root_spec: bool,
    /// Other Markdown files with delta sections.
    pub unread: Vec<UnreadDelta>,
    /// Whether anything at all lies under `specs/`.
    pub has_spec_files: bool,
    /// Folders and files that could not be read.
    pub unreadable: Vec<(BString, ReadError)>,
    /// What is called `spec.md` and is no file. The reference passes over it.
    pub odd: Vec<(BString, ReadError)>,
    /// The files its tasks stand in.
    pub tasks: TaskFiles,
    /// Changes this folder merely wraps. When there are any, it is none itself.
    pub nested: Vec<String>,
    /// Texts below `specs/` that are no `.md` files.
    pub(super) other_texts: Vec<BString>,
    proposal: OnceLock<ProposalFile>,
    misplaced: OnceLock<Vec<MisplacedDelta>>,
}

/// `specs/<capability>/spec.md` of a change.
#[derive(Debug)]
pub struct DeltaFile {
    /// The capability it is for.
    pub capability: String,
    /// Path from the snapshot's top.
    pub path: BString,
    /// The parsed file.
    pub delta: Result<Delta, ReadError>,
    /// Whether it is a link that must not or cannot be followed.
    pub is_refused: bool,
}

impl DeltaFile {
    /// The path as the reference reports it.
    pub fn entry(&self) -> String {
        format!("{}/spec.md", self.capability)
    }
}

/// A Markdown file with delta sections that is no capability's `spec.md`.
#[derive(Debug)]
pub struct UnreadDelta {
    /// Path below `specs/`.
    pub entry: String,
    /// Path from the snapshot's top.
    pub path: BString,
    /// Where its content belongs, below `specs/`.
    pub expected: String,
    /// 0-based line of the first delta section.
    pub line: usize,
}

/// Task files of a change.
#[derive(Debug, Default)]
pub struct TaskFiles {
    /// Files that hold the tasks.
    pub documents: Vec<TaskDocument>,
    /// Whether the schema names them (else `tasks.md` is assumed).
    pub is_tracked: bool,
    /// Whether the change follows the built-in schema, whose template numbers tasks.
    pub is_built_in: bool,
    /// Whether the task files could be determined at all.
    pub is_known: bool,
    /// Files that exist but could not be read.
    pub unreadable: Vec<(BString, ReadError)>,
}

/// One task file.
#[derive(Debug)]
pub struct TaskDocument {
    /// Path below the change.
    pub entry: String,
    /// Path from the snapshot's top.
    pub path: BString,
    /// Its text, line ends as they are.
    pub content: String,
}

impl TaskFiles {
    /// Finds and reads the task files of a change, given its folder.
    pub fn load(project: &Project<'_>, dir: &BStr) -> Self {
        task_files(project, dir, &artifacts::metadata(project.snapshot(), dir))
    }

    /// Tasks that are still open: file, 0-based line and text.
    pub fn open(&self) -> Vec<(BString, usize, String)> {
        let of = |document: &TaskDocument| {
            let open = tasks(&document.content).filter(|task| !task.done);
            open.map(|task| (document.path.clone(), task.line, task.text.to_owned())).collect::<Vec<_>>()
        };
        self.documents.iter().flat_map(of).collect()
    }

    /// Boxes in all files.
    pub fn progress(&self) -> Progress {
        self.documents.iter().fold(Progress::default(), |sum, document| sum.plus(Progress::of(&document.content)))
    }
}

impl Change {
    /// Loads the open change of that folder name.
    pub fn load(project: &Project<'_>, name: &BStr) -> Self {
        let dir = join(project.path("changes").as_ref(), name);
        let nested = artifacts::nested_changes(project, name);
        Self::load_from(project, name, dir, nested)
    }

    /// Loads an archived change.
    pub fn load_archived(project: &Project<'_>, name: &BStr) -> Self {
        let dir = join(project.path("changes/archive").as_ref(), name);
        Self::load_from(project, name, dir, Vec::new())
    }

    fn load_from(project: &Project<'_>, name: &BStr, dir: BString, nested: Vec<String>) -> Self {
        let snapshot = project.snapshot();
        let metadata = artifacts::metadata(snapshot, dir.as_ref());
        let specs = join(dir.as_ref(), "specs");
        let mut others: Vec<(BString, Kind)> = Vec::new();
        let found = walk_specs(snapshot, specs.as_ref(), &mut |path, kind| others.push((path.to_owned(), kind)));
        let has_spec_files = !found.specs.is_empty()
            || others.iter().any(|(_, kind)| kind.is_file() || *kind == Kind::Link)
            // `specs` itself a file: whatever it is, it is not nothing.
            || found.unreadable.iter().any(|(path, _)| *path == specs);
        let has_root_spec = others.iter().any(|(path, kind)| {
            path == "spec.md" && (kind.is_file() || snapshot.is_file(join(specs.as_ref(), path).as_ref()))
        });
        let unread =
            others.iter().filter_map(|(path, kind)| unread_delta(snapshot, specs.as_ref(), path, *kind)).collect();
        let is_other = |(path, kind): &&(BString, Kind)| kind.is_file() && is_other_text(path.as_ref());
        let other_texts = others.iter().filter(is_other).map(|(path, _)| path.clone()).collect();
        let read = |refused: Option<ReadError>, path: &BString| match refused {
            Some(refused) => Err(refused),
            None => snapshot.read(path.as_ref()).map(Delta::parse),
        };
        let mut deltas: Vec<DeltaFile> = found
            .specs
            .into_iter()
            .map(|(capability, path, refused)| DeltaFile {
                is_refused: refused.is_some(),
                delta: read(refused, &path),
                capability,
                path,
            })
            .collect();
        deltas.sort_by(|a, b| a.capability.cmp(&b.capability));
        Self {
            id: name.to_str_lossy().into_owned(),
            tasks: task_files(project, dir.as_ref(), &metadata),
            unreadable: found.unreadable,
            odd: found.odd,
            dir,
            metadata,
            deltas,
            has_root_spec,
            unread,
            has_spec_files,
            nested,
            other_texts,
            proposal: OnceLock::new(),
            misplaced: OnceLock::new(),
        }
    }

    /// The first delta file that is a link out of its place.
    pub fn refused_link(&self) -> Option<(&BStr, &ReadError)> {
        let file = self.deltas.iter().find(|file| file.is_refused)?;
        Some((file.path.as_ref(), file.delta.as_ref().err()?))
    }

    /// Its proposal, read once.
    pub fn proposal(&self, project: &Project<'_>) -> &ProposalFile {
        self.proposal.get_or_init(|| match project.snapshot().read(self.path("proposal.md").as_ref()) {
            Ok(bytes) => ProposalFile::Read(Box::new(Form::parse(bytes))),
            Err(ReadError::Missing | ReadError::NotADirectory) => ProposalFile::Missing,
            Err(error) => ProposalFile::Unreadable(error),
        })
    }

    /// Deltas of the change that lie where nobody looks for them, looked for once.
    pub fn misplaced(&self, project: &Project<'_>) -> &[MisplacedDelta] {
        self.misplaced.get_or_init(|| self.find_misplaced(project))
    }

    /// A path inside the change.
    pub fn path(&self, inner: &str) -> BString {
        join(self.dir.as_ref(), inner)
    }

    /// Number of operations in all deltas.
    pub fn entry_count(&self) -> usize {
        self.deltas.iter().filter_map(|file| file.delta.as_ref().ok()).map(Delta::entry_count).sum()
    }
}

/// The name a change keeps in the archive when it begins with a date; others get the date of the day before theirs.
pub fn archive_name(change: &str) -> Option<&str> {
    without_date(change.into()).map(|_| change)
}

/// `c1` of `2026-01-02-c1`: a change's name without the date that archiving puts before it.
pub fn without_date(name: &BStr) -> Option<&BStr> {
    let date = name.get(..11)?;
    let is_date = date.iter().zip(b"0000-00-00-").all(|(byte, shape)| match shape {
        b'0' => byte.is_ascii_digit(),
        dash => byte == dash,
    });
    is_date.then(|| name[11..].as_bstr())
}

fn unread_delta(snapshot: &dyn Snapshot, specs: &BStr, entry: &BString, kind: Kind) -> Option<UnreadDelta> {
    let name = entry.rsplit_str("/").next().unwrap_or_default();
    let is_markdown = name.len() >= 3 && name[name.len() - 3..].eq_ignore_ascii_case(b".md");
    if name == b"spec.md" || !is_markdown || !(kind.is_file() || kind == Kind::Link) {
        return None;
    }
    let path = join(specs, entry);
    let delta = Delta::parse(snapshot.read(path.as_ref()).ok()?);
    let line = delta.sections.first()?.line;
    let capability = match entry.rfind("/") {
        Some(at) => entry[..at].to_str_lossy().into_owned(),
        None => entry[..entry.len() - 3].to_str_lossy().into_owned(),
    };
    Some(UnreadDelta {
        entry: entry.to_str_lossy().into_owned(),
        path,
        expected: format!("{capability}/spec.md"),
        line,
    })
}

fn task_files(project: &Project<'_>, dir: &BStr, metadata: &MetadataState) -> TaskFiles {
    let snapshot = project.snapshot();
    let schema_name = artifacts::schema_name(project, metadata);
    let tracked = schema_name.as_ref().ok().and_then(|name| {
        let schema = project.schema(name);
        let schema = schema.as_ref().as_ref().ok()?;
        schema.tracked().map(|artifact| artifact.generates.clone())
    });
    let tracked = match tracked.map(|generates| artifacts::outputs(snapshot, dir, &generates)) {
        Some(Ok(paths)) => paths,
        None => Vec::new(),
        // Which files hold the tasks cannot be told: the place named for them leads out of the change.
        Some(Err(error)) => {
            return TaskFiles { unreadable: vec![(join(dir, "tasks.md"), error)], ..TaskFiles::default() };
        }
    };
    let mut files = TaskFiles { is_tracked: !tracked.is_empty(), is_known: true, ..TaskFiles::default() };
    files.is_built_in = schema_name.is_ok_and(|name| {
        let name = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).unwrap_or(&name).to_owned();
        name == BUILT_IN && project.own_schema_path(&name).is_none()
    });
    let paths = if files.is_tracked { tracked } else { vec![join(dir, "tasks.md")] };
    let real_dir = snapshot.resolve(dir).unwrap_or_else(|_| dir.to_owned());
    for path in paths {
        match snapshot.read(path.as_ref()) {
            Ok(bytes) => {
                let relative = [real_dir.as_bstr(), dir].iter().find_map(|dir| {
                    path.strip_prefix(dir.as_bytes())
                        .and_then(|rest| rest.strip_prefix(b"/"))
                        .map(ByteSlice::to_str_lossy)
                });
                let name = path.rsplit_str("/").next().unwrap_or_default().to_str_lossy();
                let entry = relative.unwrap_or(name).into_owned();
                let content = String::from_utf8_lossy(&bytes).into_owned();
                files.documents.push(TaskDocument { entry, path, content });
            }
            Err(ReadError::Missing | ReadError::NotADirectory) => {}
            Err(error) => files.unreadable.push((path, error)),
        }
    }
    if files.documents.len() > 1 {
        files.documents.sort_by_cached_key(|document| collate::key(&document.entry));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_before_names() {
        assert_eq!(without_date("2026-01-02-add-login".into()), Some("add-login".into()));
        assert_eq!(without_date("2026-01-02-".into()), Some("".into()));
        assert_eq!(without_date("2026-1-2-add-login".into()), None);
        assert_eq!(without_date("add-2026-login".into()), None);
        assert_eq!(archive_name("2026-01-02-add-login"), Some("2026-01-02-add-login"));
        assert_eq!(archive_name("add-login"), None);
    }
}
