//! What a manager's own file has it run for one of git's hooks.

use std::path::Path;

use serde_json::Value;

use super::GitHook;
use super::call::{Call, call};
use super::locate::ManagerConfig;
use crate::doctor::reading;

/// A manager's file. Null when there is none.
///
/// # Errors
/// When it cannot be read, or not understood.
pub(super) fn read(config: &ManagerConfig, top: &Path) -> Result<Value, String> {
    let Some(file) = config.path else { return Ok(Value::Null) };
    let path = top.join(file);
    let value = match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => reading::toml(&path)?,
        Some("json" | "jsonc") => reading::json(&path)?,
        _ => reading::yaml(&path)?,
    };
    Ok(value.unwrap_or_default())
}

/// Whether a manager's file has ours called for a hook, so that it judges.
pub(super) fn is_told(program: &str, config: &Value, hook: GitHook) -> bool {
    if program == "lefthook" {
        return field(config, hook.id()).is_some_and(|it| !is_true(it, "skip") && is_told_lefthook(it, hook));
    }
    let usual = field(config, "default_stages");
    let repos = items(config, "repos");
    repos.iter().any(|repo| items(repo, "hooks").iter().any(|it| is_ours(repo, it, usual, hook)))
}

/// Whether a hook or a group of lefthook's has a job that calls ours.
fn is_told_lefthook(group: &Value, hook: GitHook) -> bool {
    let commands = field(group, "commands").and_then(Value::as_object);
    let jobs = items(group, "jobs").iter().chain(commands.into_iter().flat_map(|commands| commands.values()));
    jobs.filter(|job| !is_true(job, "skip")).any(|job| {
        let is_called = text(job, "run").is_some_and(|run| call(run, hook) != Call::None);
        // Without standard input there is nothing to tell what is pushed by.
        let is_fed = hook != GitHook::PrePush || is_true(job, "use_stdin");
        is_called && is_fed || field(job, "group").is_some_and(|group| is_told_lefthook(group, hook))
    })
}

/// Whether an entry of pre-commit's is ours, for a hook of git's.
fn is_ours(repo: &Value, entry: &Value, usual: Option<&Value>, hook: GitHook) -> bool {
    let is_local = text(repo, "repo") == Some("local");
    let is_ours = match text(entry, "entry") {
        Some(command) => call(command, hook) != Call::None,
        // What a repository of hooks calls so is ours; a local one without a command is nothing.
        None => {
            !is_local && text(entry, "id").is_some_and(|name| name.strip_suffix("-system").unwrap_or(name) == id(hook))
        }
    };
    let old = hook.id().strip_prefix("pre-").unwrap_or(hook.id());
    let is_stage = |stages: &Value| {
        let stages = stages.as_array().map(Vec::as_slice).unwrap_or_default();
        stages.is_empty() || stages.iter().any(|stage| stage == hook.id() || stage == old)
    };
    let stages = field(entry, "stages").or(usual.filter(|_| is_local));
    is_ours && stages.is_none_or(is_stage)
}

/// Our name for a hook in `.pre-commit-hooks.yaml`.
pub(super) fn id(hook: GitHook) -> &'static str {
    match hook {
        GitHook::PreCommit => "specward-verify",
        GitHook::PrePush => "specward-verify-push",
        GitHook::CommitMsg => "specward-commit-msg",
    }
}

/// What a key holds, also where it comes by a merge of another place.
fn field<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    value.get(key).or_else(|| value.get("<<")?.get(key))
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    field(value, key).and_then(Value::as_str)
}

fn is_true(value: &Value, key: &str) -> bool {
    field(value, key).and_then(Value::as_bool).unwrap_or(false)
}

fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    field(value, key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openspec::yaml;

    fn told(program: &str, text: &str) -> Vec<GitHook> {
        let config = yaml::parse(text).expect("YAML");
        GitHook::ALL.into_iter().filter(|hook| is_told(program, &config, *hook)).collect()
    }

    #[test]
    fn pre_commit() {
        let of = |text: &str| told("pre-commit", text);
        assert_eq!(of("repos: [{repo: x, hooks: [{id: specward-verify}]}]"), [GitHook::PreCommit]);
        assert_eq!(of("repos: [{repo: x, hooks: [{id: specward-verify-push-system}]}]"), [GitHook::PrePush]);
        assert_eq!(
            of("default_stages: [pre-commit]\nrepos: [{repo: x, hooks: [{id: specward-verify-push}]}]"),
            [GitHook::PrePush]
        );
        assert_eq!(
            of("repos: [{repo: local, hooks: [{id: x, entry: specward hook pre-push, stages: [push]}]}]"),
            [GitHook::PrePush]
        );
        for nothing in [
            "",
            "ci: {skip: [specward-verify]}\nrepos: []",
            "# - id: specward-verify\nrepos: []",
            "repos: [{repo: local, hooks: [{id: specward-verify}]}]",
            "repos: [{repo: x, hooks: [{id: specward-verify, entry: 'true'}]}]",
            "repos: [{repo: x, hooks: [{id: specward-verify, stages: [manual]}]}]",
            "default_stages: [manual]\nrepos: [{repo: local, hooks: [{id: x, entry: specward hook pre-push}]}]",
            "repos: [{repo: local, hooks: [{id: x, name: specward hook pre-commit, entry: 'true'}]}]",
        ] {
            assert_eq!(of(nothing), [], "{nothing}");
        }
    }

    #[test]
    fn lefthook() {
        let of = |text: &str| told("lefthook", text);
        assert_eq!(of("pre-commit: {commands: {a: {run: specward hook pre-commit}}}"), [GitHook::PreCommit]);
        let fed = "pre-push: {jobs: [{group: {jobs: [{run: 'specward hook pre-push {1} {2}', use_stdin: true}]}}]}";
        assert_eq!(of(fed), [GitHook::PrePush]);
        for nothing in [
            "commit-msg: {jobs: [{run: specward hook pre-commit}]}",
            "pre-push: {jobs: [{run: specward hook pre-push}, {run: cat, use_stdin: true}]}",
            "pre-push: {jobs: [{run: specward hook pre-push, use_stdin: false}]}",
            "pre-commit: {jobs: [{run: specward hook pre-commit, skip: true}]}",
            "pre-commit: {skip: true, jobs: [{run: specward hook pre-commit}]}",
            "pre-commit: {jobs: [{run: \"# specward hook pre-commit\\n\"}]}",
        ] {
            assert_eq!(of(nothing), [], "{nothing}");
        }
    }
}
