//! What the installed commands do on a machine without specward, or with one that fails.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::{contents, repository};
use crate::support::{Outcome, Sandbox, run};

/// All installed shell commands and programs, with the files they are from.
fn commands(sandbox: &Sandbox) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, content) in contents(sandbox) {
        let content = String::from_utf8(content.unwrap_or_default()).expect("UTF-8");
        if name.ends_with(".json") {
            collect(&name, &serde_json::from_str(&content).expect("JSON"), &mut found);
        } else if content.starts_with("#!/bin/sh\n") {
            found.push((name, content));
        }
    }
    found
}

fn collect(name: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| collect(name, value, found)),
        Value::Object(map) => {
            for (key, value) in map {
                match value.as_str().filter(|_| key == "command" || key == "bash") {
                    Some(command) => found.push((name.to_owned(), command.to_owned())),
                    None => collect(name, value, found),
                }
            }
        }
        _ => {}
    }
}

/// Runs a command where the only program there is may be specward, which ends as it is told.
fn ends(sandbox: &Sandbox, command: &str, with: Option<u8>) -> Outcome {
    let folder = sandbox.top.join("bin");
    drop(fs::remove_dir_all(&folder));
    fs::create_dir(&folder).expect("a folder");
    if let Some(code) = with {
        let program = folder.join("specward");
        fs::write(&program, format!("#!/bin/sh\nexit {code}\n")).expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    run(sandbox.command("/bin/sh").args(["-c", command]).env("PATH", &folder))
}

#[test]
fn without_specward_everything_is_let_through_and_it_is_said() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=all"]).exits(0);
    let commands = commands(&sandbox);
    assert!(commands.len() > 25, "{}", commands.len());
    for (name, command) in commands {
        let outcome = ends(&sandbox, &command, None);
        outcome.exits(0);
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        let is_second = command.starts_with("command -v specward >/dev/null 2>&1 || exit 0;");
        assert_eq!(said.contains("specward is not installed"), !is_second, "{name}: {said}");
        if !is_second && command.contains("specward hook stop") {
            assert!(said.contains("Nothing was verified"), "{name}: {said}");
        }
        // What clients read as an answer is one, and asks for nothing.
        if outcome.stdout.starts_with('{') {
            let answer: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
            let keys: Vec<&str> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
            assert!(matches!(keys[..], ["systemMessage"] | ["additional_context"] | ["cancel"]), "{name}: {keys:?}");
        }
    }
}

#[test]
fn a_specward_that_fails_holds_nothing_up() {
    let sandbox = repository();
    sandbox.run(&["init", "--agents=all"]).exits(0);
    for (name, command) in commands(&sandbox) {
        for code in [1, 3, 101, 126, 127] {
            let outcome = ends(&sandbox, &command, Some(code));
            outcome.exits(0);
            let says_so = command.contains("stopped with an error");
            assert_eq!(
                format!("{}{}", outcome.stdout, outcome.stderr).contains("Nothing was verified"),
                says_so,
                "{name}"
            );
        }
        // What it refuses on purpose is refused, and a start refuses nothing.
        let refused = if command.contains("specward hook session-start") { 0 } else { 2 };
        let outcome = ends(&sandbox, &command, Some(2));
        outcome.exits(refused);
        let outcome = ends(&sandbox, &command, Some(0));
        outcome.exits(0);
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""), "{name}");
    }
}
