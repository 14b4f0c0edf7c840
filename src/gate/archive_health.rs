//! The archive of a project that is judged as a whole tree: what it holds and should not.

use bstr::BString;
use rayon::prelude::*;

use super::judge::PARALLEL_FROM;
use super::work::Judged;
use crate::config::Config;
use crate::openspec::change::TaskFiles;
use crate::openspec::project::Project;
use crate::repo::snapshot::join;
use crate::report::{Item, ItemKind, count, display_path};
use crate::rules::task::archived_open;
use crate::rules::{Archived, Sink};

/// Archived changes with open tasks; none when there is none. A folder that cannot be listed has no changes to tell of:
/// nothing else depends on it.
pub(super) fn judge(project: &Project<'_>, config: &Config, strict: bool) -> Option<Judged> {
    let names = project.archived_names().unwrap_or_default();
    let one = |name: &BString| {
        let archived = with_open_tasks(project, name);
        (!archived.open_tasks.is_empty()).then_some(archived)
    };
    let archived: Vec<Archived> = if names.len() < PARALLEL_FROM {
        names.iter().filter_map(one).collect()
    } else {
        names.par_iter().filter_map(one).collect()
    };
    let item = Item::new(project.root(), ItemKind::Project, "archive");
    let mut findings = Vec::new();
    let mut sink = Sink::new(&archived_open::RULE, &item, project.folder(), None, &mut findings);
    archived_open::report_all(&archived, &mut sink);
    config.apply(&mut findings);
    let title = format!("{} with open tasks", count(archived.len(), "archived change"));
    (!findings.is_empty()).then(|| Judged::without_scenarios(item, title, findings, strict))
}

fn with_open_tasks(project: &Project<'_>, name: &BString) -> Archived {
    let dir = join(project.path("changes/archive").as_ref(), name);
    let open_tasks = TaskFiles::load(project, dir.as_ref()).open();
    Archived { name: display_path(name.as_ref()), open_tasks, unmerged: Vec::new(), outdated: Vec::new() }
}
