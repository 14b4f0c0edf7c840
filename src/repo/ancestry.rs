//! Which commits two histories have in common, from commits whose content was checked against their name.
//!
//! Whoever can write to a repository can make a commit look as if it had other parents: by overwriting its object file,
//! by a graft, by listing it as the end of a shallow history. A merge base found in such a history is worth nothing.

use std::collections::{BinaryHeap, HashMap};

use super::oid::Oid;
use super::store::GitError;

/// What of a commit decides about ancestry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Links {
    /// In the order of the commit.
    pub parents: Vec<Oid>,
    /// Seconds since 1970. Only decides which commit is looked at first.
    pub date: i64,
}

const ONE: u8 = 1;
const OTHER: u8 = 2;
/// Below a common ancestor.
const STALE: u8 = 4;
const COMMON: u8 = 8;

/// The best common ancestors, the newest first: common ancestors that are no ancestor of another one. `read` gives none
/// for a commit that is not here because history was cut off.
pub(super) fn merge_bases(
    read: &mut dyn FnMut(Oid) -> Result<Option<Links>, GitError>,
    one: Oid,
    other: Oid,
) -> Result<Vec<Oid>, GitError> {
    let mut read_once = HashMap::new();
    let mut links = |id: Oid| -> Result<Option<Links>, GitError> {
        if let Some(links) = read_once.get(&id) {
            return Ok(Option::clone(links));
        }
        let links = read(id)?;
        read_once.insert(id, links.clone());
        Ok(links)
    };
    let mut found = common(&mut links, &[one], &[other])?;
    // Dates can lie, and then an ancestor of another common ancestor is among them.
    let mut best = Vec::new();
    while let Some(candidate) = found.pop() {
        let others: Vec<Oid> = found.iter().chain(&best).copied().collect();
        if others.is_empty() || !common(&mut links, &[candidate], &others)?.contains(&candidate) {
            best.push(candidate);
        }
    }
    best.reverse();
    Ok(best)
}

/// Common ancestors of one side and the other, the newest first. All that are best are among them.
fn common(
    links: &mut dyn FnMut(Oid) -> Result<Option<Links>, GitError>,
    one: &[Oid],
    other: &[Oid],
) -> Result<Vec<Oid>, GitError> {
    let mut flags: HashMap<Oid, u8> = HashMap::new();
    let mut queue = BinaryHeap::new();
    for (ids, flag) in [(one, ONE), (other, OTHER)] {
        for id in ids {
            let Some(links) = links(*id)? else { return Err(GitError::MissingObject(id.to_string())) };
            *flags.entry(*id).or_default() |= flag;
            queue.push((links.date, *id));
        }
    }
    let mut found = Vec::new();
    while queue.iter().any(|(_, id)| flags.get(id).is_some_and(|flag| flag & STALE == 0)) {
        let Some((_, id)) = queue.pop() else { break };
        let seen = flags.entry(id).or_default();
        let mut inherited = *seen & (ONE | OTHER | STALE);
        if inherited == ONE | OTHER {
            if *seen & COMMON == 0 {
                *seen |= COMMON;
                found.push(id);
            }
            inherited |= STALE;
        }
        for parent in links(id)?.map(|links| links.parents).unwrap_or_default() {
            let Some(of_parent) = links(parent)? else { continue };
            let seen = flags.entry(parent).or_default();
            if *seen & inherited != inherited {
                *seen |= inherited;
                queue.push((of_parent.date, parent));
            }
        }
    }
    found.retain(|id| flags.get(id).is_some_and(|flag| flag & STALE == 0));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::oid::{HashKind, ObjectKind};

    fn id(name: &str) -> Oid {
        Oid::of(HashKind::Sha1, ObjectKind::Blob, name.as_bytes()).unwrap_or_else(|_| Oid::null(HashKind::Sha1))
    }

    /// `name: parents`, the newest last unless a date is given (`name@3`).
    fn bases(graph: &[(&str, &str)], one: &str, other: &str) -> Vec<Oid> {
        let mut commits = HashMap::new();
        for (at, (name, parents)) in (0..).zip(graph) {
            let (name, date) =
                name.split_once('@').map_or((*name, at), |(name, date)| (name, date.parse().unwrap_or(at)));
            let parents = parents.split_whitespace().map(id).collect();
            commits.insert(id(name), Links { parents, date });
        }
        let mut read = |id: Oid| Ok(commits.get(&id).cloned());
        merge_bases(&mut read, id(one), id(other)).unwrap_or_default()
    }

    #[test]
    fn one_base_several_or_none() {
        let fork = [("a", ""), ("b", "a"), ("c", "b"), ("d", "b")];
        assert_eq!(bases(&fork, "c", "d"), [id("b")]);
        assert_eq!(bases(&fork, "b", "d"), [id("b")]);
        assert_eq!(bases(&[("a", ""), ("b", "")], "a", "b"), []);
        let crossed = [("a", ""), ("b", "a"), ("c", "a"), ("d", "b c"), ("e", "c b")];
        assert_eq!(bases(&crossed, "d", "e"), [id("c"), id("b")]);
    }

    #[test]
    fn dates_that_lie() {
        let old = [("a@9", ""), ("x@1", "a"), ("b@2", "x"), ("c@8", "b a"), ("d@7", "b a")];
        assert_eq!(bases(&old, "c", "d"), [id("b")]);
    }

    #[test]
    fn history_that_was_cut_off() {
        assert_eq!(bases(&[("b", "a"), ("c", "b"), ("d", "b")], "c", "d"), [id("b")]);
        assert_eq!(bases(&[("c", "b"), ("d", "b")], "c", "d"), []);
    }
}
