//! GitHub Copilot: trust in the folder, switches, and the settings of Claude Code, which it reads too.

use std::path::Path;

use serde_json::Value;

use super::check::Check;
use super::reading::words;
use super::surroundings::Surroundings;
use crate::agents::Agent;
use crate::agents::json::calls_us;

const AGENT: Agent = Agent::Copilot;

/// The repository's hooks.
const HOOKS: &str = ".github/hooks/specward.json";

/// Further settings of the repository in which hooks can be switched off.
const SETTINGS: [&str; 2] = [".github/copilot/settings.json", ".github/copilot/settings.local.json"];

/// Settings of Claude Code that it runs hooks of.
const OF_CLAUDE: &str = ".claude/settings.json";

/// What keeps its hooks from running.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let mut checks = Vec::new();
    let document = around.own_json(HOOKS);
    if document.as_ref().is_some_and(is_off) {
        checks.push(off(HOOKS, "all hooks in it"));
    }
    let folder = around.folder("COPILOT_HOME", ".copilot");
    let user = folder.as_ref().map(|folder| folder.join("settings.json"));
    for path in SETTINGS.iter().map(|path| around.top().join(path)).chain(user) {
        if around.json(AGENT, &path, &mut checks).as_ref().is_some_and(is_off) {
            checks.push(off(&around.shown(&path), "all hooks"));
        }
    }
    if document.is_some_and(|value| calls_us(&value))
        && around.own_json(OF_CLAUDE).is_some_and(|value| calls_us(&value))
    {
        let message = "Copilot runs the hooks in it too; they leave the answer to those in .github/hooks";
        checks.push(Check::info(AGENT, OF_CLAUDE, message));
    }
    if let Some(folder) = folder {
        checks.extend(trust(around, &folder));
    }
    checks
}

fn is_off(settings: &Value) -> bool {
    settings.get("disableAllHooks").and_then(Value::as_bool) == Some(true)
}

fn off(shown: &str, what: &str) -> Check {
    let message = format!("`disableAllHooks: true` switches {what} off");
    Check::problem(AGENT, shown, message, format!("take `disableAllHooks: true` out of {shown}"))
}

/// Whether the folder is trusted. Trust in a folder is trust in what is below it.
fn trust(around: &Surroundings, folder: &Path) -> Vec<Check> {
    let mut checks = Vec::new();
    let path = folder.join("config.json");
    let shown = around.shown(&path);
    if around.env.is_set("COPILOT_ALLOW_ALL") {
        return vec![Check::ok(AGENT, "COPILOT_ALLOW_ALL", "this folder is trusted by a variable")];
    }
    let fix = "start `copilot` in this folder and trust it for further sessions; `copilot -p` needs --trust-folder";
    if !folder.exists() {
        let message = "is not there: Copilot CLI was never started by this user, so that nothing is trusted yet";
        return vec![Check::info(AGENT, shown, message).fix(fix)];
    }
    let config = around.json(AGENT, &path, &mut checks);
    if !checks.is_empty() {
        return checks;
    }
    let config = config.unwrap_or_default();
    let lists = ["trustedFolders", "trusted_folders"].map(|key| words(&config, &[key]));
    let is_trusted = lists.iter().flatten().any(|written| around.is_top_or_above(Path::new(written)));
    checks.push(if is_trusted {
        Check::ok(AGENT, shown, "this folder is trusted")
    } else {
        Check::problem(AGENT, shown, "this folder is not trusted: `copilot -p` runs no hook of it", fix)
    });
    checks
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    #[test]
    fn trust() {
        let mut scratch = Scratch::new();
        scratch.install(AGENT);
        has(&checks(&scratch.around), &["info ~/.copilot/config.json: is not there"]);
        for (text, line) in [
            ("{\"trusted_folders\": [\"TOP\"]}", "ok ~/.copilot/config.json: this folder is trusted"),
            ("// made by a program\n{\"trustedFolders\": [\"/nowhere\", \"TOP/..\"]}", "ok "),
            (
                "{\"trustedFolders\": [\"TOP/x\", \"\", 1]}",
                "problem ~/.copilot/config.json: this folder is not trusted",
            ),
            ("{", "problem ~/.copilot/config.json: line 1"),
        ] {
            scratch.write("~/.copilot/config.json", text);
            has(&checks(&scratch.around), &[line]);
        }
        scratch.set("COPILOT_ALLOW_ALL", "true");
        has(&checks(&scratch.around), &["ok COPILOT_ALLOW_ALL"]);
    }

    #[test]
    fn switches_and_settings_of_claude() {
        let scratch = Scratch::new();
        scratch.install(AGENT).install(Agent::Claude);
        has(&checks(&scratch.around), &["info .claude/settings.json: Copilot runs the hooks in it too"]);
        for path in [HOOKS, SETTINGS[0], SETTINGS[1], "~/.copilot/settings.json"] {
            let scratch = Scratch::new();
            scratch.write("~/.copilot/config.json", "{\"trusted_folders\": [\"TOP\"]}");
            scratch.install(AGENT).write(path, "{\"disableAllHooks\": true}");
            has(&checks(&scratch.around), &[&format!("problem {path}: `disableAllHooks: true` switches")]);
        }
    }
}
