//! How Codex CLI knows a hook that its user trusts: by the place it stands in, and by a digest of what it does.

use serde_json::{Map, Value, json};

use crate::agents::json::calls_us;
use crate::digest::sha256;

/// Seconds that a hook has when it does not say.
const TIMEOUT: u64 = 600;

/// A hook of ours in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The event as the document has it.
    pub event: String,
    /// What follows the file in its key.
    pub place: String,
    /// The digest its user would trust.
    pub digest: String,
}

/// The hooks of ours in a document.
pub fn hooks(document: &Value) -> Vec<Hook> {
    let mut found = Vec::new();
    for (event, groups) in document.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        for (group_index, group) in groups.as_array().into_iter().flatten().enumerate() {
            for (index, handler) in group.get("hooks").and_then(Value::as_array).into_iter().flatten().enumerate() {
                if calls_us(handler) {
                    let name = snake(event);
                    let place = format!("{name}:{group_index}:{index}");
                    let digest = digest(&name, group.get("matcher").and_then(Value::as_str), handler);
                    found.push(Hook { event: event.clone(), place, digest });
                }
            }
        }
    }
    found
}

/// The digest of a hook: of compact JSON with sorted keys. What the hook does not say has its value by default.
fn digest(event: &str, matcher: Option<&str>, handler: &Value) -> String {
    let text = |key: &str| handler.get(key).and_then(Value::as_str);
    let mut known = Map::new();
    known.insert("async".to_owned(), json!(handler.get("async").and_then(Value::as_bool).unwrap_or(false)));
    known.insert("command".to_owned(), json!(text("command").unwrap_or_default()));
    if let Some(status) = text("statusMessage") {
        known.insert("statusMessage".to_owned(), json!(status));
    }
    known.insert("timeout".to_owned(), json!(handler.get("timeout").and_then(Value::as_u64).unwrap_or(TIMEOUT)));
    known.insert("type".to_owned(), json!(text("type").unwrap_or("command")));
    let mut hook = Map::new();
    hook.insert("event_name".to_owned(), json!(event));
    hook.insert("hooks".to_owned(), json!([known]));
    if let Some(matcher) = matcher.filter(|_| !matches!(event, "stop" | "user_prompt_submit")) {
        hook.insert("matcher".to_owned(), json!(matcher));
    }
    sha256(Value::Object(hook).to_string().as_bytes())
}

fn snake(event: &str) -> String {
    let mut name = String::with_capacity(event.len() + 4);
    for c in event.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_that_codex_makes() {
        let stop = json!({"async": false, "command": "true stop", "timeout": 20, "type": "command"});
        let expected = "sha256:921bdc678d23df9625fa1bc531ca3b7936463226d7743bf366ee7aa71c808530";
        assert_eq!(digest("stop", None, &stop), expected);
        assert_eq!(digest("stop", Some("ignored"), &stop), expected);
        let pre = json!({"type": "command", "command": "true pre"});
        let expected = "sha256:e052e2f1e8f5fe2798223f5a50b30af4096aaf4e570003f65f44d68996ab641a";
        assert_eq!(digest("pre_tool_use", Some("Edit|Write|Bash"), &pre), expected);
        assert_ne!(digest("pre_tool_use", Some("Edit|Write"), &pre), expected);
        let shown = json!({"type": "command", "command": "true pre", "statusMessage": "x"});
        assert_ne!(digest("pre_tool_use", Some("Edit|Write|Bash"), &shown), expected);
    }

    #[test]
    fn ours_are_found_where_they_stand() {
        let ours = json!({"type": "command", "command": "specward hook stop --agent codex"});
        let other = json!({"type": "command", "command": "true"});
        let document = json!({"hooks": {
            "Stop": [{"hooks": [other]}, {"hooks": [other, ours]}],
            "PreToolUse": [{"matcher": "Bash", "hooks": [ours]}],
            "SessionEnd": "nothing",
        }});
        let places: Vec<String> = hooks(&document).into_iter().map(|hook| hook.place).collect();
        assert_eq!(places, ["stop:1:1", "pre_tool_use:0:0"]);
        assert_eq!(hooks(&json!([])), []);
    }
}
