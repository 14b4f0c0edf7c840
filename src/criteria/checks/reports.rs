//! Reads a report from disk, when it is new enough to say something about what is judged.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bstr::{BStr, ByteSlice};

use super::excerpt::quoted;
use super::file::inside;
use super::walk::walk;
use crate::criteria::NewerThan;
use crate::repo::snapshot::Worktree;

/// Most bytes of a report.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// File systems take the time from a clock that ticks: what is written right after the start of a run may seem to be
/// this much older.
const TICK: Duration = Duration::from_millis(50);

/// The same where times are whole or even seconds.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// A time further ahead than clocks differ was made up.
const AHEAD: Duration = Duration::from_secs(60);

/// What a report's file was when a run began. Time alone does not tell: clocks tick, and what was put there a moment
/// before a run looks as if the run had written it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    started: SystemTime,
    before: Option<Identity>,
}

impl Mark {
    /// Notes a report below `top`, for a run that begins at `started`.
    pub fn new(report: &str, top: &Path, started: SystemTime) -> Self {
        let path = inside(report).ok().map(|path| top.join(path.to_path_lossy()));
        Self { started, before: path.and_then(|path| Identity::of(&fs::metadata(path).ok()?)) }
    }
}

/// What differs when a file is another one, or is written again.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    file: (u64, u64),
    bytes: u64,
    modified: SystemTime,
    changed: Option<SystemTime>,
}

impl Identity {
    fn of(metadata: &Metadata) -> Option<Self> {
        let modified = metadata.modified().ok()?;
        Some(Self { file: file_of(metadata), bytes: metadata.len(), modified, changed: changed(metadata) })
    }
}

/// The text of a report below `top`.
///
/// # Errors
/// Why there is nothing to go by, and what to do: it is missing, old, outside, too large or no text.
pub(super) fn read(report: &str, newer_than: &NewerThan, top: &Path, mark: &Mark) -> Result<String, String> {
    let shown = quoted(report.as_bytes().as_bstr());
    let path = inside(report).map_err(|reason| format!("{shown} was not read: {reason}; name a file of the tree"))?;
    let io = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            format!("there is no report {shown}; {LET_IT_BE_WRITTEN}")
        }
        _ => format!("{shown} was not read: {error}"),
    };
    let top_real = fs::canonicalize(top).map_err(io)?;
    let real = fs::canonicalize(top.join(path.to_path_lossy())).map_err(io)?;
    if !real.starts_with(&top_real) {
        return Err(format!("{shown} was not read: a link leads out of the tree; write the report into it"));
    }
    // A pipe would make us wait for ever.
    if !fs::metadata(&real).map_err(io)?.is_file() {
        return Err(format!("{shown} was not read: it is no file; name the report's file"));
    }
    let file = File::open(&real).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    let times = Times::of(&metadata).map_err(io)?;
    if times.latest > SystemTime::now() + AHEAD {
        return Err(format!("{shown} was not read: it is dated in the future; {LET_IT_BE_WRITTEN}"));
    }
    match newer_than {
        NewerThan::Run if times.earliest + times.tick() < mark.started || mark.before == Identity::of(&metadata) => {
            return Err(format!("{shown} was not read: it is older than this run; {LET_IT_BE_WRITTEN}"));
        }
        NewerThan::Run => {}
        NewerThan::Files(globs) => newer_than_files(&shown, &real, times.earliest, globs, top)?,
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!(
            "{shown} was not read: it has more than {MAX_BYTES} bytes; report fewer tests or less output"
        ));
    }
    String::from_utf8(bytes).map_err(|_| format!("{shown} was not read: it is not UTF-8; write it as UTF-8"))
}

const LET_IT_BE_WRITTEN: &str =
    "let a command check of this run write it, such as `cargo nextest run --profile ci` or `pytest --junitxml=FILE`";

/// When a file was written to.
struct Times {
    earliest: SystemTime,
    latest: SystemTime,
}

impl Times {
    /// A time of modification can be set at will, that of the last change of the file's entry only to now: a report is
    /// not dated ahead of what it is compared with, nor a new source back.
    fn of(metadata: &Metadata) -> std::io::Result<Self> {
        let modified = metadata.modified()?;
        let changed = changed(metadata).unwrap_or(modified);
        Ok(Self { earliest: modified.min(changed), latest: modified.max(changed) })
    }

    fn tick(&self) -> Duration {
        let is_whole = self.earliest.duration_since(SystemTime::UNIX_EPOCH).is_ok_and(|time| time.subsec_nanos() == 0);
        if is_whole { COARSE_TICK } else { TICK }
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = Duration::from_secs(u64::try_from(metadata.ctime()).ok()?);
    let nanos = Duration::from_nanos(u64::try_from(metadata.ctime_nsec()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(seconds + nanos)
}

/// Device and number of a file.
#[cfg(unix)]
fn file_of(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn file_of(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Option<SystemTime> {
    None
}

/// Refuses a report that is older than a file that the globs match.
fn newer_than_files(
    shown: &str,
    report: &Path,
    written: SystemTime,
    globs: &[String],
    top: &Path,
) -> Result<(), String> {
    let refused = |reason: String| format!("{shown} was not read: {reason}");
    let tree = Worktree::confined(top).map_err(|error| refused(error.to_string()))?;
    let walk = walk("newer-than", globs, &tree).map_err(refused)?;
    if let Some((path, reason)) = walk.unread.first() {
        let path = quoted(path.as_ref());
        return Err(refused(format!("it must be newer than {path}, which was not looked at: {reason}")));
    }
    let absolute = |path: &BStr| -> PathBuf { top.join(path.to_path_lossy()) };
    let mut is_compared = false;
    for path in &walk.files {
        let found = absolute(path.as_ref());
        if fs::canonicalize(&found).is_ok_and(|real| real == report) {
            continue;
        }
        let times = fs::metadata(&found).and_then(|metadata| Times::of(&metadata));
        let latest = times.map_err(|error| refused(format!("{}: {error}", quoted(path.as_ref()))))?.latest;
        is_compared = true;
        if written < latest {
            return Err(refused(format!(
                "it is older than {}; run the tests again, or {LET_IT_BE_WRITTEN}",
                quoted(path.as_ref())
            )));
        }
    }
    if !is_compared {
        return Err(refused("no file matches the globs of `newer-than`; correct them".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> tempfile::TempDir {
        let top = tempfile::tempdir().unwrap();
        fs::write(top.path().join("a.rs"), "").unwrap();
        fs::write(top.path().join("junit.xml"), "<x/>").unwrap();
        top
    }

    /// A run that began then, when no report was there.
    fn since(started: SystemTime) -> Mark {
        Mark { started, before: None }
    }

    fn set_modified(path: &Path, time: SystemTime) {
        File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn a_report_is_of_this_run() {
        let top = tree();
        let report = top.path().join("junit.xml");
        let before = SystemTime::now() - HOUR;
        let read = |started| read("junit.xml", &NewerThan::Run, top.path(), &since(started));
        assert_eq!(read(before).as_deref(), Ok("<x/>"));
        assert!(read(SystemTime::now() + HOUR).is_err_and(|message| message.contains("older than this run")));
        set_modified(&report, SystemTime::now() + HOUR);
        #[cfg(unix)]
        assert!(read(SystemTime::now() + HOUR / 2).is_err());
        set_modified(&report, before - HOUR);
        assert!(read(before).is_err_and(|message| message.contains("older than this run")));
    }

    #[test]
    fn what_was_there_before_is_not_of_this_run() {
        let top = tree();
        let report = top.path().join("junit.xml");
        // Written this very moment.
        let mark = Mark::new("junit.xml", top.path(), SystemTime::now());
        let read = || read("junit.xml", &NewerThan::Run, top.path(), &mark);
        assert!(read().is_err_and(|message| message.contains("older than this run")));
        fs::write(&report, "<longer/>").unwrap();
        assert_eq!(read().as_deref(), Ok("<longer/>"));
        let mark = Mark::new("none.xml", top.path(), SystemTime::now());
        assert_eq!(mark.before, None);
    }

    #[test]
    fn the_clock_of_files_may_be_behind() {
        let top = tree();
        let report = top.path().join("junit.xml");
        let started = SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_010_900);
        let read = |millis: u64| {
            set_modified(&report, SystemTime::UNIX_EPOCH + Duration::from_millis(millis));
            read("junit.xml", &NewerThan::Run, top.path(), &since(started)).is_ok()
        };
        assert!(read(1_000_010_890) && !read(1_000_010_800));
        assert!(read(1_000_010_000) && !read(1_000_008_000));
    }

    #[test]
    fn a_report_is_newer_than_files() {
        let top = tree();
        let read = |glob: &str| {
            read("junit.xml", &NewerThan::Files(vec![glob.to_owned()]), top.path(), &since(SystemTime::now()))
        };
        // Reports are written after what they report on.
        fs::write(top.path().join("junit.xml"), "<y/>").unwrap();
        assert_eq!(read("*.rs").as_deref(), Ok("<y/>"));
        assert!(read("*.py").is_err_and(|message| message.contains("no file matches")));
        assert!(read("junit.xml").is_err_and(|message| message.contains("no file matches")));
        assert!(read("../*").is_err());
        set_modified(&top.path().join("a.rs"), SystemTime::now() + HOUR);
        assert!(read("*.rs").is_err_and(|message| message.contains("older than `a.rs`")));
    }

    #[test]
    fn what_is_no_report_of_the_tree() {
        let top = tree();
        fs::write(top.path().join("latin.xml"), b"<x a='\xe4'/>").unwrap();
        for report in ["gone.xml", "gone/junit.xml", "../junit.xml", "/etc/passwd", ".", ".git/x", "latin.xml"] {
            assert!(read(report, &NewerThan::Run, top.path(), &since(SystemTime::UNIX_EPOCH)).is_err(), "{report}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_inside() {
        use std::os::unix::fs::symlink;
        let (top, outside) = (tree(), tree());
        symlink("junit.xml", top.path().join("in.xml")).unwrap();
        symlink(outside.path().join("junit.xml"), top.path().join("out.xml")).unwrap();
        symlink(outside.path(), top.path().join("folder")).unwrap();
        let read = |report| read(report, &NewerThan::Run, top.path(), &since(SystemTime::UNIX_EPOCH));
        assert!(read("in.xml").is_ok());
        assert!(read("out.xml").is_err_and(|message| message.contains("out of the tree")));
        assert!(read("folder/junit.xml").is_err());
    }
}
