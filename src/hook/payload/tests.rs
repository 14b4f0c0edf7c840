use std::path::Path;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn parse(document: &Value) -> Payload {
    Payload::parse(document.to_string().as_bytes())
}

#[test]
fn what_is_no_document_is_told() {
    let deep = "[".repeat(100_000);
    let broken: [(&[u8], &str); 6] = [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"{\"cwd\":", "no JSON"),
        (b"[1]", "no JSON object"),
        (deep.as_bytes(), "nested too deeply"),
    ];
    for (bytes, words) in broken {
        let payload = Payload::parse(bytes);
        let problem = payload.problem.clone().unwrap_or_default();
        assert!(problem.contains(words), "{problem}");
        assert_eq!(payload.is_excessive, bytes.len() > 1000, "{problem}");
        assert_eq!(Payload { problem: None, is_excessive: false, ..payload }, Payload::default());
    }
}

#[test]
fn a_document_may_be_large_but_not_without_end() {
    let document = |length: usize| format!("{{\"cwd\":\"/repo\",\"x\":\"{}\"}}", "a".repeat(length));
    assert_eq!(Payload::parse(document(4 * 1024 * 1024).as_bytes()).cwd.as_deref(), Some(Path::new("/repo")));
    let problem = Payload::parse(document(MAX_BYTES).as_bytes()).problem;
    assert_eq!(problem.as_deref(), Some("it is larger than 8 MiB"));
}

#[test]
fn wrong_types_are_none() {
    let payload = parse(&json!({
        "session_id": 7, "sessionId": "s", "cwd": ["/repo"], "tool_name": {}, "tool_input": 3, "stop_hook_active": "true",
        "loop_count": -1, "status": null, "source": "", "hook_event_name": false
    }));
    assert_eq!(payload, Payload { session: Some("s".to_owned()), ..Payload::default() });
}

#[test]
fn marks_halves_of_pairs_doubled_keys_and_what_follows() {
    let text = "\u{feff}{\"cwd\":\"/old\",\"cwd\":\"/r\\ud83d\\ude00\\ud800x\\\\ud800\",\"session_id\":\"\\udc00\"} {\"cwd\":1";
    let payload = Payload::parse(text.as_bytes());
    assert_eq!(payload.problem, None);
    assert_eq!(payload.cwd.as_deref(), Some(Path::new("/r\u{1f600}\u{fffd}x\\ud800")));
    assert_eq!(payload.session.as_deref(), Some("\u{fffd}"));
    let bytes = Payload::parse(b"{\"cwd\":\"/r\xff\"}");
    assert_eq!(bytes.cwd.as_deref(), Some(Path::new("/r\u{fffd}")));
}

#[test]
fn arguments_in_a_string() {
    assert_eq!(parse(&json!({"toolArgs": "{\"path\":\"a\"}"})).input, json!({"path": "a"}));
    assert_eq!(parse(&json!({"tool_input": "*** Begin Patch"})).input, json!("*** Begin Patch"));
}

#[test]
fn vs_code_is_who_writes_both_ways() {
    let is_vscode = |document: Value| parse(&document).is_vscode;
    assert!(is_vscode(json!({"sessionId": "s", "hookEventName": "Stop"})));
    assert!(!is_vscode(json!({"session_id": "s", "hook_event_name": "Stop"})));
    assert!(!is_vscode(json!({"sessionId": "s", "hookEventName": "agentStop"})));
    assert!(!is_vscode(json!({"sessionId": "s"})));
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        Payload::parse(&bytes);
    }

    #[test]
    fn any_string_is_read(text in "[\\\\ud8cf0-9\"{}:a,é\u{1f600}]{0,60}") {
        Payload::parse(text.as_bytes());
        let within = format!("{{\"cwd\":\"{}\"}}", text.replace('"', ""));
        Payload::parse(within.as_bytes());
    }
}
