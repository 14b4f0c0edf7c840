//! The branch that everybody's work is compared with.

use super::oid::Oid;
use super::scope::Undetermined;
use super::store::Store;

/// Names of it that are tried when nobody says which it is.
const USUAL: [&str; 2] = ["main", "master"];

/// Full names of references that may be it, the best first: what the remote says, then usual names there, then these here.
///
/// # Errors
/// When what the remote says is no branch of that remote.
pub(super) fn candidates(store: &dyn Store, remote: &str) -> Result<Vec<String>, Undetermined> {
    let mut names = of_remote(store, remote)?;
    names.extend(USUAL.iter().map(|name| format!("refs/heads/{name}")));
    Ok(names)
}

/// Full names of what is followed of a remote that may be its default branch.
///
/// # Errors
/// See [`candidates`].
pub(super) fn of_remote(store: &dyn Store, remote: &str) -> Result<Vec<String>, Undetermined> {
    // A push may name a place in place of a remote.
    if !is_name(remote) {
        return Ok(Vec::new());
    }
    let folder = format!("refs/remotes/{remote}/");
    let said = store.symbolic_target(&format!("{folder}HEAD"))?;
    if let Some(target) = said.as_ref().filter(|target| !target.starts_with(&folder)) {
        let message = format!("{remote}/HEAD points to {target}, which is no branch of {remote}");
        return Err(Undetermined::new(message, format!("run `git remote set-head {remote} --auto`")));
    }
    Ok(said.into_iter().chain(USUAL.iter().map(|name| format!("{folder}{name}"))).collect())
}

fn is_name(remote: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    !remote.is_empty() && !remote.starts_with(['/', '.']) && !remote.contains("..") && remote.chars().all(is_plain)
}

/// The commit of a branch by its full name. None when there is no such branch.
///
/// # Errors
/// When it follows another reference: it would go wherever that one goes.
pub(super) fn commit(store: &dyn Store, name: &str) -> Result<Option<Oid>, Undetermined> {
    let Some(commit) = store.reference(name)? else { return Ok(None) };
    // Git keeps commits in these. One that follows another reference goes wherever that one goes.
    if let Some(target) = store.symbolic_target(name)? {
        let message = format!("{name} is not a branch but points to {target}");
        return Err(Undetermined::new(message, format!("run `git symbolic-ref --delete {name}` and fetch")));
    }
    Ok(Some(commit))
}

/// The first of some branches that is there, with its commit.
///
/// # Errors
/// See [`commit`].
pub(super) fn first(store: &dyn Store, names: &[String]) -> Result<Option<(String, Oid)>, Undetermined> {
    for name in names {
        if let Some(commit) = commit(store, name)? {
            return Ok(Some((name.clone(), commit)));
        }
    }
    Ok(None)
}
