//! What of an agent is installed: read, not written.

use super::json::entries::{Presence, Template};
use super::own::Whose;
use super::place::Place;
use super::plan::instructed;
use super::problem::Fault;
use super::profile::{Instructions, SHARED};
use super::{Agent, block, profile};

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The block of instructions.
    Instructions,
    /// Entries that register hooks.
    Hooks,
    /// A file of ours.
    File,
}

/// What is there of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Missing,
    /// All of it, as it would be written now.
    Installed,
    /// Something, not as it would be written now.
    Stale,
    /// A program as it would be written now, which nobody may run.
    NotExecutable,
    /// Something more than once.
    Doubled,
    /// It cannot be told, and could not be written.
    Broken(Fault),
}

/// A part of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The file, from the top of the repository.
    pub path: &'static str,
    /// What it is for.
    pub part: Part,
    /// What is there of it.
    pub state: State,
    /// The version that the block says it is of.
    pub version: Option<u32>,
}

/// What of an agent is installed in a repository: its instructions, its hooks and its files, in this order.
pub fn state(place: &Place, agent: Agent) -> Vec<Installed> {
    let profile = profile::of(agent);
    let mut parts = vec![instructions(place, &profile.instructions)];
    parts.extend(profile.settings.map(|settings| {
        let state =
            judged(place, settings.path, |text| Template::new(settings.template).presence(text).map(State::from));
        Installed { path: settings.path, part: Part::Hooks, state, version: None }
    }));
    parts.extend(profile.files.iter().map(|file| {
        let can_run = || place.read(file.path).is_ok_and(|found| found.is_executable);
        let state = judged(place, file.path, |text| {
            Ok(match file.whose(text) {
                Whose::Current if file.is_executable && !can_run() => State::NotExecutable,
                Whose::Current => State::Installed,
                Whose::Other | Whose::Edited => State::Stale,
                Whose::Foreign => State::Missing,
            })
        });
        Installed { path: file.path, part: Part::File, state, version: None }
    }));
    parts
}

/// What is there of the block in the file that most agents read.
pub fn shared(place: &Place) -> Installed {
    instructions(place, &Instructions::plain(SHARED))
}

fn instructions(place: &Place, instructions: &Instructions) -> Installed {
    let part = Part::Instructions;
    let path = match instructed(place, instructions) {
        Ok(path) => path,
        Err(fault) => {
            let state = State::Broken(fault);
            return Installed { path: instructions.path, part, state, version: None };
        }
    };
    let mut version = None;
    let state = judged(place, path, |text| {
        let Some(range) = block::find(text)? else { return Ok(State::Missing) };
        version = block::version(&text[range]);
        Ok(if block::install(text, instructions.head)? == text { State::Installed } else { State::Stale })
    });
    Installed { path, part, state, version }
}

fn judged(place: &Place, path: &str, judge: impl FnOnce(&str) -> Result<State, super::problem::Problem>) -> State {
    let found = match place.read(path) {
        Ok(found) => found.text,
        Err(fault) => return State::Broken(fault),
    };
    let Some(text) = found else { return State::Missing };
    judge(&text).unwrap_or_else(|problem| State::Broken(problem.in_file(path)))
}

impl From<Presence> for State {
    fn from(presence: Presence) -> Self {
        match presence {
            Presence::Missing => Self::Missing,
            Presence::Installed => Self::Installed,
            Presence::Stale => Self::Stale,
            Presence::Doubled => Self::Doubled,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::agents::plan::Plan;
    use crate::agents::write;

    fn states(place: &Place, agent: Agent) -> Vec<State> {
        state(place, agent).into_iter().map(|part| part.state).collect()
    }

    #[test]
    fn what_is_there_of_each_agent() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::new(folder.path()).expect("a place");
        for agent in Agent::ALL {
            assert!(states(&place, agent).iter().all(|state| *state == State::Missing), "{agent}");
        }
        let plan = Plan::install(&place, &Agent::ALL, true, "specward.yaml").expect("a plan");
        write::all(&place, plan.changes()).expect("written");
        for agent in Agent::ALL {
            let parts = state(&place, agent);
            assert!(parts.len() > 1 && parts.iter().all(|part| part.state == State::Installed), "{agent}: {parts:?}");
            assert_eq!(parts[0].version, Some(1), "{agent}");
        }
    }

    #[test]
    fn what_is_wrong_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::new(folder.path()).expect("a place");
        let write = |path: &str, text: &str| fs::write(place.top().join(path), text).expect(path);
        let plan = Plan::install(&place, &[Agent::Claude], true, "specward.yaml").expect("a plan");
        write::all(&place, plan.changes()).expect("written");
        write("CLAUDE.md", &block::BLOCK.replace("block v1", "block v0"));
        write(
            ".claude/settings.json",
            "{\"hooks\":{\"Stop\":[{\"command\":\"specward hook stop\"},{\"command\":\"specward hook stop\"}]}}",
        );
        write(".claude/commands/specward.md", "mine");
        assert_eq!(states(&place, Agent::Claude), [State::Stale, State::Doubled, State::Missing]);
        assert_eq!(state(&place, Agent::Claude)[0].version, Some(0));
        write("CLAUDE.md", "<!-- specward:start -->\n");
        write(".claude/settings.json", "{\"hooks\":{\"Stop\":[{\"command\":\"specward hook stop\"}]}}");
        let parts = states(&place, Agent::Claude);
        assert!(
            matches!(&parts[0], State::Broken(fault) if fault.to_string().starts_with("CLAUDE.md:1: ")),
            "{parts:?}"
        );
        assert_eq!(parts[1], State::Stale);
        write(".claude/settings.json", "{");
        assert!(matches!(states(&place, Agent::Claude)[1], State::Broken(_)));
    }
}
