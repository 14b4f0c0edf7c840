//! What hooks need of git: a repository to compare in, and files that others get too.

use std::path::Path;

use bstr::BString;

use super::check::Check;
use super::installed::Found;
use super::surroundings::Surroundings;
use crate::agents::state::{self, State};
use crate::repo::open::Repository;

/// Files that are named. Of more only the number is told.
const NAMED: usize = 8;

/// The repository, and which of our files are in it.
pub fn checks(around: &Surroundings, found: &[Found]) -> Vec<Check> {
    let repository = match Repository::open(around.top(), &around.env) {
        Ok(repository) => repository,
        Err(error) => {
            let message = format!("{error}: the end of a turn cannot be compared with anything");
            return vec![Check::problem(None, "git", message, error.fix())];
        }
    };
    let mut checks = vec![commit(&repository)];
    if repository.is_shallow() {
        let message = "is a shallow clone: comparisons with a branch may be UNVERIFIABLE";
        checks.push(Check::info(None, "git", message).fix("run `git fetch --unshallow`"));
    }
    checks.extend(untracked(around, &repository, found));
    checks
}

/// Whether only the git program can read references and index. It is not started here.
fn needs_program(repository: &Repository) -> bool {
    repository.common_dir().join("reftable").exists()
}

fn commit(repository: &Repository) -> Check {
    if needs_program(repository) {
        return Check::info(
            None,
            "git",
            "is a repository with reftables, which only git reads: its commits were not looked at",
        );
    }
    match repository.store().head().map(|head| head.commit) {
        Ok(Some(_)) => Check::ok(None, "git", "is a repository with a commit"),
        Ok(None) => {
            let message = "has no commit yet: nothing can be compared with a branch";
            Check::info(None, "git", message).fix("commit")
        }
        Err(error) => {
            let message = format!("HEAD cannot be read: {error}");
            Check::problem(None, "git", message, "run `git status` and mend what it complains about")
        }
    }
}

/// Our files that are not in the index: whoever clones the repository does not get them. Whether git ignores them is not
/// looked at, for `git add` says so.
fn untracked(around: &Surroundings, repository: &Repository, found: &[Found]) -> Vec<Check> {
    if needs_program(repository) {
        return Vec::new();
    }
    let parts = found.iter().flat_map(|(_, parts)| parts).filter(|part| part.state != State::Missing);
    let shared = state::shared(&around.place);
    let shared = Some(shared).filter(|part| part.state != State::Missing).map(|part| part.path.to_owned());
    let mut paths: Vec<String> = parts.map(|part| part.path.to_owned()).chain(shared).collect();
    paths.push(around.config.clone());
    paths.retain(|path| around.place.has_file(path));
    paths.sort();
    paths.dedup();
    let Some(known) = tracked(repository, &paths) else { return Vec::new() };
    let missing: Vec<&str> = paths.iter().filter(|path| !known.contains(path)).map(String::as_str).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let more = missing.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named = missing.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let message = format!("whoever clones this repository does not get what is not in git: {named}{more}");
    vec![Check::info(None, "git", message).fix("add these files with `git add`, and commit them")]
}

/// Which of some paths are in the index. None when that cannot be told.
fn tracked(repository: &Repository, paths: &[String]) -> Option<Vec<String>> {
    let file: &Path = &repository.index_path();
    if !file.exists() {
        return Some(Vec::new());
    }
    let prefixes: Vec<BString> = paths.iter().map(|path| path.as_str().into()).collect();
    let index = repository.store().index(file, &prefixes, None).ok()?;
    Some(index.entries.iter().map(|entry| entry.path.to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    #[test]
    fn without_a_repository() {
        let scratch = Scratch::new();
        has(&checks(&scratch.around, &[]), &["problem git: not a git repository"]);
        scratch.write(".git", "gitdir: nowhere\n");
        has(&checks(&scratch.around, &[]), &["problem git: "]);
    }
}
