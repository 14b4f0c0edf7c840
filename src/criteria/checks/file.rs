//! Looks at one file.

use bstr::{BString, ByteSlice};

use super::excerpt::{first_lines, quoted};
use super::text;
use crate::criteria::{FileCheck, FileExpectation, Observed};
use crate::openspec::near::near;
use crate::repo::snapshot::{Kind, ReadError, Snapshot};
use crate::report::display_path;

/// Lines that are shown of a file that should not be there.
const FIRST_LINES: usize = 10;

/// Whether a file is as it has to be.
///
/// A file that is missing where one has to be is FAIL. A path that leaves the tree, a folder and what cannot be read
/// are UNVERIFIABLE.
pub fn judge(check: &FileCheck, files: &dyn Snapshot) -> Observed {
    let path = match inside(&check.path) {
        Ok(path) => path,
        Err(reason) => {
            let shown = quoted(check.path.as_bytes().as_bstr());
            return Observed::unverifiable(format!("{shown} was not looked at: {reason}; name a file of the tree"), "");
        }
    };
    match &check.expect {
        FileExpectation::Absent => absent(&path, files),
        FileExpectation::Exists(expect) => match files.read(path.as_ref()) {
            Ok(bytes) => text::judge(expect, &display_path(path.as_ref()), &bytes),
            Err(ReadError::Missing | ReadError::NotADirectory) => missing(&path, files),
            Err(error @ ReadError::Dangling(_)) => {
                Observed::fail(format!("there is no file {}: {error}", quoted(path.as_ref())), "")
            }
            Err(error) => unread(&path, &error),
        },
    }
}

/// A path of the tree as a snapshot takes it.
///
/// # Errors
/// Why it is none.
pub(super) fn inside(path: &str) -> Result<BString, &'static str> {
    let has_drive = path.as_bytes().get(1) == Some(&b':') && path.starts_with(|c: char| c.is_ascii_alphabetic());
    if path.starts_with(['/', '\\']) || has_drive {
        return Err("it does not start at the top of the tree");
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.iter().any(|part| part.split('\\').any(|part| part == "..")) {
        return Err("`..` may leave the tree");
    }
    if parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
        return Err("`.git` is no part of the tree");
    }
    if parts.is_empty() || path.contains('\0') {
        return Err("it names no file");
    }
    Ok(parts.join("/").into())
}

fn absent(path: &BString, files: &dyn Snapshot) -> Observed {
    let shown = quoted(path.as_ref());
    let kind = match files.kind(path.as_ref()) {
        Ok(kind) => kind,
        Err(ReadError::Missing | ReadError::NotADirectory) => {
            return Observed::pass(format!("{shown} is not there"), "");
        }
        Err(error) => return unread(path, &error),
    };
    let (what, evidence) = match kind {
        Kind::File | Kind::Executable => {
            let bytes = files.read(path.as_ref()).unwrap_or_default();
            ("a file", first_lines(&display_path(path.as_ref()), &bytes, FIRST_LINES))
        }
        Kind::Dir => ("a folder", String::new()),
        Kind::Link => ("a link", String::new()),
        Kind::Submodule => ("a submodule", String::new()),
        Kind::Special => ("a pipe, socket or device", String::new()),
    };
    Observed::fail(format!("{shown} is there and must not be: {what}"), evidence)
}

/// Nothing has the path; the folder may have a similar name.
fn missing(path: &BString, files: &dyn Snapshot) -> Observed {
    let (folder, name) = match path.rfind_byte(b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (&path[..0], &path[..]),
    };
    let entries = files.list(folder.as_bstr()).unwrap_or_default();
    let mut names: Vec<String> = entries.iter().map(|entry| display_path(entry.name.as_ref())).collect();
    names.sort();
    let near = near(&display_path(name.as_bstr()), names.iter().map(String::as_str)).map(|near| near.name);
    let hint = near.map(|near| format!("; the folder has {}", quoted(near.as_bytes().as_bstr()))).unwrap_or_default();
    Observed::fail(format!("there is no file {}{hint}", quoted(path.as_ref())), "")
}

fn unread(path: &BString, error: &ReadError) -> Observed {
    let shown = quoted(path.as_ref());
    Observed::unverifiable(format!("{shown} was not looked at: {error}; name a file that can be read"), "")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::criteria::TextExpectation;
    use crate::repo::snapshot::Worktree;
    use crate::report::Verdict::{self, Fail, Pass, Unverifiable};

    fn tree() -> tempfile::TempDir {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("docs")).unwrap();
        fs::write(top.path().join("docs/cli.md"), "# cli\n\n--timeout N\n").unwrap();
        top
    }

    fn judged(top: &tempfile::TempDir, path: &str, expect: FileExpectation) -> Observed {
        judge(&FileCheck { path: path.to_owned(), expect }, &Worktree::confined(top.path()).unwrap())
    }

    fn verdict(top: &tempfile::TempDir, path: &str, expect: FileExpectation) -> Verdict {
        judged(top, path, expect).verdict
    }

    fn text(contains: &str) -> FileExpectation {
        FileExpectation::Exists(TextExpectation { contains: vec![contains.to_owned()], ..TextExpectation::default() })
    }

    fn any() -> FileExpectation {
        FileExpectation::Exists(TextExpectation::default())
    }

    #[test]
    fn files_that_are_there_and_are_not() {
        let top = tree();
        assert_eq!(verdict(&top, "docs/cli.md", any()), Pass);
        assert_eq!(verdict(&top, "./docs//cli.md", text("--timeout")), Pass);
        assert_eq!(judged(&top, "docs/cli.md", text("--timeout")).evidence, "docs/cli.md:3:--timeout N");
        assert_eq!(verdict(&top, "docs/cli.md", text("--jobs")), Fail);
        assert_eq!(
            judged(&top, "docs/cil.md", any()).message,
            "there is no file `docs/cil.md`; the folder has `cli.md`"
        );
        assert_eq!(verdict(&top, "docs/cli.md/x", text("x")), Fail);
        let absent = judged(&top, "docs/cli.md", FileExpectation::Absent);
        assert_eq!((absent.verdict, absent.evidence.lines().next()), (Fail, Some("docs/cli.md:1:# cli")));
        assert_eq!(verdict(&top, "docs", FileExpectation::Absent), Fail);
        for gone in ["gone", "gone/deep", "docs/cli.md/x"] {
            assert_eq!(verdict(&top, gone, FileExpectation::Absent), Pass, "{gone}");
        }
    }

    #[test]
    fn a_missing_file_holds_nothing_but_does_not_pass() {
        let expect = TextExpectation { not_contains: vec!["x".to_owned()], ..TextExpectation::default() };
        assert_eq!(verdict(&tree(), "gone", FileExpectation::Exists(expect)), Fail);
    }

    #[test]
    fn what_is_no_file_of_the_tree_is_not_judged() {
        let top = tree();
        for path in
            ["../x", "docs/../../x", "/etc/passwd", "C:/x", "a\\..\\..\\x", ".git/config", "", ".", "a\0b", "docs"]
        {
            assert_eq!(verdict(&top, path, any()), Unverifiable, "{path}");
        }
        for path in ["../x", "/nothing/there", ""] {
            assert_eq!(verdict(&top, path, FileExpectation::Absent), Unverifiable, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_inside() {
        use std::os::unix::fs::symlink;
        let (top, outside) = (tree(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("secret"), "--timeout").unwrap();
        symlink("docs/cli.md", top.path().join("in")).unwrap();
        symlink(outside.path().join("secret"), top.path().join("out")).unwrap();
        symlink(outside.path(), top.path().join("folder")).unwrap();
        symlink("nowhere", top.path().join("dangling")).unwrap();
        assert_eq!(verdict(&top, "in", text("--timeout")), Pass);
        assert_eq!(verdict(&top, "out", text("--timeout")), Unverifiable);
        assert_eq!(verdict(&top, "folder/secret", text("--timeout")), Unverifiable);
        assert_eq!(verdict(&top, "folder/gone", FileExpectation::Absent), Unverifiable);
        assert_eq!(verdict(&top, "dangling", any()), Fail);
        assert_eq!(verdict(&top, "dangling", FileExpectation::Absent), Fail);
    }
}
