//! GitLab CI: its variables.

use super::{CiWord, is_commit, remote_branch};
use crate::repo::environment::Environment;

pub(super) fn word(env: &Environment) -> Option<CiWord> {
    // Where the target was merged in to try the work out, the commit it was at: its own later edits are nobody's here.
    for name in ["CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "CI_MERGE_REQUEST_DIFF_BASE_SHA"] {
        if let Some(base) = env.get(name) {
            return Some(CiWord::new(base, name));
        }
    }
    if !env.is_set("GITLAB_CI") {
        return None;
    }
    let (branch, default) = (env.get("CI_COMMIT_BRANCH"), env.get("CI_DEFAULT_BRANCH")?);
    if branch == Some(default) {
        let before = env.get("CI_COMMIT_BEFORE_SHA").filter(|before| is_commit(before))?;
        return Some(CiWord { is_before_push: true, ..CiWord::new(before, "CI_COMMIT_BEFORE_SHA") });
    }
    // What was pushed before to a branch of its own is as much its work as what is pushed now.
    Some(CiWord::new(remote_branch(default), "CI_DEFAULT_BRANCH"))
}

pub(super) fn whole_tree_event(env: &Environment) -> Option<String> {
    let source = env.get("CI_PIPELINE_SOURCE")?;
    let is_default = env.get("CI_COMMIT_BRANCH").is_some_and(|branch| Some(branch) == env.get("CI_DEFAULT_BRANCH"));
    (is_default && matches!(source, "schedule" | "web" | "api" | "trigger" | "pipeline")).then(|| source.to_owned())
}

pub(super) fn is_push_beside_default(env: &Environment) -> bool {
    env.get("CI_PIPELINE_SOURCE") == Some("push")
        && env.get("CI_DEFAULT_BRANCH").is_some_and(|default| env.get("CI_COMMIT_BRANCH") != Some(default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases() {
        let of = |variables: &[(&str, &str)]| {
            let variables = [("GITLAB_CI", "true"), ("CI_DEFAULT_BRANCH", "main")].iter().chain(variables);
            word(&variables.copied().collect()).map(|word| (word.base, word.source))
        };
        let diff = ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "abc");
        let is = |base: &str, source: &str| Some((base.to_owned(), source.to_owned()));
        assert_eq!(of(&[diff]), is("abc", "CI_MERGE_REQUEST_DIFF_BASE_SHA"));
        let merged = [diff, ("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "def")];
        assert_eq!(of(&merged), is("def", "CI_MERGE_REQUEST_TARGET_BRANCH_SHA"));
        assert_eq!(of(&[diff, ("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "")]), is("abc", diff.0));
        let before = ("CI_COMMIT_BEFORE_SHA", "123");
        assert_eq!(of(&[before, ("CI_COMMIT_BRANCH", "main")]), is("123", before.0));
        assert_eq!(of(&[before, ("CI_COMMIT_BRANCH", "work")]), is("refs/remotes/origin/main", "CI_DEFAULT_BRANCH"));
        assert_eq!(of(&[("CI_COMMIT_BEFORE_SHA", "0000"), ("CI_COMMIT_BRANCH", "main")]), None);
    }

    #[test]
    fn events_about_everything() {
        let of = |source: &str, branch: &str| {
            let variables =
                [("CI_PIPELINE_SOURCE", source), ("CI_COMMIT_BRANCH", branch), ("CI_DEFAULT_BRANCH", "main")];
            whole_tree_event(&variables.into_iter().collect()).is_some()
        };
        assert!(of("schedule", "main") && of("web", "main"));
        assert!(!of("schedule", "work") && !of("push", "main") && !of("schedule", ""));
    }
}
