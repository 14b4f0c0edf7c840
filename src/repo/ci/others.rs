//! Jenkins, Azure Pipelines, Bitbucket Pipelines and Buildkite: what they say of a pull request.

use super::{CiWord, remote_branch};
use crate::repo::environment::Environment;

pub(super) fn word(env: &Environment) -> Option<CiWord> {
    if let Some(base) = env.get("BITBUCKET_PR_DESTINATION_COMMIT") {
        return Some(CiWord::new(base, "BITBUCKET_PR_DESTINATION_COMMIT"));
    }
    let has = |name: &str| env.is_set(name);
    let branch = |name: &str| env.get(name).map(|branch| CiWord::new(remote_branch(branch), name));
    match () {
        () if has("CHANGE_ID") => branch("CHANGE_TARGET"),
        () if has("TF_BUILD") => branch("SYSTEM_PULLREQUEST_TARGETBRANCH"),
        // Its number, or `false`.
        () if has("BUILDKITE_PULL_REQUEST") => branch("BUILDKITE_PULL_REQUEST_BASE_BRANCH"),
        () => None,
    }
}

/// How a CI is told to fetch the whole history, where it is told in its own way.
pub(super) fn depth_setting(env: &Environment) -> Option<&'static str> {
    match () {
        () if env.is_set("TF_BUILD") => Some("`fetchDepth: 0` in the checkout step"),
        () if env.get("BITBUCKET_BUILD_NUMBER").is_some() => Some("`clone: { depth: full }` in the step"),
        () if env.get("JENKINS_URL").is_some() => Some("no `shallow` in the checkout's clone options"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{shallow_fix, word};

    #[test]
    fn bases() {
        let of = |variables: &[(&str, &str)]| {
            word(&variables.iter().copied().collect()).map(|word| word.map(|word| word.base))
        };
        let main = Ok(Some("refs/remotes/origin/main".to_owned()));
        assert_eq!(of(&[("GITHUB_BASE_REF", "main")]), main);
        assert_eq!(of(&[("CI_MERGE_REQUEST_DIFF_BASE_SHA", "abc")]), Ok(Some("abc".into())));
        assert_eq!(of(&[("PRE_COMMIT_FROM_REF", "abc")]), Ok(Some("abc".into())));
        assert_eq!(of(&[("CI", "true")]), Ok(None));
        assert_eq!(of(&[("CHANGE_ID", "7"), ("CHANGE_TARGET", "main")]), main);
        assert_eq!(of(&[("CHANGE_TARGET", "main")]), Ok(None));
        let azure = "SYSTEM_PULLREQUEST_TARGETBRANCH";
        assert_eq!(of(&[("TF_BUILD", "True"), (azure, "refs/heads/main")]), main);
        assert_eq!(of(&[("TF_BUILD", "True"), (azure, "main")]), main);
        assert_eq!(of(&[("BITBUCKET_PR_DESTINATION_COMMIT", "0123456789ab")]), Ok(Some("0123456789ab".into())));
        let base = ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main");
        assert_eq!(of(&[("BUILDKITE_PULL_REQUEST", "7"), base]), main);
        assert_eq!(of(&[("BUILDKITE_PULL_REQUEST", "false"), base]), Ok(None));
    }

    #[test]
    fn histories_that_are_missing() {
        let fix = |name: &str, value: &str| shallow_fix(&[(name, value)].into_iter().collect());
        assert!(fix("GITHUB_ACTIONS", "true").contains("fetch-depth: 0"));
        assert!(fix("GITLAB_CI", "true").contains("GIT_DEPTH: \"0\""));
        assert!(fix("TF_BUILD", "True").contains("fetchDepth: 0"));
        assert!(fix("BITBUCKET_BUILD_NUMBER", "1").contains("depth: full"));
        assert!(fix("HOME", "x").contains("git fetch --unshallow"));
    }
}
