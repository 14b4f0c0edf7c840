//! Adds up the report of a run.

use super::criteria::Outcome;
use super::run::Run;
use super::suppress::Settled;
use super::work::Judged;
use crate::report::{Finding, Reason, Report, Scope, Trees, Verdict, display_path};
use crate::rules::{Freeze, SpecEdit};

impl Run<'_> {
    pub(super) fn report(
        &self,
        scope: &Scope,
        judged: Vec<Judged>,
        left_alone: usize,
        edits: &[SpecEdit],
        settled: Settled,
        criteria: Outcome,
    ) -> Report {
        let mut reasons = Vec::new();
        let mut notes = settled.notes;
        notes.extend(criteria.notes);
        // Other runners' criteria are no results here, but they are something to judge.
        if judged.is_empty() && criteria.digest.is_none() {
            match &self.diff {
                None => reasons.push(Reason {
                    message: "there is nothing to judge: no spec and no open change".to_owned(),
                    fix: "run specward where `openspec/` has specs or changes".to_owned(),
                }),
                Some(_) if edits.is_empty() => notes.push("no spec or change differs between base and head".to_owned()),
                Some(_) => notes.push("what differs belongs to no spec and no open change of head".to_owned()),
            }
        }
        notes.extend(
            self.diff
                .as_ref()
                .filter(|diff| diff.freeze == Freeze::Explained)
                .map(|diff| diff.explained.notes())
                .unwrap_or_default(),
        );
        let verdicts = judged.iter().map(|judged| judged.item.verdict);
        let worst =
            verdicts.chain(criteria.results.iter().map(|result| result.verdict)).fold(Verdict::Pass, Verdict::worst);
        let verdict = if reasons.is_empty() { worst } else { worst.worst(Verdict::Unverifiable) };
        let changed_paths =
            edits.iter().filter(|edit| !edit.is_ticking).map(|edit| display_path(edit.change.path.as_ref())).collect();
        let mut report = Report {
            run_id: self.task.run_id.clone(),
            scope: scope.clone(),
            verdict,
            items: Vec::with_capacity(judged.len()),
            left_alone,
            findings: Vec::new(),
            reasons,
            spec_changes: self.diff.as_ref().map(|_| changed_paths),
            notes,
            suppressed: settled.suppressed,
            baselined: settled.baselined,
            scenarios: judged.iter().map(|judged| judged.scenarios).sum(),
            covered: criteria.covered,
            criteria: criteria.results,
            trees: Trees { files: criteria.files, ..self.trees.clone() },
            criteria_digest: criteria.digest,
            quality: None,
            common_dir: self.bench.common_dir(),
        };
        for judged in judged {
            report.items.push(judged.item);
            report.findings.extend(judged.findings);
        }
        report.findings.iter_mut().for_each(Finding::hide_secrets);
        report
    }
}
