//! Agents of which little can be told from outside.

use super::check::Check;
use super::surroundings::Surroundings;
use super::switches::doubled;
use crate::agents::Agent;

/// Cursor keeps its trust in a data base of its own.
pub fn cursor(around: &Surroundings) -> Vec<Check> {
    let hooks = ".cursor/hooks.json";
    let message = "whether Cursor trusts this folder cannot be seen from here";
    let mut checks = vec![
        Check::info(Agent::Cursor, hooks, message).fix("look into its settings under Hooks: it lists those it runs"),
    ];
    let user = around.home.iter().map(|home| home.join(hooks)).collect::<Vec<_>>();
    doubled(around, Agent::Cursor, hooks, &user, &mut checks);
    checks
}

/// OpenCode runs a plugin that is there.
pub fn opencode(around: &Surroundings) -> Vec<Check> {
    let plugin = ".opencode/plugins/specward.ts";
    let message = "`opencode run` ends at the first stop whatever is answered, so that CI decides there";
    let mut checks = vec![Check::info(Agent::OpenCode, plugin, message)];
    let modules = ".opencode/node_modules";
    if !around.place.has(modules) {
        let message =
            "is not there: OpenCode downloads its plugin package when it starts next, and hangs without a network";
        checks.push(Check::info(Agent::OpenCode, modules, message).fix("start `opencode` here once with a network"));
    }
    checks
}

/// Cline runs programs that are there, when it is told to.
pub fn cline() -> Vec<Check> {
    let hooks = ".cline/hooks";
    let switch = "whether hooks are switched on in its settings cannot be seen from here";
    let stop = "Cline cannot be kept from stopping: it is told what fails, and CI decides";
    vec![
        Check::info(Agent::Cline, hooks, switch).fix("switch hooks on in Cline's settings"),
        Check::info(Agent::Cline, hooks, stop),
    ]
}

/// Windsurf has nothing to switch.
pub fn windsurf() -> Vec<Check> {
    let message = "Windsurf cannot be kept from stopping: it is told what fails, and CI decides";
    vec![Check::info(Agent::Windsurf, ".windsurf/hooks.json", message)]
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    #[test]
    fn what_can_be_told() {
        let scratch = Scratch::new();
        scratch.install(Agent::Cursor).install(Agent::OpenCode);
        has(&cursor(&scratch.around), &["info .cursor/hooks.json: whether Cursor trusts"]);
        let settings = std::fs::read_to_string(scratch.around.top().join(".cursor/hooks.json")).unwrap();
        scratch.write("~/.cursor/hooks.json", &settings);
        has(&cursor(&scratch.around), &["problem ~/.cursor/hooks.json: hooks of specward are here and in"]);
        has(&opencode(&scratch.around), &["info .opencode/node_modules: is not there"]);
        scratch.write(".opencode/node_modules/x", "");
        assert_eq!(opencode(&scratch.around).len(), 1);
        assert!(cline().iter().chain(&windsurf()).any(|check| check.message.contains("CI decides")));
    }
}
