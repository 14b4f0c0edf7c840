//! Judges main specs that differ between base and head: what head has against what base had.

use bstr::BStr;

use super::judge;
use super::work::Judged;
use crate::config::Config;
use crate::repo::snapshot::ReadError;
use crate::report::{Finding, Item, ItemKind, display_path};
use crate::rules::{self, ProjectPair, Sink, SpecDiffView, SpecEdit};

/// Adds what the rules find to the specs judged already, and an entry for each spec that is gone. Reads nothing when no
/// main spec of base differs.
pub(super) fn judge(
    pair: &ProjectPair<'_>,
    config: &Config,
    edits: &[SpecEdit],
    ids: &[String],
    strict: bool,
    judged: &mut Vec<Judged>,
) {
    for capability in pair.differing_specs(edits) {
        let item = Item::new(pair.head.root(), ItemKind::Spec, &capability);
        let at = judged.iter().position(|judged| judged.item.item == item);
        if at.is_none() && !ids.is_empty() {
            continue; // Not among the items that were named.
        }
        let path = pair.head.path(&format!("specs/{capability}/spec.md"));
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compare(pair, edits, &capability, &item)));
        let mut findings = found.unwrap_or_else(|_| judge::crashed(&item, path.as_ref()));
        config.apply(&mut findings);
        findings.retain(|finding| !finding.is_echo);
        match at {
            Some(at) => {
                let judged = &mut judged[at];
                judged.findings.append(&mut findings);
                judged.findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
                judged.item.verdict = judge::verdict(&judged.findings, strict);
            }
            None if findings.is_empty() => {}
            None => {
                // No item of head: what is gone is told about the project.
                let item = Item::new(pair.head.root(), ItemKind::Project, &display_path(path.as_ref()));
                findings.iter_mut().for_each(|finding| finding.item = item.clone());
                judged.push(Judged::without_scenarios(item, "no longer there".to_owned(), findings, strict));
            }
        }
    }
}

fn compare(pair: &ProjectPair<'_>, edits: &[SpecEdit], capability: &str, item: &Item) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(base) = pair.base.spec(capability) else { return findings };
    // What base had and nobody can read is no measure; what head has and nobody can read is reported as that.
    let Ok(base) = pair.base.parsed(&base) else { return findings };
    let file = match pair.head.target(capability) {
        Ok(file) => file,
        Err(ReadError::NotADirectory) => None,
        Err(_) => return findings,
    };
    let head = match file.as_ref().map(|file| pair.head.parsed(file)) {
        None => None,
        Some(Ok(spec)) => Some(spec),
        Some(Err(_)) => return findings,
    };
    let view = SpecDiffView::new(pair, edits, capability, base, head);
    let path = pair.head.path(&format!("specs/{capability}/spec.md"));
    let path: &BStr = path.as_ref();
    for rule in rules::all() {
        if let Some(check) = rule.check.of_spec_diff() {
            check(&view, &mut Sink::new(rule, item, path, head.map(|spec| &spec.text), &mut findings));
        }
    }
    findings
}
