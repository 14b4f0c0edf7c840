//! Deltas that lie where nobody looks for them: beside a change's `specs/`, or under another kind of name.

use bstr::{BStr, BString, ByteSlice};

use super::change::Change;
use super::delta::Delta;
use super::project::Project;
use crate::repo::snapshot::{Entry, Kind, Snapshot, join};

/// A file with a delta that is no capability's `spec.md`.
#[derive(Debug)]
pub struct MisplacedDelta {
    /// Path from the snapshot's top.
    pub path: BString,
    /// Path below the change or below `changes/`.
    pub entry: String,
    /// 0-based line of the first delta section.
    pub line: usize,
}

/// Artifacts of a change. They may show a delta without being one.
const ARTIFACTS: [&[u8]; 6] = [b"proposal", b"design", b"tasks", b"readme", b"notes", b"plan"];

/// More folders than this nobody puts into a change by mistake.
const MOST_FOLDERS: usize = 32;

impl Change {
    /// Finds them below a change, in its own folder and two below.
    pub(super) fn find_misplaced(&self, project: &Project<'_>) -> Vec<MisplacedDelta> {
        let snapshot = project.snapshot();
        let mut found = Vec::new();
        for entry in &self.other_texts {
            let inner = join("specs".into(), entry);
            found.extend(misplaced(snapshot, self.dir.as_ref(), inner.as_ref()));
        }
        let mut folders = vec![(BString::default(), 0)];
        let mut left = MOST_FOLDERS;
        while let Some((folder, depth)) = folders.pop() {
            let dir = if folder.is_empty() { self.dir.clone() } else { join(self.dir.as_ref(), &folder) };
            for Entry { name, kind } in snapshot.list(dir.as_ref()).unwrap_or_default() {
                let inner = if folder.is_empty() { name.clone() } else { join(folder.as_ref(), &name) };
                let is_specs = depth == 0 && name == "specs";
                if kind == Kind::Dir && !is_specs && !name.starts_with(b".") && depth < 2 && left > 0 {
                    left -= 1;
                    folders.push((inner, depth + 1));
                } else if kind.is_file() && is_candidate(name.as_ref(), depth) {
                    found.extend(misplaced(snapshot, self.dir.as_ref(), inner.as_ref()));
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }
}

/// Whole deltas that lie in `changes/` itself.
pub fn beside_changes(project: &Project<'_>) -> Vec<MisplacedDelta> {
    let (snapshot, dir) = (project.snapshot(), project.path("changes"));
    let entries = snapshot.list(dir.as_ref()).unwrap_or_default().into_iter();
    let files = entries.filter(|entry| entry.kind.is_file() && is_candidate(entry.name.as_ref(), 0));
    files.filter_map(|entry| misplaced(snapshot, dir.as_ref(), entry.name.as_ref())).collect()
}

/// Whether a file can be meant as a delta: any text in the change's folder, below that only what is called like one.
fn is_candidate(name: &BStr, depth: usize) -> bool {
    let Some((stem, _)) = text_name(name) else { return false };
    let folded = stem.to_ascii_lowercase();
    if depth == 0 { !ARTIFACTS.contains(&folded.as_slice()) } else { folded == b"spec" || folded == b"spec.md" }
}

/// Stem and ending of a text file's name.
fn text_name(name: &BStr) -> Option<(&[u8], &[u8])> {
    let at = name.rfind_byte(b'.')?;
    let ending = &name[at + 1..];
    let is_text =
        [&b"md"[..], b"markdown", b"mdx", b"txt", b"mdown"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    is_text.then_some((&name[..at], ending))
}

/// Whether a file below `specs/` is a text that readers of `.md` files pass over.
pub(super) fn is_other_text(path: &BStr) -> bool {
    let name = path.rsplit_str("/").next().unwrap_or_default();
    text_name(name.into()).is_some_and(|(_, ending)| !ending.eq_ignore_ascii_case(b"md"))
}

fn misplaced(snapshot: &dyn Snapshot, top: &BStr, inner: &BStr) -> Option<MisplacedDelta> {
    let path = join(top, inner);
    let delta = Delta::parse(snapshot.read(path.as_ref()).ok()?);
    let line = delta.sections.first()?.line;
    delta.has_entries().then(|| MisplacedDelta { path, entry: inner.to_str_lossy().into_owned(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["spec.md", "ledger.MD", "spec.md.txt", "delta.mdx"] {
            assert!(is_candidate(name.into(), 0), "{name}");
        }
        for name in ["proposal.md", "Design.md", "a.png", "spec"] {
            assert!(!is_candidate(name.into(), 0), "{name}");
        }
        assert!(is_candidate("spec.md".into(), 1) && !is_candidate("other.md".into(), 1));
        assert!(is_other_text("a/spec.md.txt".into()) && !is_other_text("a/spec.md".into()));
    }
}
