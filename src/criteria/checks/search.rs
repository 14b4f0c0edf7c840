//! Searches files for a pattern, line by line.

use bstr::{BString, ByteSlice};
use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

use super::excerpt::{located, odd_encoding, quoted};
use super::text::{listed, reason};
use super::walk::{Walk, walk};
use crate::criteria::{Observed, SearchCheck, SearchExpectation};
use crate::repo::snapshot::Snapshot;
use crate::report::{count, display_path, shown_line};

/// Most lines that are shown.
const MAX_LINES: usize = 1000;

/// From this many files on they are searched at once.
const MANY: usize = 64;

/// Files searched before their lines are put together, so that a pattern that matches everything needs no more memory
/// than this many files have lines to show.
const BATCH: usize = 256;

/// Searches the files that the globs match.
///
/// UNVERIFIABLE when no file was searched, or when one could not be read, unless what was read is enough to fail.
/// Evidence are the lines that match, as `path:line:text`, in the order of paths and lines.
pub fn judge(check: &SearchCheck, files: &dyn Snapshot) -> Observed {
    if has_line_break(&check.pattern) {
        let message = "nothing was searched: lines are searched one by one, so no line has the pattern's line break";
        return Observed::unverifiable(format!("{message}; use `^` and `$` for the ends of a line"), "");
    }
    let regex = match RegexBuilder::new(&check.pattern).build() {
        Ok(regex) => regex,
        Err(error) => {
            return Observed::unverifiable(format!("nothing was searched: no pattern: {}", reason(&error)), "");
        }
    };
    let walk = match walk("files", &check.files, files) {
        Ok(walk) => walk,
        Err(message) => return Observed::unverifiable(format!("nothing was searched: {message}"), ""),
    };
    let mut seen = Seen::default();
    for batch in walk.files.chunks(BATCH) {
        let search = |path: &BString| Searched::new(path, &regex, files);
        let searched: Vec<Searched> = if walk.files.len() < MANY {
            batch.iter().map(search).collect()
        } else {
            batch.par_iter().map(search).collect()
        };
        for (path, searched) in batch.iter().zip(searched) {
            seen.add(path, searched);
        }
    }
    seen.outcome(check, walk)
}

/// Whether a pattern asks for a line break outside of square brackets.
fn has_line_break(pattern: &str) -> bool {
    let mut depth = 0usize;
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.next() == Some('n') && depth == 0 => return true,
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '\n' if depth == 0 && !pattern.starts_with("(?x)") => return true,
            _ => {}
        }
    }
    false
}

/// What one file has.
#[derive(Default)]
struct Searched {
    lines: Vec<String>,
    matches: usize,
    /// Why it was not searched.
    unread: Option<String>,
}

impl Searched {
    fn new(path: &BString, regex: &Regex, files: &dyn Snapshot) -> Self {
        let bytes = match files.read(path.as_ref()) {
            Ok(bytes) => bytes,
            Err(error) => return Self { unread: Some(error.to_string()), ..Self::default() },
        };
        if let Some(reason) = odd_encoding(&bytes) {
            return Self { unread: Some(reason.to_owned()), ..Self::default() };
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let shown = display_path(path.as_ref());
        let mut searched = Self::default();
        for (at, line) in text.lines().enumerate() {
            if !regex.is_match(line) {
                continue;
            }
            searched.matches += 1;
            if searched.matches <= MAX_LINES {
                searched.lines.push(located(&shown, at + 1, line));
            }
        }
        searched
    }
}

/// What all files have.
#[derive(Default)]
struct Seen {
    lines: Vec<String>,
    matches: usize,
    files: usize,
    files_with: usize,
    unread: Vec<(BString, String)>,
}

impl Seen {
    fn add(&mut self, path: &BString, searched: Searched) {
        if let Some(reason) = searched.unread {
            self.unread.push((path.clone(), reason));
            return;
        }
        self.files += 1;
        self.files_with += usize::from(searched.matches > 0);
        self.matches += searched.matches;
        let room = MAX_LINES - self.lines.len();
        self.lines.extend(searched.lines.into_iter().take(room));
    }

    fn outcome(mut self, check: &SearchCheck, walk: Walk) -> Observed {
        self.unread.extend(walk.unread);
        self.unread.sort();
        let (at_least, at_most) = match check.expect {
            SearchExpectation::Absent => (0, 0),
            SearchExpectation::Present => (1, usize::MAX),
            SearchExpectation::Max(most) => (0, most),
        };
        let mut notes = String::new();
        if !walk.unmatched.is_empty() {
            notes += &format!("; no file matches {}", listed_globs(&walk.unmatched));
        }
        let demand = match check.expect {
            SearchExpectation::Absent => "; none may".to_owned(),
            SearchExpectation::Present => "; one must".to_owned(),
            SearchExpectation::Max(most) => format!("; at most {most} may"),
        };
        let told = self.told();
        let evidence = self.evidence();
        if self.matches > at_most {
            return Observed::fail(format!("{told}{demand}{notes}"), evidence);
        }
        // One line that is there proves that it is, whatever else could not be read.
        let is_proved = check.expect == SearchExpectation::Present && self.matches >= at_least;
        if !self.unread.is_empty() && !is_proved {
            let (path, reason) = &self.unread[0];
            let others = match self.unread.len() {
                1 => String::new(),
                number => format!(", and {} more", number - 1),
            };
            let message = format!("{} was not searched: {reason}{others}", quoted(path.as_ref()));
            return Observed::unverifiable(format!("{message}; make it readable, or name other files"), evidence);
        }
        if self.files == 0 {
            let message = format!("nothing was searched: no file matches {}", listed_globs(&check.files));
            return Observed::unverifiable(format!("{message}; correct the globs"), "");
        }
        if self.matches < at_least {
            return Observed::fail(format!("{told}{demand}{notes}"), evidence);
        }
        Observed::pass(format!("{told}{notes}"), evidence)
    }

    fn told(&self) -> String {
        let files = count(self.files, "file");
        match (self.matches, self.files_with) {
            (0, _) => format!("no line matches in {files}"),
            (1, _) => format!("1 line matches in 1 of {files}"),
            (matches, with) => format!("{matches} lines match in {with} of {files}"),
        }
    }

    /// The lines that match, then what was not searched.
    fn evidence(&self) -> String {
        let mut lines = self.lines.clone();
        if self.matches > lines.len() {
            lines.push(format!("… and {} more", self.matches - lines.len()));
        }
        let unread = self.unread.iter().take(MAX_LINES);
        lines.extend(unread.map(|(path, reason)| format!("{}: not searched: {reason}", display_path(path.as_ref()))));
        lines.join("\n")
    }
}

fn listed_globs(globs: &[String]) -> String {
    listed(&globs.iter().map(|glob| format!("`{}`", shown_line(glob))).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::repo::snapshot::Worktree;
    use crate::report::Verdict::{self, Fail, Pass, Unverifiable};

    fn tree(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let top = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = top.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        top
    }

    fn judged(top: &tempfile::TempDir, glob: &str, pattern: &str, expect: SearchExpectation) -> Observed {
        let check = SearchCheck { files: vec![glob.to_owned()], pattern: pattern.to_owned(), expect };
        judge(&check, &Worktree::confined(top.path()).unwrap())
    }

    fn verdict(top: &tempfile::TempDir, glob: &str, pattern: &str, expect: SearchExpectation) -> Verdict {
        judged(top, glob, pattern, expect).verdict
    }

    const ABSENT: SearchExpectation = SearchExpectation::Absent;
    const PRESENT: SearchExpectation = SearchExpectation::Present;

    #[test]
    fn lines_are_counted() {
        let top =
            tree(&[("src/b.rs", b"x.unwrap()\r\n\r\ny.unwrap()\r\n"), ("src/a.rs", b"z.unwrap()"), ("src/c.rs", b"")]);
        let fail = judged(&top, "src/**/*.rs", r"unwrap\(\)$", ABSENT);
        assert_eq!(fail.verdict, Fail);
        assert_eq!(fail.message, "3 lines match in 2 of 3 files; none may");
        assert_eq!(fail.evidence, "src/a.rs:1:z.unwrap()\nsrc/b.rs:1:x.unwrap()\nsrc/b.rs:3:y.unwrap()");
        assert_eq!(verdict(&top, "src", "unwrap", PRESENT), Pass);
        assert_eq!(verdict(&top, "src", "unwrap", SearchExpectation::Max(3)), Pass);
        let many = judged(&top, "src", "unwrap", SearchExpectation::Max(2));
        assert_eq!((many.verdict, many.message.as_str()), (Fail, "3 lines match in 2 of 3 files; at most 2 may"));
        let none = judged(&top, "src", "expect", PRESENT);
        assert_eq!((none.verdict, none.message.as_str()), (Fail, "no line matches in 3 files; one must"));
        assert_eq!(verdict(&top, "src", "expect", ABSENT), Pass);
    }

    #[test]
    fn bytes_and_ignored_files_are_searched() {
        let top = tree(&[("a.bin", b"\xff\0 secret\n"), (".gitignore", b"*.bin\n"), ("b.txt", b"\xef\xbb\xbfstart\n")]);
        assert_eq!(verdict(&top, "*.bin", "secret$", ABSENT), Fail);
        assert_eq!(verdict(&top, "*.txt", "^start$", ABSENT), Fail);
    }

    #[test]
    fn nothing_searched_is_no_pass() {
        let top = tree(&[("a.rs", b"a\n"), ("wide.cs", b"\xff\xfea\0")]);
        let none = judged(&top, "*.py", "a", ABSENT);
        assert_eq!(none.verdict, Unverifiable);
        assert_eq!(none.message, "nothing was searched: no file matches `*.py`; correct the globs");
        for (glob, pattern) in
            [("../*", "a"), ("[", "a"), ("*.rs", "("), ("*.rs", "a\\nb"), ("*.rs", "a\nb"), ("*.cs", "z")]
        {
            assert_eq!(verdict(&top, glob, pattern, ABSENT), Unverifiable, "{glob} {pattern}");
        }
        assert_eq!(verdict(&top, "*.rs", r"[^\n]b", ABSENT), Pass);
        assert_eq!(verdict(&top, "*.rs", r"a\\n", ABSENT), Pass);
    }

    #[test]
    fn many_files_and_many_lines() {
        let top = tempfile::tempdir().unwrap();
        for at in 0..300 {
            fs::write(top.path().join(format!("{at:03}.txt")), "x\n".repeat(5)).unwrap();
        }
        let seen = judged(&top, "*.txt", "x", PRESENT);
        assert_eq!((seen.verdict, seen.message.as_str()), (Pass, "1500 lines match in 300 of 300 files"));
        let lines: Vec<&str> = seen.evidence.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[1000]), (1001, "000.txt:1:x", "… and 500 more"));
        assert!(lines[..1000].is_sorted());
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_counts_unless_it_fails_already() {
        let top = tree(&[("src/a.rs", b"a\n")]);
        std::os::unix::fs::symlink("nowhere", top.path().join("src/b.rs")).unwrap();
        for (pattern, expect, verdict) in [
            ("a", ABSENT, Fail),
            ("b", ABSENT, Unverifiable),
            ("a", PRESENT, Pass),
            ("b", PRESENT, Unverifiable),
            ("a", SearchExpectation::Max(1), Unverifiable),
        ] {
            let seen = judged(&top, "src/*.rs", pattern, expect);
            assert_eq!(seen.verdict, verdict, "{pattern} {expect:?}");
            assert!(seen.evidence.contains("src/b.rs: not searched"), "{}", seen.evidence);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_file_is_read_inside_only() {
        use std::os::unix::fs::symlink;
        let (top, outside) = (tree(&[("lib/a.rs", b"bad\n"), ("src/b.rs", b"")]), tree(&[("c.rs", b"bad\n")]));
        symlink("../lib/a.rs", top.path().join("src/a.rs")).unwrap();
        assert_eq!(verdict(&top, "src/**", "bad", ABSENT), Fail);
        fs::remove_file(top.path().join("src/a.rs")).unwrap();
        symlink(outside.path().join("c.rs"), top.path().join("src/c.rs")).unwrap();
        let seen = judged(&top, "src/**", "bad", ABSENT);
        assert_eq!(seen.verdict, Unverifiable);
        assert!(!seen.evidence.contains("bad"), "{}", seen.evidence);
    }
}
