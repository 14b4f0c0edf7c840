//! Whether a call may go on: nothing that is frozen is written to, nor what specward remembers of the session.

use std::path::{Path, PathBuf};

use bstr::BStr;

use super::place;
use super::targets::{Action, Target, Touched};

mod allowed;
mod denial;
mod frozen;
mod gate_files;

use denial::Why;
use frozen::Frozen;

/// What the guard asks the session's record.
pub struct Known<'k> {
    /// Whether a path from the top of the repository was there when the session began.
    pub was_there: &'k dyn Fn(&BStr) -> bool,
    /// Whether files that git takes from there (from the index when there is no name) are as they were when the session
    /// began: to put them back is no edit.
    pub is_old: &'k dyn Fn(Option<&str>) -> bool,
}

impl std::fmt::Debug for Known<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Known").finish_non_exhaustive()
    }
}

/// Whether the words for a commit are those for where work begins: HEAD, the index, a main branch. For when nothing is
/// known of the session.
pub fn is_usual_base(rev: Option<&str>) -> bool {
    rev.is_none_or(|rev| {
        let name = rev.strip_prefix("origin/").unwrap_or(rev);
        matches!(name, "HEAD" | "@" | "main" | "master")
    })
}

/// Why a call made in a folder is denied. None: it may go on, as does whatever is not known to be frozen.
pub fn refusal(touched: &Touched, cwd: &Path, known: &Known<'_>) -> Option<String> {
    let top = place::top(cwd);
    if let Some(command) = touched.commands.first() {
        let is_ours = top.as_deref().is_some_and(|top| place::has_project(top, cwd));
        if is_ours {
            return Some(denial::of_command(command));
        }
    }
    touched.targets.iter().find_map(|target| of_target(target, top.as_deref(), cwd, known))
}

fn of_target(target: &Target, top: Option<&Path>, cwd: &Path, known: &Known<'_>) -> Option<String> {
    if matches!(&target.action, Action::Restore(rev) if (known.is_old)(rev.as_deref())) {
        return None;
    }
    let to = match &target.action {
        Action::Move(to) => Some(Target::new(to.clone(), Action::Write)),
        _ => None,
    };
    let from = seen(target, top, cwd);
    if let (Some(from), Some(to)) = (&from, &to)
        && let Some(to) = seen(to, top, cwd)
        && allowed::is_archiving(from, &to, known)
    {
        return None;
    }
    let refused = from.and_then(|seen| seen.refusal(&target.action, known));
    refused.or_else(|| seen(&to?, top, cwd)?.refusal(&Action::Write, known))
}

/// What a path is, seen from the repository.
fn seen(target: &Target, top: Option<&Path>, cwd: &Path) -> Option<Frozen> {
    let resolved = place::resolved(&target.path);
    if let Some(path) = memory(&resolved, &target.action) {
        return Some(Frozen::other(path, Why::Memory));
    }
    // The repository the path is in, which may be another work tree than the session's.
    let own = place::top(resolved.parent().unwrap_or(&resolved));
    let own = own.as_deref().or(top)?;
    let frozen = frozen::find(own, &resolved, target, cwd);
    frozen.or_else(|| {
        // The name that was given, when a link leads out of what is frozen.
        let named = named(&target.path, top?)?;
        (named != resolved).then(|| frozen::find(top?, &named, target, cwd)).flatten()
    })
}

/// The path as it was named, below a top whose own links are resolved.
fn named(path: &Path, top: &Path) -> Option<PathBuf> {
    let plain = place::plain(path);
    let above = plain.ancestors().find(|above| std::fs::canonicalize(above).is_ok_and(|above| above == top))?;
    Some(top.join(plain.strip_prefix(above).ok()?))
}

/// The path, when it is where specward keeps what it knows of sessions, in git's folder.
fn memory(path: &Path, action: &Action) -> Option<PathBuf> {
    let is_git = |name: &std::ffi::OsStr| name.as_encoded_bytes().ends_with(b".git");
    let mut parts = path.components().map(|part| part.as_os_str()).skip_while(|name| !is_git(name));
    parts.next()?;
    let is_inside = parts.clone().any(|name| name == "specward");
    let is_above = parts.next().is_none() && *action != Action::Write && path.join("specward").is_dir();
    (is_inside || is_above).then(|| path.to_owned())
}

#[cfg(test)]
mod tests;
