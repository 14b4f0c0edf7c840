//! Claude Code: switches in its settings, trust in its state.

use std::path::PathBuf;

use serde_json::Value;

use super::check::Check;
use super::reading::at;
use super::surroundings::Surroundings;
use super::switches;
use crate::agents::Agent;

const AGENT: Agent = Agent::Claude;

/// The repository's settings.
const PROJECT: &str = ".claude/settings.json";

/// The settings of one person in the repository.
const LOCAL: &str = ".claude/settings.local.json";

/// What keeps its hooks from running.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let mut checks = Vec::new();
    let folder = around.folder("CLAUDE_CONFIG_DIR", ".claude");
    let user = folder.as_ref().map(|folder| folder.join("settings.json"));
    let in_project = |path: &str| around.top().join(path);
    managed(around, &mut checks);
    let mut paths = around.system.claude.clone();
    paths.push(in_project(LOCAL));
    // What cannot be read of it is told where it is told what is installed.
    if around.own_json(PROJECT).is_some() {
        paths.push(in_project(PROJECT));
    }
    paths.extend(user.clone());
    let layers = switches::layers(around, AGENT, paths, &mut checks);
    checks.extend(switches::switched(AGENT, &layers, &["disableAllHooks"], true));
    let others: Vec<PathBuf> = [Some(in_project(LOCAL)), user].into_iter().flatten().collect();
    switches::doubled(around, AGENT, PROJECT, &others, &mut checks);
    checks.extend(trust(around, folder));
    checks
}

/// What the machine's owner lets run.
fn managed(around: &Surroundings, checks: &mut Vec<Check>) {
    for path in &around.system.claude {
        let Some(value) = around.json(AGENT, path, checks) else { continue };
        if value.get("allowManagedHooksOnly").and_then(Value::as_bool) == Some(true) {
            let message = "`allowManagedHooksOnly: true` lets no hook of a repository run";
            let fix = "ask whoever manages this machine to add the hooks of specward there; until then CI decides";
            checks.push(Check::problem(AGENT, around.shown(path), message, fix));
        }
    }
}

/// Whether the folder is trusted. Trust in a folder is trust in what is below it.
fn trust(around: &Surroundings, folder: Option<PathBuf>) -> Vec<Check> {
    let mut checks = Vec::new();
    let is_moved = around.env.path("CLAUDE_CONFIG_DIR").is_some();
    let state = if is_moved { folder.clone() } else { around.home.clone() }.map(|folder| folder.join(".claude.json"));
    let (Some(folder), Some(state)) = (folder, state) else { return checks };
    let shown = around.shown(&state);
    if !folder.exists() && !state.exists() {
        let message = "is not there: Claude Code was never started by this user, so that nothing is trusted yet";
        return vec![Check::info(AGENT, shown, message).fix("start `claude` in this folder and trust it")];
    }
    let known = around.json(AGENT, &state, &mut checks);
    if !checks.is_empty() {
        return checks;
    }
    let projects = known.as_ref().and_then(|state| at(state, &["projects"])).and_then(Value::as_object);
    let is_accepted = |project: &Value| project.get("hasTrustDialogAccepted").and_then(Value::as_bool) == Some(true);
    let is_trusted = projects
        .into_iter()
        .flatten()
        .any(|(path, project)| is_accepted(project) && around.is_top_or_above(path.as_ref()));
    checks.push(if is_trusted {
        Check::ok(AGENT, shown, "this folder is trusted")
    } else {
        let message = "this folder is not trusted: in a terminal no hook runs here (`claude -p` runs them)";
        Check::problem(AGENT, shown, message, "start `claude` in this folder and trust it")
    });
    checks
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    const TRUSTED: &str = "{\"projects\":{\"TOP\":{\"hasTrustDialogAccepted\":true}}}";

    fn scratch() -> Scratch {
        let scratch = Scratch::new();
        scratch.install(AGENT).write("~/.claude.json", TRUSTED);
        scratch
    }

    #[test]
    fn all_is_well() {
        has(&checks(&scratch().around), &["ok ~/.claude.json: this folder is trusted"]);
    }

    #[test]
    fn trust() {
        for (text, line) in [
            ("{}", "problem ~/.claude.json: this folder is not trusted"),
            ("{\"projects\":[]}", "problem ~/.claude.json: this folder is not trusted"),
            (
                "{\"projects\":{\"TOP\":{\"hasTrustDialogAccepted\":false}}}",
                "problem ~/.claude.json: this folder is not",
            ),
            (
                "{\"projects\":{\"TOP/x\":{\"hasTrustDialogAccepted\":true}}}",
                "problem ~/.claude.json: this folder is not",
            ),
            ("{\"projects\":{\"TOP/..\":{\"hasTrustDialogAccepted\":true}}}", "ok ~/.claude.json"),
            ("{", "problem ~/.claude.json: line 1: is not JSON"),
        ] {
            let scratch = scratch();
            scratch.write("~/.claude.json", text);
            has(&checks(&scratch.around), &[line]);
        }
        let unused = Scratch::new();
        unused.install(AGENT);
        has(&checks(&unused.around), &["info ~/.claude.json: is not there"]);
        let mut moved = scratch();
        let folder = moved.around.home.clone().unwrap().join("moved");
        moved.set("CLAUDE_CONFIG_DIR", &folder.display().to_string());
        has(&checks(&moved.around), &["info ~/moved/.claude.json: is not there"]);
        moved.write("~/moved/.claude.json", TRUSTED).write("~/moved/settings.json", "{\"disableAllHooks\":true}");
        has(&checks(&moved.around), &["ok ~/moved/.claude.json", "problem ~/moved/settings.json: `disableAllHooks"]);
    }

    #[test]
    fn switches() {
        let off = "{\"disableAllHooks\": true}";
        for path in [LOCAL, "~/.claude/settings.json", "/etc/managed-settings.json"] {
            let scratch = scratch();
            scratch.write(path, off);
            let found = checks(&scratch.around);
            assert!(
                found.iter().any(|check| check.message == "`disableAllHooks: true` switches all hooks off"),
                "{path}"
            );
        }
        let scratch = scratch();
        scratch.write("~/.claude/settings.json", off).write(LOCAL, "{\"disableAllHooks\": false}");
        has(&checks(&scratch.around), &["info ~/.claude/settings.json: `disableAllHooks: true` would switch", "ok "]);
        scratch.write("/etc/managed-settings.json", "{\"allowManagedHooksOnly\": true}");
        let found = checks(&scratch.around);
        assert!(found.iter().any(|check| check.message.contains("allowManagedHooksOnly")), "{found:?}");
    }

    #[test]
    fn installed_twice() {
        for path in [LOCAL, "~/.claude/settings.json"] {
            let scratch = scratch();
            let settings = std::fs::read_to_string(scratch.around.top().join(PROJECT)).unwrap();
            scratch.write(path, &settings);
            has(
                &checks(&scratch.around),
                &[&format!("problem {path}: hooks of specward are here and in {PROJECT}"), "ok "],
            );
        }
    }
}
