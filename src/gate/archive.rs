//! Foretells what archiving a change would do, refusals included.

use bstr::BString;

use super::judge::{self, RuleSet};
use crate::openspec::change::Change;
use crate::openspec::project::Project;
use crate::repo::snapshot::ReadError;
use crate::report::{Finding, Item, ItemKind, Level, display_path};
use crate::rules::merge::dry_run::DryRun;
use crate::rules::{self, ChangeView, Origin};

/// What archiving a change would do.
#[derive(Debug)]
pub struct Prediction {
    /// What each delta comes to.
    pub dry_run: DryRun,
    /// Why it would be refused.
    pub obstacles: Vec<Finding>,
    /// Whether a file is where the folder of deltas should be, at which archiving gives up.
    has_no_folder: bool,
}

impl Prediction {
    /// Whether archiving would stop before it wrote anything.
    pub fn is_refused(&self) -> bool {
        !self.obstacles.is_empty() || self.dry_run.refuses() || self.has_no_folder
    }
}

/// Foretells what `openspec archive <change> --yes` would do. What only the day of the archiving decides is left out: a
/// name without a date gets that day's.
pub fn predict(project: &Project<'_>, change: &Change) -> Prediction {
    let item = Item::new(project.root(), ItemKind::Change, &change.id);
    let view = ChangeView::new(project, change);
    let mut obstacles = judge::change_in(&view, &item, RuleSet::All);
    // What looks like a spec and is none, and task files, are passed over by archiving.
    let passed_over: Vec<String> =
        change.odd.iter().chain(&change.tasks.unreadable).map(|(path, _)| display_path(path.as_ref())).collect();
    obstacles.retain(|finding| {
        finding.level == Level::Error && stops_archiving(finding, change) && !passed_over.contains(&finding.path)
    });
    let is_file = |(_, error): &(BString, ReadError)| *error == ReadError::NotADirectory;
    let has_no_folder = change.unreadable.iter().any(is_file);
    Prediction { dry_run: view.into_dry_run(), obstacles, has_no_folder }
}

/// Whether archiving looks at what a rule looks at.
fn stops_archiving(finding: &Finding, change: &Change) -> bool {
    let Some(rule) = rules::find(finding.rule) else { return true };
    match rule.origin {
        // Archiving judges the deltas of a change that has any; without one it files the change as done.
        Origin::Reference => rule.id != rules::delta::no_deltas::RULE.id || !change.deltas.is_empty(),
        Origin::Own => rules::merge::stops_archiving(rule) || finding.cannot_check,
    }
}
