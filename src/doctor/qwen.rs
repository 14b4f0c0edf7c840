//! Qwen Code: switches in its settings, and trust in the folder where that is on.

use super::check::Check;
use super::surroundings::Surroundings;
use super::switches::{self, Layer, deciding, doubled};
use super::trusted_folders;
use crate::agents::Agent;

const AGENT: Agent = Agent::Qwen;

/// The repository's settings.
const PROJECT: &str = ".qwen/settings.json";

/// What keeps its hooks from running.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let mut checks = Vec::new();
    let folder = around.folder("QWEN_HOME", ".qwen");
    let user = folder.as_ref().map(|folder| folder.join("settings.json"));
    let mut paths = vec![around.system.qwen.clone()];
    if around.own_json(PROJECT).is_some() {
        paths.push(around.top().join(PROJECT));
    }
    paths.extend(user.clone());
    let layers = switches::layers(around, AGENT, paths, &mut checks);
    checks.extend(switches::switched(AGENT, &layers, &["disableAllHooks"], true));
    doubled(around, AGENT, PROJECT, &user.into_iter().collect::<Vec<_>>(), &mut checks);
    // What a repository says about its own trust does not count.
    let of_others: Vec<Layer> = layers.into_iter().filter(|layer| layer.shown != PROJECT).collect();
    match (deciding(&of_others, &["security", "folderTrust", "enabled"]), folder) {
        (Some((_, true)), Some(folder)) => {
            checks.extend(trusted_folders::check(around, AGENT, &folder.join("trustedFolders.json")));
        }
        _ => {
            let message = "folders need no trust; newer versions ask once for each hook of a repository";
            checks.push(Check::info(AGENT, PROJECT, message));
        }
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    #[test]
    fn trust_and_switches() {
        let scratch = Scratch::new();
        scratch.install(AGENT);
        has(&checks(&scratch.around), &["info .qwen/settings.json: folders need no trust"]);
        scratch.write(
            "~/.qwen/settings.json",
            "{\"security\":{\"folderTrust\":{\"enabled\":true}},\"disableAllHooks\":true}",
        );
        let off = "problem ~/.qwen/settings.json: `disableAllHooks: true` switches all hooks off";
        has(&checks(&scratch.around), &[off, "problem ~/.qwen/trustedFolders.json: this folder is not trusted"]);
        scratch.write("~/.qwen/trustedFolders.json", "{\"TOP\": \"TRUST_FOLDER\"}");
        has(&checks(&scratch.around), &[off, "ok ~/.qwen/trustedFolders.json"]);
        let settings = std::fs::read_to_string(scratch.around.top().join(PROJECT)).unwrap();
        scratch.write("~/.qwen/settings.json", &settings);
        has(&checks(&scratch.around), &["problem ~/.qwen/settings.json: hooks of specward are here and in"]);
    }
}
