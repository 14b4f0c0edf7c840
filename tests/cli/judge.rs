//! Checks that ask a judge.

use std::fs;

use serde_json::Value;

use crate::checked::{HOLDS, on_branch, put, spec};
use crate::support::{AUTH, Sandbox};

/// A criterion that asks the judge.
const ASKS: &str = "judge: { rubric: The error says what to do, threshold: 0.8 }";

const CONFIG: &str = "openspec/specward.yaml";

/// A judge that keeps what it is asked and answers with a text.
fn judge(sandbox: &Sandbox, answer: &str) {
    sandbox.write("judge.sh", format!("cat > asked.json\ncat <<'END'\n{answer}\nEND\n"));
}

/// A project whose one criterion asks a judge that answers with a text.
fn project(answer: &str) -> Sandbox {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[ASKS])]);
    sandbox.write(CONFIG, "judge: { command: [sh, judge.sh] }\n");
    judge(&sandbox, answer);
    sandbox
}

#[test]
fn score_below_the_threshold() {
    let sandbox = project(r#"{ "verdict": "PASS", "score": 0.79, "reason": "It names no option." }"#);
    let judged = sandbox.json(&[]);
    judged.is("FAIL").tells("one", "FAIL", "It names no option.").tells(
        "one",
        "FAIL",
        "score 0.79, below the 0.8 needed",
    );
    sandbox.agent(&[]).exits(1).says("Failed check: 1 judge\n").says("It names no option.");
    judge(&sandbox, r#"{ "verdict": "PASS", "score": 0.8, "reason": "It does." }"#);
    sandbox.json(&[]).is("PASS").tells("one", "PASS", "It does.");
    judge(&sandbox, r#"{ "verdict": "FAIL", "score": 0.9, "reason": "It does not." }"#);
    sandbox.json(&[]).is("FAIL").tells("one", "FAIL", "the judge says FAIL with score 0.9: It does not.");
    judge(&sandbox, r#"{ "verdict": "UNVERIFIABLE", "score": 0, "reason": "There is no error." }"#);
    sandbox.json(&[]).is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "There is no error.");
}

#[test]
fn no_judge() {
    let sandbox = Sandbox::bare_folder();
    put(&sandbox, &[("One", &[ASKS]), ("Two", &[HOLDS])]);
    let judged = sandbox.json(&[]);
    judged.is("UNVERIFIABLE").has("two", "PASS").tells("one", "UNVERIFIABLE", "name a command with `judge: command:`");
    // Not to ask is something else: what is left of the criterion counts.
    let judged = sandbox.json(&["--no-judge"]);
    judged.is("PASS").has("one", "SKIPPED");
    assert!(judged.criterion("one")["reason"].as_str().expect("a reason").contains("--no-judge"));
    put(&sandbox, &[("One", &[ASKS, HOLDS])]);
    sandbox.json(&["--no-judge"]).is("PASS").has("one", "PASS");
}

#[test]
fn bad_answer() {
    let sandbox = project("");
    for answer in [
        "",
        "PASS",
        "[\"PASS\", 1, \"x\"]",
        r#"{ "verdict": "PASS", "score": 0.9, "reason": "a" } { "verdict": "PASS", "score": 0.9, "reason": "a" }"#,
        r#"{ "verdict": "PASS", "score": 90, "reason": "a" }"#,
        r#"{ "verdict": "PASS", "score": 0.9 }"#,
        r#"{ "verdict": "MAYBE", "score": 0.9, "reason": "a" }"#,
        r#"{ "verdict": "FAIL", "verdict": "PASS", "score": 0.9, "reason": "a" }"#,
    ] {
        judge(&sandbox, answer);
        sandbox.json(&[]).is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "the judge's answer is none: ");
    }
    let good = r#"{ "verdict": "PASS", "score": 1, "reason": "a" }"#;
    sandbox.write("judge.sh", format!("echo '{good}'\necho broken >&2\nexit 3\n"));
    let judged = sandbox.json(&[]);
    judged.is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "the judge ended with exit code 3");
    assert!(judged.check("one", 1, "evidence").contains("broken"), "{:#}", judged.report);
    sandbox.write("judge.sh", format!("echo '{good}'\nsleep 1000\n"));
    sandbox.write(CONFIG, "judge: { command: [sh, judge.sh], timeout: 1s }\n");
    sandbox.json(&[]).is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "did not answer in time");
    sandbox.write(CONFIG, "judge: { command: [no-such-judge] }\n");
    sandbox.json(&[]).is("UNVERIFIABLE").tells("one", "UNVERIFIABLE", "`no-such-judge` is not in PATH");
    sandbox.write(CONFIG, "judge: { command: no-such-judge }\n");
    sandbox.run(&["verify"]).exits(2).complains("openspec/specward.yaml:1: there has to be a list");
}

#[test]
fn what_the_judge_is_told() {
    let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let sandbox = on_branch(
        &[("One", &["command: [sh, t.sh]", ASKS])],
        &[(CONFIG, "judge: { command: [sh, judge.sh] }\n"), ("t.sh", "exit 0\n"), ("app.txt", "old words\n")],
    );
    judge(&sandbox, r#"{ "verdict": "PASS", "score": 1, "reason": "a" }"#);
    sandbox.write("app.txt", format!("new words {token}\n"));
    sandbox.write("t.sh", format!("echo seen {token}\n"));
    sandbox.write(AUTH, spec(&["One"]).replace("with a password", "with a passphrase"));
    sandbox.json(&["--changed", "--base", "main"]).is("PASS").has("one", "PASS");
    let text = fs::read_to_string(sandbox.path("asked.json")).expect("it was asked");
    let asked: Value = serde_json::from_str(&text).expect("one JSON document");
    let criterion = &asked["criterion"];
    assert_eq!((&criterion["id"], &criterion["scenario"]), (&"one".into(), &"One".into()), "{asked:#}");
    assert_eq!(criterion["ears"], "The system SHALL let users sign in with a passphrase.");
    assert!(criterion["text"].as_str().expect("text").contains("- **THEN** it is as it has to be"), "{asked:#}");
    assert_eq!((&asked["rubric"], &asked["threshold"]), (&"The error says what to do".into(), &0.8.into()));
    let difference = asked["diff"]["text"].as_str().expect("text");
    assert!(difference.contains("-old words\n+new words ") && asked["diff"]["truncated"] == false, "{asked:#}");
    let evidence = &asked["evidence"][0];
    assert_eq!((&evidence["type"], &evidence["verdict"]), (&"command".into(), &"PASS".into()), "{asked:#}");
    assert!(evidence["text"].as_str().expect("text").contains("\nseen "), "{asked:#}");
    assert!(!text.contains(token) && !text.contains(&token[..12]), "secrets stay here: {asked:#}");
    // A whole tree is compared with nothing.
    sandbox.json(&[]).is("PASS");
    let text = fs::read_to_string(sandbox.path("asked.json")).expect("it was asked");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("one JSON document")["diff"], Value::Null);
}

#[test]
fn configuration_of_checks() {
    let answer = |verdict: &str, reason: &str| {
        format!("cat > /dev/null\necho '{{ \"verdict\": \"{verdict}\", \"score\": 1, \"reason\": \"{reason}\" }}'\n")
    };
    let sandbox = on_branch(
        &[("One", &[ASKS])],
        &[(CONFIG, "judge: { command: [sh, strict.sh] }\n"), ("strict.sh", &answer("FAIL", "the strict one"))],
    );
    sandbox.write(CONFIG, "judge: { command: [sh, kind.sh] }\n");
    sandbox.write("kind.sh", answer("PASS", "the kind one"));
    let compare = ["--changed", "--base", "main"];
    // Not frozen, head's counts.
    sandbox.write(AUTH, spec(&["One"]).replace("with a password", "with a passphrase"));
    sandbox.json(&compare).is("PASS").tells("one", "PASS", "the kind one");
    for freeze in ["--frozen-spec", "--frozen-spec=explained"] {
        let judged = sandbox.json(&[&compare[..], &[freeze]].concat());
        judged.is("FAIL").tells("one", "FAIL", "the strict one");
    }
    // To have none any more does not help either.
    fs::remove_file(sandbox.path(CONFIG)).expect("it is there");
    sandbox.json(&[&compare[..], &["--frozen-spec"]].concat()).is("FAIL").tells("one", "FAIL", "the strict one");
}
