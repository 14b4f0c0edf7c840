//! Runs the rules over one item.

use bstr::BStr;

use super::reading::{report_conflicts, report_encoding, report_unread_parts, report_unreadable};
use crate::openspec::change::Change;
use crate::openspec::discovery::SpecFile;
use crate::openspec::metadata::METADATA_FILE;
use crate::openspec::project::Project;
use crate::openspec::scenario::ScenarioMap;
use crate::openspec::text::Text;
use crate::repo::snapshot::ReadError;
use crate::report::{Finding, Item, Level, Verdict, display_path};
use crate::rules::{
    self, ArchiveView, ChangeView, Check, DeltaView, Group, MergeView, Origin, Place, Rule, ScenarioView, Sink,
    SpecView,
};

/// From this many items on, threads pay for their start.
pub const PARALLEL_FROM: usize = 24;

/// Which rules run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSet {
    /// Those of the reference, for its drop-in commands.
    Reference,
    /// All.
    All,
}

impl RuleSet {
    fn has(self, rule: &Rule) -> bool {
        self == Self::All || rule.origin == Origin::Reference
    }

    fn rules(self) -> impl Iterator<Item = &'static Rule> {
        rules::all().filter(move |rule| self.has(rule))
    }
}

/// Judges a main spec.
pub fn main_spec(project: &Project<'_>, file: &SpecFile, item: &Item, set: RuleSet) -> Vec<Finding> {
    let mut findings = Vec::new();
    let spec = match project.parsed(file) {
        Ok(spec) => spec,
        Err(error) => {
            report_unreadable(item, file.path.as_ref(), "file", error, &mut findings);
            return findings;
        }
    };
    report_encoding(item, file.path.as_ref(), "file", &spec.text, set, &mut findings);
    let view = SpecView { spec, project: Some(project), capability: &file.id };
    for rule in set.rules() {
        if let Check::Spec(check) = rule.check {
            check(&view, &mut Sink::new(rule, item, file.path.as_ref(), Some(&spec.text), &mut findings));
        }
    }
    let map = || ScenarioMap::of_spec(spec);
    scenarios(map, "requirements", item, file.path.as_ref(), &spec.text, set, &mut findings);
    findings
}

/// Judges the scenarios of a file, which are only read when a rule wants them.
fn scenarios(
    map: impl FnOnce() -> ScenarioMap,
    anchor: &str,
    item: &Item,
    path: &BStr,
    text: &Text,
    set: RuleSet,
    findings: &mut Vec<Finding>,
) {
    let mut checks = set.rules().filter_map(|rule| match rule.check {
        Check::Scenarios(check) => Some((rule, check)),
        _ => None,
    });
    let Some(first) = checks.next() else { return };
    let map = map();
    let view = ScenarioView { map: &map, text, anchor };
    for (rule, check) in std::iter::once(first).chain(checks) {
        check(&view, &mut Sink::new(rule, item, path, Some(text), findings));
    }
}

/// What a main spec that nobody found comes to: something is in the way, or nothing is there.
pub fn missing_spec(project: &Project<'_>, item: &Item, path: &BStr) -> Vec<Finding> {
    let mut findings = Vec::new();
    let error = project.snapshot().read(path).err().unwrap_or(ReadError::Missing);
    report_unreadable(item, path, "file", &error, &mut findings);
    findings
}

/// Judges an open change.
pub fn change(project: &Project<'_>, change: &Change, item: &Item, set: RuleSet) -> Vec<Finding> {
    change_in(&ChangeView::new(project, change), item, set)
}

/// Judges an open change, of which the view keeps what archiving it would do.
pub(super) fn change_in(view: &ChangeView<'_>, item: &Item, set: RuleSet) -> Vec<Finding> {
    let (project, change) = (view.project, view.change);
    let mut findings = Vec::new();
    let is_wrapper = !change.nested.is_empty();
    if !is_wrapper {
        report_unread_parts(project, change, item, set, &mut findings);
        if set == RuleSet::Reference && !findings.is_empty() {
            // The reference stops at the first thing it refuses to read.
            findings.truncate(1);
            return findings;
        }
        for file in &change.deltas {
            let Ok(delta) = &file.delta else { continue };
            let found = delta_file(&DeltaView::new(project, change, file, delta), item, set);
            let gives_up = found
                .iter()
                .find(|finding| finding.rule == rules::merge::unreadable_spec::RULE.id && finding.anchor == "file");
            if let (RuleSet::Reference, Some(finding)) = (set, gives_up) {
                return vec![finding.clone()];
            }
            findings.extend(found);
        }
    }
    for rule in set.rules() {
        if let Some(check) = rule.check.of_change() {
            check(view, &mut Sink::new(rule, item, change.dir.as_ref(), None, &mut findings));
        }
    }
    if set == RuleSet::All {
        if !is_wrapper {
            merged(view, item, rules::GROUPS, &mut findings);
            report_conflicts(project, change, item, &mut findings);
        }
        show_lines(project, change, &mut findings);
    }
    findings
}

/// Judges by the rules of some groups what archiving the change would make of the main specs.
fn merged(view: &ChangeView<'_>, item: &Item, groups: &[Group], findings: &mut Vec<Finding>) {
    let (project, change) = (view.project, view.change);
    let mut is_refused = false;
    for (run, file) in view.dry_run().files.iter().zip(&change.deltas) {
        let Ok(delta) = &file.delta else { continue };
        let view = MergeView { project, change, file, delta, run };
        is_refused |= view.is_refused_by_itself();
        for rule in groups.iter().flat_map(|group| group.rules) {
            if let Check::Merge(check) = rule.check {
                check(&view, &mut Sink::new(rule, item, file.path.as_ref(), Some(&delta.text), findings));
            }
        }
    }
    // Whatever the reason is, a change that cannot be archived does not pass.
    if is_refused && !findings.iter().any(|finding| finding.level == Level::Error) {
        let place = Place { file: change.dir.as_ref(), line: 0, anchor: "file", text: None };
        let fix = "run `openspec archive` on it in a scratch copy, and report what it says to the specward project";
        Sink::new(&rules::merge::aborts::RULE, item, change.dir.as_ref(), None, findings).report_at(
            place,
            "archiving would refuse this change",
            fix,
        );
    }
}

/// Judges one delta of a change: what it says, and when no error is in that, what it comes to when merged.
fn delta_file(view: &DeltaView<'_>, item: &Item, set: RuleSet) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (path, text): (&BStr, &Text) = (view.file.path.as_ref(), &view.delta.text);
    report_encoding(item, path, &view.file.entry(), text, set, &mut findings);
    for rule in set.rules() {
        if let Check::Delta(check) = rule.check {
            check(view, &mut Sink::new(rule, item, path, Some(text), &mut findings));
        }
    }
    let map = || ScenarioMap::of_delta(view.delta);
    scenarios(map, &view.file.entry(), item, path, text, set, &mut findings);
    // Where all rules run, one for each reason says more about it, at the level it deserves.
    if set == RuleSet::All || findings.iter().any(|finding| finding.level == Level::Error) {
        return findings;
    }
    for rule in set.rules() {
        if let Check::DryRun(check) = rule.check {
            check(view, &mut Sink::new(rule, item, path, Some(text), &mut findings));
        }
    }
    findings
}

/// Shows the lines that findings about a change as a whole point at: no rule has read those files.
fn show_lines(project: &Project<'_>, change: &Change, findings: &mut [Finding]) {
    for name in ["proposal.md", METADATA_FILE] {
        let path = change.path(name);
        let shown = display_path(path.as_ref());
        let mut waiting =
            findings.iter_mut().filter(|finding| finding.source.is_none() && finding.path == shown).peekable();
        if waiting.peek().is_none() {
            continue;
        }
        let Ok(bytes) = project.snapshot().read(path.as_ref()) else { continue };
        let text = Text::from_bytes(bytes);
        for finding in waiting.filter(|finding| finding.line <= text.len()) {
            finding.show(Some(text.line(finding.line - 1)));
        }
    }
}

/// Judges an archived change.
pub fn archived(change: &Change, item: &Item) -> Vec<Finding> {
    let mut findings = Vec::new();
    let view = ArchiveView { change };
    for rule in rules::all() {
        if let Check::Archive(check) = rule.check {
            check(&view, &mut Sink::new(rule, item, change.dir.as_ref(), None, &mut findings));
        }
    }
    findings
}

/// What a fault of ours comes to: the item could not be checked, the others still are.
pub(super) fn crashed(item: &Item, path: &BStr) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rule = &rules::repo::crashed::RULE;
    let place = Place { file: path, line: 0, anchor: "file", text: None };
    let fix = "report it to the specward project with this file";
    Sink::new(rule, item, path, None, &mut findings)
        .report_at(place, "specward crashed while it judged this", fix)
        .unverifiable();
    findings
}

/// What an item's findings come to.
pub fn verdict(findings: &[Finding], strict: bool) -> Verdict {
    let worst = |finding: &Finding| match finding.fails(strict) {
        true if finding.cannot_check => Verdict::Unverifiable,
        true => Verdict::Fail,
        false => Verdict::Pass,
    };
    findings.iter().map(worst).fold(Verdict::Pass, Verdict::worst)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::snapshot::Worktree;
    use crate::report::ItemKind;

    /// What is said of merging a change with this delta into a spec without that requirement, by the rules of `groups`.
    fn told(delta: &str, groups: &[Group]) -> Result<Vec<(&'static str, Level)>, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let spec = "## Purpose\nLets people in, and keeps everybody else out of the house.\n\n## Requirements\n\n\
            ### Requirement: Sign in\nThe system SHALL let users in.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n";
        for (path, text) in [("openspec/specs/auth/spec.md", spec), ("openspec/changes/c1/specs/auth/spec.md", delta)] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
            std::fs::write(path, text)?;
        }
        let worktree = Worktree::new(folder.path())?;
        let project = Project::new(&worktree, "");
        let change = Change::load(&project, "c1".into());
        let mut findings = Vec::new();
        let item = Item::new("".into(), ItemKind::Change, "c1");
        merged(&ChangeView::new(&project, &change), &item, groups, &mut findings);
        Ok(findings.iter().map(|finding| (finding.rule, finding.level)).collect())
    }

    #[test]
    fn a_refusal_that_no_rule_tells_is_told_all_the_same() -> Result<(), Box<dyn std::error::Error>> {
        let refused = "## MODIFIED Requirements\n\n### Requirement: Sign out\nThe system SHALL let users out.\n\n\
            #### Scenario: S\n- **WHEN** a\n- **THEN** b\n";
        assert_eq!(told(refused, rules::GROUPS)?, [("merge/not-found", Level::Error)]);
        assert_eq!(told(refused, &[])?, [("merge/aborts", Level::Error)]);
        assert_eq!(told(&refused.replace("MODIFIED", "ADDED"), &[])?, []);
        Ok(())
    }
}
