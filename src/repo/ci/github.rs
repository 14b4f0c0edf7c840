//! GitHub Actions: its variables and the file that tells the event.

use std::path::Path;

use serde_json::Value;

use super::{CiWord, TestMerge, is_commit, remote_branch};
use crate::repo::environment::Environment;

/// Events about a pull request that GitHub makes a test merge for.
const PULL_REQUEST: [&str; 3] = ["pull_request", "pull_request_review", "pull_request_review_comment"];

/// Events that anybody can cause and that run with the secrets and rights of the repository.
const PRIVILEGED: [&str; 2] = ["pull_request_target", "workflow_run"];

pub(super) fn word(env: &Environment) -> Result<Option<CiWord>, String> {
    if let (Some(name), Some(path)) = (env.get("GITHUB_EVENT_NAME"), env.path("GITHUB_EVENT_PATH")) {
        let event = read_event(&path)?;
        let at = |pointer: &str| text(&event, pointer);
        let is_pull_request = PULL_REQUEST.contains(&name);
        let base = match name {
            "pull_request_target" => at("/pull_request/base/sha"),
            _ if is_pull_request => at("/pull_request/base/sha"),
            "merge_group" => at("/merge_group/base_sha"),
            // All zeros: the branch is new, and the default branch is what it is compared with.
            // What was pushed before to a branch of its own is as much its work as what is pushed now.
            "push" if is_other_branch(&event) => None,
            "push" => at("/before").filter(|before| is_commit(before)),
            _ => None,
        };
        if let Some(base) = base {
            let merge = env.get("GITHUB_SHA").zip(at("/pull_request/head/sha")).filter(|_| is_pull_request);
            return Ok(Some(CiWord {
                merge: merge.map(|(commit, head)| TestMerge { commit: commit.to_owned(), head: head.to_owned() }),
                is_before_push: name == "push",
                ..CiWord::new(base, format!("the event file of {name}"))
            }));
        }
        if (is_pull_request || matches!(name, "pull_request_target" | "merge_group"))
            && env.get("GITHUB_BASE_REF").is_none()
        {
            return Err(format!("the event file {} has no base commit for {name}", path.display()));
        }
    }
    let Some(branch) = env.get("GITHUB_BASE_REF") else { return Ok(None) };
    Ok(Some(CiWord::new(remote_branch(branch), "GITHUB_BASE_REF")))
}

/// Whether a push event says that it is for another branch than the default one.
fn is_other_branch(event: &Value) -> bool {
    matches!((text(event, "/ref"), default_branch(event)), (Some(pushed), Some(default)) if pushed != default)
}

fn default_branch(event: &Value) -> Option<String> {
    text(event, "/repository/default_branch").map(|branch| format!("refs/heads/{branch}"))
}

pub(super) fn whole_tree_event(env: &Environment) -> Option<String> {
    let name = env.get("GITHUB_EVENT_NAME")?;
    match name {
        "schedule" | "repository_dispatch" => Some(name.to_owned()),
        "workflow_dispatch" => {
            let event = read_event(&env.path("GITHUB_EVENT_PATH")?).ok()?;
            // On a branch of its own there is work to compare with the default branch.
            (default_branch(&event)? == env.get("GITHUB_REF")?).then(|| name.to_owned())
        }
        _ => None,
    }
}

pub(super) fn privileged_event(env: &Environment) -> Option<String> {
    let name = env.get("GITHUB_EVENT_NAME")?;
    let is_on_pull_request = || {
        // Whoever comments on a pull request can have its head checked out. What cannot be read may be one.
        let event = env.path("GITHUB_EVENT_PATH").and_then(|path| read_event(&path).ok());
        event.is_none_or(|event| event.pointer("/issue/pull_request").is_some_and(|link| !link.is_null()))
    };
    (PRIVILEGED.contains(&name) || name == "issue_comment" && is_on_pull_request()).then(|| name.to_owned())
}

pub(super) fn has_label(env: &Environment, name: &str) -> Result<bool, String> {
    let is_pull_request = env.get("GITHUB_EVENT_NAME").is_some_and(|event| event.starts_with("pull_request"));
    let Some(path) = env.path("GITHUB_EVENT_PATH").filter(|_| is_pull_request && !name.is_empty()) else {
        return Ok(false);
    };
    let event = read_event(&path)?;
    let labels = event.pointer("/pull_request/labels").and_then(Value::as_array);
    Ok(labels.into_iter().flatten().any(|label| label["name"] == name))
}

/// A text of the event that is not empty.
fn text<'a>(event: &'a Value, pointer: &str) -> Option<&'a str> {
    event.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn read_event(path: &Path) -> Result<Value, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("GITHUB_EVENT_PATH {}: {error}", path.display()))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("GITHUB_EVENT_PATH {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks with variables and an event file.
    fn asked<T>(variables: &[(&str, &str)], event: &str, ask: impl Fn(&Environment) -> T) -> T {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), event).unwrap();
        let path = file.path().display().to_string();
        let all = variables.iter().copied().chain([("GITHUB_EVENT_PATH", path.as_str())]);
        ask(&all.collect())
    }

    #[test]
    fn bases() {
        let base =
            |name, event| asked(&[("GITHUB_EVENT_NAME", name)], event, word).map(|word| word.map(|word| word.base));
        assert_eq!(base("pull_request", r#"{"pull_request":{"base":{"sha":"abc"}}}"#), Ok(Some("abc".into())));
        assert_eq!(base("merge_group", r#"{"merge_group":{"base_sha":"def"}}"#), Ok(Some("def".into())));
        assert_eq!(base("push", r#"{"before":"123"}"#), Ok(Some("123".into())));
        assert_eq!(base("push", r#"{"before":"0000"}"#), Ok(None));
        let pushed = |branch: &str| {
            format!(r#"{{"before":"123","ref":"refs/heads/{branch}","repository":{{"default_branch":"main"}}}}"#)
        };
        let (main, work) = (pushed("main"), pushed("work"));
        assert_eq!(base("push", &main), Ok(Some("123".into())));
        assert_eq!(base("push", &work), Ok(None));
        assert_eq!(base("schedule", "{}"), Ok(None));
        assert!(base("pull_request", "{}").is_err());
        assert!(base("pull_request", "{").is_err());
    }

    #[test]
    fn test_merges() {
        let merge = |name| {
            let event = r#"{"pull_request":{"base":{"sha":"abc"},"head":{"sha":"def"}}}"#;
            let variables = [("GITHUB_EVENT_NAME", name), ("GITHUB_SHA", "012")];
            asked(&variables, event, word).unwrap().unwrap().merge
        };
        assert_eq!(merge("pull_request"), Some(TestMerge { commit: "012".into(), head: "def".into() }));
        // There GITHUB_SHA is the base branch.
        assert_eq!(merge("pull_request_target"), None);
    }

    #[test]
    fn events_with_rights() {
        let of = |name, event| asked(&[("GITHUB_EVENT_NAME", name)], event, privileged_event).is_some();
        assert!(of("pull_request_target", "{}") && of("workflow_run", "{"));
        assert!(of("issue_comment", r#"{"issue":{"pull_request":{"url":"x"}}}"#) && of("issue_comment", "{"));
        assert!(!of("issue_comment", r#"{"issue":{}}"#) && !of("issue_comment", r#"{"issue":{"pull_request":null}}"#));
        assert!(!of("pull_request", "{}") && !of("push", "{}") && !of("merge_group", "{}"));
    }

    #[test]
    fn events_about_everything() {
        let of = |name, branch| {
            let variables = [("GITHUB_EVENT_NAME", name), ("GITHUB_REF", branch)];
            asked(&variables, r#"{"repository":{"default_branch":"main"}}"#, whole_tree_event).is_some()
        };
        assert!(of("schedule", "refs/heads/main") && of("workflow_dispatch", "refs/heads/main"));
        assert!(!of("workflow_dispatch", "refs/heads/work") && !of("push", "refs/heads/main"));
    }

    #[test]
    fn labels() {
        let has =
            |name, event, label| asked(&[("GITHUB_EVENT_NAME", name)], event, |env| has_label(env, label)).unwrap();
        let event = r#"{"pull_request":{"labels":[{"name":"bug"},{"name":"spec change"},{"name":""}]}}"#;
        assert!(has("pull_request", event, "spec change"));
        for other in ["spec", "Spec Change", "", "spec change "] {
            assert!(!has("pull_request", event, other), "{other}");
        }
        assert!(!has("merge_group", event, "bug") && !has("push", event, "bug"));
        assert!(asked(&[("GITHUB_EVENT_NAME", "pull_request")], "{", |env| has_label(env, "bug")).is_err());
    }
}
