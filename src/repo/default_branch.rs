//! The branch that everybody's work is compared with.

use super::oid::Oid;
use super::scope::Undetermined;
use super::store::Store;

/// Names of it that are tried when nobody says which it is.
const USUAL: [&str; 2] = ["main", "master"];

/// The remote that is cloned from.
pub(super) const ORIGIN: &str = "origin";

/// The remote that people call so whose `origin` is a fork.
pub(super) const UPSTREAM: &str = "upstream";

/// Symbolic references that follow one another. Git follows no more.
const MAX_DEPTH: usize = 5;

/// A default branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    /// Its full name here.
    pub(super) name: String,
    /// Where it is.
    pub(super) commit: Oid,
}

impl Branch {
    /// Its full name where a remote has it, when it is known from that remote.
    pub(super) fn at_remote(&self, remote: &str) -> Option<String> {
        self.name.strip_prefix(&format!("refs/remotes/{remote}/")).map(|short| format!("refs/heads/{short}"))
    }

    /// Its name without what stands before it.
    pub(super) fn short(&self) -> &str {
        let known = ["refs/heads/", "refs/remotes/origin/", "refs/remotes/upstream/"];
        known.iter().find_map(|folder| self.name.strip_prefix(folder)).unwrap_or_else(|| {
            // Of another remote, whose name may have slashes as the branch's may.
            self.name.rsplit('/').next().unwrap_or_default()
        })
    }
}

/// Full names of references that may be it, the best first: what the remote says, then usual names there, then these here.
///
/// # Errors
/// When what the remote says is no branch of that remote.
pub(super) fn candidates(store: &dyn Store, remote: &str) -> Result<Vec<String>, Undetermined> {
    let mut names = names_at(store, remote)?;
    names.extend(usual());
    Ok(names)
}

/// Full names of branches here that may be it.
pub(super) fn usual() -> impl Iterator<Item = String> {
    USUAL.iter().map(|name| format!("refs/heads/{name}"))
}

/// Full names of what is followed of a remote that may be its default branch.
fn names_at(store: &dyn Store, remote: &str) -> Result<Vec<String>, Undetermined> {
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

/// Whether a word can be the name of a remote whose branches are followed.
pub(super) fn is_name(remote: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    !remote.is_empty() && !remote.starts_with(['/', '.']) && !remote.contains("..") && remote.chars().all(is_plain)
}

/// The default branch of a remote, as far as it is followed.
///
/// # Errors
/// See [`candidates`] and [`commit`].
pub(super) fn of_remote(store: &dyn Store, remote: &str) -> Result<Option<Branch>, Undetermined> {
    first(store, &names_at(store, remote)?)
}

/// Default branches whose commits were agreed to: of the remote that is cloned from, and of the project that it is a fork
/// of.
///
/// # Errors
/// See [`of_remote`].
pub(super) fn agreed(store: &dyn Store) -> Result<Vec<Branch>, Undetermined> {
    let found = [ORIGIN, UPSTREAM].into_iter().map(|remote| of_remote(store, remote));
    Ok(found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The default branch here.
///
/// # Errors
/// See [`commit`].
pub(super) fn own(store: &dyn Store) -> Result<Option<Branch>, Undetermined> {
    first(store, &usual().collect::<Vec<_>>())
}

/// [`agreed`], or [`own`] when there is none.
///
/// # Errors
/// See there.
pub(super) fn known(store: &dyn Store) -> Result<Vec<Branch>, Undetermined> {
    let agreed = agreed(store)?;
    if agreed.is_empty() { Ok(own(store)?.into_iter().collect()) } else { Ok(agreed) }
}

/// The first of some default branches that has a commit in its history.
pub(super) fn containing<'a>(store: &dyn Store, known: &'a [Branch], head: Oid) -> Option<&'a Branch> {
    let contains = |branch: &&Branch| {
        branch.commit == head || store.merge_bases(branch.commit, head).is_ok_and(|bases| bases.contains(&head))
    };
    known.iter().find(contains)
}

/// The default branch that a commit has most of: where one of two was left is in the history of where the other was.
pub(super) fn nearest<'a>(store: &dyn Store, known: &'a [Branch], head: Oid) -> Option<&'a Branch> {
    let mut nearest = known.first()?;
    let left = |branch: &Branch| store.merge_bases(branch.commit, head).ok()?.first().copied();
    for branch in &known[1..] {
        let is_nearer = match (left(nearest), left(branch)) {
            (Some(one), Some(other)) => {
                one != other && store.merge_bases(one, other).is_ok_and(|bases| bases.contains(&one))
            }
            (None, other) => other.is_some(),
            _ => false,
        };
        if is_nearer {
            nearest = branch;
        }
    }
    Some(nearest)
}

/// The full name of the reference that one leads to, itself when it follows none.
///
/// # Errors
/// When they follow one another for ever, or nearly.
pub(super) fn resolved(store: &dyn Store, name: &str) -> Result<String, Undetermined> {
    let mut at = name.to_owned();
    for _ in 0..MAX_DEPTH {
        match store.symbolic_target(&at)? {
            Some(target) => at = target,
            None => return Ok(at),
        }
    }
    Err(Undetermined::new(format!("{name} leads nowhere"), format!("run `git symbolic-ref --delete {name}`")))
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

/// The first of some branches that is there.
///
/// # Errors
/// See [`commit`].
pub(super) fn first(store: &dyn Store, names: &[String]) -> Result<Option<Branch>, Undetermined> {
    for name in names {
        if let Some(commit) = commit(store, name)? {
            return Ok(Some(Branch { name: name.clone(), commit }));
        }
    }
    Ok(None)
}
