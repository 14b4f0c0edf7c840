//! The spec set: which files are frozen, and which of them differ between base and head.

use bstr::{BStr, BString, ByteSlice};
use globset::GlobSet;

use crate::config;
use crate::config::globs::{from_top, literal_prefix};
use crate::openspec::project::FOLDER;
use crate::repo::snapshot::{is_below, join};

mod links;
mod sides;
mod ticking;

pub(super) use links::{Link, has_link, links};
pub(super) use sides::{Sides, Was, difference};

/// What is frozen in every `openspec/`.
const SPEC_SET: &[&str] =
    &["specs", "changes", "config.yaml", "config.yml", "schemas", "verify", config::FILE, config::baseline::FILE];

/// Paths to compare for the projects in `roots`, and for globs.
pub(super) fn paths(roots: &[BString], globs: &[String]) -> Vec<BString> {
    let mut paths: Vec<BString> = Vec::new();
    for root in roots {
        let folder = join(root.as_ref(), FOLDER);
        paths.extend(SPEC_SET.iter().map(|name| join(folder.as_ref(), name)));
    }
    paths.extend(globs.iter().map(|glob| literal_prefix(from_top(glob))));
    paths.sort();
    paths.dedup();
    // A path below another is compared with it.
    let all = paths.clone();
    paths.retain(|path| !all.iter().any(|other| is_below(path.as_ref(), other.as_ref())));
    paths
}

/// Whether a path is the other one or lies below it.
pub(super) fn is_at_or_below(path: &BStr, folder: &BStr) -> bool {
    path == folder || is_below(path, folder)
}

/// Whether a path belongs to the spec set, is protected by a glob, or holds what does.
pub(crate) fn is_frozen(path: &BStr, roots: &[BString], globs: &GlobSet) -> bool {
    let in_spec_set = |root: &BString| {
        let folder = join(root.as_ref(), FOLDER);
        SPEC_SET.iter().any(|name| {
            let frozen = join(folder.as_ref(), name);
            path == frozen.as_bstr() || is_below(path, frozen.as_ref()) || is_below(frozen.as_ref(), path)
        })
    };
    roots.iter().any(in_spec_set) || globs.is_match(path.to_path_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_start_at_their_literal_folder() {
        assert_eq!(paths(&[], &["tests/**/*.rs".into(), "tests/a".into(), "Makefile".into()]), ["Makefile", "tests"]);
    }
}
