//! What a CI system says about the commits it runs for, and about whose they are.

mod github;
mod gitlab;
mod others;

use super::environment::Environment;

/// The CI's word on base and head, as revisions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CiWord {
    /// What to compare from.
    pub base: String,
    /// What to judge, when it is not the commit that is checked out.
    pub head: Option<String>,
    /// Where this comes from, for the report.
    pub source: String,
    /// The merge that the CI made to try the work out, when it made one. Where that is what is judged, its first parent is
    /// base.
    pub merge: Option<TestMerge>,
    /// The branch that the work is to be merged into, in full, where it is known to be that of the repository itself. What
    /// base has got since the event is agreed to as well.
    pub branch: Option<String>,
    /// Whether base is what a branch was at before somebody pushed to it: head has to have all of it then.
    pub is_before_push: bool,
}

/// A merge of the work into its target that a CI made to judge it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestMerge {
    /// The merge itself, where the CI names it.
    pub commit: Option<String>,
    /// What was merged: its second parent.
    pub head: String,
}

/// What an event is about: the commit that has to be judged for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The event, as its system calls it.
    pub event: String,
    /// Any of these commits is it.
    pub commits: Vec<String>,
    /// Whether a merge of it into something else is it too.
    pub may_be_merged: bool,
    /// What to do when another commit is checked out.
    pub fix: String,
}

impl CiWord {
    /// A base, and where it comes from.
    pub fn new(base: impl Into<String>, source: impl Into<String>) -> Self {
        Self { base: base.into(), source: source.into(), ..Self::default() }
    }
}

/// CI systems whose logs and files differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// GitHub Actions and what follows it, such as Forgejo's and Gitea's.
    Github,
    /// GitLab CI.
    Gitlab,
    /// Any other, or none.
    Other,
}

/// Which CI system this is.
pub fn system(env: &Environment) -> System {
    match () {
        () if env.is_set("GITHUB_ACTIONS") => System::Github,
        () if env.is_set("GITLAB_CI") => System::Gitlab,
        () => System::Other,
    }
}

/// Reads the CI's variables and event file. None when no CI speaks, or when it speaks of an event without a base (a
/// schedule, a new branch); an error when it names an event file that cannot be understood.
///
/// # Errors
/// A one-line reason.
pub fn word(env: &Environment) -> Result<Option<CiWord>, String> {
    if let Some(word) = github::word(env)? {
        return Ok(Some(word));
    }
    if let Some(word) = gitlab::word(env) {
        return Ok(Some(word));
    }
    if let Some(base) = env.get("PRE_COMMIT_FROM_REF") {
        let head = env.get("PRE_COMMIT_TO_REF").map(str::to_owned);
        return Ok(Some(CiWord { head, ..CiWord::new(base, "PRE_COMMIT_FROM_REF") }));
    }
    Ok(others::word(env))
}

/// The event this run is for, when it is about the default branch as a whole and has nothing to compare with: a schedule,
/// a run started by hand.
pub fn whole_tree_event(env: &Environment) -> Option<String> {
    match system(env) {
        System::Github => github::whole_tree_event(env),
        System::Gitlab => gitlab::whole_tree_event(env),
        System::Other => None,
    }
}

/// What has to be checked out for the event that this run is for. None where no event says so.
///
/// # Errors
/// A one-line reason, when an event file cannot be understood.
pub fn subject(env: &Environment) -> Result<Option<Subject>, String> {
    github::subject(env)
}

/// Whether this run is for a push of a tag, or of another branch than the default one: it may have no commit of its own.
pub fn is_push_beside_default(env: &Environment) -> bool {
    match system(env) {
        System::Github => github::is_push_beside_default(env),
        System::Gitlab => gitlab::is_push_beside_default(env),
        System::Other => false,
    }
}

/// The event this run is for, when that has secrets or rights which those must not get whose work may lie here: their
/// programs are not started then.
pub fn privileged_event(env: &Environment) -> Option<String> {
    github::privileged_event(env)
}

/// Whether the pull request that this run is for has a label of exactly that name. Only GitHub's own event file is asked:
/// a merge group and a push have no labels.
///
/// # Errors
/// A one-line reason, when there is an event file and it cannot be understood.
pub fn has_label(env: &Environment, name: &str) -> Result<bool, String> {
    github::has_label(env, name)
}

/// What to do about a clone without its history, in the words of the CI that made it.
pub fn shallow_fix(env: &Environment) -> String {
    format!("fetch the history: {}, or `git fetch --unshallow`", depth_setting(env))
}

/// What to do about a branch of the remote that was not fetched.
pub fn branch_fix(env: &Environment) -> String {
    format!("fetch it: {}, or `git fetch origin`; or name another with `--base REV`", depth_setting(env))
}

fn depth_setting(env: &Environment) -> &'static str {
    match system(env) {
        System::Github => "`fetch-depth: 0` in the checkout step",
        System::Gitlab => "`GIT_DEPTH: \"0\"` among the job's variables",
        System::Other => others::depth_setting(env).unwrap_or("`fetch-depth: 0` in the checkout step"),
    }
}

/// The branch of `origin` that a CI names, in full, so that no tag or branch of another name is taken for it.
fn remote_branch(name: &str) -> String {
    format!("refs/remotes/origin/{}", name.trim_start_matches("refs/heads/"))
}

/// Whether a commit id is one: CIs write zeros for none.
fn is_commit(id: &str) -> bool {
    id.bytes().any(|byte| byte != b'0')
}
