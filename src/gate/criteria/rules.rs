//! Runs the rules over one file of criteria.

use std::collections::HashSet;

use bstr::{BStr, ByteSlice};

use crate::config::Require;
use crate::criteria::folder::FOLDER;
use crate::criteria::{CriteriaFile, Criterion, Fault, Matching, Place as At, ScenarioRef};
use crate::gate::reading::report_unreadable;
use crate::openspec::project::Project;
use crate::openspec::text::Text;
use crate::report::{Finding, Item, display_path};
use crate::rules::{self, Check, CriteriaView, CriterionIds, Place, Sink};

/// Judges a file of criteria. `matches` says what each of them means, in their order; `ids` has those of all files of the
/// project that are judged.
pub(super) fn judge_file(
    project: &Project<'_>,
    file: &CriteriaFile,
    matches: &[Matching],
    ids: &CriterionIds,
    item: &Item,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let path: &BStr = file.path.as_ref();
    if let Err(Fault::Unreadable(error)) = &file.outcome {
        report_unreadable(item, path, "criteria", error, &mut findings);
        return findings;
    }
    let text = project.snapshot().read(path).ok().map(Text::from_bytes);
    let view = CriteriaView { project, file, matches, ids };
    for rule in rules::all() {
        if let Check::Criteria(check) = rule.check {
            check(&view, &mut Sink::new(rule, item, path, text.as_ref(), &mut findings));
        }
    }
    findings.sort_by_key(|finding| finding.line);
    findings
}

/// Reports each scenario of `wanted` that none of the criteria proves with a check. The criteria are those of the
/// scenarios' capability, each with what it means.
pub(super) fn judge_unchecked<'c>(
    project: &Project<'_>,
    wanted: &[ScenarioRef],
    criteria: impl Iterator<Item = (&'c Criterion, &'c Matching)>,
    require: Require,
    item: &Item,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let with_checks = criteria.filter(|(criterion, _)| !criterion.checks.is_empty());
    let checked: HashSet<(&BStr, usize)> = with_checks
        .flat_map(|(_, matching)| matching.found())
        .map(|found| (found.path.as_ref(), found.scenario_line))
        .collect();
    if require == Require::Listed {
        return findings;
    }
    let mut text: Option<(&BStr, Option<Text>)> = None;
    for scenario in wanted {
        let path: &BStr = scenario.path.as_ref();
        if checked.contains(&(path, scenario.line)) {
            continue;
        }
        if text.as_ref().is_none_or(|(known, _)| *known != path) {
            text = Some((path, project.snapshot().read(path).ok().map(Text::from_bytes)));
        }
        let text = text.as_ref().and_then(|(_, text)| text.as_ref());
        let place = Place { file: path, line: scenario.line, anchor: "criteria", text };
        let message = match require {
            Require::Changed => {
                format!("the scenario `{}` has no check, and this difference adds or modifies it", scenario.scenario)
            }
            _ => format!("the scenario `{}` has no check, and `criteria.require` asks for one", scenario.scenario),
        };
        let fix = format!("list it in {}, with at least one check", file_of(project, scenario));
        Sink::new(&rules::criteria::unchecked::RULE, item, path, None, &mut findings)
            .report_at(place, message, fix)
            .about(&scenario.requirement);
    }
    findings
}

/// The file that a scenario's criterion belongs to, as it is shown.
fn file_of(project: &Project<'_>, scenario: &ScenarioRef) -> String {
    let specs = match &scenario.place {
        At::Main => "specs".to_owned(),
        At::Change(name) => format!("changes/{name}/specs"),
    };
    let inner = scenario.path.strip_prefix(project.path(&specs).as_slice());
    let capability = inner.and_then(|inner| inner.strip_prefix(b"/")).and_then(|inner| inner.strip_suffix(b"/spec.md"));
    let name = capability.map_or("<capability>".into(), |capability| capability.to_str_lossy());
    display_path(project.path(&format!("{FOLDER}/{name}.yaml")).as_ref())
}

#[cfg(test)]
mod tests;
