//! Runs the rules of `lint` over one item, and adds up what they find.

use std::collections::{HashMap, HashSet};

use bstr::BStr;

use super::unchanged::Unchanged;
use crate::config::Config;
use crate::criteria::{self, CriteriaFile, Fault};
use crate::gate::judge::{self, RuleSet};
use crate::gate::reading::{report_encoding, report_unreadable};
use crate::gate::suppress::FileComments;
use crate::gate::work::{Work, title};
use crate::openspec::change::{Change, DeltaFile};
use crate::openspec::delta::Delta;
use crate::openspec::discovery::SpecFile;
use crate::openspec::heading::fold_name;
use crate::openspec::project::Project;
use crate::openspec::prose::{FileProse, RequirementProse};
use crate::openspec::scenario::ScenarioMap;
use crate::openspec::spec::Spec;
use crate::openspec::text::Text;
use crate::report::quality::{FULL, FileQuality, MOST_PER_RULE, RequirementScore};
use crate::report::{Finding, Item, display_path, shown_line};
use crate::rules::{
    self, Check, CriteriaView, CriterionIds, DeltaView, Place, QualityView, Rule, ScenarioView, Sink, SpecView, Weight,
};

/// Evidence of a low score: this many findings.
const MOST_EVIDENCE: usize = 5;

/// What linting an item gives.
pub(super) struct Linted {
    pub(super) item: Item,
    pub(super) title: String,
    pub(super) findings: Vec<Finding>,
    pub(super) files: Vec<FileQuality>,
    /// Comments in its files that allow findings.
    pub(super) comments: Vec<FileComments>,
}

/// Lints one item.
pub(super) struct Linter<'a> {
    pub(super) item: &'a Item,
    pub(super) config: &'a Config,
    pub(super) is_pedantic: bool,
    /// Whether only what differs from base is judged.
    pub(super) is_compared: bool,
}

/// A parsed file of either kind.
enum Document<'a> {
    Spec(&'a Spec, &'a SpecFile),
    Delta(&'a Change, &'a DeltaFile, &'a Delta),
}

impl Document<'_> {
    fn text(&self) -> &Text {
        match self {
            Self::Spec(spec, _) => &spec.text,
            Self::Delta(_, _, delta) => &delta.text,
        }
    }

    fn path(&self) -> &BStr {
        match self {
            Self::Spec(_, file) => file.path.as_ref(),
            Self::Delta(_, file, _) => file.path.as_ref(),
        }
    }

    fn capability(&self) -> &str {
        match self {
            Self::Spec(_, file) => &file.id,
            Self::Delta(_, file, _) => &file.capability,
        }
    }

    fn scenarios(&self) -> ScenarioMap {
        match self {
            Self::Spec(spec, _) => ScenarioMap::of_spec(spec),
            Self::Delta(_, _, delta) => ScenarioMap::of_delta(delta),
        }
    }

    fn prose(&self, map: &ScenarioMap) -> FileProse {
        match self {
            Self::Spec(spec, _) => FileProse::of_spec(spec, map),
            Self::Delta(_, _, delta) => FileProse::of_delta(delta, map),
        }
    }
}

impl Linter<'_> {
    pub(super) fn lint(&self, work: &Work<'_>) -> Linted {
        let mut linted = Linted::new(self.item);
        match work {
            Work::Spec(project, _, file) => match project.parsed(file) {
                Ok(spec) => {
                    linted.title = title(&spec.text).unwrap_or(linted.title);
                    self.document(project, &Document::Spec(spec, file), &mut linted);
                }
                Err(error) => {
                    report_unreadable(self.item, file.path.as_ref(), "file", error, &mut linted.findings);
                }
            },
            Work::Change(project, _, name) => {
                let change = Change::load(project, name.as_ref());
                for (path, error) in change.unreadable.iter().chain(&change.odd) {
                    report_unreadable(self.item, path.as_ref(), "file", error, &mut linted.findings);
                }
                for file in &change.deltas {
                    match &file.delta {
                        Ok(delta) => self.document(project, &Document::Delta(&change, file, delta), &mut linted),
                        Err(error) => {
                            report_unreadable(self.item, file.path.as_ref(), "file", error, &mut linted.findings);
                        }
                    }
                }
            }
        }
        linted.findings.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
        linted
    }

    fn document(&self, project: &Project<'_>, document: &Document<'_>, linted: &mut Linted) {
        let map = document.scenarios();
        let prose = document.prose(&map);
        let (text, path) = (document.text(), document.path());
        let mut findings = Vec::new();
        self.run_rules(project, document, (&map, &prose), &mut findings);
        let criteria = criteria::load(project, document.capability());
        if let Some(file) = &criteria {
            self.criteria(project, file, document, &prose, &mut findings);
        }
        self.config.apply(&mut findings);
        findings.retain(|finding| !finding.is_echo);
        let mut unchanged = if self.is_compared { self.unchanged(project, document) } else { Unchanged::default() };
        let (skipped, judged): (Vec<&RequirementProse>, Vec<_>) =
            prose.requirements.iter().partition(|one| unchanged.take(&one.name, text.lines(one.lines.clone())));
        let shown = display_path(path);
        // They stand in the order of their lines.
        let is_skipped = |line: usize| {
            let after = skipped.partition_point(|one| one.lines.start <= line);
            after > 0 && skipped[after - 1].lines.contains(&line)
        };
        findings.retain(|finding| finding.path != shown || !is_skipped(finding.line - 1));
        linted.files.push(FileQuality {
            item: self.item.clone(),
            id: match document {
                Document::Spec(_, file) => file.id.clone(),
                Document::Delta(change, file, _) => format!("{}/{}", change.id, file.capability),
            },
            path: shown,
            criteria_path: criteria.map(|file| display_path(file.path.as_ref())),
            scenarios: judged.iter().map(|one| one.scenarios.len()).sum(),
            requirements: judged
                .iter()
                .map(|one| RequirementScore {
                    name: one.name.clone(),
                    header: shown_line(text.line(one.lines.start)),
                    lines: one.lines.clone(),
                    score: FULL,
                })
                .collect(),
        });
        linted.findings.append(&mut findings);
        linted.comments.extend(FileComments::of(path, text));
    }

    fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        let is_wanted = |rule: &&Rule| {
            rule.weight
                .is_some_and(|weight| !weight.is_pedantic || self.is_pedantic || self.config.has_level_for(rule.id))
        };
        rules::all().filter(is_wanted)
    }

    fn run_rules(
        &self,
        project: &Project<'_>,
        document: &Document<'_>,
        (map, prose): (&ScenarioMap, &FileProse),
        findings: &mut Vec<Finding>,
    ) {
        let (path, text) = (document.path(), document.text());
        let (anchor, delta_view) = match document {
            Document::Spec(..) => ("requirements".to_owned(), None),
            Document::Delta(change, file, delta) => (file.entry(), Some(DeltaView::new(project, change, file, delta))),
        };
        report_encoding(self.item, path, &anchor, text, RuleSet::All, findings);
        for rule in self.rules() {
            let mut sink = Sink::new(rule, self.item, path, Some(text), findings);
            match (rule.check, document) {
                (Check::Spec(check), Document::Spec(spec, file)) => {
                    check(&SpecView { spec, project: Some(project), capability: &file.id }, &mut sink);
                }
                (Check::Delta(check), Document::Delta(..)) => {
                    if let Some(view) = &delta_view {
                        check(view, &mut sink);
                    }
                }
                (Check::Scenarios(check), _) => check(&ScenarioView { map, text, anchor: &anchor }, &mut sink),
                (Check::Quality(check), _) => {
                    for requirement in &prose.requirements {
                        check(&QualityView { requirement, file: prose, text }, &mut sink);
                    }
                }
                _ => {}
            }
        }
    }

    /// What is wrong with the criteria of the capability, as far as they are about requirements of this file.
    fn criteria(
        &self,
        project: &Project<'_>,
        file: &CriteriaFile,
        document: &Document<'_>,
        prose: &FileProse,
        findings: &mut Vec<Finding>,
    ) {
        let path: &BStr = file.path.as_ref();
        if let Err(Fault::Unreadable(error)) = &file.outcome {
            return report_unreadable(self.item, path, "criteria", error, findings);
        }
        let text = project.snapshot().read(path).ok().map(Text::from_bytes);
        let view = CriteriaView { project, file, matches: &[], ids: &CriterionIds::default() };
        let mut found = Vec::new();
        for rule in self.rules() {
            if let Check::Criteria(check) = rule.check {
                check(&view, &mut Sink::new(rule, self.item, path, text.as_ref(), &mut found));
            }
        }
        let names: HashSet<String> = prose.requirements.iter().map(|one| fold_name(&one.name)).collect();
        let is_own = |finding: &Finding| match &finding.requirement {
            Some(name) => names.contains(&fold_name(name)),
            // About the file as a whole, which one linted file tells.
            None => matches!(document, Document::Spec(..)),
        };
        found.retain(is_own);
        findings.append(&mut found);
    }

    /// The requirements that base has just so.
    fn unchanged(&self, project: &Project<'_>, document: &Document<'_>) -> Unchanged {
        let Some(compared) = project.compared() else { return Unchanged::default() };
        match document {
            Document::Spec(_, file) => Unchanged::of_spec(&compared.base, &file.id),
            Document::Delta(change, file, _) => Unchanged::of_delta(&compared.base, &change.id, &file.capability),
        }
    }
}

impl Linted {
    fn new(item: &Item) -> Self {
        Self {
            item: item.clone(),
            title: item.id.to_string(),
            findings: Vec::new(),
            files: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// A fault of ours.
    pub(super) fn crashed(item: &Item, work: &Work<'_>) -> Self {
        Self { findings: judge::crashed(item, work.path().as_ref()), ..Self::new(item) }
    }

    /// Gives the requirements their points, and reports those that have too few.
    pub(super) fn score(&mut self, min_score: Option<u8>) {
        let mut low = Vec::new();
        for file in &mut self.files {
            file.count(self.findings.iter());
            let Some(wanted) = min_score else { continue };
            for requirement in file.requirements.iter().filter(|requirement| requirement.score < wanted) {
                let rule = &rules::quality::low_score::RULE;
                let place = Place {
                    file: file.path.as_str().into(),
                    line: requirement.lines.start,
                    anchor: "quality",
                    text: None,
                };
                let message = format!(
                    "`{}` has {} of {FULL} points, and {wanted} are asked for",
                    requirement.name, requirement.score
                );
                let evidence = evidence(&self.findings, &file.path, &requirement.lines);
                Sink::new(rule, &self.item, file.path.as_str().into(), None, &mut low)
                    .report_at(
                        place,
                        message,
                        "say the same better where the findings in it point; a frozen spec is the human's to edit",
                    )
                    .about(&requirement.name)
                    .show(Some(&requirement.header))
                    .prove(&evidence);
            }
        }
        self.findings.append(&mut low);
        self.findings.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    }
}

/// What cost a requirement its points, the costliest first.
fn evidence(findings: &[Finding], path: &str, lines: &std::ops::Range<usize>) -> Vec<String> {
    let mut cost: Vec<(Weight, &Finding)> = findings
        .iter()
        .filter(|finding| finding.path == path && lines.contains(&(finding.line - 1)))
        .filter_map(|finding| Some((rules::find(finding.rule)?.weight?, finding)))
        .filter(|(weight, _)| weight.points > 0)
        .collect();
    cost.sort_by_key(|(weight, finding)| (std::cmp::Reverse(weight.points), finding.line));
    let mut seen: HashMap<&str, usize> = HashMap::new();
    cost.retain(|(weight, _)| {
        let times = seen.entry(weight.code).or_default();
        *times += 1;
        *times <= MOST_PER_RULE
    });
    cost.iter()
        .take(MOST_EVIDENCE)
        .map(|(weight, finding)| {
            format!("-{} line {}: {} ({})", weight.points, finding.line, finding.message, finding.rule)
        })
        .collect()
}
