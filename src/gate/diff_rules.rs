//! Judges the difference between base and head itself.

use bstr::BStr;

use super::reading::report_unreadable;
use super::run::Run;
use super::work::Judged;
use crate::config::Config;
use crate::repo::changes::ChangeKind;
use crate::repo::snapshot::{Kind, ReadError};
use crate::report::{Finding, Item, ItemKind, count, display_path};
use crate::rules::{self, Check, DiffView, Freeze, ProjectPair, Sink, SpecEdit};

impl Run<'_> {
    /// Rules about the difference itself.
    pub(super) fn judge_diff(
        &self,
        edits: &[SpecEdit],
        strict: bool,
        projects: &[ProjectPair<'_>],
        configs: &[Config],
    ) -> Option<Judged> {
        let diff = self.diff.as_ref()?;
        let count_edits = match diff.freeze {
            Freeze::Off => 0,
            Freeze::Explained => diff.explained.unexplained.len(),
            Freeze::Strict => edits.iter().filter(|edit| !edit.is_ticking).count() + diff.explained.unexplained.len(),
        };
        if count_edits == 0 && diff.explained.archived.is_empty() {
            return None;
        }
        let (id, title) = match diff.freeze {
            Freeze::Off => ("archived-changes", count(diff.explained.archived.len(), "change") + " archived"),
            Freeze::Strict => ("frozen-spec", count(count_edits, "file") + " of the spec set edited"),
            Freeze::Explained => ("frozen-spec", count(count_edits, "edit") + " of the spec set not explained"),
        };
        let item = Item::new(BStr::new(""), ItemKind::Project, id);
        let mut findings = Vec::new();
        let (unexplained, archived) = (&diff.explained.unexplained, &diff.explained.archived);
        let view = DiffView { edits, projects, freeze: diff.freeze, unexplained, archived };
        for rule in rules::all() {
            if let Check::Diff(check) = rule.check {
                check(&view, &mut Sink::new(rule, &item, BStr::new(""), None, &mut findings));
            }
        }
        // The freeze itself is not for whoever is judged to configure.
        let (mut findings, mut others): (Vec<Finding>, Vec<Finding>) =
            findings.into_iter().partition(|finding| finding.rule.starts_with("freeze/"));
        for (project, config) in projects.iter().zip(configs) {
            let folder = format!("{}/", display_path(project.head.folder()));
            let (mut mine, rest) = others.into_iter().partition(|finding: &Finding| finding.path.starts_with(&folder));
            config.apply(&mut mine);
            findings.append(&mut mine);
            others = rest;
        }
        findings.append(&mut others);
        findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        (!findings.is_empty()).then(|| Judged::without_scenarios(item, title, findings, strict))
    }

    /// What head has in the spec set and nobody can read was not judged, frozen or not.
    pub(super) fn judge_unreadable(&self, edits: &[SpecEdit]) -> Option<Judged> {
        // What a submodule holds is in another repository.
        let is_submodule =
            |edit: &&SpecEdit| edit.change.head.as_ref().is_some_and(|node| node.kind == Kind::Submodule);
        let unreadable = edits.iter().filter(|edit| edit.change.kind == ChangeKind::Unreadable || is_submodule(edit));
        let item = Item::new(BStr::new(""), ItemKind::Project, "unreadable");
        let mut findings = Vec::new();
        for edit in unreadable {
            let problem = edit.change.head.as_ref().and_then(|node| node.problem.clone());
            let error = problem.map_or(ReadError::NotAFile, ReadError::Io);
            report_unreadable(&item, edit.change.path.as_ref(), "file", &error, &mut findings);
        }
        let title = format!("{} could not be read", count(findings.len(), "file"));
        (!findings.is_empty()).then(|| Judged::without_scenarios(item, title, findings, true))
    }
}
