//! GitHub Actions: its variables and the file that tells the event.

use std::path::Path;

use serde_json::Value;

use super::{CiWord, Subject, TestMerge, is_commit, remote_branch};
use crate::repo::environment::Environment;

/// Events about a pull request that GitHub makes a test merge for.
const PULL_REQUEST: [&str; 3] = ["pull_request", "pull_request_review", "pull_request_review_comment"];

/// Events that anybody can cause and that run with the secrets and rights of the repository.
const PRIVILEGED: [&str; 2] = ["pull_request_target", "workflow_run"];

/// Where a job leaves what is checked out as the runner's own step has it.
const CHECK_OUT: &str = "check that out: no `ref` and no `repository` in the checkout step, and no `working-directory` in \
                         another repository; or name what is meant: `--base REV --head REV`";

/// For an event whose own checkout is the base branch.
const CHECK_OUT_HEAD: &str = "check out its head: `ref: ${{ github.event.pull_request.head.sha }}` with \
                              `persist-credentials: false`, and judge with `checks: false` (`--no-checks`); or name what \
                              is meant: `--base REV --head REV`";

pub(super) fn word(env: &Environment) -> Result<Option<CiWord>, String> {
    let base_ref = env.get("GITHUB_BASE_REF").map(|branch| CiWord::new(remote_branch(branch), "GITHUB_BASE_REF"));
    let (Some(name), Some(path)) = (env.get("GITHUB_EVENT_NAME"), env.path("GITHUB_EVENT_PATH")) else {
        return Ok(base_ref);
    };
    let event = read_event(&path)?;
    let at = |pointer: &str| text(&event, pointer);
    let source = format!("the event file of {name}");
    if is_about_pull_request(name) {
        let Some(base) = at("/pull_request/base/sha") else { return base_ref.map(Some).ok_or(no_base(&path, name)) };
        let commit = env.get("GITHUB_SHA").filter(|_| PULL_REQUEST.contains(&name)).map(str::to_owned);
        let merge = at("/pull_request/head/sha").map(|head| TestMerge { commit, head: head.to_owned() });
        let branch = at("/pull_request/base/ref").filter(|_| !is_of_fork(&event)).map(remote_branch);
        return Ok(Some(CiWord { merge, branch, ..CiWord::new(base, source) }));
    }
    if name == "merge_group" {
        let base = at("/merge_group/base_sha").map(|base| CiWord::new(base, source));
        return base.or(base_ref).map(Some).ok_or(no_base(&path, name));
    }
    // All zeros: the branch is new, and the default branch is what it is compared with.
    // What was pushed before to a branch of its own is as much its work as what is pushed now.
    let before = at("/before").filter(|before| name == "push" && is_commit(before) && !is_other_reference(&event));
    if let Some(before) = before {
        return Ok(Some(CiWord { is_before_push: true, ..CiWord::new(before, source) }));
    }
    let repository = |pointer: &str| at(&format!("{pointer}/full_name"));
    if repository("/workflow_run/head_repository").is_some_and(|of| Some(of) != repository("/repository")) {
        return Err(format!("the event {name} is about a fork, whose own branches `origin` may have"));
    }
    let default = at("/repository/default_branch");
    let default = default.map(|branch| CiWord::new(remote_branch(branch), format!("default branch of {source}")));
    Ok(default.or(base_ref))
}

fn no_base(path: &Path, name: &str) -> String {
    format!("the event file {} has no base commit for {name}", path.display())
}

fn is_about_pull_request(name: &str) -> bool {
    PULL_REQUEST.contains(&name) || name == "pull_request_target"
}

/// Whether a pull request comes from another repository, or from one that nobody knows any more. A job may have cloned
/// that one, and the branches of `origin` are its author's then.
fn is_of_fork(event: &Value) -> bool {
    let of = |side: &str| text(event, &format!("/pull_request/{side}/repo/full_name"));
    of("head").is_none() || of("head") != of("base")
}

pub(super) fn subject(env: &Environment) -> Result<Option<Subject>, String> {
    let (Some(name), Some(path)) = (env.get("GITHUB_EVENT_NAME"), env.path("GITHUB_EVENT_PATH")) else {
        return Ok(None);
    };
    let event = read_event(&path)?;
    let at = |pointer: &str| text(&event, pointer).map(str::to_owned);
    let sha = env.get("GITHUB_SHA").map(str::to_owned);
    let (commits, may_be_merged, fix) = match name {
        _ if is_about_pull_request(name) => {
            let head = at("/pull_request/head/sha");
            let head =
                head.ok_or_else(|| format!("the event file {} has no head commit for {name}", path.display()))?;
            let fix = if name == "pull_request_target" { CHECK_OUT_HEAD } else { CHECK_OUT };
            (vec![head], true, fix)
        }
        "merge_group" => (at("/merge_group/head_sha").or(sha).into_iter().collect(), false, CHECK_OUT),
        // There GITHUB_SHA is the default branch.
        "workflow_run" => (at("/workflow_run/head_sha").or(sha).into_iter().collect(), true, CHECK_OUT),
        "push" => (sha.into_iter().chain(at("/after")).collect(), false, CHECK_OUT),
        _ => (sha.into_iter().collect::<Vec<_>>(), false, CHECK_OUT),
    };
    let subject = Subject { event: name.to_owned(), commits, may_be_merged, fix: fix.to_owned() };
    Ok(Some(subject).filter(|subject| !subject.commits.is_empty()))
}

pub(super) fn is_push_beside_default(env: &Environment) -> bool {
    let event = || read_event(&env.path("GITHUB_EVENT_PATH")?).ok();
    env.get("GITHUB_EVENT_NAME") == Some("push") && event().is_some_and(|event| is_other_reference(&event))
}

/// Whether a push event says that it is for a tag, or for another branch than the default one.
fn is_other_reference(event: &Value) -> bool {
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
        let default = Ok(Some("refs/remotes/origin/main".into()));
        assert_eq!(base("push", &work), default);
        assert_eq!(base("schedule", "{}"), Ok(None));
        let said = r#"{"repository":{"default_branch":"main","full_name":"a/b"}}"#;
        for name in ["schedule", "workflow_dispatch", "workflow_run", "issue_comment", "release"] {
            assert_eq!(base(name, said), default, "{name}");
        }
        // The work of a fork may lie in a clone of the fork.
        let fork = r#"{"workflow_run":{"head_repository":{"full_name":"c/b"}},"repository":{"default_branch":"main"}}"#;
        assert!(base("workflow_run", fork).is_err());
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
        assert_eq!(merge("pull_request"), Some(TestMerge { commit: Some("012".into()), head: "def".into() }));
        // There GITHUB_SHA is the base branch.
        assert_eq!(merge("pull_request_target"), Some(TestMerge { commit: None, head: "def".into() }));
    }

    #[test]
    fn base_branches_of_the_repository_itself() {
        let branch = |head: &str| {
            let event = format!(
                r#"{{"pull_request":{{"base":{{"sha":"abc","ref":"main","repo":{{"full_name":"a/b"}}}},"head":{head}}}}}"#
            );
            asked(&[("GITHUB_EVENT_NAME", "pull_request")], &event, word).unwrap().unwrap().branch
        };
        assert_eq!(branch(r#"{"repo":{"full_name":"a/b"}}"#), Some("refs/remotes/origin/main".into()));
        for other in [r#"{"repo":{"full_name":"c/b"}}"#, r#"{"repo":null}"#, "{}"] {
            assert_eq!(branch(other), None, "{other}");
        }
    }

    #[test]
    fn what_an_event_is_about() {
        let of = |name: &str, event: &str| {
            let variables = [("GITHUB_EVENT_NAME", name), ("GITHUB_SHA", "012")];
            asked(&variables, event, subject).map(|subject| subject.map(|it| (it.commits.join(" "), it.may_be_merged)))
        };
        let is = |commits: &str, may_be_merged| Ok(Some((commits.to_owned(), may_be_merged)));
        let request = r#"{"pull_request":{"head":{"sha":"def"}}}"#;
        for name in ["pull_request", "pull_request_target", "pull_request_review"] {
            assert_eq!(of(name, request), is("def", true), "{name}");
            assert!(of(name, "{}").is_err() && of(name, "{").is_err());
        }
        assert_eq!(of("merge_group", r#"{"merge_group":{"head_sha":"def"}}"#), is("def", false));
        assert_eq!(of("workflow_run", r#"{"workflow_run":{"head_sha":"def"}}"#), is("def", true));
        assert_eq!(of("push", r#"{"after":"def"}"#), is("012 def", false));
        assert_eq!(of("issue_comment", "{}"), is("012", false));
        assert_eq!(asked(&[("GITHUB_EVENT_NAME", "schedule")], "{}", subject), Ok(None));
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
