//! What the index is compared with.

use std::fs;

use super::default_branch::{self, Branch};
use super::oid::Oid;
use super::open::Repository;
use super::scope::{Comparison, HeadSide, Undetermined};
use super::store::Head;

/// HEAD against the index; while the default branch is being merged, that branch against the index.
///
/// What a merge brings from the default branch was agreed there, and is no edit of this commit. So the result is compared
/// with it, as the branch will be when it is pushed: what the merge loses of it shows as well. Anything else that is
/// merged was agreed nowhere, and is judged as an edit of this commit.
pub(super) fn resolve(repository: &Repository, head: &Head) -> Result<Comparison, Undetermined> {
    let compared =
        |base, base_source| Comparison { base, tip: None, other_bases: Vec::new(), base_source, head: HeadSide::Index };
    if let Some(merged) = merged(repository)? {
        let store = repository.store();
        let known = default_branch::known(store)?;
        if let Some(branch) = default_branch::containing(store, &known, merged) {
            let name = branch.name.trim_start_matches("refs/");
            return Ok(compared(Some(merged), format!("MERGE_HEAD, which is on the default branch ({name})")));
        }
    }
    Ok(compared(head.commit, "HEAD".to_owned()))
}

/// The index as the branch would be with it, against where the branch left the default branch: as it is judged when it is
/// pushed. None when that is nothing else than [`resolve`] compares.
///
/// # Errors
/// When HEAD or the default branch cannot be read.
pub fn as_branch(repository: &Repository) -> Result<Option<Comparison>, Undetermined> {
    let store = repository.store();
    let Some(head) = store.head()?.commit else { return Ok(None) };
    let known = default_branch::known(store)?;
    let Some(Branch { name, commit: tip }) = default_branch::nearest(store, &known, head) else { return Ok(None) };
    let tip = *tip;
    let mut bases = store.merge_bases(tip, head)?;
    if bases.is_empty() || bases.contains(&head) {
        return Ok(None);
    }
    let base = bases.remove(0);
    let base_source = format!("default branch ({})", name.trim_start_matches("refs/"));
    Ok(Some(Comparison { base: Some(base), tip: Some(tip), other_bases: bases, base_source, head: HeadSide::Index }))
}

/// The commit that is being merged. None when none is, or several.
fn merged(repository: &Repository) -> Result<Option<Oid>, Undetermined> {
    let Ok(text) = fs::read_to_string(repository.git_dir().join("MERGE_HEAD")) else { return Ok(None) };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (Some(line), None) = (lines.next(), lines.next()) else { return Ok(None) };
    let id = line.trim().parse::<Oid>().map_err(|error| {
        Undetermined::new(format!("MERGE_HEAD cannot be read: {error}"), "run `git merge --abort` and merge again")
    })?;
    Ok(repository.store().peeled(id)?)
}
