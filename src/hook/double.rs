//! Two clients that read one file of settings: each hook is answered once.

use std::fs;
use std::path::Path;

use super::payload::Payload;
use crate::agents::Agent;
use crate::repo::environment::Environment;

/// Larger files of hooks are not looked into.
const MAX_BYTES: u64 = 1024 * 1024;

/// Whether the client runs this event a second time from its own file of hooks. Copilot and Cursor read what was
/// installed for Claude Code too, and whoever has a file of its own is answered there.
///
/// `event` is the word on our command line, `folder` where hooks were installed.
pub fn is_left_to_another(
    agent: Option<Agent>,
    payload: &Payload,
    env: &Environment,
    folder: &Path,
    event: &str,
) -> bool {
    if agent != Some(Agent::Claude) {
        return false;
    }
    let call = format!("specward hook {event}");
    let is_cursor = payload.is_cursor || env.get("CURSOR_VERSION").is_some();
    if is_cursor && names(&folder.join(".cursor/hooks.json"), &call) {
        return true;
    }
    let is_hooks = |path: &Path| path.extension().is_some_and(|extension| extension == "json");
    env.get("COPILOT_CLI") == Some("1")
        && fs::read_dir(folder.join(".github/hooks"))
            .is_ok_and(|entries| entries.flatten().any(|entry| is_hooks(&entry.path()) && names(&entry.path(), &call)))
}

fn names(file: &Path, call: &str) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_BYTES)
        && fs::read(file).is_ok_and(|content| String::from_utf8_lossy(&content).contains(call))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, path: &str, content: &str) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, content).expect("a file");
    }

    #[test]
    fn left_to_whoever_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let copilot: Environment = [("COPILOT_CLI", "1")].into_iter().collect();
        let cursor = Payload { is_cursor: true, ..Payload::default() };
        let other: Environment = [("CURSOR_VERSION", "2.0")].into_iter().collect();
        let (nobody, plain) = (Environment::default(), Payload::default());
        let asked = |agent, payload: &Payload, env: &Environment, event: &str| {
            is_left_to_another(agent, payload, env, folder.path(), event)
        };
        let claude = Some(Agent::Claude);
        assert!(!asked(claude, &plain, &copilot, "stop") && !asked(claude, &cursor, &nobody, "stop"));

        write(folder.path(), ".github/hooks/gate.json", r#"{"bash":"specward hook stop --agent copilot"}"#);
        write(folder.path(), ".github/hooks/notes.txt", "specward hook pre-tool");
        assert!(asked(claude, &plain, &copilot, "stop"));
        assert!(!asked(claude, &plain, &copilot, "pre-tool"), "its own file has no such hook");
        assert!(!asked(Some(Agent::Copilot), &plain, &copilot, "stop"), "that is the one who answers");
        assert!(!asked(claude, &plain, &nobody, "stop"), "Claude Code itself");
        assert!(!asked(claude, &cursor, &nobody, "stop"));

        write(folder.path(), ".cursor/hooks.json", r#"{"command":"specward hook pre-tool --agent cursor"}"#);
        assert!(asked(claude, &cursor, &nobody, "pre-tool") && asked(claude, &plain, &other, "pre-tool"));
        assert!(
            !asked(Some(Agent::Cursor), &cursor, &nobody, "pre-tool") && !asked(None, &cursor, &nobody, "pre-tool")
        );
        assert!(!asked(claude, &plain, &copilot, "pre-tool"));
    }
}
