//! Globs from the top of the repository.

use bstr::BString;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs from the top of the repository, given under `key`.
///
/// # Errors
/// When one makes no sense.
pub fn set(key: &str, list: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in list {
        if glob.is_empty() || glob.starts_with('!') || glob.contains('\\') || glob.split('/').any(|part| part == "..") {
            return Err(format!("{key}: `{glob}` is no glob from the top of the repository"));
        }
        let glob = from_top(glob);
        // A folder that is named stands for what it holds, or it would stand for nothing in silence.
        for glob in [glob.to_owned(), format!("{glob}/**")] {
            // As in a path on the command line, `*` stays inside one folder and `**` does not.
            let glob = GlobBuilder::new(&glob).literal_separator(true).build();
            set.add(glob.map_err(|error| error.to_string())?);
        }
    }
    set.build().map_err(|error| error.to_string())
}

/// A glob without what means the top of the repository or a folder.
pub fn from_top(glob: &str) -> &str {
    let mut rest = glob;
    while let Some(inner) = rest.strip_prefix("./").or_else(|| rest.strip_prefix('/')) {
        rest = inner;
    }
    rest.trim_end_matches('/')
}

/// The folders of a glob that have no special character: nothing outside can match.
pub fn literal_prefix(glob: &str) -> BString {
    let literal = |part: &&str| !part.contains(['*', '?', '[', '{', '\\']);
    BString::from(glob.split('/').take_while(literal).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_folder_of_a_glob() {
        for (glob, folder) in [("*.toml", ""), ("tests/**/*.rs", "tests"), ("a/b", "a/b"), ("a/{b,c}/d", "a")] {
            assert_eq!(literal_prefix(glob), folder, "{glob}");
        }
    }

    #[test]
    fn a_glob_that_leaves_the_top_is_none() {
        for glob in ["", "!a", "a\\b", "../a", "a/../..", "["] {
            assert!(set("files", &[glob.to_owned()]).is_err(), "{glob}");
        }
    }
}
