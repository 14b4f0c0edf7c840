//! What would be written: every file as it would be afterwards.

use std::path::PathBuf;

use similar::TextDiff;

use super::json::entries::Template;
use super::own::{self, OwnFile, Whose};
use super::place::{Found, MAX_BYTES, Place};
use super::problem::{Fault, Problem};
use super::profile::{self, Instructions, SHARED};
use super::{Agent, block};

/// What `init` writes as `openspec/specward.yaml` where there is none.
pub const CONFIG: &str = include_str!("templates/specward.yaml");

/// Words in every command of ours.
const CALL: &str = "specward hook";

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
    /// Whether it is a program.
    pub is_executable: bool,
    /// Whether it can be run as it is.
    pub was_executable: bool,
    /// Why something of ours stays in it.
    pub kept: Option<&'static str>,
    /// What else there is to say of it.
    pub note: Option<&'static str>,
}

impl Planned {
    /// Whether anything would be written.
    pub fn is_change(&self) -> bool {
        self.before != self.after || self.is_mode_change()
    }

    /// Whether it is there and has to be made a program.
    pub fn is_mode_change(&self) -> bool {
        self.before.is_some() && self.after.is_some() && self.is_executable && !self.was_executable
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
        let mode = if self.is_mode_change() {
            format!("--- {}\n+++ {}\nold mode 100644\nnew mode 100755\n", names.0, names.1)
        } else {
            String::new()
        };
        mode + &TextDiff::from_lines(before, after).unified_diff().header(&names.0, &names.1).to_string()
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

/// The agents of which anything of ours is in a project, whatever became of it.
pub fn installed(place: &Place) -> Vec<Agent> {
    let shared = place.real(SHARED);
    let has = |path: &str, mark: &str| !matches!(place.read_marked(path, mark), Ok(None));
    let is_installed = |agent: &Agent| {
        let profile = profile::of(*agent);
        let Instructions { path, instead, .. } = profile.instructions;
        let own = [path].into_iter().chain(instead.iter().copied()).filter(|path| place.real(path) != shared);
        own.into_iter().any(|path| has(path, block::START))
            || profile.settings.is_some_and(|settings| has(settings.path, CALL))
            || profile.files.iter().any(|file| has(file.path, own::MARK))
    };
    Agent::ALL.into_iter().filter(is_installed).collect()
}

/// Whether the file that most agents read has a block.
pub fn is_shared_installed(place: &Place) -> bool {
    !matches!(place.read_marked(SHARED, block::START), Ok(None))
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
                let planned = plan.edit(place, settings.path, |text| {
                    text.map_or(Ok(template.text().to_owned()), |text| template.install(text)).map(Some)
                })?;
                if planned.before.as_deref().is_some_and(|text| template.is_by_hand(text) == Ok(true)) {
                    planned.note = Some("a command of yours calls specward, and stands for ours");
                }
            }
            for file in profile.files {
                plan.put(place, file)?;
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
        // What others read as well stays with them.
        let read_by_others = if config.is_some() { Vec::new() } else { read_by_others(place, agents) };
        for profile in agents.iter().map(|agent| profile::of(*agent)) {
            let Instructions { path, head, instead } = profile.instructions;
            let own =
                Some(&path).filter(|path| **path != SHARED && !instead.iter().any(|instead| place.has_file(instead)));
            for path in own.into_iter().chain(instead.iter().filter(|path| place.has_file(path))) {
                if !place.real(path).is_some_and(|real| read_by_others.contains(&real)) {
                    plan.deinstruct(place, path, head)?;
                }
            }
            if let Some(settings) = profile.settings {
                let template = Template::new(settings.template);
                plan.take_out(place, settings.path, CALL, |text| template.uninstall(text))?;
            }
            for file in profile.files {
                plan.delete(place, file)?;
            }
        }
        if let Some(config) = config {
            // In a clone git may have written other line ends.
            plan.take_out(place, config, "frozen: ", |text| {
                Ok(Some(text.to_owned()).filter(|text| text.replace("\r\n", "\n") != CONFIG))
            })?;
        }
        plan.files.retain(|planned| planned.is_change() || planned.kept.is_some());
        Ok(plan)
    }

    /// Files that would be written or deleted.
    pub fn changes(&self) -> impl Iterator<Item = &Planned> {
        self.files.iter().filter(|planned| planned.is_change())
    }

    /// Whether nothing of ours stays that was edited.
    pub fn is_whole(&self) -> bool {
        self.files.iter().all(|planned| planned.kept.is_none())
    }

    fn instruct(&mut self, place: &Place, instructions: &Instructions) -> Result<(), Fault> {
        let path = instructed(place, instructions)?;
        self.edit(place, path, |text| match text {
            None => Ok(Some(format!("{}{}", instructions.head, block::BLOCK))),
            Some(text) => block::install(text, instructions.head).map(Some),
        })
        .map(drop)
    }

    fn deinstruct(&mut self, place: &Place, path: &str, head: &str) -> Result<(), Fault> {
        self.take_out(place, path, block::MARK, |text| block::uninstall(text, head)).map(drop)
    }

    fn put(&mut self, place: &Place, file: &OwnFile) -> Result<(), Fault> {
        let planned = self.edit(place, file.path, |text| file.install(text).map(Some))?;
        if planned.before.as_deref().is_some_and(|text| file.whose(text) == Whose::Edited) {
            planned.kept = Some("edited since it was written; delete it and run this again to get it as it is written");
        } else {
            planned.is_executable = file.is_executable;
        }
        Ok(())
    }

    fn delete(&mut self, place: &Place, file: &OwnFile) -> Result<(), Fault> {
        let mut is_edited = false;
        let planned = self.take_out(place, file.path, own::MARK, |text| {
            let whose = file.whose(text);
            is_edited = whose == Whose::Edited;
            Ok(Some(text.to_owned()).filter(|_| !matches!(whose, Whose::Current | Whose::Other)))
        })?;
        if let Some(planned) = planned.filter(|_| is_edited) {
            planned.kept = Some("edited since it was written; delete it yourself");
        }
        Ok(())
    }

    /// Edits a file in which a mark of ours stands.
    fn take_out(
        &mut self,
        place: &Place,
        path: &str,
        mark: &str,
        edit: impl FnOnce(&str) -> Result<Option<String>, Problem>,
    ) -> Result<Option<&mut Planned>, Fault> {
        let Some(found) = place.read_marked(path, mark)? else { return Ok(None) };
        self.edit_found(found, path, |text| text.map_or(Ok(None), edit)).map(Some)
    }

    fn edit(
        &mut self,
        place: &Place,
        path: &str,
        edit: impl FnOnce(Option<&str>) -> Result<Option<String>, Problem>,
    ) -> Result<&mut Planned, Fault> {
        self.edit_found(place.read(path)?, path, edit)
    }

    fn edit_found(
        &mut self,
        found: Found,
        path: &str,
        edit: impl FnOnce(Option<&str>) -> Result<Option<String>, Problem>,
    ) -> Result<&mut Planned, Fault> {
        let at = self.files.iter().position(|planned| planned.real == found.real).unwrap_or_else(|| {
            let Found { real, text: before, is_executable: was_executable } = found;
            let (path, after) = (path.to_owned(), before.clone());
            self.files.push(Planned {
                path,
                real,
                before,
                after,
                is_executable: false,
                was_executable,
                kept: None,
                note: None,
            });
            self.files.len() - 1
        });
        let planned = &mut self.files[at];
        planned.after = edit(planned.after.as_deref()).map_err(|problem| problem.in_file(path))?;
        if planned.after.as_ref().is_some_and(|text| text.len() as u64 > MAX_BYTES) {
            let problem = Problem::of_file("would be larger than 4 MiB", "make it smaller; nothing was written");
            return Err(problem.in_file(path));
        }
        Ok(planned)
    }
}

/// Files of instructions that are read by agents other than some: the shared one, and those of agents installed for.
fn read_by_others(place: &Place, agents: &[Agent]) -> Vec<PathBuf> {
    let others = installed_hooks(place).into_iter().filter(|agent| !agents.contains(agent));
    let paths = others.filter_map(|agent| instructed(place, &profile::of(agent).instructions).ok());
    paths.chain([SHARED]).filter_map(|path| place.real(path)).collect()
}

/// The agents whose hooks are there.
fn installed_hooks(place: &Place) -> Vec<Agent> {
    let has = |path: &str, mark: &str| place.read_marked(path, mark).is_ok_and(|found| found.is_some());
    let is_it = |agent: &Agent| {
        let profile = profile::of(*agent);
        profile.settings.is_some_and(|settings| has(settings.path, CALL))
            || profile.files.iter().any(|file| has(file.path, own::MARK))
    };
    Agent::ALL.into_iter().filter(is_it).collect()
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
