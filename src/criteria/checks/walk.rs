//! The files that globs match.

use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher, GlobSet};

use crate::config::globs::{self, from_top, literal_prefix};
use crate::repo::snapshot::{Kind, ReadError, Snapshot, is_below, join};

/// What globs match.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Files, sorted. Those behind a link are among them.
    pub(super) files: Vec<BString>,
    /// What could not be looked at and may hold files that match, and why.
    pub(super) unread: Vec<(BString, String)>,
    /// Globs that match nothing.
    pub(super) unmatched: Vec<String>,
}

/// Finds the files that globs match, whatever git ignores and whatever folders are called: moving a file into `vendor/`
/// hides it from nobody. Only `.git` is not entered. Links to folders are not followed.
///
/// `key` is where the globs are given, for the message.
///
/// # Errors
/// When a glob makes no sense.
pub(super) fn walk(key: &str, globs: &[String], files: &dyn Snapshot) -> Result<Walk, String> {
    let set = globs::set(key, globs)?;
    let shapes = globs.iter().map(|glob| Shape::new(from_top(glob))).collect::<Result<_, _>>()?;
    let mut walker = Walker { files, set, shapes, walk: Walk::default(), entered: HashSet::new(), links: Vec::new() };
    for start in starts(globs) {
        walker.start(start.as_ref());
    }
    Ok(walker.finish(globs))
}

/// The folders, or files, nothing outside of which can match.
fn starts(globs: &[String]) -> Vec<BString> {
    let mut starts: Vec<BString> = globs.iter().map(|glob| literal_prefix(from_top(glob))).collect();
    starts.sort();
    starts.dedup();
    let all = starts.clone();
    starts.retain(|path| !all.iter().any(|other| is_below(path.as_ref(), other.as_ref())));
    starts
}

struct Walker<'s> {
    files: &'s dyn Snapshot,
    set: GlobSet,
    shapes: Vec<Shape>,
    walk: Walk,
    /// Folders that were listed.
    entered: HashSet<BString>,
    /// Links to folders, and where they lead.
    links: Vec<(BString, BString)>,
}

impl Walker<'_> {
    /// Goes down to where globs start: no component on the way may be a link to a folder either.
    fn start(&mut self, start: &BStr) {
        let mut path = BString::default();
        for name in start.split_str("/").filter(|name| !name.is_empty()) {
            path = join(path.as_ref(), name);
            match self.files.kind(path.as_ref()) {
                _ if name == b".git" => return,
                Ok(Kind::Dir) => {}
                Ok(kind) => return self.visit(path, kind),
                Err(ReadError::Missing | ReadError::NotADirectory) => return,
                Err(error) => return self.walk.unread.push((path, error.to_string())),
            }
        }
        self.below(path);
    }

    fn below(&mut self, folder: BString) {
        let mut todo = vec![folder];
        while let Some(folder) = todo.pop() {
            let entries = match self.files.list(folder.as_ref()) {
                Ok(entries) => entries,
                Err(error) => {
                    self.walk.unread.push((folder, error.to_string()));
                    continue;
                }
            };
            for entry in entries.into_iter().filter(|entry| entry.name != ".git") {
                let path = join(folder.as_ref(), &entry.name);
                if entry.kind != Kind::Dir {
                    self.visit(path, entry.kind);
                } else if self.shapes.iter().any(|shape| shape.may_hold(path.as_ref())) {
                    todo.push(path);
                }
            }
            self.entered.insert(folder);
        }
    }

    /// Takes what is no folder.
    fn visit(&mut self, path: BString, kind: Kind) {
        let is_match = self.set.is_match(path.to_path_lossy());
        let may_hold = || self.shapes.iter().any(|shape| shape.may_hold(path.as_ref()));
        match kind {
            Kind::Submodule if may_hold() => {
                self.walk.unread.push((path, "it is a submodule, whose files are not there".to_owned()));
            }
            Kind::Link => match self.files.resolve(path.as_ref()) {
                Ok(real) if self.files.kind(real.as_ref()) == Ok(Kind::Dir) => {
                    if is_match || may_hold() {
                        self.links.push((path, real));
                    }
                }
                // What lies outside or nowhere is nothing of the tree, unless it is what the globs name.
                Ok(_) | Err(ReadError::Outside(_) | ReadError::Dangling(_)) => {
                    if is_match {
                        self.walk.files.push(path);
                    }
                }
                Err(error) => {
                    if is_match || may_hold() {
                        self.walk.unread.push((path, error.to_string()));
                    }
                }
            },
            Kind::Dir | Kind::Submodule => {}
            Kind::File | Kind::Executable | Kind::Special => {
                if is_match {
                    self.walk.files.push(path);
                }
            }
        }
    }

    fn finish(mut self, globs: &[String]) -> Walk {
        for (path, real) in self.links {
            // What it leads to was searched under its own name.
            if !self.entered.contains(&real) {
                let reason = format!("it is a link to the folder `{real}`, which is not followed");
                self.walk.unread.push((path, reason));
            }
        }
        self.walk.files.sort();
        self.walk.unread.sort();
        let matched: HashSet<usize> =
            self.walk.files.iter().flat_map(|path| self.set.matches(path.to_path_lossy())).collect();
        // Two of the set stand for each that is given: itself, and what the folder of that name holds.
        let unmatched = |at: &usize| !matched.contains(&(2 * at)) && !matched.contains(&(2 * at + 1));
        self.walk.unmatched = (0..globs.len()).filter(unmatched).filter_map(|at| globs.get(at).cloned()).collect();
        self.walk
    }
}

/// A glob, component by component.
struct Shape {
    parts: Vec<Part>,
}

enum Part {
    Literal(String),
    /// Within one component.
    Pattern(GlobMatcher),
    /// Any number of components, or something that may be.
    Any,
}

impl Shape {
    fn new(glob: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        for part in glob.split('/') {
            parts.push(if part.contains("**") || part.contains(['{', '[']) {
                Part::Any
            } else if part.contains(['*', '?']) {
                Part::Pattern(GlobBuilder::new(part).build().map_err(|error| error.to_string())?.compile_matcher())
            } else {
                Part::Literal(part.to_owned())
            });
        }
        Ok(Self { parts })
    }

    /// Whether something below a folder can match.
    fn may_hold(&self, folder: &BStr) -> bool {
        // A folder below one that is matched whole goes on after the last part.
        for (part, name) in self.parts.iter().zip(folder.split_str("/")) {
            let fits = match part {
                Part::Any => return true,
                Part::Literal(literal) => literal.as_bytes() == name,
                Part::Pattern(pattern) => pattern.is_match(name.to_path_lossy()),
            };
            if !fits {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::repo::snapshot::Worktree;

    fn tree(paths: &[&str]) -> tempfile::TempDir {
        let top = tempfile::tempdir().unwrap();
        for path in paths {
            let path = top.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text\n").unwrap();
        }
        top
    }

    fn walked(top: &tempfile::TempDir, globs: &[&str]) -> Walk {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        walk("files", &globs, &Worktree::confined(top.path()).unwrap()).unwrap()
    }

    fn found(top: &tempfile::TempDir, globs: &[&str]) -> Vec<String> {
        walked(top, globs).files.iter().map(|path| path.to_string()).collect()
    }

    #[test]
    fn globs_mean_what_they_mean_for_protect() {
        let top = tree(&["a.rs", "src/b.rs", "src/deep/c.rs", "src/deep/d.txt", ".hidden/e.rs", "srcs/f.rs"]);
        assert_eq!(found(&top, &["*.rs"]), ["a.rs"]);
        assert_eq!(found(&top, &["src"]), ["src/b.rs", "src/deep/c.rs", "src/deep/d.txt"]);
        assert_eq!(found(&top, &["./src/*.rs", "/a.rs"]), ["a.rs", "src/b.rs"]);
        assert_eq!(found(&top, &["*/deep"]), ["src/deep/c.rs", "src/deep/d.txt"]);
        assert_eq!(found(&top, &["**/*.rs"]), [".hidden/e.rs", "a.rs", "src/b.rs", "src/deep/c.rs", "srcs/f.rs"]);
        assert_eq!(found(&top, &["{src/deep,srcs}/*.rs"]), ["src/deep/c.rs", "srcs/f.rs"]);
        assert_eq!(found(&top, &["s?c/[b]*"]), ["src/b.rs"]);
        assert_eq!(walked(&top, &["src", "gone/**"]).unmatched, ["gone/**"]);
    }

    #[test]
    fn a_folder_hides_nothing_by_its_name() {
        let top =
            tree(&["a/x.rs", "a/target/x.rs", "a/vendor/b/x.rs", "node_modules/x.rs", ".git/x.rs", "a/.git/x.rs"]);
        let all = ["a/target/x.rs", "a/vendor/b/x.rs", "a/x.rs", "node_modules/x.rs"];
        assert_eq!(found(&top, &["**/*.rs"]), all);
        assert_eq!(found(&top, &["a/**"]), all[..3]);
        assert!(found(&top, &[".git/**", "a/.git", ".git"]).is_empty());
    }

    #[test]
    fn no_folder_that_holds_a_match_is_passed_over() {
        let names = ["a", "ab", ".c", "d[1]", "b.rs"];
        let mut paths = Vec::new();
        for one in names {
            paths.push(format!("{one}/x.rs"));
            paths.extend(names.iter().flat_map(|two| [format!("{one}/{two}/x.rs"), format!("{one}/{two}/y/{one}")]));
        }
        let top = tree(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        let parts = ["a", "*", "a?", "**", "{a,ab/.c}", "[!a]*", "*.rs", "x.rs", "d[[]1]", "**b"];
        for one in parts {
            for two in parts {
                for glob in
                    [one.to_owned(), format!("{one}/{two}"), format!("{one}/**/{two}"), format!("*/{one}/{two}")]
                {
                    let set = globs::set("files", std::slice::from_ref(&glob)).unwrap();
                    let mut all: Vec<&String> = paths.iter().filter(|path| set.is_match(path)).collect();
                    all.sort();
                    assert_eq!(found(&top, &[&glob]).iter().collect::<Vec<_>>(), all, "{glob}");
                }
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_not_followed_and_not_forgotten() {
        use std::os::unix::fs::symlink;
        let top = tree(&["src/a.rs", "src/sub/b.rs", "other/c.rs"]);
        symlink("../other", top.path().join("src/other")).unwrap();
        symlink("sub", top.path().join("src/same")).unwrap();
        symlink("../other/c.rs", top.path().join("src/c.rs")).unwrap();
        symlink("/", top.path().join("src/outside")).unwrap();
        symlink("src", top.path().join("linked")).unwrap();
        let walk = walked(&top, &["src/**/*.rs"]);
        assert_eq!(walk.files, ["src/a.rs", "src/c.rs", "src/sub/b.rs"]);
        assert_eq!(walk.unread.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>(), ["src/other"]);
        for glob in ["linked/**", "linked/sub/*.rs", "linked"] {
            assert_eq!(walked(&top, &[glob]).unread.len(), 1, "{glob}");
        }
        assert!(walked(&top, &["**/*.rs"]).unread.is_empty());
        // What lies outside is nothing of the tree, until it is what the globs name; then reading it fails.
        assert!(walked(&top, &["src/out*"]).files.iter().any(|path| path == "src/outside"));
    }
}
