//! A report read back from its JSON: to print it in another format, or to put several together.

use std::collections::HashMap;
use std::sync::Arc;

use super::{FindingV1, ItemV1, ReportV1, SCHEMA_VERSION};
use crate::report::{CriterionResult, Evidence, Finding, Item, ItemKind, JudgedItem, Report, Verdict, criterion_v1};
use crate::rules;

/// Why a document is no report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is no JSON, or JSON of another shape.
    #[error("this is no JSON report of `specward verify`: {0}")]
    Shape(String),
    /// It was written in a later shape.
    #[error("the report has schema_version {0}; this specward reads {SCHEMA_VERSION}")]
    Version(u64),
    /// Another version wrote it, whose rules may be others.
    #[error("the report is of specward {0}; this is {version}", version = env!("CARGO_PKG_VERSION"))]
    Program(String),
    /// It counts something else than it lists.
    #[error("the report lists something else than it counts: it was cut or edited")]
    Counts,
    /// It names a rule that is not known here.
    #[error("the report names the rule `{0}`, which this specward has not")]
    Rule(String),
    /// It names an item that it does not list.
    #[error("the report has a finding about `{0}`, which is none of its items")]
    Item(String),
}

impl ReportV1 {
    /// Reads a document.
    ///
    /// # Errors
    /// When it is none of this version.
    pub fn parse(json: &[u8]) -> Result<Self, ReadError> {
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let shape = |error: serde_json::Error| ReadError::Shape(error.to_string());
        let document: serde_json::Value = serde_json::from_slice(json).map_err(shape)?;
        match document.get("schema_version").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(SCHEMA_VERSION) => {}
            Some(version) => return Err(ReadError::Version(version)),
            None => return Err(ReadError::Shape("it has no `schema_version`".to_owned())),
        }
        serde_json::from_value(document).map_err(shape)
    }

    /// The report it was made from, as far as reports tell it.
    ///
    /// # Errors
    /// When it names what it does not list, or rules that are not known.
    pub fn into_report(self) -> Result<Report, ReadError> {
        if self.specward != env!("CARGO_PKG_VERSION") {
            return Err(ReadError::Program(self.specward));
        }
        let (counts, of_criteria, judged_items) = (self.counts, self.criteria_counts, self.judged);
        let is_changed = self.spec_changed_in_diff.unwrap_or_default();
        let items: Vec<JudgedItem> = self.items.into_iter().map(judged).collect::<Result<_, _>>()?;
        let known: HashMap<String, &Item> = items.iter().map(|judged| (judged.item.name(), &judged.item)).collect();
        let findings = self.findings.into_iter().map(|one| finding(one, &known)).collect::<Result<_, _>>()?;
        let report = Report {
            run_id: self.run_id,
            scope: self.scope,
            verdict: self.verdict,
            findings,
            items,
            left_alone: self.left_alone,
            reasons: self.reasons,
            spec_changes: self.spec_changed_in_diff.map(|_| self.spec_changes),
            notes: self.notes,
            suppressed: self.suppressed,
            baselined: self.baselined,
            scenarios: self.coverage.total,
            covered: self.coverage.covered,
            criteria: criteria(self.criteria),
            trees: self.trees,
            criteria_digest: self.criteria_digest,
            quality: None,
            common_dir: None,
        };
        let is_whole = (report.counts(), report.criteria_counts(), report.judged())
            == (counts, of_criteria, judged_items)
            && is_changed == report.spec_changed_in_diff().unwrap_or_default();
        if is_whole { Ok(report) } else { Err(ReadError::Counts) }
    }
}

fn judged(item: ItemV1) -> Result<JudgedItem, ReadError> {
    let ItemV1 { kind, id, root, title, verdict } = item;
    let kind = [ItemKind::Change, ItemKind::Spec, ItemKind::Project].into_iter().find(|known| known.word() == kind);
    let kind = kind.ok_or_else(|| ReadError::Shape(format!("`{id}` is neither spec nor change nor project")))?;
    Ok(JudgedItem { item: Item { root: root.into(), kind, id: id.into() }, title, verdict })
}

fn finding(written: FindingV1, items: &HashMap<String, &Item>) -> Result<Finding, ReadError> {
    let rule = rules::find(&written.rule).ok_or_else(|| ReadError::Rule(written.rule.clone()))?;
    let item = *items.get(&written.item).ok_or_else(|| ReadError::Item(written.item.clone()))?;
    let is_source = |lines: &[String]| matches!((lines, &written.source), ([line], Some(source)) if line == source);
    let evidence = if is_source(&written.evidence) { Vec::new() } else { written.evidence };
    Ok(Finding {
        rule: rule.id,
        level: written.level,
        item: item.clone(),
        anchor: String::new(),
        path: written.path,
        line: written.line.max(1),
        column: written.column.max(1),
        width: written.width,
        message: written.message,
        fix: written.fix,
        requirement: written.requirement,
        source: written.source,
        evidence,
        is_echo: false,
        cannot_check: written.unverifiable,
    })
}

/// Criteria with their evidence. What one command showed is shared again by the checks that share the command, so that it
/// is written once again.
fn criteria(written: Vec<criterion_v1::CriterionV1>) -> Vec<CriterionResult> {
    let mut by_name: HashMap<String, Evidence> = HashMap::new();
    // Projects run their commands each for itself.
    let mut by_text: HashMap<(String, String, Arc<str>), Evidence> = HashMap::new();
    let mut results = Vec::with_capacity(written.len());
    for one in written {
        let shared_with: Vec<Option<String>> = one.checks.iter().map(|check| check.evidence_of.clone()).collect();
        let mut result = CriterionResult::from(one);
        let name = result.name();
        for (check, other) in result.checks.iter_mut().zip(shared_with) {
            let own = std::mem::take(&mut check.evidence);
            let key = format!("{name}#{}", check.index);
            check.evidence = match other.and_then(|other| by_name.get(&other)) {
                Some(shared) => shared.clone(),
                None if check.kind == "command" && check.verdict != Verdict::Skipped && !own.text.is_empty() => {
                    by_text.entry((result.root.clone(), check.subject.clone(), own.text.clone())).or_insert(own).clone()
                }
                None => own,
            };
            by_name.insert(key, check.evidence.clone());
        }
        results.push(result);
    }
    results
}
