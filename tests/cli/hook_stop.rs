//! `specward hook session-start`, `specward hook stop` and `specward accept`: the life of a session.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{AUTH, Outcome, SPEC, SPECWARD, Sandbox, faulty, run};

/// A repository in which edits have to be explained, and a session that began in it.
fn session(config: &str) -> Sandbox {
    let sandbox = Sandbox::repository();
    sandbox.write("openspec/specward.yaml", config);
    sandbox.commit("configuration");
    hook(&sandbox, "session-start", &[], json!({})).exits(0).says_nothing();
    sandbox
}

/// Calls a hook of the session in Claude Code's words.
fn hook(sandbox: &Sandbox, event: &str, args: &[&str], more: Value) -> Outcome {
    let mut document = json!({ "session_id": "s-1", "cwd": sandbox.root, "hook_event_name": event });
    let more = more.as_object().cloned().unwrap_or_default();
    document.as_object_mut().expect("an object").extend(more);
    sandbox.feed(&[&["hook", event, "--agent", "claude"], args].concat(), document.to_string())
}

fn stop(sandbox: &Sandbox) -> Outcome {
    hook(sandbox, "stop", &[], json!({}))
}

impl Outcome {
    #[track_caller]
    fn says_nothing(&self) -> &Self {
        assert_eq!((self.stdout.as_str(), self.stderr.as_str()), ("", ""));
        self
    }

    /// The reason of the one answer that sends an agent back.
    #[track_caller]
    fn reason(&self) -> String {
        self.exits(0);
        let document: Value = serde_json::from_str(&self.stdout).unwrap_or_default();
        assert_eq!(document["decision"], "block", "{}", self.shown());
        assert_eq!((document.as_object().map(serde_json::Map::len), self.stdout.matches('\n').count()), (Some(2), 1));
        document["reason"].as_str().expect("a reason").to_owned()
    }

    /// What the user is told when the agent is let go.
    #[track_caller]
    fn farewell(&self) -> String {
        self.exits(0);
        let document: Value = serde_json::from_str(&self.stdout).unwrap_or_default();
        assert!(document["decision"].is_null(), "{}", self.shown());
        document["systemMessage"].as_str().expect("a message").to_owned()
    }
}

fn sessions(sandbox: &Sandbox) -> Vec<PathBuf> {
    let entries = fs::read_dir(sandbox.path(".git/specward/sessions")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

#[test]
fn a_green_turn_is_met_with_silence() {
    let sandbox = session("frozen: explained\n");
    stop(&sandbox).exits(0).says_nothing();
    sandbox.write("src/main.rs", "fn main() {}\n");
    stop(&sandbox).exits(0).says_nothing();
}

#[test]
fn the_reason_begins_with_the_next_step() {
    let sandbox = session("frozen: explained\n");
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY"));
    let reason = stop(&sandbox).reason();
    assert!(reason.starts_with("specward: FAIL (1 of 3). Next step: restore it"), "{reason}");
    for words in [AUTH, "SPECWARD VERDICT: FAIL", "Fix the implementation, not the spec."] {
        assert!(reason.contains(words), "{words} in {reason}");
    }
}

#[test]
fn a_long_report_is_cut() {
    let sandbox = session("frozen: explained\n");
    for number in 0..40 {
        sandbox.write(format!("openspec/specs/s{number}/spec.md"), faulty());
    }
    let reason = stop(&sandbox).reason();
    assert!(reason.chars().count() <= 4000, "{}", reason.chars().count());
    assert!(reason.matches("\n## ").count() <= 10, "{reason}");
}

#[test]
fn bounds_are_configured() {
    let sandbox = session("hooks: { same-failure: 1, per-session: 2 }\n");
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY"));
    assert!(stop(&sandbox).reason().contains("(1 of 1)"));
    assert!(stop(&sandbox).farewell().contains("after 1 reminder"));
    // Head's own bounds do not count.
    sandbox.write("openspec/specward.yaml", "hooks: { same-failure: 100, per-session: 100 }\n");
    stop(&sandbox).reason();
    sandbox.write("openspec/specs/new/spec.md", SPEC);
    stop(&sandbox).farewell();
    for config in ["hooks: { same-failure: 0 }\n", "hooks: { per-session: 0 }\n", "hooks: { same: 1 }\n"] {
        sandbox.write("openspec/specward.yaml", config);
        sandbox.run(&["verify"]).exits(2).complains("openspec/specward.yaml:1");
    }
}

#[test]
fn clients_that_count_are_believed() {
    let sandbox = session("frozen: explained\n");
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY"));
    let document = |count: u32, status: &str| {
        json!({ "conversation_id": "s-1", "workspace_roots": [sandbox.root], "cwd": sandbox.root, "hook_event_name": "stop",
                "cursor_version": "3.0", "status": status, "loop_count": count })
    };
    let cursor =
        |count, status| sandbox.feed(&["hook", "stop", "--agent", "cursor"], document(count, status).to_string());
    // A turn that was broken off is no claim to be done.
    cursor(0, "aborted").exits(0).says_nothing();
    cursor(0, "completed").exits(0).says("{\"followup_message\":\"specward: FAIL");
    cursor(8, "completed").exits(0).never_says("followup_message");
}

#[test]
fn all_folders_that_are_open_are_judged() {
    let sandbox = session("frozen: explained\n");
    let other = Sandbox::repository();
    let document = |event: &str| {
        json!({ "conversation_id": "c", "workspace_roots": [sandbox.root, other.root], "hook_event_name": event,
                "cursor_version": "3.0", "status": "completed", "loop_count": 0 })
    };
    let call = |event: &str, name| sandbox.feed(&["hook", event, "--agent", "cursor"], document(name).to_string());
    call("session-start", "sessionStart").exits(0).says_nothing();
    call("stop", "stop").exits(0).says_nothing();
    other.write(AUTH, SPEC.replace("SHALL", "MAY"));
    call("stop", "stop").exits(0).says("{\"followup_message\":\"specward: FAIL").says(AUTH);
}

#[test]
fn who_cannot_be_counted_is_let_go() {
    let sandbox = session("frozen: explained\n");
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY"));
    // No session, and a client that says nothing of going on already: it would go on for ever.
    let document = json!({ "cwd": sandbox.root }).to_string();
    sandbox.feed(&["hook", "stop", "--agent", "opencode"], document).exits(0).complains("lets the agent stop");
}

#[test]
fn checks_that_take_too_long_are_stopped() {
    let sandbox = Sandbox::repository();
    let criteria = "version: 1\ncriteria:\n  - requirement: Sign in\n    scenario: Right password\n    verify:\n      - command: \
                    [sh, wait.sh]\n";
    sandbox.write("wait.sh", "sleep 60\necho late > late\ntest -e nothing\n");
    sandbox.write("openspec/verify/auth.yaml", criteria);
    sandbox.commit("criteria");
    hook(&sandbox, "session-start", &[], json!({})).exits(0).says_nothing();
    sandbox.write("src/main.rs", "fn main() {}\n");
    let late = |more| hook(&sandbox, "stop", &["--timeout", "21"], more);
    let reason = late(json!({})).reason();
    assert!(reason.contains("not done after 1 s"), "{reason}");
    // It cannot be mended by whoever is asked: once is enough.
    assert!(late(json!({ "stop_hook_active": true })).farewell().contains("UNVERIFIABLE"));
    assert!(!sandbox.path("late").exists());
}

#[test]
fn what_a_client_cannot_say_is_judged_all_the_same() {
    let sandbox = session("frozen: explained\n");
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY"));
    for input in ["", "{", "[]", "\u{feff}{}", "{\"cwd\": 3}"] {
        let outcome = sandbox.feed(&["hook", "stop", "--agent", "claude"], input);
        assert!(outcome.reason().contains("did not say which session"), "{input}: {}", outcome.shown());
    }
    // Without a session there is nothing to count in: the client's own word ends it.
    let active = json!({ "stop_hook_active": true, "cwd": sandbox.root }).to_string();
    sandbox.feed(&["hook", "stop", "--agent", "claude"], active).farewell();
}

#[test]
fn an_agent_that_leaves_the_project_is_judged_in_it() {
    let mut sandbox = session("frozen: explained\n");
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY"));
    let away = json!({ "cwd": sandbox.top });
    assert!(hook(&sandbox, "stop", &[], away.clone()).reason().contains(AUTH));
    let root = sandbox.root.clone();
    sandbox.set("CLAUDE_PROJECT_DIR", &root);
    let elsewhere = sandbox.at("..");
    assert!(hook(&elsewhere, "stop", &[], away).reason().contains(AUTH));
}

#[test]
fn what_is_written_down() {
    let sandbox = Sandbox::repository();
    // Neither committed nor staged.
    sandbox.write("openspec/specs/new/spec.md", SPEC);
    sandbox.write(".claude/settings.json", "{}\n");
    hook(&sandbox, "session-start", &[], json!({})).exits(0).says_nothing();
    let folder = sessions(&sandbox).remove(0);
    let text = fs::read_to_string(folder.join("record")).expect("a record");
    let record: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    assert_eq!((record["session"].as_str(), record["agent"].as_str()), (Some("s-1"), Some("claude")));
    assert_eq!(record["head"].as_str(), Some(sandbox.head().as_str()));
    for path in [AUTH, "openspec/specs/new/spec.md", ".claude/settings.json"] {
        assert!(text.contains(path), "{path} in {text}");
    }
    let kept: Vec<_> = fs::read_dir(folder.join("blobs")).expect("kept contents").flatten().collect();
    assert_eq!(kept.len(), 2);
    assert_eq!(sandbox.git(&["status", "--porcelain"]).matches("specward").count(), 0);
}

#[test]
fn what_began_earlier_is_not_recorded_again() {
    let sandbox = session("frozen: explained\n");
    let record = || fs::read(sessions(&sandbox)[0].join("record")).expect("a record");
    let before = record();
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY"));
    for source in ["resume", "clear", "compact", "startup"] {
        hook(&sandbox, "session-start", &[], json!({ "source": source })).exits(0).says_nothing();
        assert_eq!(record(), before);
    }
    stop(&sandbox).reason();
}

/// Runs `accept` as a person would, in a terminal, and answers its question.
fn accept(sandbox: &Sandbox, args: &str, answer: &str) -> Option<Outcome> {
    if run(sandbox.command("sh").args(["-c", "command -v script"])).code != Some(0) {
        eprintln!("skipped: there is no script(1) to make a terminal with");
        return None;
    }
    let script = format!("printf '{answer}' | script -qec \"'{SPECWARD}' accept {args}\" /dev/null");
    let outcome = run(sandbox.command("sh").args(["-c", &script]));
    if outcome.stdout.contains("was started by an agent") {
        eprintln!("skipped: these tests were started by an agent, to whom accepting is refused");
        return None;
    }
    Some(outcome)
}

#[test]
fn a_person_accepts() {
    let sandbox = session("frozen: explained\n");
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY"));
    sandbox.write("openspec/specs/new/spec.md", SPEC);
    stop(&sandbox).reason();
    let Some(refused) = accept(&sandbox, "--reason agreed", "n\\n") else { return };
    refused.exits(1).says("openspec/specs/auth/spec.md").says("Nothing was accepted");
    stop(&sandbox).reason();
    // One of the two files.
    accept(&sandbox, &format!("{AUTH} --reason agreed"), "y\\n")
        .expect("a terminal")
        .exits(0)
        .says("Accepted for 1 session");
    let reason = stop(&sandbox).reason();
    assert!(reason.contains("specs/new/spec.md") && !reason.contains("specs/auth/spec.md:"), "{reason}");
    sandbox.commit("all");
    accept(&sandbox, "--reason 'it is fine'", "y\\n").expect("a terminal").exits(0);
    stop(&sandbox).exits(0).says_nothing();
    accept(&sandbox, "--reason again", "y\\n").expect("a terminal").exits(0).says("nothing to accept");
    // It stands in the ledger.
    let ledger = fs::read_to_string(sandbox.path(".git/specward/ledger.jsonl")).expect("a ledger");
    assert!(
        ledger.lines().count() == 2 && ledger.contains("it is fine") && ledger.contains("specs/new/spec.md"),
        "{ledger}"
    );
    sandbox.run(&["ledger", "check", ".git/specward/ledger.jsonl"]).exits(0);
    // What the agent does afterwards is its own.
    sandbox.write(AUTH, SPEC.replace("SHALL", "MAY not"));
    stop(&sandbox).reason();
}

#[test]
fn a_lost_record_is_made_anew_by_a_person() {
    let sandbox = session("frozen: explained\n");
    let folder = sessions(&sandbox).remove(0);
    fs::remove_file(folder.join("record")).expect("it was there");
    assert!(stop(&sandbox).reason().contains("no record"));
    stop(&sandbox).farewell();
    let Some(accepted) = accept(&sandbox, "--reason looked", "y\\n") else { return };
    accepted.exits(0).says("how they were is not known");
    stop(&sandbox).exits(0).says_nothing();
}

#[test]
fn accepting_needs_a_reason_a_person_and_a_place() {
    let mut sandbox = session("frozen: explained\n");
    sandbox.run(&["accept"]).exits(2).complains("--reason");
    sandbox.run(&["accept", "--reason", "  "]).exits(2);
    sandbox.run(&["accept", "--reason", "x"]).exits(2).complains("error: ");
    if let Some(outside) = accept(&sandbox, "../elsewhere --reason x", "y\\n") {
        outside.exits(2).says("outside of the work tree");
    }
    sandbox.set("CLAUDECODE", "1");
    sandbox.run(&["accept", "--reason", "x"]).exits(2).complains("started by an agent (Claude Code)");
}
