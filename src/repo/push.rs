//! What a push changes, and what that is compared with.

use super::default_branch;
use super::environment::Environment;
use super::oid::Oid;
use super::open::Repository;
use super::scope::{self, Comparison, HeadSide, Undetermined};
use super::store::{GitError, Store};

/// One reference that a push changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The name of what is pushed, on this side. Empty when there is none.
    pub local: String,
    /// What the reference will be. Zeros when it is deleted.
    pub new: String,
    /// The full name of the reference, where it goes to.
    pub remote: String,
    /// What the reference is there. Zeros when it is not there yet.
    pub old: String,
}

/// What is to be done about an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// Nothing, for a reason.
    Nothing(String),
    /// The default branch would be gone, which is at this commit: nothing could be compared with it any more.
    DeletesDefault(Oid),
    /// These are compared.
    Compare {
        /// Base and head.
        comparison: Comparison,
        /// Whether they have no commit in common.
        is_unrelated: bool,
    },
}

/// Where a push goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The full name of the default branch, where the push goes. None when the push goes elsewhere than to where the
    /// default branch is known from.
    name: Option<String>,
    /// What the default branch is called here, and where it is.
    default: Option<(String, Oid)>,
    /// Whether it is what the other side was seen to have, and no branch of one's own.
    is_agreed: bool,
    /// Whether this is where the push goes to.
    is_here: bool,
}

impl Target {
    /// A remote, by its name or place, as this repository knows it.
    ///
    /// # Errors
    /// When its default branch cannot be told.
    pub fn remote(repository: &Repository, remote: Option<&str>) -> Result<Self, Undetermined> {
        let store = repository.store();
        let remote = remote.unwrap_or(ORIGIN);
        // A fork is pushed to as well, and its default branch is behind or ahead of the one work is merged to.
        for (of, is_it) in [(ORIGIN, remote == ORIGIN), (remote, true)] {
            let found = default_branch::first(store, &default_branch::of_remote(store, of)?)?;
            if let Some((name, commit)) = found {
                let there = is_it.then(|| name.replacen(&format!("refs/remotes/{of}/"), HEADS, 1));
                return Ok(Self { name: there, default: Some((name, commit)), is_agreed: true, is_here: false });
            }
        }
        let default = default_branch::first(store, &default_branch::candidates(store, remote)?)?;
        let name = default.as_ref().map(|(name, _)| name.clone());
        Ok(Self { name, default, is_agreed: false, is_here: false })
    }

    /// This repository, which is pushed to.
    ///
    /// # Errors
    /// When HEAD cannot be read.
    pub fn here(repository: &Repository) -> Result<Self, Undetermined> {
        let store = repository.store();
        let said = store.head()?.branch;
        // A new repository may say `master` for ever, and have `main`.
        let usual = ["refs/heads/main", "refs/heads/master"].map(str::to_owned);
        let names: Vec<String> = said.iter().cloned().chain(usual).collect();
        let default = default_branch::first(store, &names)?;
        let name = default.as_ref().map(|(name, _)| name.clone()).or(said);
        Ok(Self { name, default, is_agreed: true, is_here: true })
    }

    /// What an update is to be judged by.
    ///
    /// The default branch is compared with what it is where it goes, and not with a merge base: what a forced push takes
    /// away is an edit. Any other branch is compared with where it left the default branch, whatever of it was pushed
    /// before: work is judged as a whole, or an edit of the specs would count as agreed once it was pushed.
    ///
    /// # Errors
    /// When something is missing to tell.
    pub fn range(&self, repository: &Repository, update: &Update) -> Result<Range, Undetermined> {
        let store = repository.store();
        let is_default = self.name.as_ref() == Some(&update.remote);
        let shown = &update.remote;
        if is_zeros(&update.new) {
            return match self.old(store, update)? {
                Some(old) if is_default && self.is_here => Ok(Range::DeletesDefault(old)),
                _ => Ok(Range::Nothing(format!("{shown} is deleted, and nothing is left to judge"))),
            };
        }
        let Some(head) = peeled(store, &update.new, "is pushed")? else {
            return Ok(Range::Nothing(format!("{shown} names no commit, and nothing in it is judged")));
        };
        if is_default {
            let old = self.old(store, update)?;
            return Ok(self.exact(update, head, old));
        }
        let Some((name, default)) = &self.default else {
            if self.is_here && is_zeros(&update.old) && store.has_branches()? {
                let message = format!("{shown} is new, and the default branch to compare it with is not here");
                let fix = "name it in the repository that is pushed to: `git symbolic-ref HEAD refs/heads/NAME`";
                return Err(Undetermined::new(message, fix));
            }
            let old = self.old(store, update)?;
            return Ok(self.exact(update, head, old));
        };
        let bases = store.merge_bases(*default, head);
        if *default == head || bases.as_ref().is_ok_and(|bases| bases.contains(&head)) {
            if !self.is_agreed {
                let old = self.old(store, update)?;
                return Ok(self.exact(update, head, old));
            }
            let name = name.trim_start_matches("refs/");
            return Ok(Range::Nothing(format!("{shown} has nothing that {name} does not have")));
        }
        let source = format!("default branch ({})", name.trim_start_matches("refs/"));
        if bases.is_ok_and(|bases| bases.is_empty()) && !repository.is_shallow() {
            let source = format!("{source}, with which it has no commit in common");
            return Ok(compare(Some(*default), None, Vec::new(), source, head, true));
        }
        // No CI runs here, so none has words of its own for a shallow clone.
        let mut bases = scope::merge_bases(repository, *default, head, &Environment::default())?;
        let base = bases.remove(0);
        Ok(compare(Some(base), Some(*default), bases, source, head, false))
    }

    /// A comparison with what the reference was.
    fn exact(&self, update: &Update, head: Oid, old: Option<Oid>) -> Range {
        let shown = &update.remote;
        match old {
            Some(old) if old == head => Range::Nothing(format!("{shown} has this commit already")),
            Some(old) => compare(Some(old), None, Vec::new(), format!("{shown} as it is there"), head, false),
            None => compare(None, None, Vec::new(), format!("nothing: {shown} is the first branch"), head, false),
        }
    }

    /// What the reference was.
    fn old(&self, store: &dyn Store, update: &Update) -> Result<Option<Oid>, Undetermined> {
        if is_zeros(&update.old) { Ok(None) } else { peeled(store, &update.old, "is what it is there") }
    }
}

fn compare(
    base: Option<Oid>,
    tip: Option<Oid>,
    other_bases: Vec<Oid>,
    base_source: String,
    head: Oid,
    is_unrelated: bool,
) -> Range {
    let comparison = Comparison { base, tip, other_bases, base_source, head: HeadSide::Commit(head) };
    Range::Compare { comparison, is_unrelated }
}

/// The remote that is cloned from.
const ORIGIN: &str = "origin";

const HEADS: &str = "refs/heads/";

/// Whether an id means "none". How many digits an id has depends on the repository.
pub fn is_zeros(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte == b'0')
}

fn peeled(store: &dyn Store, id: &str, what: &str) -> Result<Option<Oid>, Undetermined> {
    let parsed = id.parse::<Oid>().map_err(|error| {
        Undetermined::new(format!("`{id}` {what}, and is no name of a commit: {error}"), "run `git fsck`")
    })?;
    match store.peeled(parsed) {
        Err(GitError::MissingObject(missing)) => Err(Undetermined::new(
            format!("{id} {what}, and object {missing} is not here"),
            "run `git fetch`, look at what others pushed, and push again",
        )),
        peeled => Ok(peeled?),
    }
}

/// What a checked out commit would change if it were pushed as the branch it is on. None when there is no commit.
///
/// # Errors
/// When HEAD cannot be read.
pub fn as_checked_out(repository: &Repository, remote: &str) -> Result<Option<Update>, Undetermined> {
    let store = repository.store();
    let head = store.head()?;
    let Some(commit) = head.commit else { return Ok(None) };
    let name = head.branch.unwrap_or_else(|| "HEAD".to_owned());
    let tracked = name.replacen(HEADS, &format!("refs/remotes/{remote}/"), 1);
    let old = if tracked == name { None } else { store.reference(&tracked)? };
    let zeros = Oid::null(store.hash_kind());
    Ok(Some(Update {
        local: name.clone(),
        new: commit.to_string(),
        remote: name,
        old: old.unwrap_or(zeros).to_string(),
    }))
}

/// The words of a line: `N` of them, the first of which may hold spaces, as what somebody pushes may.
pub fn words<const N: usize>(line: &str) -> Option<[&str; N]> {
    let mut words: Vec<&str> = line.rsplitn(N, ' ').collect();
    words.reverse();
    <[&str; N]>::try_from(words).ok().filter(|words| words.iter().all(|word| !word.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_of_any_length() {
        assert!(is_zeros(&"0".repeat(40)) && is_zeros(&"0".repeat(64)));
        assert!(!is_zeros("") && !is_zeros("00a0"));
    }

    #[test]
    fn lines() {
        assert_eq!(words::<3>("a b refs/heads/ü"), Some(["a", "b", "refs/heads/ü"]));
        assert_eq!(words::<3>(":/two words b c"), Some([":/two words", "b", "c"]));
        assert_eq!((words::<3>("a b"), words::<3>("a  b"), words::<3>("")), (None, None, None));
    }
}
