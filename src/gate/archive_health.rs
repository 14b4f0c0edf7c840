//! The archive of a project that is judged as a whole tree: what it holds and should not.

use bstr::BString;
use rayon::prelude::*;

use super::judge::PARALLEL_FROM;
use super::reading::report_unreadable;
use super::work::Judged;
use crate::config::Config;
use crate::openspec::change::TaskFiles;
use crate::openspec::project::Project;
use crate::repo::snapshot::{ReadError, join};
use crate::report::{Item, ItemKind, count, display_path};
use crate::rules::task::archived_open;
use crate::rules::{Archived, Sink};

/// Archived changes with open tasks, and what of the archive cannot be read; none when there is neither.
pub(super) fn judge(project: &Project<'_>, config: &Config, strict: bool) -> Option<Judged> {
    let item = Item::new(project.root(), ItemKind::Project, "archive");
    let mut findings = Vec::new();
    let names = project.archived_names().unwrap_or_else(|error| {
        // A file there holds no changes; that nothing can be archived is told of each open one.
        if error != ReadError::NotADirectory {
            let folder = project.path("changes/archive");
            report_unreadable(&item, folder.as_ref(), "file", &error, &mut findings);
        }
        Vec::new()
    });
    let one = |name: &BString| tasks_of(project, name);
    let read: Vec<(Archived, TaskFiles)> =
        if names.len() < PARALLEL_FROM { names.iter().map(one).collect() } else { names.par_iter().map(one).collect() };
    for (path, error) in read.iter().flat_map(|(_, tasks)| &tasks.unreadable) {
        report_unreadable(&item, path.as_ref(), "file", error, &mut findings);
    }
    let archived: Vec<Archived> =
        read.into_iter().map(|(archived, _)| archived).filter(|archived| !archived.open_tasks.is_empty()).collect();
    let mut sink = Sink::new(&archived_open::RULE, &item, project.folder(), None, &mut findings);
    archived_open::report_all(&archived, &mut sink);
    config.apply(&mut findings);
    let title = format!("{} with open tasks", count(archived.len(), "archived change"));
    (!findings.is_empty()).then(|| Judged::without_scenarios(item, title, findings, strict))
}

fn tasks_of(project: &Project<'_>, name: &BString) -> (Archived, TaskFiles) {
    let dir = join(project.path("changes/archive").as_ref(), name);
    let tasks = TaskFiles::load(project, dir.as_ref());
    (
        Archived {
            name: display_path(name.as_ref()),
            open_tasks: tasks.open(),
            unmerged: Vec::new(),
            outdated: Vec::new(),
        },
        tasks,
    )
}
