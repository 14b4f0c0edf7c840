//! Whether a call may go on: nothing that is frozen is written to, nor what specward remembers of the session.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bstr::BStr;

use super::place;
use super::targets::{Action, Target, Touched};
use crate::rules::Freeze;

mod allowed;
mod denial;
mod frozen;
mod gate_files;
mod sight;

use denial::Why;
use frozen::Frozen;
use sight::{Resolved, Sight};

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
    if touched.is_too_much && is_guarded(cwd) {
        return Some(denial::too_much());
    }
    let mut guard = Guard { top, cwd, known, sight: Sight::default(), seen: HashSet::new() };
    touched.targets.iter().find_map(|target| guard.refusal(target))
}

/// Why a call made in a folder is denied whose document is too big or too deep to be read.
pub fn refusal_unread(problem: &str, cwd: &Path) -> Option<String> {
    is_guarded(cwd).then(|| denial::unread(problem))
}

/// Whether anything is frozen where an agent works.
fn is_guarded(cwd: &Path) -> bool {
    let rules = |top: PathBuf| frozen::Rules::of(&top, &place::resolved(cwd), cwd);
    place::top(cwd).and_then(rules).is_some_and(|rules| rules.mode != Freeze::Off)
}

/// One call.
struct Guard<'g> {
    top: Option<PathBuf>,
    cwd: &'g Path,
    known: &'g Known<'g>,
    sight: Sight,
    /// What was looked at and may be written: where paths lead, what they are called, and what is done.
    seen: HashSet<(PathBuf, Option<PathBuf>, Action)>,
}

impl Guard<'_> {
    fn refusal(&mut self, target: &Target) -> Option<String> {
        if matches!(&target.action, Action::Restore(rev) if (self.known.is_old)(rev.as_deref())) {
            return None;
        }
        let to = match &target.action {
            Action::Move(to) => Some(Target::new(to.clone(), Action::Write)),
            _ => None,
        };
        let from = self.frozen(target);
        if let (Some(from), Some(to)) = (&from, &to)
            && let Some(to) = self.frozen(to)
            && allowed::is_archiving(from, &to, self.known)
        {
            return None;
        }
        let refused = from.and_then(|frozen| frozen.refusal(&target.action, self.known));
        refused.or_else(|| self.frozen(&to?)?.refusal(&Action::Write, self.known))
    }

    /// What a path is, seen from the repository.
    fn frozen(&mut self, target: &Target) -> Option<Frozen> {
        let resolved = self.sight.resolved(&target.path);
        let top = self.top.clone();
        // The name that was given counts too, when a link leads out of what is frozen.
        let named = top.as_deref().and_then(|top| self.sight.named(&target.path, top));
        let named = named.filter(|named| *named != resolved.path);
        let what = (resolved.path.clone(), named.clone(), target.action.clone());
        if target.text.is_none() && self.seen.contains(&what) {
            return None;
        }
        let found = self.look(target, &resolved, named.as_deref(), top.as_deref());
        if found.is_none() {
            self.seen.insert(what);
        }
        found
    }

    fn look(&mut self, target: &Target, at: &Resolved, named: Option<&Path>, top: Option<&Path>) -> Option<Frozen> {
        if let Some(path) = memory(&at.path, &target.action) {
            return Some(Frozen::other(path, Why::Memory));
        }
        // The repository the path is in, which may be another work tree than the session's.
        let is_there = at.existing == at.path;
        let around = at.existing.parent().filter(|_| is_there).unwrap_or(&at.existing);
        let own = self.sight.top(around);
        let own = own.as_deref().or(top)?;
        // A file is no project.
        let existing = if is_there && !at.path.is_dir() { around } else { &at.existing };
        let rules = self.sight.rules(own, existing, self.cwd);
        let frozen = rules.and_then(|rules| frozen::find(own, &at.path, target, &rules));
        frozen.or_else(|| {
            let (top, named) = (top?, named?);
            let rules = self.sight.rules(top, named, self.cwd)?;
            frozen::find(top, named, target, &rules)
        })
    }
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
