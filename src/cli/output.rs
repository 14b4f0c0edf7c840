//! Writing to the terminal or a file. The only place that prints.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::openspec::project::FOLDER;

/// Whether something could not be written to standard output. What a command found is lost then, whatever it was.
static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Whether some output of this process was lost.
pub fn is_lost() -> bool {
    IS_LOST.load(Ordering::Relaxed)
}

/// Writes to standard output. A reader that went away is no error.
///
/// # Errors
/// When the stream cannot be written to for another reason.
pub fn stdout(text: &str) -> io::Result<()> {
    quiet(write_all(&mut anstream::stdout().lock(), text))
}

/// Writes a command's result. That standard output cannot be written to is said on standard error.
pub fn text(text: &str) {
    if let Err(error) = stdout(text) {
        stderr(&format!("error: standard output: {error}\n"));
    }
}

/// Writes to standard output without removing what looks like colours: for files that are shown as they stand.
///
/// # Errors
/// When the stream cannot be written to, unless its reader went away.
pub fn raw(text: &str) -> io::Result<()> {
    bytes(text.as_bytes())
}

/// Writes a file's bytes to standard output.
///
/// # Errors
/// When the stream cannot be written to, unless its reader went away.
pub fn bytes(content: &[u8]) -> io::Result<()> {
    let mut stream = io::stdout().lock();
    quiet(stream.write_all(content).and_then(|()| stream.flush()))
}

/// Writes to standard error. What cannot be said there cannot be said at all, so failures are dropped.
pub fn stderr(text: &str) {
    drop(write_all(&mut anstream::stderr().lock(), text));
}

/// Whether a folder is inside the `openspec/` of a project.
fn is_in_project(folder: &Path) -> bool {
    folder.ancestors().any(|folder| {
        folder.file_name().is_some_and(|name| name == FOLDER)
            && ["specs", "changes"].iter().any(|name| folder.join(name).is_dir())
    })
}

/// The first link on the way to a file, from the top of the work tree it is in. Those who write what is judged can put one
/// there, and would have the report written into any file of whoever runs the gate.
fn link_of_work_tree(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let is_top = |folder: &&Path| fs::symlink_metadata(folder.join(".git")).is_ok();
    let top = path.ancestors().skip(1).filter(is_top).last()?;
    let below: Vec<&Path> = path.ancestors().take_while(|folder| *folder != top).collect();
    let is_link = |path: &&&Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    below.iter().rev().find(is_link).map(|link| link.to_path_buf())
}

/// Writes a whole file or nothing: into a file beside it first, which then takes its place. A device or pipe is
/// written to as it is.
///
/// # Errors
/// When the folder cannot be written to.
pub fn file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(link) = link_of_work_tree(path) {
        let words = format!("{} is a link in a work tree: whoever made it chooses what is overwritten", link.display());
        return Err(io::Error::other(words));
    }
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(path, text);
    }
    // A link stays a link: the file it points to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.parent().and_then(|folder| fs::canonicalize(folder).ok()).is_some_and(|folder| is_in_project(&folder)) {
        return Err(io::Error::other("a report does not belong into openspec/"));
    }
    replace(&path, text)
}

/// Adds to the end of a file that a CI keeps for us.
///
/// # Errors
/// When the file cannot be written to.
pub fn append(path: &Path, text: &str) -> io::Result<()> {
    fs::OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
}

/// Writes a file of a project that is ours, whole or not at all.
///
/// # Errors
/// When the folder cannot be written to.
pub fn own_file(path: &Path, text: &str) -> io::Result<()> {
    replace(&fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()), text)
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix sets a mode"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The name of the file beside it means nothing to anybody.
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{} ({})", error.kind(), folder.display()));
    let mut file = builder.tempfile_in(folder).map_err(named)?;
    file.write_all(text.as_bytes())?;
    // Who may read the old file may read the new one, and nobody else.
    if let Ok(metadata) = fs::metadata(path) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.persist(path)?;
    Ok(())
}

fn write_all(stream: &mut impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

fn quiet(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            IS_LOST.store(true, Ordering::Relaxed);
            Err(error)
        }
        Ok(()) => Ok(()),
    }
}
