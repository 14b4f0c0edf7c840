//! Hooks as git has them: a folder with a program for each.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::GitHook;
use super::plan::{Planned, State, Step, fault};
use crate::agents::own::Whose;
use crate::agents::problem::Fault;

/// What the name of a hook that was there before ours ends with.
const BEFORE: &str = ".before-specward";

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
            let mut planned =
                planned(State::Missing).steps("create", vec![Step::Move(path.clone(), before.clone()), write(None)]);
            let name = before.file_name().unwrap_or_default().to_string_lossy();
            planned.note = Some(format!("the hook that was there is {name} now, and runs first"));
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
    let back = is_there(&before).then(|| Step::Move(before.clone(), path.clone()));
    let planned = |state| Planned::new(hook, Some(path.clone()), state);
    let restored = || "the hook that was there before is back".to_owned();
    Ok(match lying(&path, hook)? {
        Lying::Nothing => {
            back.map(|back| Planned { note: Some(restored()), ..planned(State::Missing).steps("update", vec![back]) })
        }
        Lying::Foreign => back.map(|_| {
            let name = before.file_name().unwrap_or_default().to_string_lossy();
            planned(State::Missing)
                .kept(format!("is not ours; {name} is the hook that was there before, keep which you want"))
        }),
        Lying::Ours(_, Whose::Edited, _) => {
            Some(planned(State::Edited).kept("edited since it was written; delete it yourself"))
        }
        Lying::Ours(..) => Some(match back {
            Some(back) => Planned {
                note: Some(restored()),
                ..planned(State::Installed).steps("update", vec![Step::Delete(path.clone()), back])
            },
            None => planned(State::Installed).steps("remove", vec![Step::Delete(path.clone())]),
        }),
    })
}

/// Which hooks of ours are in a folder, whether or not git looks there.
pub fn left_in(folder: &Path) -> Vec<GitHook> {
    let is_ours = |hook: &GitHook| matches!(lying(&folder.join(hook.id()), *hook), Ok(Lying::Ours(..)));
    GitHook::ALL.into_iter().filter(is_ours).collect()
}

fn paths(folder: &Path, hook: GitHook) -> (PathBuf, PathBuf) {
    (folder.join(hook.id()), folder.join(format!("{}{BEFORE}", hook.id())))
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
