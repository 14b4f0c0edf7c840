//! Which items a run is about.

use std::path::{Component, PathBuf};
use std::sync::Arc;

use bstr::{BStr, BString};

use super::affected::Affected;
use super::reading::report_unreadable;
use super::run::Run;
use super::verify::{RunError, Stop, relative, tree, unverifiable};
use super::work::{Judged, Work};
use crate::config::Config;
use crate::openspec::discovery::not_entered;
use crate::openspec::project::Project;
use crate::repo::snapshot::{Kind, ReadError, join};
use crate::report::{Item, ItemKind, display_path};
use crate::rules::{self, Place, Sink, SpecEdit};

impl Run<'_> {
    /// The items of a project that are to be judged.
    pub(super) fn select<'p>(
        &self,
        project: &'p Project<'p>,
        config: &'p Config,
        edits: &[SpecEdit],
        problems: &mut Vec<Judged>,
    ) -> Vec<Work<'p>> {
        let affected = match &self.diff {
            Some(diff) => {
                let paths = edits.iter().flat_map(|edit| diff.names(edit.change.path.as_ref())).collect::<Vec<_>>();
                Affected::by(project, paths.iter().map(|path| path.as_ref()))
            }
            None => Affected { all: true, ..Affected::default() },
        };
        if !affected.all {
            // Only what the diff names is looked at: how many other items there are must not matter.
            let mut work: Vec<Work<'p>> = Vec::new();
            for name in affected.changes.into_iter().filter(|name| !name.starts_with(b".")) {
                let path = join(project.path("changes").as_ref(), &name);
                match self.head.kind(path.as_ref()) {
                    Ok(Kind::Dir) => work.push(Work::Change(project, config, name)),
                    Ok(Kind::Link) => problems.extend(
                        not_entered(self.head, path.as_ref()).map(|error| self.linked_change(project, path, &error)),
                    ),
                    _ => {}
                }
            }
            for id in &affected.specs {
                match project.spec_at(id.as_ref()) {
                    Some(file) => work.push(Work::Spec(project, config, file)),
                    None => problems.extend(self.odd_spec(project, id.as_ref())),
                }
            }
            return work;
        }
        let names = project.change_names().unwrap_or_else(|error| {
            problems.push(self.unreadable_folder(project, project.path("changes"), &error));
            Vec::new()
        });
        for (path, error) in project.specs().unreadable.iter().chain(&project.specs().odd) {
            problems.push(self.unreadable_folder(project, path.clone(), error));
        }
        for (path, error) in project.linked_changes() {
            problems.push(self.linked_change(project, path, &error));
        }
        let mut work: Vec<Work<'p>> = names.into_iter().map(|name| Work::Change(project, config, name)).collect();
        work.extend(project.specs().files.iter().map(|file| Work::Spec(project, config, Arc::clone(file))));
        work
    }

    /// Keeps the items that were named.
    pub(super) fn restrict(&self, work: &mut Vec<Work<'_>>) -> Result<(), Stop> {
        if self.task.ids.is_empty() {
            return Ok(());
        }
        let names: Vec<Item> = work.iter().map(Work::item).collect();
        let mut is_kept = vec![false; work.len()];
        for id in &self.task.ids {
            if id.trim().is_empty() {
                return Err(RunError::UnknownItem(id.clone(), "; an empty name names nothing".to_owned()).into());
            }
            let mut is_meant: Vec<bool> = names.iter().map(|item| item.is_called(id)).collect();
            if !is_meant.contains(&true)
                && let Some(path) = self.path_from_top(id)
            {
                is_meant = work.iter().map(|work| is_at(&work.path(), &path)).collect();
            }
            is_kept.iter_mut().zip(&is_meant).for_each(|(kept, meant)| *kept |= meant);
            if !is_meant.contains(&true) {
                if self.diff.is_some() {
                    let message = format!("`{id}` is not among the items that the diff touches");
                    return Err(unverifiable(message, "leave the name out, or verify it without `--changed`"));
                }
                let near = crate::gate::nearest(id, names.iter().map(|item| item.id.to_string()));
                let hint = if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) };
                return Err(RunError::UnknownItem(id.clone(), hint).into());
            }
        }
        let mut is_kept = is_kept.into_iter();
        work.retain(|_| is_kept.next().unwrap_or_default());
        Ok(())
    }

    /// A path as somebody gives it, from the working directory, as one from the top of the tree.
    fn path_from_top(&self, given: &str) -> Option<BString> {
        let (cwd, top) = tree(&self.task.cwd).ok()?;
        let mut parts: Vec<&std::ffi::OsStr> = Vec::new();
        let whole = cwd.join(given);
        for part in whole.components() {
            match part {
                Component::ParentDir => {
                    parts.pop()?;
                }
                Component::Normal(name) => parts.push(name),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        let plain: PathBuf = std::iter::once(std::ffi::OsStr::new("/")).chain(parts).collect();
        plain.strip_prefix(&top).ok()?;
        Some(relative(&top, &plain))
    }

    /// What lies where a touched spec should be and is no file. Nothing there is a deletion, which is no fault of itself.
    fn odd_spec(&self, project: &Project<'_>, id: &BStr) -> Option<Judged> {
        let path = join(join(project.path("specs").as_ref(), id).as_ref(), "spec.md");
        let error = match self.head.followed_kind(path.as_ref()) {
            Ok(Kind::Dir) => ReadError::IsADirectory,
            Ok(_) => ReadError::NotAFile,
            Err(ReadError::Missing | ReadError::NotADirectory) => return None,
            Err(error) => error,
        };
        Some(self.unreadable_folder(project, path, &error))
    }

    /// A link where an open change belongs. Whatever it leads to (which an index read in part does not tell), it cannot
    /// be archived.
    fn linked_change(&self, project: &Project<'_>, path: BString, error: &ReadError) -> Judged {
        if !matches!(error, ReadError::LinkedFolder | ReadError::Dangling(_)) {
            return self.unreadable_folder(project, path, error);
        }
        let item = Item::new(project.root(), ItemKind::Project, &display_path(path.as_ref()));
        let mut findings = Vec::new();
        let place = Place { file: path.as_ref(), line: 0, anchor: "file", text: None };
        Sink::new(&rules::merge::linked_change::RULE, &item, path.as_ref(), None, &mut findings).report_at(
            place,
            if path.ends_with(b"/archive") {
                "the archive is a symbolic link, so archiving may refuse to put anything there"
            } else {
                "this change is a symbolic link, so it was not judged, and archiving would refuse it"
            },
            "put the folder itself in place of the link",
        );
        Judged::without_scenarios(item, "a link in place of a change".to_owned(), findings, true)
    }

    fn unreadable_folder(&self, project: &Project<'_>, path: BString, error: &ReadError) -> Judged {
        let item = Item::new(project.root(), ItemKind::Project, &display_path(path.as_ref()));
        let mut findings = Vec::new();
        report_unreadable(&item, path.as_ref(), "file", error, &mut findings);
        Judged::without_scenarios(item, "could not be read".to_owned(), findings, true)
    }
}

/// Whether an item lies at a path, below it, or has it among its files.
fn is_at(item: &BString, path: &BString) -> bool {
    let is_below = |inner: &BString, outer: &BString| {
        outer.is_empty() || inner.strip_prefix(outer.as_slice()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    };
    is_below(item, path) || is_below(path, item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_items() {
        let is_at = |item: &str, path: &str| is_at(&item.into(), &path.into());
        let spec = "openspec/specs/auth/spec.md";
        assert!(is_at(spec, spec) && is_at(spec, "openspec/specs/auth") && is_at(spec, ""));
        assert!(is_at("openspec/changes/add", "openspec/changes/add/specs/auth/spec.md"));
        assert!(!is_at(spec, "openspec/specs/aut") && !is_at(spec, "openspec/specs/auth/spec.m"));
    }
}
