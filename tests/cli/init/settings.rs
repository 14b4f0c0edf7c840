//! Settings that somebody changed between two runs.

use serde_json::Value;

use super::{CLAUDE, repository, text};

#[test]
fn ours_is_updated_in_place_and_never_doubled() {
    let sandbox = repository();
    let old = "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"specward hook stop --agent claude\"}]},\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"specward hook stop --agent claude\"}]},\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}\n    ]\n  }\n}\n";
    sandbox.write(CLAUDE, old);
    sandbox.run(&["init"]).exits(0).says("update .claude/settings.json");
    let now = text(&sandbox, CLAUDE);
    let value: Value = serde_json::from_str(&now).expect("JSON");
    let stops = value["hooks"]["Stop"].as_array().expect("a list");
    assert_eq!(stops.len(), 2, "{now}");
    assert_eq!((&stops[0]["hooks"][0]["timeout"], &stops[1]["hooks"][0]["command"]), (&300.into(), &"mine".into()));
    sandbox.run(&["init"]).exits(0).says("nothing to write");
}

#[test]
fn no_trust_and_no_permission_is_given() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=all"]).exits(0);
    for (name, content) in super::contents(&sandbox) {
        let content = String::from_utf8(content.unwrap_or_default()).expect("UTF-8");
        for word in ["permissions", "allowed-tools", "trusted_hash", "trust_level", "autoApprove", "allowlist"] {
            assert!(!content.contains(word), "{name}: {word}");
        }
    }
    let codex: Value = serde_json::from_str(&text(&sandbox, ".codex/hooks.json")).expect("JSON");
    assert_eq!(codex.as_object().expect("an object").keys().collect::<Vec<_>>(), ["hooks"]);
    let home = std::fs::read_dir(sandbox.top.join("home")).expect("a folder").count();
    assert_eq!(home, 0, "nothing is written for the user outside of the repository");
}
