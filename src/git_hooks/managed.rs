//! Hooks of a manager that is told by a file of its own what to run: a person writes to it.

use std::fs;
use std::path::Path;

use super::GitHook;
use super::locate::ManagerConfig;
use super::plain;
use super::plan::{Planned, State};
use crate::agents::problem::Fault;

/// What to write to a manager's file, or that it is there.
pub(super) fn planned(config: &ManagerConfig, top: &Path, folder: &Path, hook: GitHook) -> Result<Planned, Fault> {
    let program = config.program;
    let text = config.path.and_then(|path| fs::read_to_string(top.join(path)).ok()).unwrap_or_default();
    let file = config.path.unwrap_or("lefthook.yml");
    let path = Some(top.join(file));
    let is_told = is_told(program, &text, hook);
    if !is_told && plain::left_in(folder).contains(&hook) {
        // It was installed before there was a manager, and git still runs it.
        return plain::install(folder, hook);
    }
    if !is_told {
        // A second list of the same name would take the place of the first.
        let place = if program == "pre-commit" { " below `repos:`" } else { "" };
        let message =
            format!("{program} writes the hooks here; add this to {file}{place}, and run {}", command(program, hook));
        let mut planned = Planned::new(hook, path, State::Missing).kept(message);
        planned.snippet = Some(snippet(program, hook));
        return Ok(planned);
    }
    if fs::symlink_metadata(folder.join(hook.id())).is_err() {
        let message =
            format!("tells {program} of it, which did not write its hook yet; run {}", command(program, hook));
        return Ok(Planned::new(hook, path, State::NotWritten).kept(message));
    }
    let mut planned = Planned::new(hook, path, State::Installed);
    planned.note = Some(format!("calls specward, by {program}"));
    Ok(planned)
}

/// Takes out what was installed before there was a manager. What a person wrote to its file is theirs.
pub(super) fn uninstall(
    config: &ManagerConfig,
    top: &Path,
    folder: &Path,
    hook: GitHook,
) -> Result<Option<Planned>, Fault> {
    if let Some(planned) = plain::uninstall(folder, hook)? {
        return Ok(Some(planned));
    }
    let Some(file) = config.path else { return Ok(None) };
    let text = fs::read_to_string(top.join(file)).unwrap_or_default();
    Ok(is_told(config.program, &text, hook).then(|| {
        let planned = Planned::new(hook, Some(top.join(file)), State::Installed);
        planned.kept(format!(
            "is told to call specward; take that out of it yourself, and run `{} install`",
            config.program
        ))
    }))
}

/// Whether a manager's file calls ours for a hook.
fn is_told(program: &str, text: &str, hook: GitHook) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with(['#', '/'])).collect();
    let call = format!("{}{}", super::CALL, hook.id());
    let is_called = lines.iter().any(|line| line.contains(&call));
    if program == "lefthook" {
        // Without standard input there is nothing to tell what is pushed by.
        return is_called && (hook != GitHook::PrePush || lines.iter().any(|line| line.contains("use_stdin")));
    }
    let id = id(hook);
    let is_part = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    let is_named = |line: &&str| {
        line.split(|character| !is_part(character)).any(|word| word == id || word == format!("{id}-system"))
    };
    is_called || lines.iter().any(is_named)
}

/// Our name for a hook in `.pre-commit-hooks.yaml`.
fn id(hook: GitHook) -> &'static str {
    match hook {
        GitHook::PreCommit => "specward-verify",
        GitHook::PrePush => "specward-verify-push",
        GitHook::CommitMsg => "specward-commit-msg",
    }
}

fn command(program: &str, hook: GitHook) -> String {
    match program {
        "lefthook" => "`lefthook install`".to_owned(),
        program => format!("`{program} install --hook-type {}`", hook.id()),
    }
}

/// What a person adds.
fn snippet(program: &str, hook: GitHook) -> String {
    let name = hook.id();
    match (program, hook) {
        ("lefthook", GitHook::PreCommit) => {
            format!("{name}:\n  jobs:\n    - name: specward\n      run: specward hook {name}\n")
        }
        ("lefthook", GitHook::PrePush) => format!(
            "{name}:\n  jobs:\n    - name: specward\n      run: specward hook {name} {{1}} {{2}}\n      use_stdin: true\n"
        ),
        ("lefthook", GitHook::CommitMsg) => {
            format!("{name}:\n  jobs:\n    - name: specward\n      run: specward hook {name} {{1}}\n")
        }
        ("prek", _) => format!(
            "[[repos]]\nrepo = \"local\"\nhooks = [{{ id = \"{id}-system\", name = \"specward\", entry = \"specward hook \
             {name}\", language = \"system\", stages = [\"{name}\"], always_run = true, pass_filenames = {files} }}]\n",
            id = id(hook),
            files = hook == GitHook::CommitMsg,
        ),
        _ => format!(
            "  - repo: local\n    hooks:\n      - id: {id}-system\n        name: specward\n        entry: specward \
             hook {name}\n        language: system\n        stages: [{name}]\n        always_run: true\n        \
             pass_filenames: {files}\n",
            id = id(hook),
            files = hook == GitHook::CommitMsg,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_what_is_looked_for() {
        for program in ["lefthook", "pre-commit", "prek"] {
            for hook in GitHook::ALL {
                assert!(is_told(program, &snippet(program, hook), hook), "{program} {hook:?}");
                for other in GitHook::ALL.into_iter().filter(|other| *other != hook) {
                    assert!(!is_told(program, &snippet(program, hook), other), "{program} {hook:?} {other:?}");
                }
            }
        }
        assert!(!is_told("lefthook", "# run: specward hook pre-commit", GitHook::PreCommit));
        assert!(!is_told("lefthook", "run: specward hook pre-push", GitHook::PrePush));
        assert!(is_told("pre-commit", "hooks: [{id: specward-verify}]", GitHook::PreCommit));
    }
}
