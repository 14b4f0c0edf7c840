//! Stored runs: a file each, in a folder that all work trees of a repository share.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::record::{RECORD_VERSION, RunRecord};
use super::run_id::RunId;

/// How many runs are kept.
pub const KEPT: usize = 100;

/// No record is larger. Evidence is limited long before.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// What names of files begin with while they are written.
const UNFINISHED: &str = ".run-";

/// The folder of stored runs of the repository whose common folder (`.git`) is given.
pub fn runs_folder(common_dir: &Path) -> PathBuf {
    common_dir.join("specward").join("runs")
}

/// Stores a run, whole or not at all, and drops the oldest ones. Other processes may do the same at the same time.
///
/// # Errors
/// When the run's id is none, a run of that id is stored, or the folder cannot be written to. That an old run could
/// not be dropped is no error.
pub fn save(folder: &Path, run: &RunRecord) -> io::Result<()> {
    let id = RunId::parse(&run.run_id)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, format!("`{}` is no id of a run", run.run_id)))?;
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
    let mut text = serde_json::to_vec_pretty(run)?;
    text.push(b'\n');
    file.write_all(&text)?;
    file.persist_noclobber(path(folder, &id))?;
    prune(folder, &id);
    Ok(())
}

fn path(folder: &Path, id: &RunId) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Drops all but the newest runs, never the one that was just stored: a clock that was set back makes it look old.
fn prune(folder: &Path, own: &RunId) {
    let Ok(names) = names(folder) else { return };
    let runs: Vec<RunId> = names.into_iter().filter_map(|name| RunId::parse(name.strip_suffix(".json")?)).collect();
    for id in runs.iter().skip(KEPT).filter(|id| *id != own) {
        // Another process may have been faster.
        drop(fs::remove_file(path(folder, id)));
    }
}

/// Names in the folder, the last first. Files that are being written are left out.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with(UNFINISHED) {
            names.push(name);
        }
    }
    names.sort_unstable_by(|one, other| other.cmp(one));
    Ok(names)
}

/// A file of the folder.
#[derive(Debug)]
pub enum Listed {
    /// A run.
    Run(Box<RunRecord>),
    /// A file that holds none: damaged, of a later version, or somebody else's.
    Damaged {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
}

/// All files of the folder, the newest run first, each read when it is asked for. A folder that is not there has none.
///
/// # Errors
/// When the folder cannot be read.
pub fn list(folder: &Path) -> io::Result<impl Iterator<Item = Listed>> {
    let names = names(folder)?;
    let folder = folder.to_owned();
    let read = move |name: String| {
        let Some(id) = name.strip_suffix(".json").and_then(RunId::parse) else {
            return Some(Listed::Damaged { name, why: "not a name of a stored run".to_owned() });
        };
        match read(&folder, &id) {
            Ok(run) => Some(Listed::Run(Box::new(run))),
            // Another process dropped it since the folder was read.
            Err(LoadError::Missing(_)) => None,
            Err(error) => Some(Listed::Damaged { name, why: error.why() }),
        }
    };
    Ok(names.into_iter().filter_map(read))
}

/// Why a stored run cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// What was asked for cannot be an id.
    #[error("`{0}` is no id of a run, nor the start of one")]
    NoId(String),
    /// No run has that id.
    #[error("no run `{0}` is stored")]
    Missing(String),
    /// Several do.
    #[error("several runs begin with `{start}`: {}", .ids.join(", "))]
    Ambiguous {
        /// What was asked for.
        start: String,
        /// Some of them.
        ids: Vec<String>,
    },
    /// Its file is damaged.
    #[error("the record of run {id} cannot be used: {why}")]
    Damaged {
        /// The run.
        id: String,
        /// What is wrong.
        why: String,
    },
    /// The folder cannot be read.
    #[error("stored runs cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl LoadError {
    /// What is wrong, without the run's name.
    fn why(&self) -> String {
        match self {
            Self::Damaged { why, .. } => why.clone(),
            other => other.to_string(),
        }
    }
}

/// Most ids that are named when several begin alike.
const NAMED: usize = 5;

/// The run of an id, or of the start of an id that only one has.
///
/// # Errors
/// See [`LoadError`].
pub fn load(folder: &Path, wanted: &str) -> Result<RunRecord, LoadError> {
    if wanted.is_empty() || !RunId::is_start(wanted) {
        return Err(LoadError::NoId(wanted.to_owned()));
    }
    let names = names(folder)?;
    let ids: Vec<RunId> = names
        .iter()
        .filter_map(|name| RunId::parse(name.strip_suffix(".json")?))
        .filter(|id| id.as_str().starts_with(wanted))
        .collect();
    match ids.as_slice() {
        [] => Err(LoadError::Missing(wanted.to_owned())),
        [id] => read(folder, id),
        _ => {
            let ids = ids.iter().take(NAMED).map(RunId::to_string).collect();
            Err(LoadError::Ambiguous { start: wanted.to_owned(), ids })
        }
    }
}

fn read(folder: &Path, id: &RunId) -> Result<RunRecord, LoadError> {
    let damaged = |why: String| LoadError::Damaged { id: id.to_string(), why };
    let path = path(folder, id);
    // Opening a pipe waits for ever, and a link leads anywhere.
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LoadError::Missing(id.to_string())),
        Err(error) => return Err(damaged(error.to_string())),
        Ok(metadata) if !metadata.is_file() => return Err(damaged("not a regular file".to_owned())),
        Ok(metadata) if metadata.len() > MAX_BYTES => return Err(damaged("far too large for a run".to_owned())),
        Ok(_) => {}
    }
    let mut text = Vec::new();
    match fs::File::open(&path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut text)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LoadError::Missing(id.to_string())),
        Err(error) => return Err(damaged(error.to_string())),
        Ok(_) => {}
    }
    #[derive(serde::Deserialize)]
    struct Versioned {
        version: u32,
    }
    // A later version may have another shape: that is told first.
    if let Ok(Versioned { version }) = serde_json::from_slice(&text)
        && version != RECORD_VERSION
    {
        return Err(damaged(format!("its version is {version}, and this specward knows {RECORD_VERSION} only")));
    }
    let run: RunRecord = serde_json::from_slice(&text).map_err(|error| damaged(format!("not a run: {error}")))?;
    if run.run_id != id.as_str() {
        return Err(damaged("it is of another run than its name says".to_owned()));
    }
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    fn id(number: usize) -> String {
        format!("20261201T022418Z-{number:08x}")
    }

    fn ids(folder: &Path) -> Vec<String> {
        let name = |listed| match listed {
            Listed::Run(run) => run.run_id,
            Listed::Damaged { name, .. } => format!("damaged {name}"),
        };
        list(folder).unwrap().map(name).collect()
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let folder = runs_folder(folder.path());
        assert!(ids(&folder).is_empty());
        for number in [0x1a, 0x2b] {
            save(&folder, &record(&id(number))).unwrap();
        }
        assert_eq!(ids(&folder), [id(0x2b), id(0x1a)]);
        assert_eq!(load(&folder, &id(0x1a)).unwrap(), record(&id(0x1a)));
        assert_eq!(load(&folder, "20261201T022418Z-0000002").unwrap().run_id, id(0x2b));
        assert!(matches!(load(&folder, "2026"), Err(LoadError::Ambiguous { ids, .. }) if ids.len() == 2));
        assert!(matches!(load(&folder, "2027"), Err(LoadError::Missing(_))));
        for wanted in ["", "../x", "/", "2026*"] {
            assert!(matches!(load(&folder, wanted), Err(LoadError::NoId(_))), "{wanted}");
        }
        let again = save(&folder, &record(&id(0x1a))).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert!(save(&folder, &record("../../x")).is_err());
    }

    #[test]
    fn damaged_and_foreign_files_are_told_and_left() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        save(folder, &record(&id(1))).unwrap();
        let text = fs::read(path(folder, &RunId::parse(&id(1)).unwrap())).unwrap();
        let write = |number: usize, content: &[u8]| fs::write(folder.join(format!("{}.json", id(number))), content);
        write(2, &text[..text.len() / 2]).unwrap();
        write(3, b"").unwrap();
        write(4, &text).unwrap();
        write(5, b"{\"version\": 2}").unwrap();
        write(6, b"\xff[[[[").unwrap();
        fs::create_dir(folder.join(format!("{}.json", id(7)))).unwrap();
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        let why: Vec<String> = list(folder)
            .unwrap()
            .filter_map(|listed| match listed {
                Listed::Damaged { name, why } => Some(format!("{name}: {why}")),
                Listed::Run(run) => (run.run_id != id(1)).then(|| "a run".to_owned()),
            })
            .collect();
        assert_eq!(why.len(), 7, "{why:#?}");
        for words in ["not a name of", "version is 2", "of another run", "not a regular file", "EOF"] {
            assert!(why.iter().any(|why| why.contains(words)), "{words} in {why:#?}");
        }
        assert!(matches!(load(folder, &id(2)), Err(LoadError::Damaged { .. })));
        (100..300).for_each(|number| save(folder, &record(&id(number))).unwrap());
        assert!(folder.join("notes.txt").exists());
        assert_eq!(ids(folder).iter().filter(|id| !id.starts_with("damaged")).count(), KEPT);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("elsewhere");
        save(&elsewhere, &record(&id(1))).unwrap();
        let runs = folder.path().join("runs");
        fs::create_dir(&runs).unwrap();
        let name = format!("{}.json", id(1));
        std::os::unix::fs::symlink(elsewhere.join(&name), runs.join(&name)).unwrap();
        assert!(matches!(load(&runs, &id(1)), Err(LoadError::Damaged { .. })));
    }

    #[test]
    fn parallel_runs_drop_old_ones_and_never_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    for number in 0..25 {
                        let id = id(number * 8 + thread);
                        save(folder, &record(&id)).unwrap();
                    }
                });
            }
        });
        let left = ids(folder);
        assert_eq!(left[..KEPT], (100..200).rev().map(id).collect::<Vec<_>>());
        // A thread that stored an old one last kept it.
        assert!(left.len() <= KEPT + 8, "{left:?}");
        // The clock was set back.
        save(folder, &record("20200101T000000Z-00000000")).unwrap();
        assert!(load(folder, "2020").is_ok());
        assert!(
            fs::read_dir(folder).unwrap().all(|entry| !entry.unwrap().file_name().to_string_lossy().starts_with('.'))
        );
    }
}
