//! Codex CLI: trust in the folder, trust in each hook, and what makes it drop hooks without a word.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::check::Check;
use super::codex_trust::{Hook, hooks};
use super::reading::at;
use super::surroundings::{Surroundings, real};
use super::switches::doubled;
use crate::agents::Agent;
use crate::agents::json::calls_us;
use crate::repo::open::common_dir_of;

const AGENT: Agent = Agent::Codex;

/// The repository's hooks.
const HOOKS: &str = ".codex/hooks.json";

/// The repository's other settings.
const CONFIG: &str = ".codex/config.toml";

/// Keys of a document of hooks. With another one Codex drops all of it.
const KEYS: [&str; 2] = ["description", "hooks"];

/// What keeps its hooks from running.
pub fn checks(around: &Surroundings) -> Vec<Check> {
    let mut checks = Vec::new();
    let document = around.own_json(HOOKS).unwrap_or_default();
    for key in document.as_object().into_iter().flatten().map(|(key, _)| key) {
        if !KEYS.contains(&key.as_str()) {
            let message = format!("has the key `{key}`, for which Codex drops all hooks in it");
            checks.push(Check::problem(AGENT, HOOKS, message, format!("take `{key}` out")));
        }
    }
    let project = around.toml(AGENT, &around.top().join(CONFIG), &mut checks);
    if let Some(project) = &project {
        switched(CONFIG, project, &mut checks);
        beside(project, &document, &mut checks);
    }
    let Some(folder) = around.folder("CODEX_HOME", ".codex") else { return checks };
    let path = folder.join("config.toml");
    let shown = around.shown(&path);
    if !folder.exists() {
        let message = "is not there: Codex CLI was never started by this user, so that nothing is trusted yet";
        let fix = "start `codex` in this folder, trust it, and trust the hooks of specward in `/hooks`";
        checks.push(Check::info(AGENT, shown, message).fix(fix));
        return checks;
    }
    doubled(around, AGENT, HOOKS, &[folder.join("hooks.json")], &mut checks);
    let broken = checks.len();
    let user = around.toml(AGENT, &path, &mut checks);
    if checks.len() > broken {
        return checks;
    }
    let user = user.unwrap_or_default();
    switched(&shown, &user, &mut checks);
    checks.push(trust(around, &shown, &user));
    checks.extend(trusted_hooks(around, &shown, &user, &hooks(&document)));
    checks
}

/// Whether the feature is switched off.
fn switched(shown: &str, settings: &Value, checks: &mut Vec<Check>) {
    for name in ["hooks", "codex_hooks"] {
        if at(settings, &["features", name]).and_then(Value::as_bool) == Some(false) {
            let message = format!("`features.{name} = false` switches all hooks off");
            let fix = format!("take `{name} = false` out of `[features]`");
            checks.push(Check::problem(AGENT, shown, message, fix));
        }
    }
}

/// Hooks in two places of the repository.
fn beside(project: &Value, document: &Value, checks: &mut Vec<Check>) {
    let Some(table) = project.get("hooks") else { return };
    checks.push(if calls_us(table) && calls_us(document) {
        let message = format!("hooks of specward are in `[hooks]` here and in {HOOKS}: each runs twice");
        Check::problem(AGENT, CONFIG, message, "take those out of `[hooks]` whose command has `specward hook`")
    } else {
        Check::info(AGENT, CONFIG, format!("has `[hooks]` beside {HOOKS}: Codex warns about that, and reads both"))
    });
}

/// Whether the folder is trusted: the top, or that of the first work tree of the repository.
fn trust(around: &Surroundings, shown: &str, user: &Value) -> Check {
    let main = main_top(around.top());
    let is_here = |path: &str| around.is_top(path) || main.as_deref() == Some(real(Path::new(path)).as_path());
    let projects = user.get("projects").and_then(Value::as_object).into_iter().flatten();
    let mut levels = projects.filter(|(path, _)| is_here(path)).map(|(_, project)| project.get("trust_level"));
    if levels.any(|level| level.and_then(Value::as_str) == Some("trusted")) {
        return Check::ok(AGENT, shown, "this folder is trusted");
    }
    let fix = "start `codex` in this folder and trust it";
    Check::problem(AGENT, shown, "this folder is not trusted: no hook runs here", fix)
}

/// The top of the first work tree, when this is a linked one.
fn main_top(top: &Path) -> Option<PathBuf> {
    let common = real(&common_dir_of(top)?);
    let is_linked = !common.starts_with(top) && common.file_name().is_some_and(|name| name == ".git");
    common.parent().filter(|_| is_linked).map(Path::to_owned)
}

/// Whether each hook is trusted as it is now.
fn trusted_hooks(around: &Surroundings, shown: &str, user: &Value, ours: &[Hook]) -> Vec<Check> {
    let file = around.top().join(HOOKS);
    let states = at(user, &["hooks", "state"]).and_then(Value::as_object);
    let state = |hook: &Hook| {
        let is_file = |path: &str| real(Path::new(path)) == file;
        let is_it =
            |key: &str| key.strip_suffix(&hook.place).and_then(|key| key.strip_suffix(':')).is_some_and(is_file);
        states.into_iter().flatten().find(|(key, _)| is_it(key)).map(|(_, state)| state)
    };
    let (mut new, mut changed, mut off) = (Vec::new(), Vec::new(), Vec::new());
    for hook in ours {
        let state = state(hook);
        let event = hook.event.as_str();
        match state.and_then(|state| state.get("trusted_hash")).and_then(Value::as_str) {
            None => new.push(event),
            Some(digest) if digest != hook.digest => changed.push(event),
            Some(_) => {}
        }
        if state.and_then(|state| state.get("enabled")).and_then(Value::as_bool) == Some(false) {
            off.push(event);
        }
    }
    let mut checks = Vec::new();
    let trust = "start `codex` in this folder, open `/hooks`, look at them and trust them";
    for (events, message, fix) in [
        (&new, "are not trusted, and not run", trust),
        (&changed, "changed since they were trusted, and are not run", trust),
        (&off, "are switched off", "start `codex` in this folder, open `/hooks` and switch them on"),
    ] {
        if !events.is_empty() {
            let message = format!("hooks of specward {message}: {}", events.join(", "));
            checks.push(Check::problem(AGENT, shown, message, fix));
        }
    }
    if checks.is_empty() && !ours.is_empty() {
        checks.push(Check::ok(AGENT, shown, "each hook of specward is trusted"));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::tests::{Scratch, has};
    use super::*;

    fn trusted(scratch: &Scratch) -> String {
        let document = scratch.around.own_json(HOOKS).unwrap();
        let mut text = "[projects.\"TOP\"]\ntrust_level = \"trusted\"\n".to_owned();
        for hook in hooks(&document) {
            let (place, digest) = (hook.place, hook.digest);
            text += &format!("[hooks.state.\"TOP/{HOOKS}:{place}\"]\ntrusted_hash = \"{digest}\"\n");
        }
        text
    }

    fn scratch() -> Scratch {
        let scratch = Scratch::new();
        scratch.install(AGENT).write("~/.codex/config.toml", &trusted(&scratch));
        scratch
    }

    #[test]
    fn all_is_well() {
        let lines =
            ["ok ~/.codex/config.toml: this folder is trusted", "ok ~/.codex/config.toml: each hook of specward"];
        has(&checks(&scratch().around), &lines);
    }

    #[test]
    fn trust_in_the_folder() {
        let scratch = scratch();
        let text = trusted(&scratch);
        let line = "problem ~/.codex/config.toml: this folder is not trusted";
        scratch.write("~/.codex/config.toml", &text.replace("\"trusted\"", "\"untrusted\""));
        has(&checks(&scratch.around), &[line]);
        scratch.write("~/.codex/config.toml", &text.replace("projects.\"TOP\"", "projects.\"TOP/..\""));
        has(&checks(&scratch.around), &[line]);
        scratch.write("~/.codex/config.toml", "projects = [");
        has(&checks(&scratch.around), &["problem ~/.codex/config.toml: line 1: is not TOML"]);
        let unused = Scratch::new();
        unused.install(AGENT);
        has(&checks(&unused.around), &["info ~/.codex/config.toml: is not there"]);
    }

    #[test]
    fn a_linked_work_tree_is_trusted_with_the_first() {
        let scratch = scratch();
        let text = trusted(&scratch);
        let git = scratch.around.home.clone().unwrap().join("main/.git/worktrees/top");
        scratch.write("~/main/.git/worktrees/top/commondir", "../..\n");
        scratch.write(".git", &format!("gitdir: {}\n", git.display()));
        let main = git.ancestors().nth(3).unwrap().display().to_string().replace('\\', "\\\\");
        scratch.write("~/.codex/config.toml", &text.replace("projects.\"TOP\"", &format!("projects.\"{main}\"")));
        has(&checks(&scratch.around), &["ok ~/.codex/config.toml: this folder is trusted"]);
    }

    #[test]
    fn trust_in_hooks() {
        let scratch = scratch();
        let text = trusted(&scratch);
        scratch.write("~/.codex/config.toml", &text.replace(":stop:0:0", ":stop:1:0"));
        has(
            &checks(&scratch.around),
            &["problem ~/.codex/config.toml: hooks of specward are not trusted, and not run: Stop"],
        );
        scratch.write("~/.codex/config.toml", &text.replace("[projects.\"TOP\"]", "[hooks.state]\n[projects.\"TOP\"]"));
        has(&checks(&scratch.around), &["ok "]);
        let off = text.replace(":stop:0:0\"]\n", ":stop:0:0\"]\nenabled = false\n");
        scratch.write("~/.codex/config.toml", &off);
        has(&checks(&scratch.around), &["problem ~/.codex/config.toml: hooks of specward are switched off: Stop"]);
        scratch.write("~/.codex/config.toml", &text);
        let document = std::fs::read_to_string(scratch.around.top().join(HOOKS)).unwrap();
        scratch.write(HOOKS, &document.replace("Edit|Write|Bash", "Edit|Write"));
        let line = "problem ~/.codex/config.toml: hooks of specward changed since they were trusted, and are not run: PreToolUse";
        has(&checks(&scratch.around), &[line]);
        scratch.write("~/.codex/config.toml", "[projects.\"TOP\"]\ntrust_level = \"trusted\"\n");
        has(
            &checks(&scratch.around),
            &[
                "problem ~/.codex/config.toml: hooks of specward are not trusted, and not run: SessionStart, PreToolUse, Stop, SubagentStop",
            ],
        );
    }

    #[test]
    fn what_drops_or_doubles_hooks() {
        let scratch = scratch();
        let document = std::fs::read_to_string(scratch.around.top().join(HOOKS)).unwrap();
        scratch.write(HOOKS, &document.replacen('{', "{\"$schema\": \"x\",", 1));
        has(&checks(&scratch.around), &["problem .codex/hooks.json: has the key `$schema`"]);
        scratch.write(HOOKS, &document).write("~/.codex/hooks.json", &document);
        has(&checks(&scratch.around), &["problem ~/.codex/hooks.json: hooks of specward are here and in"]);
        scratch.write("~/.codex/hooks.json", "{}").write(CONFIG, "[features]\nhooks = false\n[hooks]\n");
        let lines = [
            "problem .codex/config.toml: `features.hooks = false` switches all hooks off",
            "info .codex/config.toml: has `[hooks]` beside",
        ];
        has(&checks(&scratch.around), &lines);
        let ours = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"specward hook stop --agent codex\"\n";
        scratch.write(CONFIG, ours);
        has(&checks(&scratch.around), &["problem .codex/config.toml: hooks of specward are in `[hooks]` here"]);
    }
}
