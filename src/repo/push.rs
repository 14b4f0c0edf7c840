//! What a push changes, and what that is compared with.

mod target;

pub use target::Target;

use super::oid::Oid;
use super::open::Repository;
use super::scope::{Comparison, Undetermined};

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
    /// It is not let in, whatever it has.
    Refused {
        /// Why.
        message: String,
        /// What to do.
        fix: String,
    },
    /// These are compared.
    Compare {
        /// Base and head.
        comparison: Comparison,
        /// Whether they have no commit in common.
        is_unrelated: bool,
    },
}

const HEADS: &str = "refs/heads/";

/// Whether an id means "none". How many digits an id has depends on the repository.
pub fn is_zeros(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte == b'0')
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
