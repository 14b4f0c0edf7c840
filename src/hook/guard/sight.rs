//! Where paths lead and what lies around them, looked up once for each folder: a call may name very many.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::frozen::Rules;
use crate::hook::place;

/// Most links followed on the way to one path.
const MAX_LINKS: usize = 40;

/// What is at a path, links not followed.
#[derive(Debug, Clone)]
enum Entry {
    Missing,
    Link(PathBuf),
    Other,
}

/// All that was looked at for one call.
#[derive(Debug, Default)]
pub(super) struct Sight {
    entries: HashMap<PathBuf, Entry>,
    tops: HashMap<PathBuf, Option<PathBuf>>,
    rules: HashMap<(PathBuf, PathBuf), Option<Rc<Rules>>>,
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resolved {
    /// Every link followed, the last one too.
    pub path: PathBuf,
    /// The last folder or file on the way that is there.
    pub existing: PathBuf,
}

impl Sight {
    /// Where a path leads, as [`place::resolved`] says it.
    pub(super) fn resolved(&mut self, path: &Path) -> Resolved {
        // Other systems have further names for one file, which only they know.
        if !cfg!(target_os = "linux")
            && let Ok(found) = fs::canonicalize(path)
        {
            return Resolved { existing: found.clone(), path: found };
        }
        let mut way = Way::default();
        way.push(path);
        while self.step(&mut way) {}
        let missing = way.missing;
        let existing = way.found.ancestors().nth(missing).unwrap_or(&way.found).to_owned();
        Resolved { path: way.found, existing }
    }

    /// The path as it was named, below a top whose own links are resolved.
    pub(super) fn named(&mut self, path: &Path, top: &Path) -> Option<PathBuf> {
        let plain = place::plain(path);
        let mut way = Way::default();
        let mut below = None;
        for part in plain.components() {
            way.push(Path::new(part.as_os_str()));
            while self.step(&mut way) {}
            if let Some(rest) = &mut below {
                PathBuf::push(rest, part);
            }
            if way.missing == 0 && way.found == top {
                below = Some(PathBuf::new());
            }
        }
        Some(top.join(below?))
    }

    /// The top of the work tree around a folder that is there.
    pub(super) fn top(&mut self, folder: &Path) -> Option<PathBuf> {
        let found = self.tops.entry(folder.to_owned());
        found.or_insert_with(|| place::top(folder)).clone()
    }

    /// What the projects around a path that is there, and around where the agent works, say.
    pub(super) fn rules(&mut self, top: &Path, existing: &Path, cwd: &Path) -> Option<Rc<Rules>> {
        let found = self.rules.entry((top.to_owned(), existing.to_owned()));
        found.or_insert_with(|| Rules::of(top, existing, cwd).map(Rc::new)).clone()
    }

    /// Goes one part further. False at the end.
    fn step(&mut self, way: &mut Way) -> bool {
        let Some(part) = way.todo.pop() else { return false };
        match Path::new(&part).components().next() {
            Some(Component::CurDir) | None => {}
            Some(Component::ParentDir) => {
                way.found.pop();
                way.missing = way.missing.saturating_sub(1);
            }
            Some(Component::Normal(name)) => {
                way.found.push(name);
                // There is nothing in a folder that is not there.
                if way.missing > 0 {
                    way.missing += 1;
                    return true;
                }
                match self.entry(&way.found) {
                    Entry::Missing => way.missing = 1,
                    Entry::Link(to) if way.links < MAX_LINKS => {
                        way.links += 1;
                        way.found.pop();
                        way.push(&to);
                    }
                    Entry::Link(_) | Entry::Other => {}
                }
            }
            // A root, which begins the path anew.
            Some(start) => {
                way.found.push(start);
                way.missing = 0;
            }
        }
        true
    }

    fn entry(&mut self, path: &Path) -> Entry {
        if let Some(known) = self.entries.get(path) {
            return known.clone();
        }
        let entry = match path.symlink_metadata() {
            Err(_) => Entry::Missing,
            Ok(found) if found.is_symlink() => fs::read_link(path).map_or(Entry::Other, Entry::Link),
            Ok(_) => Entry::Other,
        };
        self.entries.insert(path.to_owned(), entry.clone());
        entry
    }
}

/// How far a path has been followed.
#[derive(Debug, Default)]
struct Way {
    found: PathBuf,
    /// Parts still to come, the next one last.
    todo: Vec<OsString>,
    /// How many parts at the end are not there.
    missing: usize,
    links: usize,
}

impl Way {
    fn push(&mut self, path: &Path) {
        self.todo.extend(path.components().rev().map(|part| part.as_os_str().to_owned()));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_lead_where_they_always_did() {
        let folder = tempfile::tempdir().expect("a folder");
        let top = fs::canonicalize(folder.path()).expect("a path");
        fs::create_dir_all(top.join("a/b")).expect("folders");
        fs::write(top.join("a/file"), "").expect("a file");
        for (to, link) in [("a/b", "link"), ("../file", "a/b/up"), ("nowhere/x", "broken"), ("round", "round")] {
            symlink(to, top.join(link)).expect("a link");
        }
        symlink(&top, top.join("self")).expect("a link");
        let mut sight = Sight::default();
        for path in [
            "a/b",
            "a/./b/../file",
            "link/up",
            "link/../file",
            "broken",
            "broken/y/../z",
            "new/x",
            "new/../a/b/up",
            "round/x",
            "self/self/a/b",
            "link/new/deep/../../..",
            "a/file/x",
            "..",
            "",
        ] {
            let path = top.join(path);
            assert_eq!(sight.resolved(&path).path, place::resolved(&path), "{}", path.display());
        }
        assert_eq!(sight.resolved(&top.join("link/new/deep")).existing, top.join("a/b"));
        assert_eq!(sight.named(&top.join("self/link/../a/x"), &top), Some(top.join("a/x")));
        assert_eq!(sight.named(&top.join("link/x"), &top), Some(top.join("link/x")));
        assert_eq!(sight.named(Path::new("/x"), &top), None);
    }
}
