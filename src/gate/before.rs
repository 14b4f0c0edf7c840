//! Failures that were there when a session began, in files that nobody touched since: not the agent's to mend.

use std::collections::HashSet;

use bstr::{BStr, ByteSlice};

use super::run::Run;
use super::verify::read_config;
use super::work::{Judged, Work};
use crate::openspec::project::Project;
use crate::report::{Finding, ItemKind, count, display_path};
use crate::rules::{EditPlace, SpecEdit};

/// What tells two findings apart, wherever their lines are by now.
type Key = (&'static str, String, Option<String>, String);

impl Run<'_> {
    /// Takes them out of the judged items. Returns what a reader should know.
    pub(super) fn drop_what_was_before(
        &self,
        projects: &[Project<'_>],
        edits: &[SpecEdit],
        strict: bool,
        judged: &mut [Judged],
    ) -> Option<String> {
        self.task.session.as_ref()?;
        let edited: HashSet<String> = edits
            .iter()
            .filter(|edit| edit.place == EditPlace::Head)
            .map(|edit| display_path(edit.change.path.as_ref()))
            .collect();
        let mut dropped = 0;
        for one in judged.iter_mut() {
            if !one.findings.iter().any(|finding| finding.fails(strict)) {
                continue;
            }
            let was_there = self.findings_before(projects, one, strict);
            let before = one.findings.len();
            // What cannot be checked is not known to be as it was.
            one.keep(strict, |finding| {
                finding.cannot_check || edited.contains(&finding.path) || !was_there.contains(&key(finding))
            });
            dropped += before - one.findings.len();
        }
        let words = || format!("{} that stood there when the session began", count(dropped, "finding"));
        (dropped > 0).then(words)
    }

    /// What is wrong with the item as it was at base.
    fn findings_before(&self, projects: &[Project<'_>], judged: &Judged, strict: bool) -> HashSet<Key> {
        let item = &judged.item.item;
        let project = projects.iter().find(|project| display_path(project.root()) == *item.root);
        let Some(base) = project.and_then(|project| project.compared()).map(|compared| &compared.base) else {
            return HashSet::new();
        };
        let Ok(config) = read_config(base.snapshot(), base.root()) else { return HashSet::new() };
        let id: &BStr = item.id.as_bytes().as_bstr();
        let work = match item.kind {
            ItemKind::Spec => base.spec_at(id).map(|file| Work::Spec(base, &config, file)),
            ItemKind::Change => Some(Work::Change(base, &config, id.to_owned())),
            _ => None,
        };
        let judged = work.map(|work| self.judge_one(&work, strict));
        judged.map(|judged| judged.findings.iter().map(key).collect()).unwrap_or_default()
    }
}

fn key(finding: &Finding) -> Key {
    (finding.rule, finding.path.clone(), finding.requirement.clone(), finding.message.clone())
}
