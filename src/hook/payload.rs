//! What a client says of itself and of what is about to happen. Every field may be missing, and more may be there.

use std::path::PathBuf;

use serde_json::Value;

/// What was read from standard input, whichever client wrote it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Payload {
    /// The client's name of the session.
    pub session: Option<String>,
    /// Where the client works.
    pub cwd: Option<PathBuf>,
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
    /// Why standard input could not be understood, when it could not.
    pub problem: Option<String>,
}
