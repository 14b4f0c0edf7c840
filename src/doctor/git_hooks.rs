//! Git's hooks that call specward: whether git would run them.

use super::check::Check;
use super::surroundings::Surroundings;
use crate::git_hooks::{self, GitHook, Hooks, Planned, State};
use crate::repo::open::Repository;

/// Hooks that are installed, and what keeps git from running them. Nothing where none is: nobody has to have them.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    // That there is no repository is told already.
    let Ok(repository) = Repository::open(around.top(), &around.env) else { return Vec::new() };
    let hooks = git_hooks::locate(&repository, around.top());
    let usual = repository.common_dir().join("hooks");
    let looked_at = match &hooks {
        Hooks::Plain(folder) | Hooks::Managed(_, folder) => Some(folder.as_path()),
        Hooks::Husky(..) | Hooks::Elsewhere(_) | Hooks::Nowhere => None,
    };
    let found = match git_hooks::check(&hooks, around.top(), &GitHook::ALL) {
        Ok(found) => found,
        // Whoever has no hook of ours does not care.
        Err(_) if hooks == Hooks::Nowhere => Vec::new(),
        Err(fault) => return vec![Check::problem(None, fault.path, fault.problem.message, fault.problem.fix)],
    };
    let mut checks: Vec<Check> = found.iter().filter_map(|hook| one(around, hook)).collect();
    if looked_at != Some(usual.as_path()) {
        let is_missing = |hook: &GitHook| !found.iter().any(|it| it.hook == *hook && it.state != State::Missing);
        // They are ours, and git does not look there.
        for hook in git_hooks::left_in(&usual).into_iter().filter(is_missing) {
            let path = around.shown(&usual.join(hook.id()));
            let place = match repository.hooks_path() {
                Some(path) if path.as_os_str().is_empty() => "set to nothing".to_owned(),
                Some(path) => path.display().to_string(),
                // It is a link, and was looked at where it leads.
                None => continue,
            };
            let message = format!("is not run: core.hooksPath is {place}");
            let fix = "run `git config --unset core.hooksPath`, or `specward init --git-hooks` where it points";
            checks.push(Check::problem(None, path, message, fix));
        }
    }
    checks
}

fn one(around: &Surroundings, found: &Planned) -> Option<Check> {
    let subject = found.path.as_deref().map_or_else(|| found.hook.id().to_owned(), |path| around.shown(path));
    let name = found.hook.id();
    let again = format!("run `specward init --git-hooks={name}`");
    match found.state {
        State::Missing => None,
        State::Installed => Some(Check::ok(None, subject, format!("git's {name} calls specward"))),
        State::Stale => {
            Some(Check::info(None, subject, "was written by another version of specward, or copied by hand").fix(again))
        }
        State::Edited => {
            let message = "is ours and was edited, or is of another version: whether it still judges cannot be told";
            Some(
                Check::info(None, subject, message)
                    .fix(format!("read it; to get it as it is written, delete it and {again}")),
            )
        }
        State::NotExecutable => Some(Check::problem(None, subject, "is not executable, so git passes over it", again)),
        State::Unfed => {
            let message = "calls specward by a line that may not hear what is pushed";
            Some(Check::problem(None, subject, message, found.note.clone().unwrap_or(again)))
        }
        State::NotWritten => {
            let message = format!("is told to call specward at {name}, and git does not run the hook of its program");
            Some(Check::problem(None, subject, message, found.note.clone().unwrap_or(again)))
        }
    }
}
