//! Where a repository keeps its hooks, and which program writes them.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::managers::{LEFTHOOK, PRE_COMMIT, PREK};
use super::{GitHook, call, plain};
use crate::repo::open::Repository;

/// Who writes a repository's hooks, and where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hooks {
    /// Whoever likes, in this folder.
    Plain(PathBuf),
    /// Husky: files of the repository in this folder. Whether git runs them itself, as old versions have it.
    Husky(PathBuf, bool),
    /// A program that is told by a file of its own what to run, and writes the hooks in the folder.
    Managed(ManagerConfig, PathBuf),
    /// A folder outside of the repository, that others use too.
    Elsewhere(Elsewhere),
    /// Git is told of a folder without a name, and runs none.
    Nowhere,
}

/// A folder of hooks outside of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// Where git looks.
    pub folder: PathBuf,
    /// Whether `core.hooksPath` says so. Otherwise the repository's own folder is a link.
    pub is_configured: bool,
    /// The folder that the repository has for itself.
    pub own: PathBuf,
}

/// The file that tells a manager of hooks what to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagerConfig {
    /// Its command.
    pub program: &'static str,
    /// The file, from the top. None when there is none, and only its hooks show it.
    pub path: Option<&'static str>,
}

/// Finds the hooks of a repository, seen from the top of a work tree.
pub fn locate(repository: &Repository, top: &Path) -> Hooks {
    let default = repository.common_dir().join("hooks");
    // Git runs hooks at the top of the work tree, and a relative path is one from there.
    let configured = repository.hooks_path();
    if configured.is_some_and(|path| path.as_os_str().is_empty()) {
        return Hooks::Nowhere;
    }
    let folder = configured.map_or_else(|| default.clone(), |path| top.join(path));
    let real = real(&folder);
    if let Some(husky) = husky(&real, top) {
        return husky;
    }
    let is_here = |path: &&&str| fs::symlink_metadata(top.join(path)).is_ok();
    let managers = [("lefthook", LEFTHOOK), ("pre-commit", PRE_COMMIT), ("prek", PREK)];
    for (program, paths) in managers {
        if let Some(path) = paths.iter().find(is_here) {
            return Hooks::Managed(ManagerConfig { program, path: Some(path) }, real);
        }
    }
    if !is_ours(repository, top, &real) {
        return Hooks::Elsewhere(Elsewhere { folder, is_configured: configured.is_some(), own: default });
    }
    let is_lefthook = |hook: &GitHook| {
        let Ok(Some((script, _))) = plain::script(&real.join(hook.id())) else { return false };
        memchr::memmem::find(&script, b"lefthook").is_some() && !call::is_any(&script)
    };
    if GitHook::ALL.iter().any(is_lefthook) {
        return Hooks::Managed(ManagerConfig { program: "lefthook", path: None }, real);
    }
    Hooks::Plain(real)
}

/// `.husky/_`, or `.husky` in old versions.
fn husky(real: &Path, top: &Path) -> Option<Hooks> {
    let folder = top.join(".husky");
    // A link would have files of somebody else written to.
    if fs::symlink_metadata(&folder).is_ok_and(|metadata| metadata.is_symlink()) {
        return None;
    }
    let is_old = real == folder;
    (is_old || real == folder.join("_")).then_some(Hooks::Husky(folder, is_old))
}

/// Whether a folder belongs to the repository: to this work tree, to git's own folder, or to the first work tree.
fn is_ours(repository: &Repository, top: &Path, folder: &Path) -> bool {
    let common = repository.common_dir();
    let first = common.parent().filter(|_| common.file_name().is_some_and(|name| name == ".git"));
    [Some(top), Some(common), first].into_iter().flatten().any(|place| folder.starts_with(place))
}

/// A folder without links, as far as it is there.
fn real(folder: &Path) -> PathBuf {
    for above in folder.ancestors() {
        if let Ok(found) = fs::canonicalize(above) {
            let rest = folder.strip_prefix(above).unwrap_or(Path::new(""));
            // What is not there yet may still lead upwards.
            return if rest.components().all(|part| matches!(part, Component::Normal(_))) {
                found.join(rest)
            } else {
                folder.to_owned()
            };
        }
    }
    folder.to_owned()
}
