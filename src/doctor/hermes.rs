//! Hermes Agent: a plugin of a repository runs only when it is enabled and such plugins are let in.

use super::check::Check;
use super::reading::words;
use super::surroundings::Surroundings;
use crate::agents::Agent;

const AGENT: Agent = Agent::Hermes;

/// The plugin's name.
const PLUGIN: &str = "specward";

/// Lets plugins of repositories in.
const LETS_IN: &str = "HERMES_ENABLE_PROJECT_PLUGINS";

/// Keeps all plugins out.
const KEEPS_OUT: &str = "HERMES_SAFE_MODE";

/// What keeps its plugin from running.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let mut checks = Vec::new();
    if around.env.is_set(KEEPS_OUT) {
        let message = "is set: Hermes loads no plugin";
        checks.push(Check::problem(AGENT, KEEPS_OUT, message, format!("unset {KEEPS_OUT} where Hermes runs")));
    }
    let Some(folder) = around.folder("HERMES_HOME", ".hermes") else { return checks };
    let path = folder.join("config.yaml");
    let shown = around.shown(&path);
    let enable = "run `hermes plugins enable specward`";
    if !folder.exists() {
        let message = "is not there: Hermes Agent was never started by this user, so that no plugin is enabled yet";
        let fix = format!("{enable}, and set {LETS_IN}=1 where Hermes runs");
        checks.push(Check::info(AGENT, shown, message).fix(fix));
        return checks;
    }
    // A plugin of the user's own is loaded without that.
    let is_of_user = folder.join("plugins").join(PLUGIN).join("plugin.yaml").exists();
    if !around.env.is_set(LETS_IN) && !is_of_user {
        let message = "is not set here: Hermes loads no plugin of a repository";
        checks.push(Check::problem(AGENT, LETS_IN, message, format!("set {LETS_IN}=1 where Hermes runs")));
    }
    let broken = checks.len();
    let config = around.yaml(AGENT, &path, &mut checks);
    if checks.len() > broken {
        return checks;
    }
    let config = config.unwrap_or_default();
    let has = |list: &str| words(&config, &["plugins", list]).contains(&PLUGIN);
    checks.push(if has("disabled") {
        Check::problem(AGENT, shown, "the plugin is on the list `plugins.disabled`", enable)
    } else if has("enabled") {
        Check::ok(AGENT, shown, "the plugin is enabled")
    } else {
        Check::problem(AGENT, shown, "the plugin is not on the list `plugins.enabled`: it is not loaded", enable)
    });
    checks
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    #[test]
    fn whether_the_plugin_is_loaded() {
        let mut scratch = Scratch::new();
        scratch.install(AGENT);
        has(&checks(&scratch.around), &["info ~/.hermes/config.yaml: is not there"]);
        scratch.write("~/.hermes/config.yaml", "plugins:\n  enabled: [specward]\n");
        has(&checks(&scratch.around), &["problem HERMES_ENABLE_PROJECT_PLUGINS: is not set here", "ok ~/.hermes"]);
        scratch.set(LETS_IN, "1");
        has(&checks(&scratch.around), &["ok ~/.hermes/config.yaml: the plugin is enabled"]);
        for (text, line) in [
            ("", "problem ~/.hermes/config.yaml: the plugin is not on the list `plugins.enabled`"),
            ("plugins:\n  enabled: [other]\n", "problem ~/.hermes/config.yaml: the plugin is not on"),
            (
                "plugins:\n  enabled: [specward]\n  disabled: [specward]\n",
                "problem ~/.hermes/config.yaml: the plugin is on",
            ),
            ("plugins: [", "problem ~/.hermes/config.yaml: is not YAML"),
        ] {
            scratch.write("~/.hermes/config.yaml", text);
            has(&checks(&scratch.around), &[line]);
        }
        scratch.set(KEEPS_OUT, "1");
        scratch.write("~/.hermes/config.yaml", "plugins:\n  enabled: [specward]\n");
        scratch.write("~/.hermes/plugins/specward/plugin.yaml", "");
        has(&checks(&scratch.around), &["problem HERMES_SAFE_MODE: is set", "ok ~/.hermes"]);
    }
}
