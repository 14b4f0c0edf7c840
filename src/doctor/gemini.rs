//! Gemini CLI: switches in its settings, and trust in the folder.

use super::check::Check;
use super::reading::words;
use super::surroundings::Surroundings;
use super::switches::{self, Layer, deciding, doubled};
use super::trusted_folders;
use crate::agents::Agent;
use crate::agents::json::names_of_ours;

const AGENT: Agent = Agent::Gemini;

/// The repository's settings.
const PROJECT: &str = ".gemini/settings.json";

/// What keeps its hooks from running.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let mut checks = Vec::new();
    let system = around.env.path("GEMINI_CLI_SYSTEM_SETTINGS_PATH").unwrap_or_else(|| around.system.gemini.clone());
    let home = around.env.path("GEMINI_CLI_HOME").or_else(|| around.home.clone());
    let folder = home.map(|home| home.join(".gemini"));
    let user = folder.as_ref().map(|folder| folder.join("settings.json"));
    let mut paths = vec![system];
    if around.own_json(PROJECT).is_some() {
        paths.push(around.top().join(PROJECT));
    }
    paths.extend(user.clone());
    let layers = switches::layers(around, AGENT, paths, &mut checks);
    checks.extend(switches::switched(AGENT, &layers, &["hooksConfig", "enabled"], false));
    disabled(around, &layers, &mut checks);
    doubled(around, AGENT, PROJECT, &user.into_iter().collect::<Vec<_>>(), &mut checks);
    let Some(folder) = folder else { return checks };
    let list = around.env.path("GEMINI_CLI_TRUSTED_FOLDERS_PATH").unwrap_or_else(|| folder.join("trustedFolders.json"));
    if around.env.is_set("GEMINI_CLI_TRUST_WORKSPACE") {
        checks.push(Check::ok(AGENT, "GEMINI_CLI_TRUST_WORKSPACE", "this folder is trusted by a variable"));
        return checks;
    }
    if !folder.exists() {
        let message = "is not there: Gemini CLI was never started by this user, so that nothing is trusted yet";
        checks.push(Check::info(AGENT, around.shown(&list), message).fix("start `gemini` in this folder and trust it"));
        return checks;
    }
    // What a repository says about its own trust does not count.
    let of_others: Vec<Layer> = layers.into_iter().filter(|layer| layer.shown != PROJECT).collect();
    match deciding(&of_others, &["security", "folderTrust", "enabled"]) {
        Some((layer, false)) => {
            checks.push(Check::ok(
                AGENT,
                &layer.shown,
                "all folders are trusted: `security.folderTrust.enabled: false`",
            ));
        }
        _ => checks.extend(trusted_folders::check(around, AGENT, &list)),
    }
    checks
}

/// Hooks of ours that somebody switched off by their name or their command.
fn disabled(around: &Surroundings, layers: &[Layer], checks: &mut Vec<Check>) {
    let ours = around.own_json(PROJECT).map(|value| names_of_ours(&value)).unwrap_or_default();
    for layer in layers {
        let off: Vec<&str> = words(&layer.value, &["hooksConfig", "disabled"])
            .into_iter()
            .filter(|word| ours.iter().any(|ours| ours == word))
            .map(|word| if word.contains(' ') { "a command of specward" } else { word })
            .collect();
        if !off.is_empty() {
            let message = format!("`hooksConfig.disabled` switches hooks of specward off: {}", off.join(", "));
            let fix = "start `gemini` in this folder and switch them on in `/hooks`, or take them out of that list";
            checks.push(Check::problem(AGENT, &layer.shown, message, fix));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    const LIST: &str = "~/.gemini/trustedFolders.json";

    fn scratch() -> Scratch {
        let scratch = Scratch::new();
        scratch.install(AGENT).write(LIST, "{\"TOP\": \"TRUST_FOLDER\"}");
        scratch
    }

    #[test]
    fn trust() {
        for (text, line) in [
            ("{\"TOP\": \"TRUST_FOLDER\"}", "ok ~/.gemini/trustedFolders.json: this folder is trusted"),
            (
                "{\"TOP\": \"DO_NOT_TRUST\"}",
                "problem ~/.gemini/trustedFolders.json: this folder is marked as not trusted",
            ),
            ("{\"TOP/..\": \"TRUST_FOLDER\", \"x\": 1}", "ok "),
            ("{\"TOP/sub\": \"TRUST_PARENT\"}", "ok "),
            ("{\"TOP/sub\": \"TRUST_FOLDER\"}", "problem ~/.gemini/trustedFolders.json: this folder is not trusted"),
            ("{\"/\": \"TRUST_FOLDER\", \"TOP\": \"DO_NOT_TRUST\"}", "problem ~/.gemini/trustedFolders.json: "),
            ("{\"TOP\": \"TRUST\"}", "problem ~/.gemini/trustedFolders.json: "),
            ("[]", "problem ~/.gemini/trustedFolders.json: "),
        ] {
            let scratch = scratch();
            scratch.write(LIST, text);
            has(&checks(&scratch.around), &[line]);
        }
        let mut unused = Scratch::new();
        unused.install(AGENT);
        has(&checks(&unused.around), &["info ~/.gemini/trustedFolders.json: is not there"]);
        unused.set("GEMINI_CLI_TRUST_WORKSPACE", "true");
        has(&checks(&unused.around), &["ok GEMINI_CLI_TRUST_WORKSPACE"]);
        unused.set("GEMINI_CLI_HOME", &unused.around.home.clone().unwrap().join("g").display().to_string());
        unused.write("~/g/.gemini/settings.json", "{\"security\":{\"folderTrust\":{\"enabled\":false}}}");
        has(&checks(&unused.around), &["ok ~/g/.gemini/settings.json: all folders are trusted"]);
    }

    #[test]
    fn switches() {
        let scratch = scratch();
        scratch.write("~/.gemini/settings.json", "{\"hooksConfig\":{\"enabled\":false}}");
        has(&checks(&scratch.around), &["problem ~/.gemini/settings.json: `hooksConfig.enabled: false` switches"]);
        scratch.write("/etc/gemini.json", "{\"hooksConfig\":{\"enabled\":true}}");
        has(&checks(&scratch.around), &["info ~/.gemini/settings.json: `hooksConfig.enabled: false` would"]);
        scratch.write("~/.gemini/settings.json", "{\"hooksConfig\":{\"disabled\":[\"other\",\"specward-stop\"]}}");
        let line =
            "problem ~/.gemini/settings.json: `hooksConfig.disabled` switches hooks of specward off: specward-stop";
        has(&checks(&scratch.around), &[line]);
    }
}
