//! Answers in the words of each client. What stops one of them is ignored in silence by the next.

use serde_json::{Value, json};

use super::payload::Payload;
use super::reason::told;
use crate::agents::Agent;

/// What the process says and how it ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Standard output: the answer and nothing else.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit code.
    pub code: u8,
}

/// The exit code that refuses, where one does.
const REFUSED: u8 = 2;

impl Answer {
    /// One line of JSON.
    fn document(document: &Value) -> Self {
        Self { stdout: format!("{document}\n"), ..Self::default() }
    }

    /// A refusal by exit code, with its reason on standard error.
    fn refused(reason: &str) -> Self {
        Self { stderr: format!("{reason}\n"), code: REFUSED, ..Self::default() }
    }

    /// Words for whoever reads the client's log.
    fn logged(message: &str) -> Self {
        Self { stderr: format!("{message}\n"), ..Self::default() }
    }
}

/// Nothing to say: go on.
pub fn silent() -> Answer {
    Answer::default()
}

/// The tool is not run, and the agent hears why. `None` stands for an agent that is not known.
pub fn deny(agent: Option<Agent>, payload: &Payload, reason: &str) -> Answer {
    let reason = told(reason);
    let nested = json!({
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
    });
    match words_for(agent, payload) {
        Some(Agent::Claude | Agent::Codex | Agent::Qwen) => Answer::document(&json!({ "hookSpecificOutput": nested })),
        Some(Agent::Gemini) => Answer::document(&json!({ "decision": "deny", "reason": reason })),
        Some(Agent::Copilot) => {
            Answer::document(&json!({ "permissionDecision": "deny", "permissionDecisionReason": reason }))
        }
        Some(Agent::Cursor) => {
            Answer::document(&json!({ "permission": "deny", "user_message": reason, "agent_message": reason }))
        }
        Some(Agent::Hermes) => Answer::document(&json!({ "decision": "block", "reason": reason })),
        Some(Agent::Cline) => Answer::document(&json!({ "cancel": true, "errorMessage": reason })),
        Some(Agent::OpenCode | Agent::Kiro | Agent::Windsurf) => Answer::refused(&reason),
        // Refused by the exit code everywhere; the document is for those who read their words from it.
        None => Answer {
            stdout: Answer::document(&json!({
                "decision": "deny", "reason": reason, "permission": "deny", "permissionDecision": "deny",
                "permissionDecisionReason": reason, "user_message": reason, "agent_message": reason,
                "hookSpecificOutput": nested,
            }))
            .stdout,
            ..Answer::refused(&reason)
        },
    }
}

/// The agent goes on working and hears why, where its client can be told so. Kiro gives the words to the next turn;
/// Windsurf and Cline show them at most.
pub fn block(agent: Option<Agent>, payload: &Payload, reason: &str) -> Answer {
    let reason = told(reason);
    match words_for(agent, payload) {
        Some(Agent::Claude | Agent::Codex | Agent::Gemini | Agent::Copilot | Agent::Qwen | Agent::Hermes) => {
            Answer::document(&json!({ "decision": "block", "reason": reason }))
        }
        Some(Agent::Cursor) => Answer::document(&json!({ "followup_message": reason })),
        Some(Agent::OpenCode) => Answer::refused(&reason),
        Some(Agent::Kiro) => Answer { stdout: format!("{reason}\n"), ..Answer::default() },
        Some(Agent::Cline | Agent::Windsurf) => Answer::logged(&reason),
        None if payload.is_cursor => Answer::document(&json!({ "followup_message": reason })),
        None => {
            let event = payload.event.as_deref().filter(|event| event.eq_ignore_ascii_case("SubagentStop"));
            let nested = json!({ "hookEventName": event.unwrap_or("Stop"), "decision": "block", "reason": reason });
            let document = json!({
                "decision": "block", "reason": reason, "followup_message": reason, "hookSpecificOutput": nested,
            });
            Answer { stdout: Answer::document(&document).stdout, ..Answer::refused(&reason) }
        }
    }
}

/// The agent may stop, and the user is told something. Clients without a place for that have it in their log.
pub fn tell(agent: Option<Agent>, payload: &Payload, message: &str) -> Answer {
    let message = told(message);
    let is_shown = match agent {
        // The same for all who take the words of Claude Code, and an unknown key for the rest.
        None => !payload.is_cursor,
        Some(Agent::Claude | Agent::Codex | Agent::Gemini | Agent::Copilot | Agent::Qwen) => !payload.is_cursor,
        Some(Agent::Cursor | Agent::OpenCode | Agent::Kiro | Agent::Hermes | Agent::Cline | Agent::Windsurf) => false,
    };
    if is_shown { Answer::document(&json!({ "systemMessage": message })) } else { Answer::logged(&message) }
}

/// Whose words are spoken: Cursor and VS Code run the hooks of Claude Code too, and do not take all of its words.
fn words_for(agent: Option<Agent>, payload: &Payload) -> Option<Agent> {
    match agent {
        Some(Agent::Claude | Agent::Copilot) if payload.is_cursor || payload.is_vscode => None,
        agent => agent,
    }
}

#[cfg(test)]
mod tests;
