//! The scenarios of one capability by their names, read once for all its criteria.

use std::collections::HashMap;

use bstr::BString;

use super::{Place, ScenarioRef};
use crate::openspec::claims::OpenDelta;
use crate::openspec::heading::{is_scenario, scenario_name};
use crate::openspec::project::Project;
use crate::openspec::requirement::{Block, after_header};
use crate::openspec::text::Text;

/// The scenarios of one capability.
#[derive(Debug, Default)]
pub struct Scenes {
    /// The main spec, and deltas of open changes.
    pub(super) here: Vec<Document>,
    /// What only the base branch has by now.
    pub(super) there: Vec<Document>,
    /// Names that open renames change, by the new one.
    pub(super) old_names: HashMap<String, Vec<String>>,
    /// Files that could not be read, with the reason.
    pub(super) unread: Vec<(BString, String)>,
}

/// A main spec or a delta.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) place: Place,
    pub(super) path: BString,
    requirements: Vec<Requirement>,
    /// Places in the list, by name.
    by_name: HashMap<String, Vec<usize>>,
}

#[derive(Debug)]
struct Requirement {
    name: String,
    line: usize,
    /// What follows its header.
    body: String,
    /// Names and 0-based lines.
    scenarios: Vec<(String, usize)>,
    /// Lines by name.
    by_name: HashMap<String, Vec<usize>>,
}

/// What a document has for a requirement and a scenario.
pub(super) enum Found<'d> {
    /// 0-based lines of both, and what follows the requirement's header.
    Scenario(usize, usize, &'d str),
    /// Two of that name.
    Twice { lines: Vec<usize>, is_requirement: bool },
    /// The requirement, without such a scenario.
    NoScenario,
    /// Neither.
    Nothing,
}

/// A scenario and where it stands.
pub(super) struct Ref<'d> {
    pub(super) document: &'d Document,
    pub(super) requirement: &'d str,
    pub(super) name: &'d str,
    pub(super) line: usize,
}

impl Scenes {
    /// Reads the main spec and the open deltas of a capability.
    pub fn of(project: &Project<'_>, capability: &str) -> Self {
        let mut scenes = Self::default();
        let main = scenes.main(project, capability);
        scenes.here.extend(main);
        for open in project.open_deltas(capability).iter() {
            for rename in &open.delta.renamed {
                scenes.old_names.entry(rename.to.clone()).or_default().push(rename.from.clone());
            }
            if open.is_only_in_base {
                scenes.there.push(Document::of_delta(open));
            } else {
                scenes.here.push(Document::of_delta(open));
            }
        }
        // A change that head has open may have been archived there meanwhile.
        if let Some(tip) = project.compared().and_then(|compared| compared.tip.as_ref()) {
            let main = scenes.main(tip, capability);
            scenes.there.splice(0..0, main);
        }
        scenes
    }

    /// All scenarios of head: of the main spec, then of what open changes add and modify.
    pub fn scenarios(&self) -> Vec<ScenarioRef> {
        let owned = |scenario: Ref<'_>| ScenarioRef {
            place: scenario.document.place.clone(),
            path: scenario.document.path.clone(),
            requirement: scenario.requirement.to_owned(),
            scenario: scenario.name.to_owned(),
            line: scenario.line,
        };
        self.refs(self.here.iter()).map(owned).collect()
    }

    pub(super) fn refs<'d>(&self, documents: impl Iterator<Item = &'d Document>) -> impl Iterator<Item = Ref<'d>> {
        documents.flat_map(|document| {
            document.requirements.iter().flat_map(move |requirement| {
                requirement.scenarios.iter().map(move |(name, line)| Ref {
                    document,
                    requirement: &requirement.name,
                    name,
                    line: *line,
                })
            })
        })
    }

    fn main(&mut self, project: &Project<'_>, capability: &str) -> Option<Document> {
        let file = project.spec(capability)?;
        match project.parsed(&file) {
            Ok(spec) => Some(Document::new(Place::Main, file.path.clone(), &spec.text, spec.blocks.iter())),
            Err(error) => {
                self.unread.push((file.path.clone(), error.to_string()));
                None
            }
        }
    }
}

impl Document {
    fn of_delta(open: &OpenDelta) -> Self {
        let delta = &open.delta;
        let blocks = delta.added.iter().chain(&delta.modified);
        Self::new(Place::Change(open.change.clone()), open.path.clone(), &delta.text, blocks)
    }

    fn new<'b>(place: Place, path: BString, text: &Text, blocks: impl Iterator<Item = &'b Block>) -> Self {
        let requirements: Vec<Requirement> = blocks.map(|block| Requirement::new(text, block)).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::with_capacity(requirements.len());
        for (at, requirement) in requirements.iter().enumerate() {
            by_name.entry(requirement.name.clone()).or_default().push(at);
        }
        Self { place, path, requirements, by_name }
    }

    /// Names and 0-based lines of its requirements.
    pub(super) fn requirements(&self) -> impl Iterator<Item = (&str, usize)> {
        self.requirements.iter().map(|requirement| (requirement.name.as_str(), requirement.line))
    }

    pub(super) fn find(&self, requirement: &str, scenario: &str) -> Found<'_> {
        let requirement = match self.by_name.get(requirement).map(Vec::as_slice) {
            None | Some([]) => return Found::Nothing,
            Some([one]) => &self.requirements[*one],
            Some(several) => {
                let lines = several.iter().map(|at| self.requirements[*at].line).collect();
                return Found::Twice { lines, is_requirement: true };
            }
        };
        match requirement.by_name.get(scenario).map(Vec::as_slice) {
            None | Some([]) => Found::NoScenario,
            Some([line]) => Found::Scenario(requirement.line, *line, &requirement.body),
            Some(lines) => Found::Twice { lines: lines.to_vec(), is_requirement: false },
        }
    }
}

impl Requirement {
    fn new(text: &Text, block: &Block) -> Self {
        let raw = &text.content()[block.raw.clone()];
        let lines = block.line..block.line + raw.split('\n').count();
        let headers = lines.filter(|line| !text.fenced(*line) && is_scenario(text.line(*line)));
        let scenarios: Vec<(String, usize)> =
            headers.map(|line| (scenario_name(text.line(line)).to_owned(), line)).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::with_capacity(scenarios.len());
        for (name, line) in &scenarios {
            by_name.entry(name.clone()).or_default().push(*line);
        }
        let body = after_header(raw).to_owned();
        Self { name: block.name.clone(), line: block.line, body, scenarios, by_name }
    }
}
