//! What kind of tool a name stands for.

use std::borrow::Cow;

use serde_json::Value;

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

/// A tool and its arguments.
#[derive(Debug)]
pub(super) struct Called<'p> {
    name: Option<Cow<'p, str>>,
    event: &'p str,
    pub(super) input: &'p Value,
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

/// Words for what lies in a folder, or in a text.
const FILES: &[&str] = &[
    "file",
    "files",
    "folder",
    "directory",
    "directories",
    "dir",
    "path",
    "notebook",
    "lines",
    "text",
    "content",
    "contents",
    "symbol",
    "str",
    "strreplace",
    "regex",
];

/// Words for what tools write that is no file.
const NO_FILES: &[&str] = &[
    "todo",
    "todos",
    "memory",
    "memories",
    "task",
    "tasks",
    "issue",
    "issues",
    "pull",
    "pr",
    "review",
    "comment",
    "comments",
    "branch",
    "plan",
    "ticket",
    "page",
    "label",
    "labels",
    "release",
    "repository",
    "gist",
    "message",
    "event",
    "discussion",
    "project",
    "goal",
    "session",
    "thread",
    "schedule",
    "cron",
];

/// Words of servers whose tools are for files.
const FILE_SERVERS: &[&str] = &["file", "files", "filesystem", "fs", "serena", "editor", "desktop"];

impl<'p> Called<'p> {
    /// The tool a call is for.
    pub(super) fn of(payload: &'p Payload) -> Self {
        let event = payload.event.as_deref().unwrap_or_default();
        let part = |name: &str| payload.input.get(name);
        // An event for the tools of all servers, which are named in its arguments.
        if event == "pre_mcp_tool_use"
            && let Some(tool) = part("mcp_tool_name").and_then(Value::as_str)
        {
            let server = part("mcp_server_name").and_then(Value::as_str).unwrap_or_default();
            let name = Some(Cow::Owned(format!("mcp__{server}__{tool}")));
            return Self { name, event, input: part("mcp_tool_arguments").unwrap_or(&Value::Null) };
        }
        Self { name: payload.tool.as_deref().map(Cow::Borrowed), event, input: &payload.input }
    }

    /// What the tool does.
    pub(super) fn kind(&self) -> Tool {
        let Some(tool) = self.name.as_deref() else { return of_event(self.event) };
        // `mcp__server__tool`, `MCP:tool`, `server/tool`, `functions.tool`
        let name = tool.rsplit("__").next().unwrap_or(tool);
        let name = name.rsplit([':', '/', '.']).next().unwrap_or(name);
        let all = words(tool);
        let words = words(name);
        let plain = words.concat();
        if SHELLS.contains(&plain.as_str()) {
            return Tool::Shell;
        }
        if plain == "executecode" {
            return Tool::Code;
        }
        if matches!(plain.as_str(), "applypatch" | "applydiff" | "patch") {
            return Tool::Patch;
        }
        let has = |words: &[String], known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        // One tool for reading and writing says in an argument which of them it is.
        let is_view = self.input.get("command").and_then(Value::as_str) == Some("view");
        let is_of_server = all.first().is_some_and(|word| word == "mcp");
        let is_named_for_files = has(&words, FILES);
        let is_for_files = match is_of_server {
            true => is_named_for_files || has(&all, FILE_SERVERS) && !has(&words, NO_FILES),
            // A client's own `edit`, `write` and `create` are for files.
            false => is_named_for_files || !has(&words, NO_FILES),
        };
        match () {
            () if is_view || !is_for_files => Tool::Other,
            () if has(&words, MOVING) => Tool::Files(Doing::Move),
            () if has(&words, DELETING) => Tool::Files(Doing::Delete),
            () if words.iter().any(|word| word == "copy") => Tool::Files(Doing::Copy),
            () if has(&words, WRITING) => Tool::Files(Doing::Write),
            () => Tool::Other,
        }
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
