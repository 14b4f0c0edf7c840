//! Existing capabilities that a new one may be a misspelling of.

use super::collate::fold_key;
use super::near_forms::is_invisible;
use super::project::Project;
use super::similar::is_slip;

/// How near two names are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// They differ in case, separators or Unicode form.
    Spelling,
    /// They differ by a slip.
    Slip,
}

/// The existing capability nearest to one that does not exist. None when it does, or when nothing is near.
pub fn nearest(project: &Project<'_>, capability: &str) -> Option<(Nearness, String)> {
    if !matches!(project.target(capability), Ok(None)) {
        return None;
    }
    let ids = || project.specs().files.iter().map(|file| file.id.as_str());
    let folded = fold(capability);
    if let Some(id) = ids().find(|id| fold(id) == folded) {
        return Some((Nearness::Spelling, id.to_owned()));
    }
    ids().find(|id| is_slip(id, capability)).map(|id| (Nearness::Slip, id.to_owned()))
}

/// A capability's name without what nobody would tell two by: case, separators, Unicode form.
pub(super) fn fold(name: &str) -> Vec<u8> {
    let letters: String =
        name.chars().filter(|c| !matches!(c, '-' | '_' | '.' | '/' | ' ') && !is_invisible(*c)).collect();
    fold_key(&letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_fold() {
        for other in ["user_auth", "User-Auth", "user/auth", "userauth"] {
            assert_eq!(fold("user-auth"), fold(other), "{other}");
        }
        assert_eq!(fold("caf\u{e9}"), fold("cafe\u{301}"));
        assert_ne!(fold("caf\u{e9}"), fold("cafe"));
    }
}
