//! Whether what is checked out is what the event of a CI is about.

use super::ci;
use super::environment::Environment;
use super::oid::Oid;
use super::open::Repository;
use super::scope::{self, Request, RequestKind, Undetermined};
use super::store::Store;

/// Holds the commit that is checked out against the one that the event is about. Another one says nothing of what is to be
/// let through: the base branch in place of a pull request's head, a repository that the pull request put into a folder.
///
/// # Errors
/// When it is another one, or when that cannot be told.
pub fn check(store: &dyn Store, head: Oid, env: &Environment) -> Result<(), Undetermined> {
    let subject = ci::subject(env).map_err(|reason| Undetermined::new(reason, "pass the base commit: `--base REV`"))?;
    let Some(subject) = subject else { return Ok(()) };
    let is_it = |commit: Oid| subject.commits.contains(&commit.to_string());
    if is_it(head) {
        return Ok(());
    }
    if subject.may_be_merged
        && let [_, merged] = store.commit(head)?.parents[..]
        && is_it(merged)
    {
        return Ok(());
    }
    let about = subject.commits.first().map(String::as_str).unwrap_or_default();
    let message =
        format!("what is checked out ({head}) is not what this event is about ({about}, says `{}`)", subject.event);
    Err(Undetermined::new(message, subject.fix))
}

/// Why the whole tree is to be judged in this CI run, when there is nothing that it could be compared with: the event is
/// about everything, or a tag or branch was pushed that has no commit of its own. None when something is to be compared,
/// or when another commit is checked out than the event is about.
pub fn whole_tree(repository: &Repository, env: &Environment) -> Option<String> {
    let head = repository.store().head().ok()?.commit?;
    if let Some(event) = ci::whole_tree_event(env) {
        check(repository.store(), head, env).ok()?;
        return Some(format!(
            "the event `{event}` has no base: the whole tree was judged, and edits of the spec were not looked for"
        ));
    }
    if !ci::is_push_beside_default(env) {
        return None;
    }
    let request = Request { kind: RequestKind::Changed, ..Request::default() };
    let comparison = scope::resolve(repository, env, &request).ok()?;
    (comparison.base == Some(head)).then(|| {
        format!(
            "head has no commit that base has not, which is the {}: the whole tree was judged, and no edit was pushed",
            comparison.base_source
        )
    })
}
