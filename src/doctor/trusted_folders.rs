//! `trustedFolders.json`, in which Gemini CLI and Qwen Code note which folders are trusted.

use std::path::Path;

use serde_json::Value;

use super::check::Check;
use super::surroundings::Surroundings;
use crate::agents::Agent;

/// Whether this folder is trusted: the longest path that holds it decides.
pub fn check(around: &Surroundings, agent: Agent, path: &Path) -> Vec<Check> {
    let mut checks = Vec::new();
    let rules = around.json(agent, path, &mut checks);
    if !checks.is_empty() {
        return checks;
    }
    let rules = rules.as_ref().and_then(Value::as_object);
    let holds = |written: &str, level: &str| {
        let folder = Path::new(written);
        let folder = if level == "TRUST_PARENT" { folder.parent().unwrap_or(folder) } else { folder };
        around.is_top_or_above(folder)
    };
    let rules = rules.into_iter().flatten().filter_map(|(path, level)| Some((path.as_str(), level.as_str()?)));
    let decides = rules.filter(|(path, level)| holds(path, level)).max_by_key(|(path, _)| path.len());
    let shown = around.shown(path);
    let fix = format!("start `{agent}` in this folder and trust it, with `/permissions` when it does not ask");
    checks.push(match decides {
        Some((_, "TRUST_FOLDER" | "TRUST_PARENT")) => Check::ok(agent, shown, "this folder is trusted"),
        Some(_) => {
            let message = "this folder is marked as not trusted, or one above it: no hook of it runs";
            Check::problem(agent, shown, message, fix)
        }
        None => Check::problem(agent, shown, "this folder is not trusted: no hook of it runs", fix),
    });
    checks
}
