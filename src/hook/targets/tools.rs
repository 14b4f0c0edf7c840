//! What kind of tool a name stands for.

use super::fields::Doing;
use crate::hook::payload::Payload;

/// What a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// Runs a line in a shell.
    Shell,
    /// Runs a script of another language.
    Code,
    /// Applies a patch.
    Patch,
    /// Writes the files its arguments name.
    Files(Doing),
    /// Writes nothing, or nobody knows what.
    Other,
}

/// Names of shells, without case, `_` and `-`.
const SHELLS: &[&str] = &[
    "bash",
    "shell",
    "terminal",
    "executecommand",
    "runshellcommand",
    "executebash",
    "executecmd",
    "runcommand",
    "execcommand",
    "exec",
    "containerexec",
    "localshell",
    "unifiedexec",
    "shellcommand",
    "powershell",
    "runinterminal",
    "runterminalcmd",
];

/// Words of a name that say that something is written.
const WRITING: &[&str] = &[
    "write",
    "edit",
    "create",
    "replace",
    "insert",
    "append",
    "save",
    "update",
    "patch",
    "multiedit",
    "notebookedit",
    "strreplace",
    "copy",
];
const DELETING: &[&str] = &["delete", "remove", "unlink", "trash"];
const MOVING: &[&str] = &["move", "rename"];

/// The kind of tool a call is for.
pub(super) fn kind(payload: &Payload) -> Tool {
    let Some(tool) = &payload.tool else { return of_event(payload.event.as_deref().unwrap_or_default()) };
    // `mcp__server__tool`, `MCP:tool`, `server/tool`
    let name = tool.rsplit("__").next().unwrap_or(tool);
    let name = name.rsplit([':', '/']).next().unwrap_or(name);
    let words = words(name);
    let plain = words.concat();
    if SHELLS.contains(&plain.as_str()) {
        return Tool::Shell;
    }
    if plain == "executecode" {
        return Tool::Code;
    }
    if plain == "applypatch" || plain == "patch" {
        return Tool::Patch;
    }
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    // One tool for reading and writing says in an argument which of them it is.
    let is_view = payload.input.get("command").and_then(|command| command.as_str()) == Some("view");
    match () {
        () if is_view => Tool::Other,
        () if has(MOVING) => Tool::Files(Doing::Move),
        () if has(DELETING) => Tool::Files(Doing::Delete),
        () if words.iter().any(|word| word == "copy") => Tool::Files(Doing::Copy),
        () if has(WRITING) => Tool::Files(Doing::Write),
        () => Tool::Other,
    }
}

/// Clients without names of tools have an event for each kind.
fn of_event(event: &str) -> Tool {
    match event {
        "pre_write_code" => Tool::Files(Doing::Write),
        "pre_run_command" => Tool::Shell,
        _ => Tool::Other,
    }
}

/// The words of a name in lower case: `str_replace`, `strReplace` and `StrReplace` have the same two.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            words.push(String::new());
        } else {
            if c.is_uppercase() && was_lower {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        was_lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}
