use super::*;

fn said(stdout: &str) -> Answer {
    Answer { stdout: format!("{stdout}\n"), ..Answer::default() }
}

fn cursor() -> Payload {
    Payload { is_cursor: true, ..Payload::default() }
}

fn vscode() -> Payload {
    Payload { is_vscode: true, ..Payload::default() }
}

const NESTED_DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}"#;

const PORTABLE_DENY: &str = r#"{"decision":"deny","reason":"R","permission":"deny","permissionDecision":"deny","permissionDecisionReason":"R","user_message":"R","agent_message":"R","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}"#;

const PORTABLE_BLOCK: &str = r#"{"decision":"block","reason":"R","followup_message":"R","hookSpecificOutput":{"hookEventName":"Stop","decision":"block","reason":"R"}}"#;

fn refusal(stdout: &str) -> Answer {
    let stdout = if stdout.is_empty() { String::new() } else { format!("{stdout}\n") };
    Answer { stdout, stderr: "R\n".to_owned(), code: 2 }
}

/// What is said when a tool may not run, word for word.
#[test]
fn deny_in_the_words_of_each() {
    let heard = |agent| deny(agent, &Payload::default(), "R");
    for agent in Agent::ALL {
        let expected = match agent {
            Agent::Claude | Agent::Codex | Agent::Qwen => said(NESTED_DENY),
            Agent::Gemini => said(r#"{"decision":"deny","reason":"R"}"#),
            Agent::Copilot => said(r#"{"permissionDecision":"deny","permissionDecisionReason":"R"}"#),
            Agent::Cursor => said(r#"{"permission":"deny","user_message":"R","agent_message":"R"}"#),
            Agent::Hermes => said(r#"{"decision":"block","reason":"R"}"#),
            Agent::Cline => said(r#"{"cancel":true,"errorMessage":"R"}"#),
            Agent::OpenCode | Agent::Kiro | Agent::Windsurf => refusal(""),
        };
        assert_eq!(heard(Some(agent)), expected, "{agent}");
    }
    assert_eq!(heard(None), refusal(PORTABLE_DENY));
    for payload in [cursor(), vscode()] {
        assert_eq!(deny(Some(Agent::Claude), &payload, "R"), refusal(PORTABLE_DENY));
        assert_eq!(deny(None, &payload, "R"), refusal(PORTABLE_DENY));
    }
}

/// What is said when a turn may not end, word for word.
#[test]
fn block_in_the_words_of_each() {
    let heard = |agent| block(agent, &Payload::default(), "R");
    for agent in Agent::ALL {
        let expected = match agent {
            Agent::Claude | Agent::Codex | Agent::Gemini | Agent::Copilot | Agent::Qwen | Agent::Hermes => {
                said(r#"{"decision":"block","reason":"R"}"#)
            }
            Agent::Cursor => said(r#"{"followup_message":"R"}"#),
            Agent::OpenCode => refusal(""),
            Agent::Kiro => said("R"),
            Agent::Cline | Agent::Windsurf => Answer { stderr: "R\n".to_owned(), ..Answer::default() },
        };
        assert_eq!(heard(Some(agent)), expected, "{agent}");
    }
    assert_eq!(heard(None), refusal(PORTABLE_BLOCK));
    assert_eq!(block(Some(Agent::Claude), &vscode(), "R"), refusal(PORTABLE_BLOCK));
    let subagent = Payload { event: Some("SubagentStop".to_owned()), ..Payload::default() };
    assert!(block(None, &subagent, "R").stdout.contains(r#""hookEventName":"SubagentStop""#));
    for agent in [None, Some(Agent::Claude), Some(Agent::Cursor)] {
        assert_eq!(block(agent, &cursor(), "R"), said(r#"{"followup_message":"R"}"#));
    }
}

/// The user is told, and nobody is kept from stopping.
#[test]
fn tell_keeps_nobody() {
    for agent in Agent::ALL.into_iter().map(Some).chain([None]) {
        let answer = tell(agent, &Payload::default(), "M");
        assert_eq!(answer.code, 0);
        let logged = Answer { stderr: "M\n".to_owned(), ..Answer::default() };
        let expected = match agent {
            None | Some(Agent::Claude | Agent::Codex | Agent::Gemini | Agent::Copilot | Agent::Qwen) => {
                said(r#"{"systemMessage":"M"}"#)
            }
            Some(_) => logged,
        };
        assert_eq!(answer, expected, "{agent:?}");
    }
    assert_eq!(tell(Some(Agent::Claude), &cursor(), "M").stdout, "");
    assert_eq!(silent(), Answer::default());
}

/// A reason of several lines stays one line of JSON, and says nothing to a terminal.
#[test]
fn one_line_whatever_is_said() {
    let answer = block(Some(Agent::Claude), &Payload::default(), "a\n\"b\"\u{1b}[0m\u{2028}");
    assert_eq!(answer, said(r#"{"decision":"block","reason":"a\n\"b\"\\u{1b}[0m\\u{2028}"}"#));
    let long = deny(Some(Agent::OpenCode), &Payload::default(), &"word\n".repeat(5_000));
    assert!(long.stderr.chars().count() <= 4_001, "{}", long.stderr.len());
}
