//! Whether a ledger is as it was written.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::chain::{self, MAX_LINE};
use crate::digest::sha256;

/// Most problems that are told one by one.
const MAX_PROBLEMS: usize = 100;

/// What a ledger shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many lines it has.
    pub lines: usize,
    /// The digest of its last line, when that is one of a ledger.
    pub last_digest: Option<String>,
    /// What is wrong, in the order of lines; the first hundred.
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub untold: usize,
}

/// Something that is wrong with a ledger.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// 1-based.
    pub line: usize,
    /// What is wrong, on one line.
    pub message: String,
}

impl Checked {
    /// Whether every line is as it was written. A ledger without lines shows nothing, so it is not.
    pub fn is_fine(&self) -> bool {
        self.problems.is_empty()
    }

    fn tell(&mut self, line: usize, message: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem { line, message: message.into() });
        } else {
            self.untold += 1;
        }
    }
}

/// Looks at every line of a ledger. With `expected`, the last line's digest has to be that one: lines that are taken off
/// the end leave no other trace.
///
/// # Errors
/// When the file cannot be read or is not a regular one.
pub fn check(file: &Path, expected: Option<&str>) -> io::Result<Checked> {
    // Opening a pipe waits for ever.
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    check_lines(BufReader::new(File::open(file)?), expected)
}

/// The line before.
struct Before {
    /// Digest of its bytes without their end.
    digest: String,
    /// Its number, as it says.
    seq: Option<u64>,
}

fn check_lines(mut reader: impl BufRead, expected: Option<&str>) -> io::Result<Checked> {
    let mut checked = Checked::default();
    let mut before: Option<Before> = None;
    let mut expected_at = None;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        if bytes.len() as u64 == MAX_LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is far too long for a ledger"));
        }
        checked.lines += 1;
        let number = checked.lines;
        let digest = sha256(bytes.strip_suffix(b"\n").unwrap_or(&bytes));
        checked.last_digest = None;
        let seq = match chain::parse(&bytes) {
            Err(why) => {
                checked.tell(number, why);
                None
            }
            Ok(line) => {
                follow(&mut checked, number, &line, before.as_ref());
                if expected.is_some_and(|expected| is_same(expected, &line.digest)) {
                    expected_at = Some(number);
                }
                checked.last_digest = Some(line.digest);
                Some(line.seq)
            }
        };
        before = Some(Before { digest, seq });
    }
    if checked.lines == 0 {
        checked.tell(1, "the ledger is empty: there is nothing to check");
    }
    let lines = checked.lines;
    match expected {
        Some(_) if expected_at == Some(lines) && lines > 0 => {}
        Some(_) if expected_at.is_some() => {
            let at = expected_at.unwrap_or_default();
            checked.tell(
                lines,
                format!("not the last line that is expected: that is line {at}, and {} follow", lines - at),
            );
        }
        Some(expected) => {
            let message =
                format!("no line has the expected digest {expected}: lines were removed from the end, or changed");
            checked.tell(lines.max(1), message);
        }
        None => {}
    }
    Ok(checked)
}

fn is_same(expected: &str, digest: &str) -> bool {
    expected == digest || digest.strip_prefix("sha256:") == Some(expected)
}

/// Compares a line that is whole with the one before.
fn follow(checked: &mut Checked, number: usize, line: &chain::Line, before: Option<&Before>) {
    let Some(before) = before else {
        if line.seq != 1 || line.prev.is_some() {
            let message = format!("the first line has `seq` {}: lines before it were removed or moved", line.seq);
            checked.tell(number, message);
        }
        return;
    };
    // After a line that is told already only what its bytes cannot explain is told.
    let Some(seq) = before.seq else { return };
    if line.seq != seq.saturating_add(1) {
        let what = if line.seq > seq { "removed or moved" } else { "inserted, repeated or moved" };
        let message = format!("`seq` is {} after {seq}: lines before it were {what}", line.seq);
        checked.tell(number, message);
    } else if line.prev.as_deref() != Some(before.digest.as_str()) {
        let message =
            format!("`prev` is not the digest of line {}: that line is not the one this was written after", number - 1);
        checked.tell(number, message);
    }
}

#[cfg(test)]
mod tests {
    use super::super::chain::append;
    use super::super::chain::tests::entry;
    use super::*;

    /// Lines of a ledger of five runs.
    fn lines() -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.jsonl");
        (1..=5).for_each(|number| drop(append(&path, &entry(number)).unwrap()));
        fs::read_to_string(&path).unwrap().split_inclusive('\n').map(str::to_owned).collect()
    }

    fn checked(lines: &[String], expected: Option<&str>) -> Checked {
        check_lines(lines.concat().as_bytes(), expected).unwrap()
    }

    /// Demands problems at these lines with these words.
    #[track_caller]
    fn finds(lines: &[String], expected: &[(usize, &str)]) {
        let checked = checked(lines, None);
        let found: Vec<_> = checked.problems.iter().map(|problem| (problem.line, problem.message.as_str())).collect();
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for ((line, words), (found, message)) in expected.iter().zip(found) {
            assert!(*line == found && message.contains(words), "{line} {words}: {found} {message}");
        }
    }

    /// A line as somebody would write it who knows how digests are made.
    fn resealed(line: &str, from: &str, to: &str) -> String {
        let start = line.rsplit_once(",\"digest\"").unwrap().0.replace(from, to);
        format!("{start},\"digest\":\"{}\"}}\n", sha256(format!("{start}}}").as_bytes()))
    }

    #[test]
    fn each_kind_of_tampering_is_found() {
        let good = lines();
        finds(&good, &[]);
        let with = |edit: &dyn Fn(&mut Vec<String>)| {
            let mut lines = good.clone();
            edit(&mut lines);
            lines
        };
        finds(&with(&|lines| lines[2] = lines[2].replace("FAIL", "PASS")), &[(3, "was changed")]);
        finds(&with(&|lines| lines[2] = lines[2].replace("FAIL", "FAIL ")), &[(3, "was changed")]);
        finds(&with(&|lines| lines[4] = lines[4].replace(",\"time", ", \"time")), &[(5, "was changed")]);
        // Changed with its digest made anew: the next line tells.
        finds(&with(&|lines| lines[2] = resealed(&lines[2], "FAIL", "PASS")), &[(4, "digest of line 3")]);
        finds(&with(&|lines| lines[0] = resealed(&lines[0], "FAIL", "PASS")), &[(2, "digest of line 1")]);
        finds(&with(&|lines| drop(lines.remove(2))), &[(3, "`seq` is 4 after 2")]);
        finds(&with(&|lines| drop(lines.remove(0))), &[(1, "`seq` 2")]);
        finds(&with(&|lines| lines.insert(2, lines[1].clone())), &[(3, "`seq` is 2 after 2")]);
        finds(&with(&|lines| lines.insert(2, "hello\n".to_owned())), &[(3, "not JSON")]);
        finds(&with(&|lines| lines.insert(2, "\n".to_owned())), &[(3, "not JSON")]);
        finds(&with(&|lines| lines.swap(1, 2)), &[(2, "after 1"), (3, "after 3"), (4, "after 2")]);
        let cut = |lines: &mut Vec<String>| lines[4] = lines[4].trim_end().to_owned();
        finds(&with(&cut), &[(5, "torn")]);
        finds(&with(&|lines| lines[4].truncate(50)), &[(5, "torn")]);
        finds(&with(&|lines| lines[2] = lines[2].replace(",\"digest\"", ",\"digest\" ")), &[(3, "was changed")]);
        finds(&with(&|lines| lines[2] = lines[2].replace("{\"seq\":3", "{\"seq\":3,\"seq\":3")), &[(3, "was changed")]);
        finds(&[], &[(1, "empty")]);
        finds(&["\u{feff}\n".to_owned()], &[(1, "not JSON")]);
    }

    #[test]
    fn the_end_shows_only_with_the_expected_digest() {
        let good = lines();
        let last = checked(&good, None).last_digest.unwrap();
        let short = &good[..4];
        assert!(checked(short, None).is_fine());
        assert!(checked(&good, Some(&last)).is_fine());
        assert!(checked(&good, last.strip_prefix("sha256:")).is_fine());
        assert!(checked(short, Some(&last)).problems[0].message.contains("removed from the end"));
        let earlier = checked(short, None).last_digest.unwrap();
        assert!(checked(&good, Some(&earlier)).problems[0].message.contains("line 4, and 1 follow"));
        assert!(!checked(&good, Some("")).is_fine());
        assert!(!checked(&[], Some(&last)).is_fine());
    }

    #[test]
    fn problems_are_limited() {
        let lines = vec!["x\n".to_owned(); 250];
        let checked = checked(&lines, None);
        assert_eq!((checked.problems.len(), checked.untold), (MAX_PROBLEMS, 150));
    }

    #[test]
    fn what_is_no_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check(folder.path(), None).is_err());
        assert!(check(&folder.path().join("none"), None).is_err());
    }
}
