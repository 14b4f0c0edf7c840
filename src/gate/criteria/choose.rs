//! Which criteria of a project are judged, and in which version.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice};

use super::plan::{Planned, trivial};
use super::rules;
use crate::config::{Config, Require};
use crate::criteria::folder::{self, CriteriaFile, FOLDER};
use crate::criteria::{CheckKind, Criterion, Match, Matching, Place, ScenarioRef, Scenes};
use crate::gate::run::Run;
use crate::gate::work::{Judged, Work};
use crate::openspec::change::Change;
use crate::openspec::heading::section_break;
use crate::openspec::project::Project;
use crate::openspec::text::Text;
use crate::report::{Finding, Item, ItemKind, display_path};
use crate::rules::{CriterionIds, EditPlace, Freeze, SpecEdit};

/// What of one project is judged.
pub(super) struct Chooser<'r, 'a> {
    run: &'r Run<'a>,
    project: &'r Project<'r>,
    at: usize,
    /// Capabilities of judged main specs.
    specs: BTreeSet<String>,
    /// Capabilities whose criteria were edited.
    edited: BTreeSet<String>,
    /// Open changes that are judged.
    changes: BTreeSet<String>,
    /// Capabilities of their deltas.
    claimed: BTreeSet<String>,
    /// Whether everything is judged.
    is_whole: bool,
    /// Whether all criteria are run.
    runs_all: bool,
    /// Which scenarios need a check.
    require: Require,
    /// Scenarios of head by capability, read when they are first asked for.
    scenes: RefCell<HashMap<String, Rc<Scenes>>>,
    texts: Texts,
}

/// What was chosen.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Head's files.
    files: Vec<CriteriaFile>,
    /// What each of their criteria means.
    matches: Vec<Vec<Matching>>,
    pub(super) planned: Vec<Planned>,
    /// Scenarios of judged main specs that have a check, as file and 0-based line.
    pub(super) covered: Vec<(Vec<u8>, usize)>,
    pub(super) notes: Vec<String>,
    /// Ids of all criteria that were seen.
    pub(super) ids: Vec<String>,
}

impl<'r, 'a> Chooser<'r, 'a> {
    /// None when nobody demands a check and there is none.
    pub(super) fn new(
        run: &'r Run<'a>,
        project: &'r Project<'r>,
        at: usize,
        work: &[Work<'_>],
        edits: &[SpecEdit],
        require: Require,
        is_affected: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let has_criteria = |project: &Project<'_>| project.snapshot().kind(project.path(FOLDER).as_ref()).is_ok();
        let base = project.compared().map(|compared| &compared.base);
        if require == Require::Listed && !has_criteria(project) && !base.is_some_and(has_criteria) {
            return None;
        }
        let (mut specs, mut changes, mut claimed) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for work in work.iter().filter(|work| std::ptr::eq(work.project(), project)) {
            match work {
                Work::Spec(_, _, file) => {
                    specs.insert(file.id.clone());
                }
                Work::Change(_, _, name) => {
                    changes.insert(name.to_str_lossy().into_owned());
                    let change = Change::load(project, name.as_ref());
                    claimed.extend(change.deltas.iter().map(|file| file.capability.clone()));
                }
            }
        }
        let (folder, mut edited) = (project.path(FOLDER), BTreeSet::new());
        for edit in edits.iter().filter(|edit| edit.place == EditPlace::Head) {
            let inner = edit.change.path.strip_prefix(folder.as_slice()).and_then(|rest| rest.strip_prefix(b"/"));
            edited.extend(inner.and_then(|inner| folder::capability_of(inner.as_bstr())));
        }
        let is_whole = run.diff.is_none() && run.task.ids.is_empty();
        let runs_all = is_whole || run.task.ids.is_empty() && is_affected();
        let (scenes, texts) = (RefCell::default(), Texts::default());
        Some(Self { run, project, at, specs, edited, changes, claimed, is_whole, runs_all, require, scenes, texts })
    }

    /// Reads the criteria of the judged items, and those that are asked for by name.
    pub(super) fn choose(&self, only: Option<&[String]>) -> Chosen {
        let mut chosen = Chosen { files: self.load(self.project, only.is_some()), ..Chosen::default() };
        let find = |file: &CriteriaFile| {
            let scenes = self.scenes(&file.capability);
            file.criteria().iter().map(|criterion| scenes.find(self.project, criterion)).collect::<Vec<_>>()
        };
        chosen.matches = chosen.files.iter().map(find).collect();
        let matched = chosen.files.iter().zip(&chosen.matches);
        let head: Vec<(&Criterion, &Matching)> =
            matched.flat_map(|(file, matches)| file.criteria().iter().zip(matches)).collect();
        let mut planned = self.of_base(&head, only.is_some(), &mut chosen.notes);
        let known: HashSet<(String, String)> =
            planned.iter().map(|(one, ..)| (one.capability.clone(), one.id.clone())).collect();
        for (criterion, matching) in head {
            let is_known = known.contains(&(criterion.capability.clone(), criterion.id.clone()));
            if !is_known && !matching.found().is_empty() {
                planned.push((criterion.clone(), false, matching.found().to_vec()));
            }
        }
        // In the order of the files, whichever side a criterion is of.
        planned.sort_by(|(a, ..), (b, ..)| (&a.capability, a.line, &a.id).cmp(&(&b.capability, b.line, &b.id)));
        for (criterion, is_of_base, places) in planned {
            chosen.ids.push(criterion.id.clone());
            let is_judged = self.is_judged(&criterion, &places);
            let name = match self.project.root() {
                root if root.is_empty() => criterion.id.clone(),
                root => format!("{}:{}", display_path(root), criterion.id),
            };
            let is_asked = only.is_none_or(|only| only.contains(&criterion.id) || only.contains(&name));
            chosen.ids.push(name);
            if !is_judged && (only.is_none() || !is_asked) {
                continue;
            }
            if !criterion.checks.is_empty() {
                let covers = places.iter().filter(|place| place.place == Place::Main);
                chosen.covered.extend(
                    covers
                        .filter(|_| self.specs.contains(&criterion.capability))
                        .map(|place| (place.path.to_vec(), place.scenario_line)),
                );
            }
            chosen.planned.push(Planned {
                project: self.at,
                root: display_path(self.project.root()),
                is_of_base,
                ears: places.first().map(|place| place.ears.clone()).or(criterion.ears.clone()).unwrap_or_default(),
                pattern: places.first().and_then(|place| place.pattern),
                steps: places.first().map(|place| self.steps(&criterion, place)).unwrap_or_default(),
                skipped: (!is_asked).then(|| "not asked for (--only)".to_owned()),
                trivial: criterion.checks.iter().map(trivial).collect(),
                touched: Vec::new(),
                criterion,
            });
        }
        chosen
    }

    /// Base's criteria when they are what counts, each with whether head has another one in its place.
    fn of_base(
        &self,
        head: &[(&Criterion, &Matching)],
        all: bool,
        notes: &mut Vec<String>,
    ) -> Vec<(Criterion, bool, Vec<Match>)> {
        let Some(base) = self.frozen_base() else { return Vec::new() };
        let of_head: HashMap<(&str, &str), &Criterion> =
            head.iter().map(|(one, _)| ((one.capability.as_str(), one.id.as_str()), *one)).collect();
        let mut planned = Vec::new();
        for file in self.load(base, all) {
            let (here, there) = (self.scenes(&file.capability), Scenes::of(base, &file.capability));
            for criterion in file.criteria() {
                let other = of_head.get(&(criterion.capability.as_str(), criterion.id.as_str()));
                let is_of_base = other.is_none_or(|other| !other.is_same(criterion));
                let mut places = here.find(self.project, criterion).found().to_vec();
                if places.is_empty() {
                    places = there.find(base, criterion).found().to_vec();
                    // Nothing is demanded any more, unless somebody took the demand away who may not.
                    if places.is_empty() || self.is_gone_for_good() {
                        notes.push(format!("criterion `{}` was not run: its scenario is gone", criterion.id));
                        continue;
                    }
                }
                planned.push((criterion.clone(), is_of_base, places));
            }
        }
        planned
    }

    fn scenes(&self, capability: &str) -> Rc<Scenes> {
        let mut known = self.scenes.borrow_mut();
        let scenes = known.entry(capability.to_owned());
        Rc::clone(scenes.or_insert_with(|| Rc::new(Scenes::of(self.project, capability))))
    }

    /// Reports what is wrong with head's files, and which scenarios have no check that need one.
    pub(super) fn judge_files(&self, chosen: &Chosen, config: &Config, strict: bool) -> Vec<Judged> {
        let mut judged = Vec::new();
        let mut add = |id: &str, title: &str, mut findings: Vec<Finding>| {
            config.apply(&mut findings);
            if !findings.is_empty() {
                let item = Item::new(self.project.root(), ItemKind::Project, id);
                judged.push(Judged::without_scenarios(item, title.to_owned(), findings, strict));
            }
        };
        let ids = CriterionIds::of(chosen.files.iter());
        for (file, matches) in chosen.files.iter().zip(&chosen.matches) {
            let id = display_path(file.path.as_ref());
            let item = Item::new(self.project.root(), ItemKind::Project, &id);
            add(&id, "criteria", rules::judge_file(self.project, file, matches, &ids, &item));
        }
        if self.require != Require::Listed {
            let item = Item::new(self.project.root(), ItemKind::Project, "criteria");
            let matched = chosen.files.iter().zip(&chosen.matches);
            let criteria = matched.flat_map(|(file, matches)| file.criteria().iter().zip(matches));
            let findings = rules::judge_unchecked(self.project, &self.wanted(), criteria, self.require, &item);
            add("criteria", "scenarios without a check", findings);
        }
        judged
    }

    /// Scenarios that need a check.
    fn wanted(&self) -> Vec<ScenarioRef> {
        let mut capabilities: BTreeSet<String> =
            self.specs.iter().chain(&self.edited).chain(&self.claimed).cloned().collect();
        if self.is_whole {
            capabilities.extend(self.project.specs().files.iter().map(|file| file.id.clone()));
        }
        let base = self.project.compared().map(|compared| &compared.base);
        let mut wanted = Vec::new();
        for capability in capabilities {
            let is_judged = |scenario: &ScenarioRef| match &scenario.place {
                Place::Main => self.is_whole || self.specs.contains(&capability),
                Place::Change(name) => self.is_whole || self.changes.contains(name),
            };
            let mut scenarios = self.scenes(&capability).scenarios();
            scenarios.retain(is_judged);
            if self.require == Require::Changed {
                let Some(base) = base else { continue };
                let before: HashSet<(String, String, String)> =
                    Scenes::of(base, &capability).scenarios().iter().map(|one| self.words(base, one)).collect();
                scenarios.retain(|one| !before.contains(&self.words(self.project, one)));
            }
            wanted.append(&mut scenarios);
        }
        wanted
    }

    /// What makes a scenario the one it is.
    fn words(&self, project: &Project<'_>, scenario: &ScenarioRef) -> (String, String, String) {
        let lines = self.texts.below(project, scenario.path.as_ref(), scenario.line).unwrap_or_default();
        (scenario.requirement.clone(), scenario.scenario.clone(), lines)
    }

    fn load(&self, project: &Project<'_>, all: bool) -> Vec<CriteriaFile> {
        if self.runs_all || all {
            return folder::load_all(project);
        }
        let capabilities: BTreeSet<&String> = self.specs.iter().chain(&self.edited).chain(&self.claimed).collect();
        let mut files: Vec<CriteriaFile> =
            capabilities.into_iter().filter_map(|capability| folder::load(project, capability)).collect();
        // A folder that cannot be read is told once, however many capabilities look into it.
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(file.path.clone()));
        files
    }

    /// Base's project, when its criteria are what counts.
    fn frozen_base(&self) -> Option<&Project<'r>> {
        let diff = self.run.diff.as_ref().filter(|diff| diff.freeze != Freeze::Off)?;
        let _ = diff;
        self.project.compared().map(|compared| &compared.base)
    }

    /// Whether what is gone from head is gone because the workflow explains it.
    fn is_gone_for_good(&self) -> bool {
        let explained = self.run.diff.as_ref().filter(|diff| diff.freeze == Freeze::Explained);
        explained.is_some_and(|diff| diff.explained.unexplained.is_empty())
    }

    fn is_judged(&self, criterion: &Criterion, places: &[Match]) -> bool {
        let is_of_change = |place: &Match| matches!(&place.place, Place::Change(name) if self.changes.contains(name));
        self.runs_all
            || self.specs.contains(&criterion.capability)
            || self.edited.contains(&criterion.capability)
            || places.iter().any(is_of_change)
    }

    /// The scenario's lines, without its heading, when somebody wants to read them.
    fn steps(&self, criterion: &Criterion, place: &Match) -> String {
        if !criterion.checks.iter().any(|check| matches!(check.kind, CheckKind::Judge(_))) {
            return String::new();
        }
        let base = self.project.compared().map(|compared| &compared.base);
        let read = |project| self.texts.below(project, place.path.as_ref(), place.scenario_line);
        read(self.project).or_else(|| base.and_then(read)).unwrap_or_default()
    }
}

/// Files that scenarios are read from, each read once.
#[derive(Default)]
struct Texts(RefCell<HashMap<SidePath, Option<Rc<Text>>>>);

/// A project of one side, by its address, and a path.
type SidePath = (*const (), BString);

impl Texts {
    /// The lines below a scenario's heading, up to the next one.
    fn below(&self, project: &Project<'_>, path: &BStr, heading: usize) -> Option<String> {
        let text = self.read(project, path)?;
        let is_part =
            |line: &usize| text.fenced(*line) || section_break(text.line(*line)).is_none_or(|level| level > 4);
        let lines = (heading + 1..text.len()).take_while(is_part).map(|line| text.line(line));
        Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
    }

    fn read(&self, project: &Project<'_>, path: &BStr) -> Option<Rc<Text>> {
        let side = std::ptr::from_ref(project).cast();
        let mut known = self.0.borrow_mut();
        let text = known.entry((side, path.to_owned()));
        text.or_insert_with(|| project.snapshot().read(path).ok().map(|bytes| Rc::new(Text::from_bytes(bytes)))).clone()
    }
}
