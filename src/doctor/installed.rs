//! What `init` put there, agent by agent.

use crate::agents::plan::detect;
use crate::agents::profile::{self, SHARED};
use crate::agents::state::{self, Installed, Part, State};
use crate::agents::{Agent, block};

use super::check::Check;
use super::surroundings::Surroundings;

/// An agent with what of it is there.
pub type Found = (Agent, Vec<Installed>);

/// The agents that are used here, and those of which something of ours is there.
pub fn found(around: &Surroundings) -> Vec<Found> {
    let used = detect(&around.place);
    let parts = Agent::ALL.into_iter().map(|agent| (agent, state::state(&around.place, agent)));
    parts.filter(|(agent, parts)| used.contains(agent) || is_any(parts)).collect()
}

/// Whether something of an agent is there that is for no other.
pub fn is_any(parts: &[Installed]) -> bool {
    parts.iter().any(|part| part.path != SHARED && part.state != State::Missing)
}

/// The file that most agents read, when no agent here is told by its own checks.
pub fn shared(around: &Surroundings, found: &[Found]) -> Vec<Check> {
    if found.iter().any(|(_, parts)| parts.iter().any(|part| part.path == SHARED)) {
        return Vec::new();
    }
    let shared = state::shared(&around.place);
    match shared.state {
        State::Missing if found.is_empty() => {
            let message = "nothing of specward is here: agents are told nothing, and no hook runs";
            vec![Check::problem(None, SHARED, message, "run `specward init`, with --agents=LIST for some agents")]
        }
        // Somebody named the agents that matter here.
        State::Missing => Vec::new(),
        _ => vec![part(around, None, &shared)],
    }
}

/// The parts of an agent, one line each.
pub fn checks(around: &Surroundings, agent: Agent, parts: &[Installed]) -> Vec<Check> {
    if !is_any(parts) {
        let signs = profile::of(agent).signs.iter().find(|sign| around.place.has(sign)).unwrap_or(&SHARED);
        let message = format!("{} is used here, and specward is not installed for it", agent.title());
        return vec![Check::problem(agent, *signs, message, install(Some(agent)))];
    }
    parts.iter().map(|one| part(around, Some(agent), one)).collect()
}

fn install(agent: Option<Agent>) -> String {
    agent.map_or_else(|| "run `specward init`".to_owned(), |agent| format!("run `specward init --agents={agent}`"))
}

fn part(around: &Surroundings, agent: Option<Agent>, part: &Installed) -> Check {
    let (what, verb) = match part.part {
        Part::Instructions => ("the block of instructions", "is"),
        Part::Hooks => ("the hooks of specward", "are"),
        Part::File => ("the file of specward", "is"),
    };
    let version = part.version.map(|version| format!(", version {version}")).unwrap_or_default();
    let problem = |message: String, fix: String| Check::problem(agent, part.path, message, fix);
    match &part.state {
        State::Installed => Check::ok(agent, part.path, format!("{what} {verb} installed{version}")),
        State::Missing if part.part == Part::File && around.place.has(part.path) => {
            let fix = format!("give that file another name, then {}", install(agent));
            problem(format!("{what} {verb} not there: somebody else's is in its place"), fix)
        }
        State::Missing => problem(format!("{what} {verb} not there"), install(agent)),
        State::Stale if part.part == Part::Instructions && part.version == block::version(block::BLOCK) => {
            let message = "the block of instructions was edited: agents are told something else than specward demands";
            problem(message.to_owned(), install(agent))
        }
        State::Stale if part.part == Part::File => {
            let fix = format!("{}; when that says that the file was edited, delete it first", install(agent));
            problem(format!("{what} {verb} of another version, or was edited"), fix)
        }
        State::Stale => problem(format!("{what} {verb} not up to date{version}"), install(agent)),
        State::NotExecutable => {
            let fix = format!("run `chmod +x {}`", part.path);
            problem("is not executable, so that it is never run".to_owned(), fix)
        }
        State::Doubled => problem(format!("{what} {verb} there twice, and each runs twice"), install(agent)),
        State::Broken(fault) => {
            let line = fault.problem.line.map(|line| format!("line {line}: ")).unwrap_or_default();
            let fix = fault.problem.fix.replace("; nothing was written", "");
            problem(format!("{line}{}", fault.problem.message), fix)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    fn examined(scratch: &Scratch) -> Vec<Check> {
        let found = found(&scratch.around);
        let mut checks = shared(&scratch.around, &found);
        checks.extend(found.iter().flat_map(|(agent, parts)| super::checks(&scratch.around, *agent, parts)));
        checks
    }

    #[test]
    fn nothing_at_all() {
        has(&examined(&Scratch::new()), &["problem AGENTS.md: nothing of specward is here"]);
    }

    #[test]
    fn each_agent_as_it_is_installed() {
        for agent in Agent::ALL {
            let scratch = Scratch::new();
            scratch.install(agent);
            has(&examined(&scratch), &["ok "]);
        }
    }

    #[test]
    fn an_agent_that_was_forgotten() {
        let scratch = Scratch::new();
        scratch.install(Agent::Claude).write(".codex/config.toml", "");
        has(&examined(&scratch), &["ok CLAUDE.md", "problem .codex: Codex CLI is used here, and specward is not"]);
    }

    #[test]
    fn what_is_wrong_with_a_part() {
        for (path, text, line) in [
            (
                "CLAUDE.md",
                block::BLOCK.replace("block v1", "block v0"),
                "problem CLAUDE.md: the block of instructions is not up to date, version 0",
            ),
            (
                "CLAUDE.md",
                block::BLOCK.replace("Do not edit", "Do edit"),
                "problem CLAUDE.md: the block of instructions was edited",
            ),
            ("CLAUDE.md", String::new(), "problem CLAUDE.md: the block of instructions is not there"),
            (
                "CLAUDE.md",
                "<!-- specward:end -->\n<!-- specward:start -->\n".to_owned(),
                "problem CLAUDE.md: line 1: `<!-- specward:end -->` without",
            ),
            (
                ".claude/settings.json",
                "{}".to_owned(),
                "problem .claude/settings.json: the hooks of specward are not there",
            ),
            (".claude/settings.json", "{".to_owned(), "problem .claude/settings.json: line 1: is not JSON"),
            (
                ".claude/commands/specward.md",
                "mine".to_owned(),
                "problem .claude/commands/specward.md: the file of specward is not there: somebody else's",
            ),
        ] {
            let scratch = Scratch::new();
            scratch.install(Agent::Claude).write(path, &text);
            has(&examined(&scratch), &[line]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_nobody_may_run() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = Scratch::new();
        scratch.install(Agent::Cline);
        let path = scratch.around.top().join(".cline/hooks/PreToolUse");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
        has(&examined(&scratch), &["problem .cline/hooks/PreToolUse: is not executable"]);
    }
}
