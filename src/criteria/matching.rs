//! Which scenario a criterion means.

use bstr::BString;

use self::scenes::{Document, Found};
use super::model::Criterion;
use crate::openspec::ears;
use crate::openspec::heading;
use crate::openspec::near::{NameIndex, near};
use crate::openspec::project::Project;

mod scenes;

pub use scenes::Scenes;

/// Where a scenario stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// In the main spec.
    Main,
    /// In a delta of the open change of that name.
    Change(String),
}

/// A scenario that a criterion means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Where it stands.
    pub place: Place,
    /// The spec or delta.
    pub path: BString,
    /// 0-based line of the requirement.
    pub requirement_line: usize,
    /// 0-based line of the scenario.
    pub scenario_line: usize,
    /// The sentence it stands for: given, or the requirement's normative one. Empty when there is none.
    pub ears: String,
    /// The shape of that sentence after EARS.
    pub pattern: Option<&'static str>,
}

/// Which scenarios a criterion means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matching {
    /// At least one: in the main spec first, then by change.
    Found(Vec<Match>),
    /// None.
    NoMatch(NoMatch),
    /// Two in one file.
    Ambiguous {
        /// The file.
        path: BString,
        /// 0-based lines of the requirements, or of the scenarios, that have the same name.
        lines: Vec<usize>,
        /// Whether it is the requirement that stands twice.
        is_requirement: bool,
    },
}

impl Matching {
    /// The scenarios that were found.
    pub fn found(&self) -> &[Match] {
        match self {
            Self::Found(found) => found,
            _ => &[],
        }
    }
}

/// Why a criterion means no scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoMatch {
    /// What is not there.
    pub missing: Missing,
    /// What was probably meant.
    pub nearest: Option<Nearest>,
    /// Specs and deltas that could not be read, with the reason: it may stand there.
    pub unread: Vec<(BString, String)>,
}

/// What is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Neither a main spec nor a delta of the capability.
    Capability,
    /// The requirement.
    Requirement,
    /// The scenario; the requirement is there.
    Scenario,
}

/// A name that was probably meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The name: of a capability, a requirement or a scenario, whichever is missing.
    pub name: String,
    /// What keeps the two apart when that is a matter of spelling only.
    pub difference: Option<&'static str>,
    /// The requirement the scenario stands in, when that is another one.
    pub requirement: Option<String>,
    /// File and 0-based line; none for a capability.
    pub at: Option<(BString, usize)>,
}

/// A scenario of a capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioRef {
    /// Where it stands.
    pub place: Place,
    /// The spec or delta.
    pub path: BString,
    /// The requirement's name.
    pub requirement: String,
    /// The scenario's name.
    pub scenario: String,
    /// 0-based line of the scenario. With the path it tells which [`Match`] is about it.
    pub line: usize,
}

impl Scenes {
    /// Which scenarios a criterion of this capability means.
    pub fn find(&self, project: &Project<'_>, criterion: &Criterion) -> Matching {
        let mut found = Vec::new();
        for documents in [&self.here, &self.there] {
            for document in documents {
                match self.look(document, criterion) {
                    Found::Scenario(requirement_line, scenario_line, body) => {
                        let given = criterion.ears.clone();
                        let ears = given.or_else(|| ears::normative_sentence(body)).unwrap_or_default();
                        let (place, path) = (document.place.clone(), document.path.clone());
                        let pattern = ears::pattern(&ears);
                        found.push(Match { place, path, requirement_line, scenario_line, ears, pattern });
                    }
                    Found::Twice { lines, is_requirement } => {
                        return Matching::Ambiguous { path: document.path.clone(), lines, is_requirement };
                    }
                    Found::NoScenario | Found::Nothing => {}
                }
            }
            // What only the base branch has by now counts when head has nothing.
            if !found.is_empty() {
                return Matching::Found(found);
            }
        }
        Matching::NoMatch(self.no_match(project, criterion))
    }

    fn look<'d>(&self, document: &'d Document, criterion: &Criterion) -> Found<'d> {
        let direct = document.find(&criterion.requirement, &criterion.scenario);
        if !matches!(direct, Found::Nothing) {
            return direct;
        }
        // While a rename is open the requirement still has its old name.
        let old = self.old_names.get(&criterion.requirement).into_iter().flatten();
        old.map(|old| document.find(old, &criterion.scenario))
            .find(|found| !matches!(found, Found::Nothing))
            .unwrap_or(Found::Nothing)
    }

    fn no_match(&self, project: &Project<'_>, criterion: &Criterion) -> NoMatch {
        let documents = || self.here.iter().chain(&self.there);
        let unread = self.unread.clone();
        if documents().next().is_none() {
            let nearest = nearest_capability(project, &criterion.capability);
            return NoMatch { missing: Missing::Capability, nearest, unread };
        }
        let has_requirement = documents().any(|document| !matches!(self.look(document, criterion), Found::Nothing));
        if !has_requirement {
            let all: Vec<(&Document, &str, usize)> = documents()
                .flat_map(|document| document.requirements().map(move |(name, line)| (document, name, line)))
                .collect();
            let nearest =
                nearest(&criterion.requirement, all.iter().map(|(_, name, _)| *name)).map(|(name, difference)| {
                    let at = all.iter().find(|(_, other, _)| *other == name);
                    let at = at.map(|(document, _, line)| (document.path.clone(), *line));
                    Nearest { name: name.to_owned(), difference, requirement: None, at }
                });
            return NoMatch { missing: Missing::Requirement, nearest, unread };
        }
        let old = self.old_names.get(&criterion.requirement).into_iter().flatten().map(String::as_str);
        let names: Vec<&str> = std::iter::once(criterion.requirement.as_str()).chain(old).collect();
        let (own, other): (Vec<_>, Vec<_>) =
            self.refs(documents()).partition(|scenario| names.contains(&scenario.requirement));
        let at = |scenario: &scenes::Ref<'_>| Some((scenario.document.path.clone(), scenario.line));
        let of_own =
            nearest(&criterion.scenario, own.iter().map(|scenario| scenario.name)).and_then(|(name, difference)| {
                let scenario = own.iter().find(|scenario| scenario.name == name)?;
                Some(Nearest { name: name.to_owned(), difference, requirement: None, at: at(scenario) })
            });
        // The same name in another requirement is what was meant, unless a slip explains it.
        let elsewhere = other.iter().find(|scenario| scenario.name == criterion.scenario).map(|scenario| Nearest {
            name: scenario.name.to_owned(),
            difference: None,
            requirement: Some(scenario.requirement.to_owned()),
            at: at(scenario),
        });
        let nearest = match (of_own, elsewhere) {
            (Some(own), Some(elsewhere)) if own.difference.is_none() => Some(elsewhere),
            (own, elsewhere) => own.or(elsewhere),
        };
        NoMatch { missing: Missing::Scenario, nearest, unread }
    }
}

/// The nearest of some names, also behind the words a heading has before it.
fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<(&'n str, Option<&'static str>)> {
    let names: Vec<&str> = names.collect();
    let title = name.trim_start_matches('#').trim_start();
    let (requirement, scenario) = (format!("### {title}"), format!("#### {title}"));
    let bare = [
        (heading::requirement_name(&requirement), "`Requirement:` before the name"),
        (Some(heading::scenario_name(&scenario)), "`Scenario:` before the name"),
    ];
    for (bare, label) in bare {
        if let Some(found) = names.iter().find(|other| Some(**other) == bare && **other != name) {
            return Some((found, Some(label)));
        }
    }
    let near = NameIndex::new(names.into_iter()).near(name)?;
    Some((near.name, near.difference))
}

fn nearest_capability(project: &Project<'_>, capability: &str) -> Option<Nearest> {
    let ids: Vec<&str> = project.specs().files.iter().map(|file| file.id.as_str()).collect();
    let near = near(capability, ids.iter().copied())?;
    Some(Nearest { name: near.name.to_owned(), difference: near.difference, requirement: None, at: None })
}

#[cfg(test)]
mod tests;
