//! What would be written: every file as it would be afterwards.

use std::path::PathBuf;

use similar::TextDiff;

use super::json::entries::Template;
use super::own::Whose;
use super::place::Place;
use super::problem::{Fault, Problem};
use super::profile::{self, Instructions, SHARED};
use super::{Agent, block};

/// What `init` writes as `openspec/specward.yaml` where there is none.
pub const CONFIG: &str = include_str!("templates/specward.yaml");

/// A file as it is and as it would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// From the top of the repository.
    pub path: String,
    /// Where it is once links are followed.
    pub real: PathBuf,
    /// What it holds. None when it is not there.
    pub before: Option<String>,
    /// What it would hold. None when it would be deleted.
    pub after: Option<String>,
    /// Whether it is a program, when it is made.
    pub is_executable: bool,
    /// Why something of ours stays in it.
    pub kept: Option<&'static str>,
}

impl Planned {
    /// Whether anything would be written.
    pub fn is_change(&self) -> bool {
        self.before != self.after
    }

    /// What would become of it, in one word.
    pub fn verb(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, Some(_)) => "create",
            (Some(_), None) => "remove",
            _ if self.is_change() => "update",
            _ if self.kept.is_some() => "keep",
            _ => "unchanged",
        }
    }

    /// What differs, in the form patches have.
    pub fn diff(&self) -> String {
        let (before, after) = (self.before.as_deref().unwrap_or_default(), self.after.as_deref().unwrap_or_default());
        let name = |is_there: bool, side: &str| {
            if is_there { format!("{side}/{}", self.path) } else { "/dev/null".to_owned() }
        };
        let names = (name(self.before.is_some(), "a"), name(self.after.is_some(), "b"));
        TextDiff::from_lines(before, after).unified_diff().header(&names.0, &names.1).to_string()
    }
}

/// Files, in the order they are told.
#[derive(Debug, Default)]
pub struct Plan {
    /// Each once, even if several links lead to it.
    pub files: Vec<Planned>,
}

/// The agents that a project shows to be used in it.
pub fn detect(place: &Place) -> Vec<Agent> {
    let is_used = |agent: &Agent| profile::of(*agent).signs.iter().any(|sign| place.has(sign));
    Agent::ALL.into_iter().filter(is_used).collect()
}

impl Plan {
    /// What installs some agents. `config` is the path of the project's configuration, and `is_shared` tells whether the
    /// file that most agents read is written even when none of these does.
    ///
    /// # Errors
    /// The first file that cannot be written to, or not without harm.
    pub fn install(place: &Place, agents: &[Agent], is_shared: bool, config: &str) -> Result<Self, Fault> {
        let mut plan = Self::default();
        if is_shared {
            plan.instruct(place, &Instructions::plain(SHARED))?;
        }
        for profile in agents.iter().map(|agent| profile::of(*agent)) {
            plan.instruct(place, &profile.instructions)?;
            if let Some(settings) = profile.settings {
                let template = Template::new(settings.template);
                plan.edit(place, settings.path, |text| {
                    text.map_or(Ok(template.text().to_owned()), |text| template.install(text)).map(Some)
                })?;
            }
            for file in profile.files {
                plan.edit(place, file.path, |text| file.install(text).map(Some))?;
                plan.make_executable(file.is_executable);
            }
        }
        plan.edit(place, config, |text| Ok(Some(text.unwrap_or(CONFIG).to_owned())))?;
        Ok(plan)
    }

    /// What takes some agents out again, and with `config` all that is there for whichever agent.
    ///
    /// # Errors
    /// The first file that cannot be written to, or not without harm.
    pub fn uninstall(place: &Place, agents: &[Agent], config: Option<&str>) -> Result<Self, Fault> {
        let mut plan = Self::default();
        if config.is_some() {
            plan.deinstruct(place, SHARED, "")?;
        }
        for profile in agents.iter().map(|agent| profile::of(*agent)) {
            let Instructions { path, head, instead } = profile.instructions;
            let own =
                Some(&path).filter(|path| **path != SHARED && !instead.iter().any(|instead| place.has_file(instead)));
            for path in own.into_iter().chain(instead.iter().filter(|path| place.has_file(path))) {
                plan.deinstruct(place, path, head)?;
            }
            if let Some(settings) = profile.settings {
                let template = Template::new(settings.template);
                plan.take_out(place, settings.path, |text| {
                    // What is not ours is not ours to complain about.
                    if text.contains("specward hook") { template.uninstall(text) } else { Ok(Some(text.to_owned())) }
                })?;
            }
            for file in profile.files {
                let mut is_edited = false;
                plan.take_out(place, file.path, |text| {
                    let whose = file.whose(text);
                    is_edited = whose == Whose::Edited;
                    Ok(Some(text.to_owned()).filter(|_| !matches!(whose, Whose::Current | Whose::Other)))
                })?;
                if let Some(planned) = plan.files.last_mut().filter(|planned| planned.path == file.path && is_edited) {
                    planned.kept = Some("edited since it was written; delete it yourself");
                }
            }
        }
        if let Some(config) = config {
            plan.take_out(place, config, |text| Ok(Some(text.to_owned()).filter(|text| text != CONFIG)))?;
        }
        plan.files.retain(|planned| planned.is_change() || planned.kept.is_some());
        Ok(plan)
    }

    /// Files that would be written or deleted.
    pub fn changes(&self) -> impl Iterator<Item = &Planned> {
        self.files.iter().filter(|planned| planned.is_change())
    }

    fn instruct(&mut self, place: &Place, instructions: &Instructions) -> Result<(), Fault> {
        let path = instructed(place, instructions)?;
        self.edit(place, path, |text| match text {
            None => Ok(Some(format!("{}{}", instructions.head, block::BLOCK))),
            Some(text) => block::install(text, instructions.head).map(Some),
        })
    }

    fn deinstruct(&mut self, place: &Place, path: &str, head: &str) -> Result<(), Fault> {
        self.take_out(place, path, |text| block::uninstall(text, head))
    }

    /// Edits a file that has to be there.
    fn take_out(
        &mut self,
        place: &Place,
        path: &str,
        edit: impl FnOnce(&str) -> Result<Option<String>, Problem>,
    ) -> Result<(), Fault> {
        self.edit(place, path, |text| text.map_or(Ok(None), edit))
    }

    fn edit(
        &mut self,
        place: &Place,
        path: &str,
        edit: impl FnOnce(Option<&str>) -> Result<Option<String>, Problem>,
    ) -> Result<(), Fault> {
        let found = place.read(path)?;
        let at = self.files.iter().position(|planned| planned.real == found.real).unwrap_or_else(|| {
            let (path, real, before) = (path.to_owned(), found.real, found.text);
            let after = before.clone();
            self.files.push(Planned { path, real, before, after, is_executable: false, kept: None });
            self.files.len() - 1
        });
        let planned = &mut self.files[at];
        planned.after = edit(planned.after.as_deref()).map_err(|problem| problem.in_file(path))?;
        Ok(())
    }

    fn make_executable(&mut self, is_executable: bool) {
        if let Some(last) = self.files.last_mut() {
            last.is_executable = is_executable;
        }
    }
}

/// The file an agent's instructions go to: the shared one when its own says nothing but that it is to be read.
///
/// # Errors
/// When its own cannot be read.
pub(super) fn instructed(place: &Place, instructions: &Instructions) -> Result<&'static str, Fault> {
    let path = instructions.instead.iter().find(|path| place.has_file(path)).unwrap_or(&instructions.path);
    let text = if *path == SHARED { None } else { place.read(path)?.text };
    let words = text.as_deref().map(|text| text.trim_start_matches('\u{feff}').trim());
    let is_import = words.is_some_and(|words| words == "@AGENTS.md" || words == "@./AGENTS.md");
    Ok(if is_import { SHARED } else { path })
}
