//! What would be done to hooks, and how they are.

use std::path::{Path, PathBuf};

use super::locate::Hooks;
use super::{GitHook, elsewhere, husky, managed, plain};
use crate::agents::problem::{Fault, Problem};

/// How a hook is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It does not call specward.
    Missing,
    /// It is as it would be written now, or calls specward by somebody's own words.
    Installed,
    /// It was written by another version.
    Stale,
    /// It is ours, and somebody edited it.
    Edited,
    /// It is ours, and git passes over it.
    NotExecutable,
    /// It calls specward by somebody's own words, which do not see to it that it hears what is pushed.
    Unfed,
    /// The manager is told of it, and did not write its hook yet.
    NotWritten,
}

/// One step of a change to hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Moves a file, making the folder it goes to.
    Move(PathBuf, PathBuf),
    /// Moves a link to a folder where it has to say something else to lead to the same file.
    MoveLink { from: PathBuf, to: PathBuf, target: PathBuf },
    /// Deletes a folder when nothing is left in it.
    Tidy(PathBuf),
    /// Writes a program in a place, which has this now.
    Write { path: PathBuf, before: Option<Vec<u8>>, text: String },
    /// Deletes a file.
    Delete(PathBuf),
}

/// A hook, and what would be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// Which.
    pub hook: GitHook,
    /// Its file. None when a manager's file is to be edited.
    pub path: Option<PathBuf>,
    /// How it is.
    pub state: State,
    /// What would become of it, in one word.
    pub verb: &'static str,
    /// What else there is to say of it.
    pub note: Option<String>,
    /// Whether it is not as it was asked for, and will not be.
    pub is_kept: bool,
    /// What a person has to write into a manager's file.
    pub snippet: Option<String>,
    pub(super) steps: Vec<Step>,
}

impl Planned {
    pub(super) fn new(hook: GitHook, path: Option<PathBuf>, state: State) -> Self {
        Self { hook, path, state, verb: "unchanged", note: None, is_kept: false, snippet: None, steps: Vec::new() }
    }

    pub(super) fn kept(mut self, note: impl Into<String>) -> Self {
        (self.verb, self.note, self.is_kept) = ("keep", Some(note.into()), true);
        self
    }

    pub(super) fn steps(mut self, verb: &'static str, steps: Vec<Step>) -> Self {
        (self.verb, self.steps) = (verb, steps);
        self
    }

    /// Whether anything would be written.
    pub fn is_change(&self) -> bool {
        !self.steps.is_empty()
    }

    /// What would be written, as a diff.
    pub fn diff(&self, shown: &dyn Fn(&Path) -> String) -> String {
        let mut out = String::new();
        for step in &self.steps {
            match step {
                Step::Tidy(_) => {}
                Step::Move(from, to) | Step::MoveLink { from, to, .. } => {
                    out += &format!("rename from {}\nrename to {}\n", shown(from), shown(to))
                }
                Step::Delete(path) => out += &format!("delete {}\n", shown(path)),
                Step::Write { path, before, text } => {
                    let name = shown(path);
                    let before = String::from_utf8_lossy(before.as_deref().unwrap_or_default()).into_owned();
                    let diff = similar::TextDiff::from_lines(before.as_str(), text);
                    out += &diff.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string();
                }
            }
        }
        out
    }
}

/// What installs some hooks.
///
/// # Errors
/// The first hook that cannot be written, or not without harm.
pub fn install(hooks: &Hooks, top: &Path, which: &[GitHook]) -> Result<Vec<Planned>, Fault> {
    let one = |hook: &GitHook| match hooks {
        Hooks::Plain(folder) => plain::install(folder, *hook),
        Hooks::Husky(folder, is_direct) => husky::install(folder, *hook, *is_direct),
        Hooks::Managed(config, folder) => managed::planned(config, top, folder, *hook),
        Hooks::Elsewhere(place) => elsewhere::planned(place, *hook),
        Hooks::Nowhere => Err(nowhere()),
    };
    which.iter().map(one).collect()
}

/// How some hooks are.
///
/// # Errors
/// The first that cannot be read.
pub fn check(hooks: &Hooks, top: &Path, which: &[GitHook]) -> Result<Vec<Planned>, Fault> {
    install(hooks, top, which)
}

/// What takes some hooks out, and nothing else.
///
/// # Errors
/// The first hook that cannot be taken out without harm.
pub fn uninstall(hooks: &Hooks, top: &Path, which: &[GitHook]) -> Result<Vec<Planned>, Fault> {
    let one = |hook: &GitHook| match hooks {
        Hooks::Plain(folder) => plain::uninstall(folder, *hook),
        Hooks::Husky(folder, _) => husky::uninstall(folder, *hook),
        Hooks::Managed(config, folder) => managed::uninstall(config, top, folder, *hook),
        Hooks::Elsewhere(_) | Hooks::Nowhere => Ok(None),
    };
    Ok(which.iter().map(one).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn nowhere() -> Fault {
    let fix = "run `git config --unset core.hooksPath`, and the command again; nothing was written";
    Problem::of_file("is set to nothing, so git runs no hook", fix).in_file("core.hooksPath")
}

/// Something is wrong with a hook's file.
pub(super) fn fault(path: &Path, message: impl Into<String>, fix: &str) -> Fault {
    Problem::of_file(message, format!("{fix}; nothing was written")).in_file(&path.display().to_string())
}
