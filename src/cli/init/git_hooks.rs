//! `specward init --git-hooks`: git's hooks, put in and taken out.

use std::path::Path;
use std::str::FromStr;

use super::failed;
use crate::agents::place::Place;
use crate::cli::failure::Failure;
use crate::cli::settings::Settings;
use crate::git_hooks::{self, GitHook, Planned, State};
use crate::repo::open::{OpenError, Repository};
use crate::report::visible;

/// Which of git's hooks are meant. None when none is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GitHookChoice(Option<Vec<GitHook>>);

impl FromStr for GitHookChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        let known = |name: &str| GitHook::ALL.into_iter().find(|hook| hook.id() == name.trim());
        let hooks = text.split(',').map(|name| {
            let names = GitHook::ALL.map(GitHook::id).join(", ");
            known(name).ok_or_else(|| format!("no hook is called `{}`; name some of {names}", name.trim()))
        });
        let mut hooks = hooks.collect::<Result<Vec<GitHook>, String>>()?;
        hooks.sort();
        hooks.dedup();
        Ok(Self(Some(hooks)))
    }
}

/// What would be done to git's hooks.
pub(super) struct GitHooks {
    planned: Vec<Planned>,
    place: Place,
}

impl GitHooks {
    /// What installs them.
    pub(super) fn install(settings: &Settings, place: &Place, choice: &GitHookChoice) -> Result<Self, Failure> {
        let hooks = git_hooks::locate(&open(settings, place)?, place.top());
        let which = choice.0.clone().unwrap_or_else(|| GitHook::USUAL.to_vec());
        let planned = git_hooks::install(&hooks, place.top(), &which).map_err(|fault| failed(&fault))?;
        Ok(Self { planned, place: place.clone() })
    }

    /// How those are that are named, or the usual ones and whichever else is there.
    pub(super) fn check(settings: &Settings, place: &Place, choice: &GitHookChoice) -> Result<Self, Failure> {
        let hooks = git_hooks::locate(&open(settings, place)?, place.top());
        let which = choice.0.as_deref().unwrap_or(&GitHook::ALL);
        let mut planned = git_hooks::check(&hooks, place.top(), which).map_err(|fault| failed(&fault))?;
        if choice.0.is_none() {
            planned.retain(|it| GitHook::USUAL.contains(&it.hook) || it.state != State::Missing);
        }
        Ok(Self { planned, place: place.clone() })
    }

    /// What takes them out: those that are named, or all. Where there is no repository there are none.
    pub(super) fn uninstall(
        settings: &Settings,
        place: &Place,
        choice: Option<&GitHookChoice>,
    ) -> Result<Self, Failure> {
        let which = choice.and_then(|choice| choice.0.clone()).unwrap_or_else(|| GitHook::ALL.to_vec());
        let planned = match Repository::open(place.top(), &settings.env) {
            Err(OpenError::NotARepository) => Vec::new(),
            _ => {
                let hooks = git_hooks::locate(&open(settings, place)?, place.top());
                git_hooks::uninstall(&hooks, place.top(), &which).map_err(|fault| failed(&fault))?
            }
        };
        Ok(Self { planned, place: place.clone() })
    }

    /// Does it, and undoes it when something else then fails.
    pub(super) fn apply(&self, then: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        let applied = git_hooks::apply(&self.planned).map_err(|fault| failed(&fault))?;
        match then() {
            Ok(()) => applied.keep(),
            Err(failure) => {
                applied.undo();
                return Err(failure);
            }
        }
        Ok(())
    }

    /// Whether everything is, or will be, as it was asked for.
    pub(super) fn is_whole(&self) -> bool {
        !self.planned.iter().any(|planned| planned.is_kept)
    }

    /// Whether nothing would be written.
    pub(super) fn is_done(&self) -> bool {
        !self.planned.iter().any(Planned::is_change)
    }

    fn shown(&self, path: &Path) -> String {
        let path = path.strip_prefix(self.place.top()).unwrap_or(path);
        path.display().to_string()
    }

    fn line(&self, planned: &Planned, verb: &str) -> String {
        let path = planned.path.as_deref().map(|path| self.shown(path)).unwrap_or_default();
        let note = planned.note.as_ref().map_or(String::new(), |note| format!(": {}", visible(note)));
        let hook = if path.ends_with(planned.hook.id()) { "" } else { planned.hook.id() };
        let hook = if hook.is_empty() { String::new() } else { format!(" ({hook})") };
        format!("  {verb} {}{hook}{note}\n", visible(&path))
    }

    fn snippets(&self) -> String {
        let snippets = self.planned.iter().filter_map(|planned| planned.snippet.as_ref());
        snippets.map(|snippet| format!("\n{snippet}")).collect()
    }

    fn lines(&self) -> String {
        self.planned.iter().map(|planned| self.line(planned, planned.verb)).collect()
    }

    /// After an installation.
    pub(super) fn installed(&self) -> String {
        let mut text =
            if self.is_whole() { "Installed git hooks\n" } else { "Not all git hooks were installed\n" }.to_owned();
        text += &self.lines();
        text += &self.snippets();
        text +=
            "\nWhoever commits can pass over them with --no-verify; what counts is specward in CI or on the server.\n";
        text
    }

    /// What is missing or not up to date.
    pub(super) fn checked(&self) -> String {
        let told: String = self
            .planned
            .iter()
            .filter_map(|planned| {
                let word = match planned.state {
                    State::Installed => return None,
                    State::Missing => "missing",
                    State::Stale => "stale",
                    State::Edited => "edited",
                    State::NotExecutable => "not executable",
                    State::Unfed => "not fed",
                    State::NotWritten => "not written",
                };
                Some(self.line(planned, word))
            })
            .collect();
        if told.is_empty() {
            return "Git hooks are up to date\n".to_owned();
        }
        format!("Git hooks are not up to date; run `specward init --git-hooks`\n{told}{}", self.snippets())
    }

    /// What would be written or taken out.
    pub(super) fn dry(&self, heading: &str) -> String {
        let mut text = format!("{heading}\n{}", self.lines());
        if self.is_done() {
            text += "  nothing\n";
        }
        for planned in &self.planned {
            let diff = planned.diff(&|path| self.shown(path));
            text.extend(diff.lines().map(|line| format!("{}\n", visible(line))));
        }
        text + &self.snippets()
    }

    /// After everything was taken out.
    pub(super) fn uninstalled(&self) -> String {
        let lines = if self.planned.is_empty() { "  nothing to take out\n".to_owned() } else { self.lines() };
        format!("Uninstalled git hooks\n{lines}")
    }

    /// Whether there is nothing to say.
    pub(super) fn is_empty(&self) -> bool {
        self.planned.is_empty()
    }
}

fn open(settings: &Settings, place: &Place) -> Result<Repository, Failure> {
    Repository::open(place.top(), &settings.env)
        .map_err(|error| Failure::new("no_repository", error.to_string()).fix(error.fix()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_on_the_command_line() {
        assert_eq!("".parse(), Ok(GitHookChoice(None)));
        assert_eq!(
            "commit-msg, pre-commit,commit-msg".parse(),
            Ok(GitHookChoice(Some(vec![GitHook::PreCommit, GitHook::CommitMsg])))
        );
        assert!("pre-comit".parse::<GitHookChoice>().is_err_and(|error| error.contains("no hook is called")));
    }
}
