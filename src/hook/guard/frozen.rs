//! Whether a path is frozen in the repository it lies in.

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use globset::GlobSet;

use super::denial::{self, Why};
use super::{Known, allowed, gate_files};
use crate::config::{self, Config};
use crate::gate::{Place, is_frozen, place_in};
use crate::hook::place::{below, project, resolved};
use crate::hook::targets::{Action, Target};
use crate::openspec::project::FOLDER;
use crate::repo::snapshot::join;
use crate::rules::Freeze;

/// A configuration above this size is taken for one that says nothing.
const MAX_CONFIG: u64 = 1024 * 1024;

/// A path that is frozen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frozen {
    /// From the top of the repository, or absolute.
    pub path: BString,
    /// The folder of its project.
    pub root: BString,
    /// Where in the project it is; none where only a glob or something else says that it is frozen.
    pub place: Option<Place>,
    /// What may be done to it all the same.
    pub mode: Freeze,
    /// Why nobody may write to it, when it has nothing to do with specs.
    other: Option<Why>,
}

impl Frozen {
    /// A path that is no spec.
    pub(super) fn other(path: PathBuf, why: Why) -> Self {
        let path = BString::from(path.into_os_string().into_encoded_bytes());
        Self { path, root: BString::default(), place: None, mode: Freeze::Strict, other: Some(why) }
    }

    /// Why something may not be done to it.
    pub(super) fn refusal(&self, action: &Action, known: &Known<'_>) -> Option<String> {
        let why = match self.other {
            Some(why) => Some(why),
            None if self.mode == Freeze::Explained => allowed::refused(self, action, known),
            None if allowed::is_ticking_place(self, action) => None,
            None => Some(denial::why(self.place.as_ref())),
        };
        Some(denial::words(self, why?))
    }
}

/// Projects that may say something about a path, and what their files say.
#[derive(Debug)]
pub(super) struct Rules {
    roots: Vec<BString>,
    globs: GlobSet,
    /// The strictest of their words.
    pub mode: Freeze,
    /// Where links lead that stand for parts of the spec set, and the links.
    links: Vec<(PathBuf, PathBuf)>,
}

impl Rules {
    /// Those of the projects around a path and around where the agent works.
    pub(super) fn of(top: &Path, path: &Path, cwd: &Path) -> Option<Self> {
        let mut roots: Vec<BString> =
            [project(top, path), project(top, &resolved(cwd))].into_iter().flatten().collect();
        roots.dedup();
        if roots.is_empty() {
            return None;
        }
        let mut rules = Self { roots: roots.clone(), globs: GlobSet::empty(), mode: Freeze::Off, links: Vec::new() };
        let mut globs = Vec::new();
        for root in &roots {
            let config = config(top, root.as_ref());
            rules.mode = rules.mode.max(config.frozen.unwrap_or(Freeze::Strict));
            globs.extend(config.protect);
            let listed = config.roots.iter().map(|root| BString::from(root.trim_matches(['/', '.'])));
            rules.roots.extend(listed);
        }
        rules.globs = config::globs::set("protect", &globs).unwrap_or_default();
        rules.links = rules.roots.iter().flat_map(|root| links(top, root.as_ref())).collect();
        Some(rules)
    }
}

/// What a project configures. A file that cannot be read says nothing.
fn config(top: &Path, root: &BStr) -> Config {
    let path = top.join(root.to_path_lossy()).join(FOLDER).join(config::FILE);
    let is_small = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= MAX_CONFIG);
    let content = is_small.then(|| fs::read(&path).ok()).flatten().unwrap_or_default();
    Config::parse(&content, config::FILE).unwrap_or_default()
}

/// What a path below a top is, when it is frozen or holds a hook of ours.
pub(super) fn find(top: &Path, path: &Path, target: &Target, rules: &Rules) -> Option<Frozen> {
    let name = below(top, path)?;
    if gate_files::is_disarmed(top, name.as_ref(), target) {
        return Some(Frozen::other(name.to_path_lossy().into_owned(), Why::Hook));
    }
    if rules.mode == Freeze::Off {
        return None;
    }
    let is_tree = !matches!(target.action, Action::Write);
    let names =
        [Some(name.clone()), through_links(top, path, &rules.links), in_usual_case(top, &name, &rules.roots, &is_same)];
    for name in names.into_iter().flatten() {
        let found = place_in(name.as_ref(), &rules.roots);
        let is_in_set = is_frozen(name.as_ref(), &rules.roots, &GlobSet::empty()) && (is_tree || found.is_some());
        let is_protected = rules.globs.is_match(name.to_path_lossy());
        if is_in_set || is_protected {
            let at = found.as_ref().filter(|_| is_in_set);
            let root = at.and_then(|(at, _)| rules.roots.get(*at)).cloned().unwrap_or_default();
            let place = found.filter(|_| is_in_set).map(|(_, place)| place);
            return Some(Frozen { path: name, root, place, mode: rules.mode, other: None });
        }
    }
    None
}

/// Links that stand for a part of the spec set, after where they lead.
fn links(top: &Path, root: &BStr) -> Vec<(PathBuf, PathBuf)> {
    let openspec = top.join(root.to_path_lossy()).join(FOLDER);
    let specs = openspec.join("specs");
    let mut candidates = vec![openspec.clone()];
    for folder in [&openspec, &specs] {
        candidates.extend(fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    candidates.retain(|path| path.is_symlink());
    candidates.into_iter().map(|link| (resolved(&link), link)).collect()
}

/// What a path is called through a link that stands for a part of the spec set.
fn through_links(top: &Path, path: &Path, links: &[(PathBuf, PathBuf)]) -> Option<BString> {
    let (rest, link) = links.iter().find_map(|(to, link)| Some((path.strip_prefix(to).ok()?, link)))?;
    let name = if rest.as_os_str().is_empty() { link.clone() } else { link.join(rest) };
    below(top, &name)
}

/// The name without differences in upper and lower case, where the file system sees none either.
fn in_usual_case(
    top: &Path,
    name: &BString,
    roots: &[BString],
    is_same: &dyn Fn(&Path, &Path) -> bool,
) -> Option<BString> {
    let parts: Vec<&[u8]> = name.split_str("/").collect();
    for root in roots {
        let folder = join(root.as_ref(), FOLDER);
        let count = folder.split_str("/").count();
        let folder_parts: Vec<&[u8]> = folder.split_str("/").collect();
        let is_it = parts.len() > count
            && parts
                .iter()
                .zip(&folder_parts)
                .all(|(a, b)| a.to_str_lossy().to_lowercase() == b.to_str_lossy().to_lowercase());
        if !is_it {
            continue;
        }
        let first = parts[count].to_str_lossy().to_lowercase();
        let usual = join(folder.as_ref(), first.as_bytes().as_bstr());
        let given = BString::from(bstr::join("/", &parts[..=count]));
        if usual != given && is_same(&top.join(usual.to_path_lossy()), &top.join(given.to_path_lossy())) {
            let rest = &parts[count + 1..];
            return Some(if rest.is_empty() { usual } else { join(usual.as_ref(), bstr::join("/", rest).as_bstr()) });
        }
    }
    None
}

/// Whether two names are those of one file.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |path: &Path| fs::metadata(path).map(|file| (file.dev(), file.ino())).ok();
        id(one).is_some_and(|found| id(other) == Some(found))
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(one).is_ok_and(|found| fs::canonicalize(other).is_ok_and(|other| other == found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_where_the_file_system_says_so() {
        let roots = [BString::from(""), "A".into()];
        let usual = |name: &str, is_same: bool| in_usual_case(Path::new("/r"), &name.into(), &roots, &|_, _| is_same);
        assert_eq!(usual("OpenSpec/SPECS/Auth/spec.md", true), Some("openspec/specs/Auth/spec.md".into()));
        assert_eq!(usual("a/openspec/specs", true), Some("A/openspec/specs".into()));
        assert_eq!(usual("openspec/specs/Auth", true), None, "that is its name already");
        assert_eq!(usual("openspecs/specs/a", true), None);
        assert_eq!(usual("OpenSpec/SPECS/auth", false), None);
    }
}
