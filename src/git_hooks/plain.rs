//! Hooks as git has them: a folder with a program for each.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::GitHook;
use super::plan::{Planned, State, Step, fault};
use crate::agents::own::Whose;
use crate::agents::problem::Fault;

/// The folder beside ours for hooks that were there before. They keep their names: some choose by it what they do.
const BEFORE: &str = "before-specward";

/// What the first lines of ours say, also where it was copied by hand.
const MARK: &str = "# specward:hook ";

/// Nobody writes a hook of this size, but programs may be one.
const MAX_SCRIPT: u64 = 1 << 20;

/// What lies where a hook belongs.
enum Lying {
    Nothing,
    /// Ours, and whether it can be run.
    Ours(Vec<u8>, Whose, bool),
    /// Somebody else's, file or link.
    Foreign,
}

pub(super) fn install(folder: &Path, hook: GitHook) -> Result<Planned, Fault> {
    let (path, before) = paths(folder, hook);
    let content = hook.script().content();
    let write = |old: Option<Vec<u8>>| Step::Write { path: path.clone(), before: old, text: content.clone() };
    let planned = |state| Planned::new(hook, Some(path.clone()), state);
    Ok(match lying(&path, hook)? {
        Lying::Nothing => planned(State::Missing).steps("create", vec![write(None)]),
        Lying::Foreign if is_there(&before) => {
            let message = format!("is not ours, and {} is in the way of keeping it", before.display());
            return Err(fault(&path, message, "look at both, and leave one of them"));
        }
        Lying::Foreign => {
            let mut planned = planned(State::Missing).steps("create", vec![kept(&path, &before)?, write(None)]);
            planned.note = Some(format!("the hook that was there is {} now, and runs first", name(hook)));
            planned
        }
        Lying::Ours(_, Whose::Edited, _) => planned(State::Edited)
            .kept("edited since it was written; delete it and run this again to get it as it is written"),
        Lying::Ours(_, Whose::Current, true) => planned(State::Installed),
        Lying::Ours(old, Whose::Current, false) => {
            planned(State::NotExecutable).steps("update", vec![write(Some(old))])
        }
        Lying::Ours(old, ..) => planned(State::Stale).steps("update", vec![write(Some(old))]),
    })
}

pub(super) fn uninstall(folder: &Path, hook: GitHook) -> Result<Option<Planned>, Fault> {
    let (path, before) = paths(folder, hook);
    let back = if is_there(&before) { restored(&path, &before)? } else { Vec::new() };
    let planned = |state| Planned::new(hook, Some(path.clone()), state);
    let is_back = || Some("the hook that was there before is back".to_owned());
    Ok(match lying(&path, hook)? {
        Lying::Nothing => {
            (!back.is_empty()).then(|| Planned { note: is_back(), ..planned(State::Missing).steps("update", back) })
        }
        Lying::Foreign => (!back.is_empty()).then(|| {
            let message = format!("is not ours; {} is the hook that was there before, keep which you want", name(hook));
            planned(State::Missing).kept(message)
        }),
        Lying::Ours(_, Whose::Edited, _) => {
            Some(planned(State::Edited).kept("edited since it was written; delete it yourself"))
        }
        Lying::Ours(..) if back.is_empty() => {
            Some(planned(State::Installed).steps("remove", vec![Step::Delete(path.clone())]))
        }
        Lying::Ours(..) => {
            let steps = [vec![Step::Delete(path.clone())], back].concat();
            Some(Planned { note: is_back(), ..planned(State::Installed).steps("update", steps) })
        }
    })
}

/// Which hooks of ours are in a folder, whether or not git looks there.
pub fn left_in(folder: &Path) -> Vec<GitHook> {
    let is_ours = |hook: &GitHook| matches!(lying(&folder.join(hook.id()), *hook), Ok(Lying::Ours(..)));
    GitHook::ALL.into_iter().filter(is_ours).collect()
}

/// How a hook of ours is that nobody here may write to. None when it is none of ours. A copy by hand is as good.
pub(super) fn ours(path: &Path, hook: GitHook) -> Result<Option<State>, Fault> {
    Ok(match lying(path, hook)? {
        Lying::Nothing | Lying::Foreign => None,
        Lying::Ours(bytes, ..) if bytes == hook.script().text.as_bytes() => Some(State::Installed),
        Lying::Ours(_, Whose::Current, _) => Some(State::Installed),
        Lying::Ours(_, Whose::Edited, _) => Some(State::Edited),
        Lying::Ours(..) => Some(State::Stale),
    })
}

/// What git would run, through links, and whether it is executable. None when nothing is there.
///
/// # Errors
/// When what is there is no file, or cannot be read.
pub(super) fn script(path: &Path) -> Result<Option<(Vec<u8>, bool)>, Fault> {
    let unreadable = |error: io::Error| fault(path, error.to_string(), "make it and the folders above it readable");
    let metadata = match fs::metadata(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
        Ok(metadata) => metadata,
    };
    // Reading a pipe would wait for whoever writes to it.
    if !metadata.is_file() {
        return Err(fault(path, "is no file", "put a file in its place, or delete it"));
    }
    let mut bytes = Vec::new();
    // Of a program that is no script the beginning is enough.
    fs::File::open(path).and_then(|file| file.take(MAX_SCRIPT).read_to_end(&mut bytes)).map_err(unreadable)?;
    Ok(Some((bytes, is_executable(&metadata))))
}

fn paths(folder: &Path, hook: GitHook) -> (PathBuf, PathBuf) {
    (folder.join(hook.id()), folder.join(BEFORE).join(hook.id()))
}

/// What a hook that was there before is called, from the hooks' folder.
fn name(hook: GitHook) -> String {
    format!("{BEFORE}/{}", hook.id())
}

/// Keeps a hook that is not ours, one folder below.
fn kept(path: &Path, before: &Path) -> Result<Step, Fault> {
    let folder = before.parent().unwrap_or(before);
    // Through a link it would go to somebody else's folder.
    if fs::symlink_metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
        return Err(fault(folder, "is no folder", "delete it: hooks that were there before ours are kept in it"));
    }
    moved(path, before, |target| Path::new("..").join(target))
}

/// Puts it back, as it was to the byte.
fn restored(path: &Path, before: &Path) -> Result<Vec<Step>, Fault> {
    let back = moved(before, path, from_above)?;
    Ok(vec![back, Step::Tidy(before.parent().unwrap_or(before).to_owned())])
}

/// What a link says, without the step upwards that was put in front of it.
#[cfg(unix)]
fn from_above(target: &Path) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    let bytes = target.as_os_str().as_bytes();
    std::ffi::OsStr::from_bytes(bytes.strip_prefix(b"../").unwrap_or(bytes)).into()
}

#[cfg(not(unix))]
fn from_above(target: &Path) -> PathBuf {
    target.strip_prefix("..").unwrap_or(target).to_owned()
}

/// Moves a file. A link that begins where it lies has to begin where it will lie.
fn moved(from: &Path, to: &Path, begin: impl Fn(&Path) -> PathBuf) -> Result<Step, Fault> {
    let (from, to) = (from.to_owned(), to.to_owned());
    if !fs::symlink_metadata(&from).is_ok_and(|metadata| metadata.is_symlink()) {
        return Ok(Step::Move(from, to));
    }
    let target = fs::read_link(&from).map_err(|error| fault(&from, error.to_string(), "make it readable"))?;
    if target.is_absolute() {
        return Ok(Step::Move(from, to));
    }
    Ok(Step::MoveLink { target: begin(&target), from, to })
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn lying(path: &Path, hook: GitHook) -> Result<Lying, Fault> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Lying::Nothing),
        Err(error) => return Err(fault(path, error.to_string(), "make it and the folders above it readable")),
        Ok(metadata) => metadata,
    };
    if metadata.is_symlink() {
        return Ok(Lying::Foreign);
    }
    if !metadata.is_file() {
        return Err(fault(path, "is no file", "put a file in its place, or delete it"));
    }
    if metadata.len() > MAX_SCRIPT {
        return Ok(Lying::Foreign);
    }
    let bytes = fs::read(path).map_err(|error| fault(path, error.to_string(), "make it readable"))?;
    let Ok(text) = std::str::from_utf8(&bytes) else { return Ok(Lying::Foreign) };
    let script = hook.script();
    let whose = match script.whose(text) {
        Whose::Foreign if text.replace("\r\n", "\n") == script.text => Whose::Other,
        // One of another version that was copied by hand cannot be told from one that was edited.
        Whose::Foreign if text.lines().take(3).any(|line| line.starts_with(MARK)) => Whose::Edited,
        whose => whose,
    };
    if whose == Whose::Foreign {
        return Ok(Lying::Foreign);
    }
    // A shell does not understand what ends in a carriage return.
    let whose = if whose == Whose::Current && text.contains('\r') { Whose::Other } else { whose };
    let is_executable = is_executable(&metadata);
    Ok(Lying::Ours(bytes, whose, is_executable))
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    true
}
