//! What a client says of itself and of what is about to happen. Every field may be missing, and more may be there.

use std::path::PathBuf;

use serde_json::{Map, Value};

mod text;

/// What was read from standard input, whichever client wrote it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Payload {
    /// The client's name of the session.
    pub session: Option<String>,
    /// Where the client works.
    pub cwd: Option<PathBuf>,
    /// All folders it has open, where it says so.
    pub folders: Vec<PathBuf>,
    /// Where it keeps what was said in the session.
    pub transcript: Option<PathBuf>,
    /// The tool that is about to run.
    pub tool: Option<String>,
    /// Its arguments.
    pub input: Value,
    /// Whether the turn goes on because a stop hook said so.
    pub is_stop_active: bool,
    /// How many follow-ups the client counted, where it does.
    pub loop_count: Option<u32>,
    /// How the turn ended, where the client says so (`completed`, `aborted`, `error`).
    pub status: Option<String>,
    /// Why a session begins (`startup`, `resume`, `clear`, `compact`).
    pub source: Option<String>,
    /// The event in the client's words.
    pub event: Option<String>,
    /// Whether the client says that it is Cursor.
    pub is_cursor: bool,
    /// Whether the client is VS Code itself and not a program that runs in it.
    pub is_vscode: bool,
    /// Why standard input could not be understood, when it could not.
    pub problem: Option<String>,
    /// Whether that is its size or depth, which no document has that is meant well.
    pub is_excessive: bool,
}

/// Most bytes of a document. More is not read.
pub const MAX_BYTES: usize = 8 * 1024 * 1024;

/// Names of the session, of all clients.
const SESSION: &[&str] = &["session_id", "sessionId", "sessionID", "conversation_id", "taskId", "trajectory_id"];

/// Names of the event.
const EVENT: &[&str] = &["hook_event_name", "hookEventName", "hookName", "agent_action_name"];

/// Names of the tool, and of what holds its name and arguments.
const TOOL: &[&str] = &["tool_name", "toolName"];
const CALL: &[&str] = &["tool_call", "toolCall", "preToolUse"];

/// Names of a tool's arguments.
const INPUT: &[&str] = &["tool_input", "toolInput", "toolArgs", "tool_args", "tool_info"];

/// Names of the folders a client has open, for those that give no other.
const FOLDERS: &[&str] = &["workspace_roots", "workspaceRoots"];

impl Payload {
    /// Reads a document. Nothing is an error: what is missing or of another type is none, and what cannot be read at all
    /// leaves a [`Payload::problem`].
    pub fn parse(bytes: &[u8]) -> Self {
        if bytes.len() > MAX_BYTES {
            return Self::excessive(format!("it is larger than {} MiB", MAX_BYTES / 1024 / 1024));
        }
        let text = text::readable(bytes);
        if text.trim().is_empty() {
            return Self::without("it is empty".to_owned());
        }
        // Whatever comes after the first document is not for us.
        let first = serde_json::Deserializer::from_str(&text).into_iter::<Value>().next();
        match first {
            Some(Ok(Value::Object(document))) => Self::of(&document),
            Some(Ok(_)) => Self::without("it is no JSON object".to_owned()),
            Some(Err(error)) if is_too_deep(&error) => Self::excessive(TOO_DEEP.to_owned()),
            Some(Err(error)) => Self::without(format!("it is no JSON: {error}")),
            None => Self::without("it is empty".to_owned()),
        }
    }

    fn without(problem: String) -> Self {
        Self { problem: Some(problem), ..Self::default() }
    }

    fn excessive(problem: String) -> Self {
        Self { is_excessive: true, ..Self::without(problem) }
    }

    fn of(document: &Map<String, Value>) -> Self {
        let call = CALL.iter().find_map(|name| document.get(*name)?.as_object());
        let called = |names: &[&str]| call.and_then(|call| string(call, names));
        let event = string(document, EVENT);
        let mut tool = string(document, TOOL).or_else(|| called(&["name", "toolName", "tool_name"]));
        let input = argument(document, INPUT)
            .or_else(|| call.and_then(|call| argument(call, &["input", "arguments", "parameters"])));
        let mut input = input.unwrap_or_default();
        // A hook for commands alone has no tool.
        if input.is_null() && tool.is_none() && document.get("command").is_some_and(Value::is_string) {
            input = Value::Object(document.clone());
            tool = Some("Shell".to_owned());
        }
        // Arguments in a string can be too deep by themselves.
        let is_excessive = input.as_str().is_some_and(|text| {
            text.trim_start().starts_with('{')
                && serde_json::from_str::<Value>(text).is_err_and(|error| is_too_deep(&error))
        });
        let inner = input.as_object();
        let cwd = string(document, &["cwd"])
            .or_else(|| inner.and_then(|inner| string(inner, &["cwd"])).filter(|_| document.contains_key("tool_info")))
            .or_else(|| FOLDERS.iter().find_map(|name| document.get(*name)?.get(0)?.as_str().map(str::to_owned)));
        let is_named = event.as_ref().is_some_and(|event| event.starts_with(|c: char| c.is_ascii_uppercase()));
        Self {
            session: string(document, SESSION),
            cwd: cwd.map(PathBuf::from),
            folders: FOLDERS.iter().find_map(|name| document.get(*name)?.as_array()).map_or_else(Vec::new, |folders| {
                folders.iter().filter_map(|folder| folder.as_str().map(PathBuf::from)).collect()
            }),
            transcript: string(document, &["transcript_path", "transcriptPath"]).map(PathBuf::from),
            tool,
            is_stop_active: truth(document, &["stop_hook_active", "stopHookActive"]),
            loop_count: number(document, &["loop_count", "loopCount"]),
            status: string(document, &["status"]),
            source: string(document, &["source"]),
            is_cursor: document.contains_key("cursor_version"),
            is_vscode: is_named && document.contains_key("hookEventName") && document.contains_key("sessionId"),
            event,
            input,
            problem: is_excessive.then(|| TOO_DEEP.to_owned()),
            is_excessive,
        }
    }
}

const TOO_DEEP: &str = "it is nested too deeply";

/// Whether a reader gave up because of depth.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

/// The first of these names that holds a string with something in it.
fn string(document: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| document.get(*name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned))
}

fn truth(document: &Map<String, Value>, names: &[&str]) -> bool {
    names.iter().any(|name| document.get(*name).and_then(Value::as_bool).unwrap_or_default())
}

fn number(document: &Map<String, Value>, names: &[&str]) -> Option<u32> {
    let number = names.iter().find_map(|name| document.get(*name)?.as_u64())?;
    Some(u32::try_from(number).unwrap_or(u32::MAX))
}

/// A tool's arguments: an object, also one that was written into a string, or a string that is the argument itself.
fn argument(document: &Map<String, Value>, names: &[&str]) -> Option<Value> {
    names.iter().find_map(|name| match document.get(*name)? {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(value @ Value::Object(_)) => Some(value),
            _ => Some(Value::String(text.clone())),
        },
        value @ (Value::Object(_) | Value::Array(_)) => Some(value.clone()),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
